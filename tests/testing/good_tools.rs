//! Tools in which the prover must find nothing.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a `once` keeps what clocks, dice and hash maps said"
)]

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use mcp_reprise::protocol::{
    CallToolResult, CreateMessageRequestParams, LoggingLevel, SamplingMessage, TextContent,
};
use mcp_reprise::testing::{Effects, Script, script};
use mcp_reprise::{Answer, Cx, Form, Outcome, Progress, Question, Tool, ToolError};
use serde_json::{Value, json};

fn ask(cx: &mut Cx, key: &str) -> Result<Value, ToolError> {
    cx.elicit::<Value>(key, Form::new(format!("{key}?")).text(key))?
        .accepted()
}

fn said(key: &str) -> Value {
    json!({ key: format!("the {key}") })
}

/// All of them, each with a script and the text of its result.
pub fn all() -> Vec<(Script, &'static str)> {
    let effects = Effects::new();
    vec![
        (script(plain), "hello"),
        (
            script(booked_async)
                .accept("day", said("day"))
                .accept("seats", said("seats")),
            "the day, the seats",
        ),
        (script(booked_async).decline("day"), "isError"),
        (script(forgiving).cancel(None).decline(None), "2 refusals"),
        (
            script(frozen(&effects))
                .effects(&effects)
                .accept("sure", json!({ "sure": "yes" })),
            "frozen",
        ),
        (
            script(frozen_time).accept("day", said("day")),
            "from the beginning",
        ),
        (
            script(together)
                .accept("b", said("b"))
                .accept("a", said("a")),
            "the a, the b",
        ),
        (
            script(looped(&effects))
                .effects(&effects)
                .accept("step", said("step"))
                .accept("step-2", said("step"))
                .accept("step-3", said("step")),
            "3 steps",
        ),
        (
            script(stubborn)
                .answer(
                    "day",
                    json!({ "action": "accept", "content": { "day": 7 } }),
                )
                .silence()
                .accept("day", said("day")),
            "the day",
        ),
        (script(sorted).accept("row", said("row")), "sixteen rows"),
        (script(talkative).accept("day", said("day")), "told"),
        (
            script(model)
                .sample(
                    "rhyme",
                    mcp_reprise::protocol::CreateMessageResult::new(
                        mcp_reprise::protocol::Role::Assistant,
                        TextContent::new("June"),
                        "small",
                    ),
                )
                .roots(None, [mcp_reprise::protocol::Root::new("file:///a")]),
            "small, 1 root",
        ),
        (script(failing), "isError"),
    ]
}

fn plain(_: &mut Cx, _: Value) -> CallToolResult {
    CallToolResult::text("hello")
}

async fn booked_async(cx: &mut Cx, _: Value) -> Outcome {
    let day = ask(cx, "day")?;
    let seats = ask(cx, "seats")?;
    let text = |value: &Value, key| value[key].as_str().unwrap_or_default().to_owned();
    Ok(CallToolResult::text(format!(
        "{}, {}",
        text(&day, "day"),
        text(&seats, "seats")
    )))
}

/// Unnamed questions, whose refusals are values.
fn forgiving(cx: &mut Cx, _: Value) -> Outcome {
    let mut refusals = 0;
    for words in ["One?", "Two?"] {
        let answer: Answer<Value> = cx.elicit(None, Form::new(words).boolean("yes"))?;
        refusals += u32::from(answer.value().is_none());
    }
    Ok(CallToolResult::text(format!("{refusals} refusals")))
}

/// What comes from outside is kept by a `once`, though it comes out differently each time.
fn frozen(effects: &Effects) -> Tool {
    let effects = effects.clone();
    Tool::new("frozen").step(async move |cx: &mut Cx, _: Value| -> Outcome {
        let dice: u64 = cx
            .once("dice", async |key| {
                effects.tick_under("dice", &key);
                Ok::<_, std::fmt::Error>(RandomState::new().hash_one(1)).map_err(|_| ())
            })
            .await
            .map_err(|_| ToolError::internal("no dice"))?;
        let form = Form::new(format!("Take {dice}?")).text("sure");
        cx.elicit::<Value>("sure", form)?.accepted()?;
        Ok(CallToolResult::text("frozen"))
    })
}

/// The call's own clock and dice are the same in every round.
fn frozen_time(cx: &mut Cx, _: Value) -> Outcome {
    let (began, dice) = (cx.began().as_millis(), cx.dice());
    let form = Form::new(format!("{began} {dice:?}: which day?")).text("day");
    cx.elicit::<Value>("day", form)?.accepted()?;
    Ok(CallToolResult::text("from the beginning"))
}

fn together(cx: &mut Cx, _: Value) -> Outcome {
    let question = |key: &'static str| Question::form::<Value>(key, Form::new(key).text(key));
    let (a, b) = cx.ask((question("a"), question("b")))?;
    let (a, b) = (a.accepted()?, b.accepted()?);
    let text = |value: &Value, key| value[key].as_str().unwrap_or_default().to_owned();
    Ok(CallToolResult::text(format!(
        "{}, {}",
        text(&a, "a"),
        text(&b, "b")
    )))
}

/// One name three times, and a `once` after each.
fn looped(effects: &Effects) -> Tool {
    let effects = effects.clone();
    Tool::new("looped").step(async move |cx: &mut Cx, _: Value| -> Outcome {
        for _ in 0..3 {
            ask(cx, "step")?;
            cx.once("write", async |key| {
                effects.tick_under("write", &key);
                Ok::<_, Value>(1)
            })
            .await
            .map_err(|_| ToolError::internal("not written"))?;
        }
        Ok(CallToolResult::text("3 steps"))
    })
}

fn stubborn(cx: &mut Cx, _: Value) -> Outcome {
    let day = ask(cx, "day")?;
    Ok(CallToolResult::text(
        day["day"].as_str().unwrap_or_default(),
    ))
}

/// A hash map whose keys are sorted first.
fn sorted(cx: &mut Cx, _: Value) -> Outcome {
    let seats: HashMap<u32, u32> = (0..16).map(|row| (row, row)).collect();
    let mut rows: Vec<_> = seats.keys().collect();
    rows.sort();
    cx.elicit::<Value>("row", Form::new(format!("{rows:?}?")).text("row"))?
        .accepted()?;
    Ok(CallToolResult::text("sixteen rows"))
}

fn talkative(cx: &mut Cx, _: Value) -> Outcome {
    cx.log(LoggingLevel::Info, "before");
    cx.progress(Progress::new(1.0).of(2.0));
    ask(cx, "day")?;
    cx.log(LoggingLevel::Info, "after");
    cx.progress(Progress::new(2.0).of(2.0));
    Ok(CallToolResult::text("told"))
}

fn model(cx: &mut Cx, _: Value) -> Outcome {
    let message = SamplingMessage::user(TextContent::new("moon?"));
    let rhyme = cx.sample("rhyme", CreateMessageRequestParams::new([message], 9))?;
    let roots = cx.list_roots(None)?;
    Ok(CallToolResult::text(format!(
        "{}, {} root",
        rhyme.model,
        roots.len()
    )))
}

fn failing(_: &mut Cx, _: Value) -> Outcome {
    Err(ToolError::internal("the disk is full"))
}
