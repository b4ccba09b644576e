//! What the strategies make is taken, or refused, by the core itself.

#![allow(
    clippy::disallowed_methods,
    reason = "a regression file is kept in a folder for what passes"
)]

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::testing::{
    Disproof, Effects, Flaw, any_answer_for, arguments_for, content_for, context, near_miss_for,
    prove, run_tool, script, text_response,
};
use mcp_reprise::{Answer, Cx, Field, Form, Outcome, Question, Tool, UrlPrompt};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::{bad_tools as bad, good_tools};

/// A field of any kind with any of its options that go together.
fn field() -> impl Strategy<Value = Field> {
    let bounds = (
        proptest::option::of(0u32..4),
        proptest::option::of(4u32..70),
    );
    let range = (
        proptest::option::of(-9i64..2),
        proptest::option::of(2i64..9),
    );
    let values = ["red", "green", "é\"\\"];
    let titled = [("r", "Red"), ("g", "Green")];
    prop_oneof![
        bounds.clone().prop_map(|(least, most)| {
            let text = least
                .into_iter()
                .fold(Field::text(), |text, least| text.min_length(least));
            most.into_iter()
                .fold(text, |text, most| text.max_length(most))
                .into()
        }),
        proptest::option::of(5u32..90).prop_map(|least| {
            least
                .into_iter()
                .fold(Field::email(), |text, least| text.min_length(least))
                .into()
        }),
        proptest::option::of(5u32..90).prop_map(|least| {
            least
                .into_iter()
                .fold(Field::uri(), |text, least| text.min_length(least))
                .into()
        }),
        Just(Field::date().into()),
        proptest::option::of(5u32..40).prop_map(|least| {
            least
                .into_iter()
                .fold(Field::date_time(), |text, least| text.min_length(least))
                .into()
        }),
        range.clone().prop_map(|(least, most)| {
            let field = least
                .into_iter()
                .fold(Field::integer(), |field, at| field.minimum(at));
            most.into_iter()
                .fold(field, |field, at| field.maximum(at))
                .into()
        }),
        range.prop_map(|(least, most)| {
            let half = |at: i64| at as f64 / 2.0;
            let field = least
                .into_iter()
                .fold(Field::number(), |field, at| field.minimum(half(at)));
            most.into_iter()
                .fold(field, |field, at| field.maximum(half(at)))
                .into()
        }),
        Just(Field::boolean().into()),
        Just(Field::choice(values).into()),
        Just(Field::titled_choice(titled).into()),
        Just(Field::titled_choice(titled).legacy_names().into()),
        bounds.clone().prop_map(move |(least, most)| {
            let field = least
                .into_iter()
                .fold(Field::choices(values), |field, at| field.min_items(at));
            most.into_iter()
                .fold(field, |field, at| field.max_items(at))
                .into()
        }),
        bounds.prop_map(move |(least, _)| {
            let field = Field::titled_choices(titled);
            least
                .into_iter()
                .fold(field, |field, at| field.min_items(at))
                .into()
        }),
    ]
}

fn form() -> impl Strategy<Value = Form> {
    proptest::collection::vec((field(), any::<bool>()), 0..4).prop_map(|fields| {
        fields
            .into_iter()
            .enumerate()
            .fold(Form::new("?"), |form, (at, (field, optional))| {
                let field = if optional { field.optional() } else { field };
                form.field(format!("f{at}"), field)
            })
    })
}

fn schema(form: &Form) -> Value {
    serde_json::from_str(&form.schema_json()).unwrap()
}

/// A tool that puts a form and tells what was done with it.
fn puts(form: Form) -> Tool {
    Tool::new("puts").step(move |cx: &mut Cx, _: Value| -> Outcome {
        Ok(match cx.elicit::<Value>("q", form.clone())? {
            Answer::Accepted(_) => CallToolResult::text("accepted"),
            Answer::Declined => CallToolResult::text("declined"),
            Answer::Cancelled => CallToolResult::text("cancelled"),
        })
    })
}

proptest! {
    #![proptest_config(Config::with_cases(1_000))]

    #[test]
    fn valid_content_is_accepted(
        (form, content) in form().prop_flat_map(|form| {
            let content = content_for(&schema(&form));
            (Just(form), content)
        })
    ) {
        let scene = context().elicitation().accept("q", content);
        prop_assert_eq!(text_response(&run_tool(puts(form), scene, json!({}))), "accepted");
    }

    #[test]
    fn near_misses_are_refused(
        (form, answer) in form().prop_flat_map(|form| {
            let answer = near_miss_for(&schema(&form));
            (Just(form), answer)
        })
    ) {
        // Refused, it is asked again; the decline is then the first answer the tool sees.
        let script = script(puts(form)).plays(2).answer("q", answer).decline("q");
        let proof = script.check();
        prop_assert!(proof.is_ok(), "{}: {}", script, proof.unwrap_err());
        prop_assert_eq!(proof.unwrap().text(), "declined");
    }

    #[test]
    fn arguments_are_taken(arguments in arguments_for(&argument_schema())) {
        let tool = Tool::new("takes").input_schema(argument_schema());
        let tool = tool.step(|_: &mut Cx, _: Value| CallToolResult::text("taken"));
        prop_assert_eq!(text_response(&run_tool(tool, context(), arguments)), "taken");
    }
}

fn argument_schema() -> Value {
    json!({
        "type": "object",
        "$defs": { "seat": {
            "type": "object",
            "properties": { "row": { "type": "integer", "minimum": 1, "multipleOf": 2 } },
            "required": ["row"],
            "additionalProperties": false,
        } },
        "properties": {
            "film": { "type": "string", "minLength": 2, "maxLength": 5 },
            "seats": { "type": "array", "items": { "$ref": "#/$defs/seat" }, "minItems": 1, "maxItems": 3 },
            "price": { "type": ["number", "null"], "exclusiveMinimum": 0, "exclusiveMaximum": 0.5 },
            "kind": { "oneOf": [{ "const": "2d" }, { "type": "boolean" }] },
            "both": { "allOf": [
                { "type": "object", "properties": { "a": { "enum": [1, null, "x"] } }, "required": ["a"] },
                { "properties": { "b": { "type": "boolean" } }, "required": ["b"] },
            ] },
            "anything": {},
        },
        "required": ["film", "seats", "kind"],
        "additionalProperties": false,
    })
}

#[test]
fn every_way_to_answer_comes_up() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "boolean" } }, "required": ["a"] });
    let mut seen = std::collections::BTreeSet::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..400 {
        let answer = any_answer_for(&schema)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        seen.insert(answer.map(|answer| {
            let valid = answer["content"]["a"].is_boolean();
            format!("{} {valid}", answer["action"])
        }));
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}

#[test]
fn good_tools_hold_over_any_answers() {
    for (script, _) in good_tools::all() {
        let config = Config {
            failure_persistence: None,
            ..Config::with_cases(32)
        };
        let proved = script.prove_with(config, Just(json!({})));
        assert!(proved.is_ok(), "{}", proved.unwrap_err());
    }
}

fn disproof(
    tool: Tool,
    change: impl FnOnce(mcp_reprise::testing::Script) -> mcp_reprise::testing::Script,
) -> Disproof {
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 5_000,
        ..Config::with_cases(1_000)
    };
    let script = change(script(tool));
    *script
        .prove_with(config, arguments_for(&json!({ "type": "object" })))
        .unwrap_err()
}

/// The flaw needs an accepted day that is Friday, and a decline after it.
#[test]
fn a_flaw_is_shrunk_to_the_smallest_script() {
    let effects = Effects::new();
    let noted = effects.clone();
    let step = move |cx: &mut Cx, _: Value| -> Outcome {
        let days = Form::new("Which day?").choice("day", ["Monday", "Friday"]);
        let day = cx.elicit::<Value>("day", days)?.value();
        let seats: Answer<Value> = cx.elicit("seats", Form::new("How many?").integer("seats"))?;
        if day.is_some_and(|day| day["day"] == "Friday") && seats == Answer::Declined {
            noted.tick("write");
            cx.elicit::<Value>("sure", Form::new("Sure?"))?;
        }
        Ok(CallToolResult::text("done"))
    };
    let disproof = disproof(Tool::new("bad").step(step), |script| {
        script.effects(&effects)
    });
    assert!(matches!(disproof.flaw, Flaw::Repeated { .. }));
    insta::assert_snapshot!(disproof.script);
}

#[test]
fn planted_faults_are_found_over_generated_answers() {
    let effects = Effects::new();
    let found = |tool| disproof(tool, |script| script.effects(&effects)).flaw;
    assert!(matches!(
        found(bad::counter_in_a_question()),
        Flaw::Unstable { .. }
    ));
    assert!(matches!(
        found(bad::branch_on_time()),
        Flaw::Unstable { .. }
    ));
    assert!(matches!(
        found(bad::branch_on_dice()),
        Flaw::Unstable { .. }
    ));
    assert!(matches!(found(bad::hash_order()), Flaw::Unstable { .. }));
    assert!(matches!(
        found(bad::swapped_questions()),
        Flaw::Diverged { .. }
    ));
    assert!(matches!(
        found(bad::write_before_a_question(&effects)),
        Flaw::Repeated { .. }
    ));
    assert!(matches!(
        found(bad::swallowed_halt(&effects)),
        Flaw::Swallowed { .. }
    ));
    assert!(matches!(found(bad::chatty()), Flaw::Noisy { .. }));
}

/// The one line of the README.
#[test]
fn one_line_proves_a_tool() {
    prove(
        puts(Form::new("Which?").choice("a", ["x", "y"])),
        arguments_for(&argument_schema()),
    );
}

#[test]
fn urls_and_many_questions_are_answered_too() {
    let step = async |cx: &mut Cx, _: Value| -> Outcome {
        let prompt = UrlPrompt::new("Please pay.", "https://example.com/pay")?;
        let paid = cx.elicit_url("pay", prompt)?;
        let questions = (0..4).map(|_| Question::form::<Value>("q", Form::new("?").boolean("b")));
        let answers = cx.ask(questions.collect::<Vec<_>>())?;
        Ok(CallToolResult::text(format!("{paid:?} {}", answers.len())))
    };
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(64)
    };
    let proved = script(step).prove_with(config, Just(json!({})));
    assert!(proved.is_ok(), "{}", proved.unwrap_err());
}

/// A regression file beside the source is written, and read again.
#[test]
fn regressions_are_kept_and_tried_first() {
    use proptest::test_runner::FileFailurePersistence;
    let file = std::env::temp_dir().join(format!("mcp-reprise-regressions-{}", std::process::id()));
    let path: &'static str = file.to_str().unwrap().to_owned().leak();
    let config = |cases| Config {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(path))),
        source_file: Some(file!()),
        max_shrink_iters: 1_000,
        ..Config::with_cases(cases)
    };
    let run = |cases| script(bad::chatty()).prove_with(config(cases), Just(json!({})));
    let first = run(256).unwrap_err();
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(kept.contains("cc "), "{kept}");
    // No case of its own is run: what is found is what was kept.
    let again = run(0).unwrap_err();
    assert_eq!(again.script.to_string(), first.script.to_string());
    std::fs::remove_file(path).unwrap();
}
