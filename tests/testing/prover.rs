//! The prover names each planted fault, in 100 of 100 runs, and none where there is none.

use mcp_reprise::testing::{Effects, Flaw, Script, error_response, script};
use mcp_reprise::{Cx, EntryKind, Form, Outcome, Tool, protocol::CallToolResult};
use serde_json::{Value, json};

use crate::{bad_tools as bad, good_tools};

const RUNS: usize = 100;

fn always(make: impl Fn() -> Script, is: impl Fn(&Flaw) -> bool) {
    for run in 0..RUNS {
        match make().check() {
            Err(flaw) if is(&flaw) => {}
            Err(other) => panic!("run {run}: another flaw: {other}"),
            Ok(proof) => panic!("run {run}: nothing found, but {proof:?}"),
        }
    }
}

fn unstable(flaw: &Flaw) -> bool {
    matches!(flaw, Flaw::Unstable { .. })
}

fn day(tool: Tool) -> Script {
    script(tool).accept("day", json!({ "day": "Friday" }))
}

fn sure(tool: Tool) -> Script {
    script(tool).accept("sure", json!({ "sure": "yes" }))
}

#[test]
fn a_counter_in_a_question() {
    always(|| day(bad::counter_in_a_question()), unstable);
}

#[test]
fn a_branch_on_time() {
    always(|| day(bad::branch_on_time()), unstable);
    always(|| day(bad::result_by_stopwatch()), unstable);
}

#[test]
fn a_branch_on_dice() {
    always(|| sure(bad::branch_on_dice()), unstable);
}

#[test]
fn the_order_of_a_hash_map() {
    let row = |tool| script(tool).accept("row", json!({ "row": "1" }));
    always(|| row(bad::hash_order()), unstable);
    always(|| sure(bad::first_of_a_hash_map()), unstable);
}

#[test]
fn a_clock_of_the_round() {
    always(|| day(bad::clock_in_a_question()), unstable);
    always(|| day(bad::clock_in_a_result()), unstable);
}

#[test]
fn swapped_questions() {
    always(
        || day(bad::swapped_questions()),
        |flaw| {
            matches!(flaw, Flaw::Diverged { round: 1, at: 0, recorded, attempted: Some(attempted), .. }
                if &*recorded.key == "day" && &*attempted.key == "seats")
        },
    );
    always(|| day(bad::shuffled_together()), unstable);
}

#[test]
fn a_shortened_tool() {
    always(
        || day(bad::shortened()),
        |flaw| {
            matches!(flaw, Flaw::Diverged { at: 0, recorded, attempted: None, .. }
                if recorded.kind == EntryKind::Elicit)
        },
    );
}

#[test]
fn work_before_a_question() {
    let effects = Effects::new();
    always(
        || sure(bad::write_before_a_question(&effects)).effects(&effects),
        |flaw| {
            matches!(flaw, Flaw::Repeated { effect, recorded: 1, attempted: 2, .. }
                if effect == "\"write\"")
        },
    );
}

#[test]
fn a_swallowed_halt() {
    let effects = Effects::new();
    always(
        || day(bad::swallowed_halt(&effects)).effects(&effects),
        |flaw| matches!(flaw, Flaw::Swallowed { round: 1 }),
    );
    // Also where nobody counts what it does, and where it breaks off over the error.
    always(
        || day(bad::swallowed_halt(&effects)),
        |flaw| matches!(flaw, Flaw::Swallowed { round: 1 }),
    );
    always(
        || day(bad::unwrapped_halt()),
        |flaw| matches!(flaw, Flaw::Swallowed { round: 1 }),
    );
}

#[test]
fn the_same_words_over_other_files() {
    always(|| sure(bad::same_words_over_other_files()), unstable);
    always(
        || script(bad::pinned_words_over_other_files()).accept("sure", json!({})),
        |flaw| {
            matches!(flaw, Flaw::Diverged { at: 0, recorded, attempted: Some(attempted), .. }
                if recorded.key == attempted.key && recorded.fingerprint != attempted.fingerprint)
        },
    );
}

#[test]
fn a_message_sent_twice() {
    let script = || day(bad::chatty()).accept("seats", json!({ "seats": "2" }));
    always(script, |flaw| {
        matches!(flaw, Flaw::Noisy { message, recorded: 2, attempted: 3, .. }
            if message.contains("thank you"))
    });
}

#[test]
fn too_many_rounds_are_a_warning() {
    let script = (0..9).fold(script(bad::long_winded()), |script, number| {
        let key = format!("q{number}");
        let content = json!({ key.as_str(): "x" });
        script.accept(&*key, content)
    });
    let proof = script.check().unwrap();
    assert_eq!(proof.text(), "done");
    assert!(matches!(
        proof.warnings[..],
        [Flaw::TooManyRounds { rounds: 10, .. }]
    ));
}

#[test]
fn what_the_script_does_not_answer() {
    fn two(cx: &mut Cx, _: Value) -> Outcome {
        cx.elicit::<Value>("day", Form::new("Which day?").text("day"))?;
        cx.elicit::<Value>("seats", Form::new("How many?").integer("seats"))?;
        Ok(CallToolResult::text("done"))
    }
    let short = script(two).decline("day").check().unwrap_err();
    assert!(
        matches!(&short, Flaw::OffScript { round: 2, recorded: None, attempted, .. }
            if *attempted == ["\"seats\""]),
        "{short}"
    );
    let wrong = script(two).decline("seats").check().unwrap_err();
    assert!(
        matches!(&wrong, Flaw::OffScript { round: 1, recorded: Some(_), attempted, .. }
            if *attempted == ["\"day\""]),
        "{wrong}"
    );
    let long = script(two).decline("day").decline("seats").decline(None);
    let long = long.check().unwrap_err();
    assert!(
        matches!(&long, Flaw::OffScript { round: 3, recorded: Some(_), attempted, .. }
            if attempted.is_empty()),
        "{long}"
    );
}

#[test]
fn good_tools_have_no_flaw() {
    for run in 0..10 {
        for (script, text) in good_tools::all() {
            let proof = match script.check() {
                Ok(proof) => proof,
                Err(flaw) => panic!("run {run}, {script}: {flaw}"),
            };
            if text == "isError" {
                error_response(&proof);
            } else {
                assert_eq!(proof.text(), text, "{script}");
            }
            assert!(proof.warnings.is_empty());
        }
    }
}

#[test]
fn a_tool_that_cannot_be_registered_is_said_so() {
    let flaw = script(Tool::new("stepless")).check().unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "nothing to prove: the tool cannot be registered: tool \"stepless\" has no step"
    );
}
