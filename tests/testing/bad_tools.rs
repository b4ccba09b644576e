//! Tools with one fault each, which the prover must name.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "clocks, dice and hash order are the faults"
)]

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use mcp_reprise::protocol::{CallToolResult, LoggingLevel};
use mcp_reprise::testing::Effects;
use mcp_reprise::{Cx, Form, Outcome, Question, Tool};
use serde_json::Value;

fn ask(cx: &mut Cx, key: &str, words: impl Into<String>) -> Result<Value, mcp_reprise::ToolError> {
    cx.elicit::<Value>(key, Form::new(words).text(key))?
        .accepted()
}

fn tool<F>(step: F) -> Tool
where
    F: Fn(&mut Cx, Value) -> Outcome + Send + Sync + 'static,
{
    Tool::new("bad").step(step)
}

fn done() -> Outcome {
    Ok(CallToolResult::text("done"))
}

/// Every question has another number.
pub fn counter_in_a_question() -> Tool {
    let asked = AtomicU64::new(0);
    tool(move |cx, _| {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        ask(cx, "day", format!("Question {number}: which day?"))?;
        done()
    })
}

/// The lowest bit of the system's clock decides.
pub fn branch_on_time() -> Tool {
    tool(|cx, _| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        if now.subsec_nanos() / 16 % 2 == 0 {
            ask(cx, "day", "Which day?")?;
        } else {
            ask(cx, "week", "Which week?")?;
        }
        done()
    })
}

/// Whether the last few hundred nanoseconds were even shapes the result alone.
pub fn result_by_stopwatch() -> Tool {
    let began = Instant::now();
    tool(move |cx, _| {
        ask(cx, "day", "Which day?")?;
        let even = began.elapsed().as_nanos() / 16 % 2 == 0;
        Ok(CallToolResult::text(if even { "even" } else { "odd" }))
    })
}

/// The system's dice decide whether to ask at all.
pub fn branch_on_dice() -> Tool {
    tool(|cx, _| {
        if RandomState::new().hash_one(7) % 2 == 0 {
            ask(cx, "sure", "Are you sure?")?;
        }
        done()
    })
}

/// Later rounds ask in another order than the first.
pub fn swapped_questions() -> Tool {
    tool(|cx, _| {
        if cx.now() == cx.began() {
            ask(cx, "day", "Which day?")?;
            ask(cx, "seats", "How many seats?")?;
        } else {
            ask(cx, "seats", "How many seats?")?;
            ask(cx, "day", "Which day?")?;
        }
        done()
    })
}

/// Later rounds ask nothing any more.
pub fn shortened() -> Tool {
    let runs = AtomicU64::new(0);
    tool(move |cx, _| {
        if runs.fetch_add(1, Ordering::Relaxed) == 0 {
            ask(cx, "day", "Which day?")?;
        }
        done()
    })
}

/// What should stand behind the question stands before it.
pub fn write_before_a_question(effects: &Effects) -> Tool {
    let effects = effects.clone();
    tool(move |cx, _| {
        effects.tick("write");
        ask(cx, "sure", "Are you sure?")?;
        done()
    })
}

/// The error that ends the round is taken for a no.
pub fn swallowed_halt(effects: &Effects) -> Tool {
    let effects = effects.clone();
    tool(move |cx, _| {
        let day = ask(cx, "day", "Which day?").unwrap_or_default();
        effects.tick("book");
        Ok(CallToolResult::text(day.to_string()))
    })
}

/// The error that ends the round is taken for something that cannot be.
pub fn unwrapped_halt() -> Tool {
    tool(|cx, _| {
        let day = ask(cx, "day", "Which day?").expect("a day");
        Ok(CallToolResult::text(day.to_string()))
    })
}

/// A map of sixteen keys is asked in the order in which it iterates.
pub fn hash_order() -> Tool {
    tool(|cx, _| {
        let seats: HashMap<u32, u32> = (0..16).map(|row| (row, row * 2)).collect();
        let rows: Vec<String> = seats.keys().map(ToString::to_string).collect();
        ask(cx, "row", format!("Which row of {}?", rows.join(", ")))?;
        done()
    })
}

/// The first of sixteen keys is taken for the result.
pub fn first_of_a_hash_map() -> Tool {
    tool(|cx, _| {
        ask(cx, "sure", "Are you sure?")?;
        let seats: HashMap<u32, u32> = (0..16).map(|row| (row, row * 2)).collect();
        Ok(CallToolResult::text(format!("{:?}", seats.keys().next())))
    })
}

/// The words stay, and what they are about changes: consent to one thing becomes consent to
/// another.
pub fn same_words_over_other_files() -> Tool {
    let selected = Arc::new(AtomicU64::new(3));
    tool(move |cx, _| {
        let files = selected.fetch_add(1, Ordering::Relaxed);
        ask(cx, "sure", "Delete the selected files?")?;
        Ok(CallToolResult::text(format!("deleted {files} files")))
    })
}

/// The same, but pinned: the answer no longer counts once the selection has changed.
pub fn pinned_words_over_other_files() -> Tool {
    tool(|cx, _| {
        let files = if cx.now() == cx.began() { 3 } else { 5 };
        let form = Form::new("Delete the selected files?").about(&files);
        cx.elicit::<Value>("sure", form)?.accepted()?;
        done()
    })
}

/// The clock of the round is in the question.
pub fn clock_in_a_question() -> Tool {
    tool(|cx, _| {
        let now = cx.now().as_millis();
        ask(cx, "day", format!("It is {now}. Which day?"))?;
        done()
    })
}

/// The clock of the round is in the result.
pub fn clock_in_a_result() -> Tool {
    tool(|cx, _| {
        ask(cx, "day", "Which day?")?;
        Ok(CallToolResult::text(cx.now().as_millis().to_string()))
    })
}

/// The same words are logged after each answer.
pub fn chatty() -> Tool {
    tool(|cx, _| {
        for key in ["day", "seats"] {
            ask(cx, key, "Please?")?;
            cx.log(LoggingLevel::Info, "thank you");
        }
        done()
    })
}

/// Nine questions, one a round.
pub fn long_winded() -> Tool {
    tool(|cx, _| {
        for number in 0..9 {
            ask(cx, &format!("q{number}"), "And this?")?;
        }
        done()
    })
}

/// Two questions at once, in an order that changes.
pub fn shuffled_together() -> Tool {
    let asked = AtomicU64::new(0);
    tool(move |cx, _| {
        let mut questions: Vec<_> = ["day", "seats"]
            .into_iter()
            .map(|key| Question::form::<Value>(key, Form::new(key).text(key)))
            .collect();
        if asked.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            questions.reverse();
        }
        cx.ask(questions)?;
        done()
    })
}

/// A panic after the first question.
pub fn panics() -> Tool {
    tool(|cx, _| {
        ask(cx, "day", "Which day?")?;
        panic!("a bug")
    })
}

/// The answer is read into a type whose field has another name than the form's.
pub fn misnamed_field() -> Tool {
    #[derive(serde::Deserialize)]
    struct Noted {
        notes: String,
    }
    tool(|cx, _| {
        let form = Form::new("A note?").text("note");
        let noted: Noted = cx.elicit("note", form)?.accepted()?;
        Ok(CallToolResult::text(noted.notes))
    })
}
