//! What each flaw says to the author.

#[cfg(feature = "legacy")]
use mcp_reprise::testing::Lane;
use mcp_reprise::testing::{Effects, Flaw, script};
use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
use serde_json::{Value, json};

use crate::bad_tools as bad;

#[test]
fn unstable() {
    let script = script(bad::counter_in_a_question()).decline("day");
    insta::assert_snapshot!(script.check().unwrap_err());
}

#[test]
fn unstable_in_what_the_words_do_not_show() {
    let files = std::sync::atomic::AtomicU64::new(0);
    let pinned = move |cx: &mut Cx, _: Value| -> Outcome {
        let files = files.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        cx.elicit::<Value>("sure", Form::new("Delete them?").about(&files))?
            .accepted()?;
        Ok(CallToolResult::text("deleted"))
    };
    let flaw = script(pinned)
        .accept("sure", json!({}))
        .check()
        .unwrap_err();
    let text = flaw.to_string();
    let attempted = text.lines().nth(2).unwrap();
    assert!(
        attempted.starts_with(
            r#"  attempted: asked "sure": "Delete them?", but at entry 0: recorded elicit "sure" #"#
        ),
        "{text}"
    );
}

#[test]
fn diverged() {
    let swapped = script(bad::swapped_questions()).decline("day");
    insta::assert_snapshot!(swapped.check().unwrap_err());
    let shortened = script(bad::shortened()).decline("day");
    insta::assert_snapshot!(shortened.check().unwrap_err());
}

#[test]
fn repeated() {
    let effects = Effects::new();
    let script = script(bad::write_before_a_question(&effects));
    let script = script
        .effects(&effects)
        .accept("sure", json!({ "sure": "yes" }));
    insta::assert_snapshot!(script.check().unwrap_err());
}

#[test]
fn swallowed() {
    let flaw = script(bad::unwrapped_halt()).decline("day").check();
    insta::assert_snapshot!(flaw.unwrap_err());
}

#[test]
fn failed() {
    let panicked = script(bad::panics())
        .accept("day", json!({ "day": "Friday" }))
        .check();
    insta::assert_snapshot!(panicked.unwrap_err());
    let misnamed = script(bad::misnamed_field()).accept("note", json!({ "note": "x" }));
    insta::assert_snapshot!(misnamed.check().unwrap_err());
}

#[test]
fn unreached() {
    #[derive(serde::Deserialize)]
    struct Book {
        #[expect(dead_code, reason = "it is only to be there")]
        film: String,
    }
    let book = |cx: &mut Cx, _: Book| -> Outcome {
        let words = format!("Which day from {:?}?", cx.now());
        cx.elicit::<Value>("day", Form::new(words).text("day"))?;
        Ok(CallToolResult::text("booked"))
    };
    let schema = json!({ "type": "object" });
    let config = proptest::test_runner::Config::with_cases(8);
    let arguments = mcp_reprise::testing::arguments_for(&schema);
    let nothing = script(book)
        .prove_with(config.clone(), arguments)
        .unwrap_err();
    insta::assert_snapshot!(nothing.flaw);
    let schema = json!({
        "type": "object",
        "properties": { "film": { "type": "string" } },
        "required": ["film"],
    });
    let arguments = mcp_reprise::testing::arguments_for(&schema);
    let unstable = script(book).prove_with(config, arguments).unwrap_err();
    assert!(matches!(unstable.flaw, Flaw::Unstable { .. }), "{unstable}");
}

#[test]
fn off_script() {
    let silent = script(bad::chatty()).check().unwrap_err();
    insta::assert_snapshot!(silent);
    let other = script(bad::chatty()).decline("seats").check().unwrap_err();
    insta::assert_snapshot!(other);
    let over = script(bad::chatty())
        .decline("day")
        .accept(None, json!({ "a": 1 }));
    insta::assert_snapshot!(over.check().unwrap_err());
}

#[test]
fn noisy() {
    let script = script(bad::chatty())
        .accept("day", json!({ "day": "Friday" }))
        .accept("seats", json!({ "seats": "2" }));
    insta::assert_snapshot!(script.check().unwrap_err());
}

#[test]
fn too_many_rounds() {
    let script = (0..9).fold(script(bad::long_winded()), |script, number| {
        script.accept(None, json!({ format!("q{number}"): "x" }))
    });
    insta::assert_snapshot!(script.check().unwrap().warnings[0]);
}

/// What only one lane knows shapes the result.
#[cfg(feature = "legacy")]
#[test]
fn eras_disagree() {
    let which = |cx: &mut Cx, _: Value| -> Outcome {
        let day = cx.elicit::<Value>("day", Form::new("Which day?").text("day"))?;
        Ok(CallToolResult::text(format!("{day:?} {:?}", cx.era())))
    };
    let script = script(which).decline("day");
    insta::assert_snapshot!(script.check().unwrap_err());
}

#[cfg(feature = "legacy")]
#[test]
fn every_lane_is_played() {
    let hello = |_: &mut Cx, _: Value| CallToolResult::text("hello");
    let proof = script(hello).check().unwrap();
    assert_eq!(proof.lanes, [Lane::Modern, Lane::Session]);
    assert_eq!(
        format!("{} {}", proof.lanes[0], proof.lanes[1]),
        "modern session"
    );
}

#[test]
fn a_flaw_is_an_error() {
    let flaw = script(bad::chatty()).check().unwrap_err();
    assert!(matches!(flaw, Flaw::OffScript { .. }));
    let _: Box<dyn std::error::Error> = flaw.into();
}
