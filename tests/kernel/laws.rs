//! One test a law, named after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mcp_reprise::protocol::{CallToolResult, LoggingLevel};
use mcp_reprise::*;
use serde_json::{Value, json};

use crate::support::*;

fn two_questions() -> Tool {
    tool("two", |cx| {
        let day = ask(cx, "day", "Which day?")?;
        let seats = ask(cx, "seats", &format!("How many for {day}?"))?;
        text(format!("{seats} on {day}"))
    })
}

#[test]
fn law_1_equal_inputs_give_equal_bytes_out_and_bad_input_is_an_action() {
    let play = || {
        let mut client = Client::of(&server([two_questions()]));
        let first = client.call("two");
        let second = client.answer_all(&first);
        let third = client.answer_all(&second);
        [first.bytes, second.bytes, third.bytes]
    };
    assert_eq!(play(), play());
    let mut client = Client::of(&server([two_questions()]));
    for bad in [
        "",
        "{",
        "[]",
        "null",
        "\u{feff}{}",
        r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
    ] {
        let round = client.send(bad.as_bytes());
        assert_eq!(round.status, 400, "{bad}");
        assert!(round.error()["code"].is_i64(), "{bad}");
    }
}

#[test]
fn law_2_an_answer_lands_only_on_the_question_it_was_given_for() {
    let files = Arc::new(AtomicU32::new(3));
    let count = Arc::clone(&files);
    let delete = tool("delete", move |cx| {
        let count = count.load(Ordering::SeqCst);
        ask(cx, "sure", &format!("Delete {count} files?"))?;
        text(format!("deleted {count}"))
    });
    let mut client = Client::of(&server([delete]));
    let asked = client.call("delete");
    assert_eq!(asked.words("sure"), "Delete 3 files?");
    files.store(5, Ordering::SeqCst);
    let again = client.answer_all(&asked);
    assert_eq!(again.words("sure"), "Delete 5 files?");
    assert!(again.divergence().is_some());
    assert_eq!(client.answer_all(&again).text(), "deleted 5");
}

#[test]
fn law_2_what_is_pinned_belongs_to_the_question() {
    let selection = Arc::new(AtomicU32::new(1));
    let selected = Arc::clone(&selection);
    let delete = tool("delete", move |cx| {
        let form = form("Delete the selected files?").about(&selected.load(Ordering::SeqCst));
        cx.elicit::<Value>("sure", form)?.accepted()?;
        text("deleted")
    });
    let mut client = Client::of(&server([delete]));
    let asked = client.call("delete");
    selection.store(2, Ordering::SeqCst);
    let again = client.answer_all(&asked);
    assert!(again.is_asking(), "{}", again.message);
    assert_eq!(client.answer_all(&again).text(), "deleted");
}

#[test]
fn law_3_done_once_is_done_once_and_its_key_follows_the_history() {
    let effects = Arc::new(AtomicU32::new(0));
    let done = Arc::clone(&effects);
    let order = tool("order", move |cx| {
        let day = ask(cx, "day", "Which day?")?;
        let key = cx.once_blocking("order", |key| {
            done.fetch_add(1, Ordering::SeqCst);
            Ok::<String, String>(key)
        });
        let key = key.map_err(|error| ToolError::internal(error.to_string()))?;
        ask(cx, "sure", &format!("Sure about {day}?"))?;
        text(key)
    });
    let mut client = Client::of(&server([order]));
    let asked = client.call("order");
    let sure = client.answer_all(&asked);
    let key = client.answer_all(&sure).text().to_owned();
    assert_eq!(effects.load(Ordering::SeqCst), 1);
    // The client goes back: the effect happens again, under the key of its history.
    let same = client.answer(&asked, json!({ "day": typed("v-day") }));
    let other = client.answer(&asked, json!({ "day": typed("another") }));
    assert_eq!(client.answer_all(&same).text(), key);
    assert_ne!(client.answer_all(&other).text(), key);
    let new = client.call("order");
    let new = client.answer_all(&new);
    assert_ne!(
        client.answer_all(&new).text(),
        key,
        "another call has another key"
    );
}

#[test]
fn law_4_all_refusals_of_a_state_are_the_same_bytes() {
    let server = server([
        two_questions(),
        tool("other", |cx| text(ask(cx, "day", "Which day?")?)),
    ]);
    let mut client = Client::named(&server, "alice");
    client.next_id = 7;
    let asked = client.call("two");
    let state = asked.state().to_owned();
    let refusal = |client: &mut Client, params: Value| {
        client.next_id = 99;
        let round = client.request("tools/call", params);
        assert!(!round.ran);
        assert_eq!(round.code(), -32602);
        (
            round.bytes.clone(),
            round.state_refusal().expect("a reason"),
        )
    };
    let params = |name: &str, state: &str, arguments: Value| json!({ "name": name, "arguments": arguments, "requestState": state });
    let tampered = format!("{}A", &state[..state.len() - 1]);
    let (bytes, reason) = refusal(&mut client, params("two", &tampered, json!({})));
    assert_eq!(reason, StateRefusal::NotOurs);
    let bob = Client::named(&server, "bob");
    let nobody = Client::of(&server);
    let mut late = client.clone();
    late.later(Limits::default().state_ttl.as_millis() as u64 + 1);
    let mut old = client.clone();
    old.later(Limits::default().call_age.as_millis() as u64 + 1);
    let long = "A".repeat(Limits::default().state_chars + 1);
    for (client, params, reason) in [
        (
            &bob,
            params("two", &state, json!({})),
            StateRefusal::NotOurs,
        ),
        (
            &nobody,
            params("two", &state, json!({})),
            StateRefusal::NotOurs,
        ),
        (
            &late,
            params("two", &state, json!({})),
            StateRefusal::Lapsed,
        ),
        (
            &old,
            params("two", &state, json!({})),
            StateRefusal::CallTooOld,
        ),
        (
            &client,
            params("other", &state, json!({})),
            StateRefusal::NotOurs,
        ),
        (
            &client,
            params("two", &state, json!({ "a": 1 })),
            StateRefusal::NotOurs,
        ),
        (
            &client,
            params("two", &long, json!({})),
            StateRefusal::TooLong,
        ),
    ] {
        assert_eq!(
            refusal(&mut client.clone(), params),
            (bytes.clone(), reason)
        );
    }
}

#[test]
fn law_4_arguments_are_bound_by_value_and_the_id_and_meta_are_not() {
    let mut client = Client::of(&server([two_questions()]));
    let mut asked = client.tool("two", json!({ "n": 1, "m": { "a": [1.50], "b": "é" } }));
    asked.params["arguments"] =
        serde_json::from_str(r#"{ "m": { "b": "\u00e9", "a": [15e-1] }, "n": 10e-1 }"#).unwrap();
    client.progress_token = Some("another _meta".into());
    client.next_id = 1_000;
    let again = client.answer_all(&asked);
    assert_eq!(again.keys(), ["seats"]);
}

#[test]
fn law_4_a_call_ends_with_its_age_whatever_was_resealed_since() {
    let limits = Limits {
        call_age: Duration::from_secs(60),
        ..Limits::default()
    };
    let built = built(blank().limits(limits).tool(two_questions()));
    let mut client = Client::of(&built);
    let asked = client.call("two");
    client.later(40_000);
    let resealed = client.refresh(&asked);
    assert!(resealed.is_asking());
    client.later(40_000);
    assert_eq!(
        client.refresh(&resealed).state_refusal(),
        Some(StateRefusal::CallTooOld)
    );
}

#[test]
fn law_4_an_answer_is_taken_only_for_an_open_question_and_only_if_it_is_valid() {
    let mut client = Client::of(&server([two_questions()]));
    let params = json!({ "name": "two", "inputResponses": { "day": typed("Friday") } });
    let asked = client.request("tools/call", params);
    assert_eq!(asked.keys(), ["day"], "nothing was open");
    let invalid = client.answer(&asked, json!({ "day": accept(json!({ "v": 5 })) }));
    assert_eq!(invalid.keys(), ["day"]);
    let early = json!({ "day": typed("Friday"), "seats": typed("2") });
    let next = client.answer(&invalid, early);
    assert_eq!(next.keys(), ["seats"], "seats was not open yet");
}

#[test]
fn law_5_a_swallowed_halt_is_still_a_halt() {
    let effects = Arc::new(AtomicU32::new(0));
    let done = Arc::clone(&effects);
    let swallow = tool("swallow", move |cx| {
        let _ = ask(cx, "day", "Which day?");
        let _ = cx.once_blocking("effect", |_| {
            done.fetch_add(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        });
        let _ = ask(cx, "seats", "How many?").map_err(|_| ToolError::say("rewrapped"));
        text("finished")
    });
    let mut client = Client::of(&server([swallow]));
    let first = client.call("swallow");
    assert_eq!(first.keys(), ["day"]);
    assert_eq!(
        effects.load(Ordering::SeqCst),
        0,
        "no effect after the end of the round"
    );
    let second = client.answer_all(&first);
    assert_eq!(second.keys(), ["seats"]);
    for (round, swallowed) in [(&first, true), (&second, true)] {
        let told = |seen: &Observation| matches!(seen, Observation::HaltSwallowed { .. });
        assert_eq!(round.observations.iter().any(told), swallowed);
    }
    assert_eq!(client.answer_all(&second).text(), "finished");
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

#[test]
fn law_6_the_replayed_part_is_silent() {
    let talk = tool("talk", |cx| {
        cx.log(LoggingLevel::Info, "before the day");
        cx.progress(1);
        ask(cx, "day", "Which day?")?;
        cx.log(LoggingLevel::Info, "after the day");
        cx.progress(2);
        ask(cx, "seats", "How many?")?;
        cx.log(LoggingLevel::Info, "at the end");
        cx.progress(3);
        text("done")
    });
    let mut client = Client::of(&server([talk]));
    client.log_level = Some(LoggingLevel::Debug);
    client.progress_token = Some(1.into());
    let first = client.call("talk");
    assert_eq!(first.logs(), ["before the day"]);
    assert_eq!(first.progress(), [1.0]);
    let second = client.answer_all(&first);
    assert_eq!(second.logs(), ["after the day"]);
    assert_eq!(second.progress(), [2.0]);
    let again = client.refresh(&second);
    assert!(again.pushes.is_empty(), "{:?}", again.pushes);
    let third = client.answer_all(&again);
    assert_eq!(third.logs(), ["at the end"]);
    assert_eq!(third.progress(), [3.0]);
}

#[test]
fn law_7_one_script_has_one_result_by_letter_and_by_hand() {
    let result = |by_letter: bool| {
        let mut client = Client::of(&server([two_questions()]));
        client.by_letter = by_letter;
        let first = client.call("two");
        let second = client.answer_all(&first);
        client.answer_all(&second).bytes
    };
    assert_eq!(result(true), result(false));
}

#[test]
fn law_10_the_two_sides_of_a_mismatch_are_recorded_and_attempted() {
    let swapped = Arc::new(AtomicU32::new(0));
    let order = Arc::clone(&swapped);
    let swap = tool("swap", move |cx| {
        let names = match order.load(Ordering::SeqCst) {
            0 => ["day", "seats"],
            _ => ["seats", "day"],
        };
        for name in names {
            ask(cx, name, name)?;
        }
        text("done")
    });
    let mut client = Client::of(&server([swap]));
    let asked = client.call("swap");
    swapped.store(1, Ordering::SeqCst);
    let again = client.refresh(&asked);
    let divergence = again.divergence().expect("a divergence").to_string();
    insta::assert_snapshot!(divergence, @r#"at entry 0: recorded elicit "day" #1bdd4661, attempted elicit "seats" #367627a6"#);
}

#[test]
fn an_end_with_entries_unread_keeps_its_result_and_logs_the_divergence() {
    let shorter = Arc::new(AtomicU32::new(0));
    let is_shorter = Arc::clone(&shorter);
    let shrink = tool("shrink", move |cx| {
        if is_shorter.load(Ordering::SeqCst) == 0 {
            ask(cx, "day", "Which day?")?;
        }
        Ok(CallToolResult::text("short"))
    });
    let mut client = Client::of(&server([shrink]));
    let asked = client.call("shrink");
    shorter.store(1, Ordering::SeqCst);
    let ended = client.answer_all(&asked);
    assert_eq!(ended.text(), "short");
    let divergence = ended.divergence().expect("a divergence");
    assert_eq!((divergence.at, &divergence.attempted), (0, &None));
}

#[test]
fn a_single_use_call_finishes_at_most_once_by_any_path() {
    let mut client = Client::of(&server([two_questions().single_use()]));
    let first = client.call("two");
    assert_eq!(first.claim, None, "nothing was answered yet");
    let second = client.answer_all(&first);
    assert!(second.claim.is_some());
    let fork = client.answer(&first, json!({ "day": typed("another") }));
    assert_eq!(fork.state_refusal(), Some(StateRefusal::Claimed));
    let refreshed = client.refresh(&second);
    assert!(refreshed.is_asking(), "the question can be asked again");
    let older = client.answer_all(&second);
    assert_eq!(older.state_refusal(), Some(StateRefusal::Claimed));
    assert_eq!(client.answer_all(&refreshed).text(), "v-seats on v-day");
    for state in [&first, &second, &refreshed] {
        let again = client.answer_all(state);
        assert_eq!(again.state_refusal(), Some(StateRefusal::Claimed));
        assert_eq!(again.code(), -32602);
    }
}

#[test]
fn a_single_use_state_without_answers_is_used_up_all_the_same() {
    let falls_back = tool("falls_back", |cx| match ask(cx, "sure", "Sure?") {
        Err(error) if error.is_unaskable() => text("done unasked"),
        sure => text(sure?),
    });
    let mut client = Client::of(&server([falls_back.single_use()]));
    let asked = client.call("falls_back");
    client.capabilities = json!({});
    assert_eq!(client.refresh(&asked).text(), "done unasked");
    assert_eq!(
        client.refresh(&asked).state_refusal(),
        Some(StateRefusal::Claimed)
    );
    client.capabilities = json!({ "elicitation": {} });
    assert_eq!(
        client.answer_all(&asked).state_refusal(),
        Some(StateRefusal::Claimed)
    );
}

#[test]
fn a_single_use_state_of_another_revision_begins_one_call_again_and_not_two() {
    let of = |revision: &str| server([two_questions().single_use().revision(revision)]);
    let mut client = Client::of(&of("1"));
    let asked = client.call("two");
    client.moves_to(&of("2"));
    assert!(client.answer_all(&asked).is_asking());
    assert_eq!(
        client.answer_all(&asked).state_refusal(),
        Some(StateRefusal::Claimed)
    );
}

#[test]
fn a_claim_is_remembered_longer_than_its_state_opens() {
    let mut client = Client::of(&server([two_questions().single_use()]));
    let asked = client.call("two");
    let began = client.now;
    let body = client.body(
        "tools/call",
        &json!({ "name": "two", "requestState": asked.state() }),
    );
    let mut turn = client.receive(body.as_bytes());
    let Some(Action::Claim(claim)) = turn.actions.pop() else {
        panic!("{turn:?}");
    };
    let age = Limits::default().call_age.as_millis() as u64;
    assert!(claim.until() > Timestamp::from_millis(began + age));
}
