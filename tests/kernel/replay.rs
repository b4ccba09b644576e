//! What happens when a replay and its journal disagree.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_reprise::*;
use serde_json::{Value, json};

use crate::support::*;

/// A tool that asks these names in this order, which a test changes between rounds.
fn asks(names: &Arc<std::sync::Mutex<Vec<&'static str>>>) -> Tool {
    let names = Arc::clone(names);
    tool("asks", move |cx| {
        let names = names.lock().unwrap().clone();
        let mut told = Vec::new();
        for name in names {
            match name.strip_prefix('!') {
                Some(effect) => {
                    stamp(cx, effect)?;
                    told.push(effect.to_owned());
                }
                None => told.push(ask(cx, name, name)?),
            }
        }
        text(told.join(" "))
    })
}

fn order(names: &[&'static str]) -> Arc<std::sync::Mutex<Vec<&'static str>>> {
    Arc::new(std::sync::Mutex::new(names.to_vec()))
}

#[test]
fn a_reordered_tail_is_dropped_and_asked_again() {
    let names = order(&["a", "b", "c"]);
    let mut client = Client::of(&server([asks(&names)]));
    let first = client.call("asks");
    let second = client.answer_all(&first);
    *names.lock().unwrap() = vec!["b", "a", "c"];
    let again = client.answer_all(&second);
    assert_eq!(again.keys(), ["b"], "the answer to a is not taken for b");
    assert_eq!(again.divergence().map(|divergence| divergence.at), Some(0));
    let a = client.answer_all(&again);
    let c = client.answer_all(&a);
    assert_eq!(client.answer_all(&c).text(), "v-b v-a v-c");
}

#[test]
fn a_lengthened_tool_keeps_the_answers_it_has() {
    let names = order(&["a", "b"]);
    let mut client = Client::of(&server([asks(&names)]));
    let first = client.call("asks");
    let second = client.answer_all(&first);
    *names.lock().unwrap() = vec!["a", "b", "c"];
    let third = client.answer_all(&second);
    assert_eq!(third.keys(), ["c"]);
    assert!(third.divergence().is_none());
    assert_eq!(client.answer_all(&third).text(), "v-a v-b v-c");
}

#[test]
fn a_question_put_in_front_drops_the_tail() {
    let names = order(&["a", "b"]);
    let mut client = Client::of(&server([asks(&names)]));
    let first = client.call("asks");
    let second = client.answer_all(&first);
    *names.lock().unwrap() = vec!["z", "a", "b"];
    let again = client.answer_all(&second);
    assert_eq!(again.keys(), ["z"]);
    assert_eq!(
        client.answer_all(&again).keys(),
        ["a"],
        "a was dropped and is asked again"
    );
}

#[test]
fn a_tail_that_holds_a_once_is_not_dropped_and_the_call_fails_in_one_sentence() {
    let names = order(&["a", "!effect", "b"]);
    let mut client = Client::of(&server([asks(&names)]));
    let first = client.call("asks");
    let second = client.answer_all(&first);
    *names.lock().unwrap() = vec!["z", "a", "!effect", "b"];
    let failed = client.answer_all(&second);
    insta::assert_snapshot!(failed.failure(), @"The call cannot go on from this state. Start it again.");
    assert_eq!(failed.cause().0, FailureKind::Diverged);
    assert_eq!(failed.divergence().map(|divergence| divergence.at), Some(0));
    assert!(
        !failed.message.to_string().contains("effect"),
        "{}",
        failed.message
    );
}

#[test]
fn another_once_in_the_place_of_one_fails_the_call() {
    let names = order(&["a", "!one", "b"]);
    let mut client = Client::of(&server([asks(&names)]));
    let first = client.call("asks");
    let second = client.answer_all(&first);
    *names.lock().unwrap() = vec!["a", "!other", "b"];
    assert_eq!(client.answer_all(&second).cause().0, FailureKind::Diverged);
}

#[test]
fn a_recorded_answer_that_no_longer_decodes_is_asked_again() {
    let strict = Arc::new(AtomicU32::new(0));
    let is_strict = Arc::clone(&strict);
    let decode = tool("decode", move |cx| {
        let number = if is_strict.load(Ordering::SeqCst) == 0 {
            cx.elicit::<Value>("n", form("A number?"))?.accepted()?["v"].clone()
        } else {
            let map =
                cx.elicit::<std::collections::BTreeMap<String, Lower>>("n", form("A number?"))?;
            Value::from(format!("{:?}", map.accepted()?.keys()))
        };
        ask(cx, "sure", "Sure?")?;
        text(number.to_string())
    });
    #[derive(Debug, serde::Deserialize)]
    enum Lower {
        #[serde(rename = "five")]
        Five,
    }
    let mut client = Client::of(&server([decode]));
    let first = client.call("decode");
    let second = client.answer_all(&first);
    strict.store(1, Ordering::SeqCst);
    let again = client.refresh(&second);
    assert_eq!(again.keys(), ["n"]);
    let divergence = again.divergence().expect("a divergence").to_string();
    assert!(
        divergence.contains("with another type of answer"),
        "{divergence}"
    );
    let sure = client.answer(&again, json!({ "n": typed("five") }));
    assert_eq!(sure.keys(), ["sure"]);
}

#[test]
fn state_of_another_revision_begins_the_call_again() {
    let of = |revision: &str| {
        let names = order(&["a", "b"]);
        server([asks(&names).revision(revision)])
    };
    let (old, new) = (of("1"), of("2"));
    let mut client = Client::of(&old);
    let first = client.call("asks");
    let second = client.answer_all(&first);
    assert_eq!(second.keys(), ["b"]);
    let again = client.moves_to(&new).answer_all(&second);
    assert_eq!(again.keys(), ["a"]);
    let begun = again
        .observations
        .iter()
        .any(|seen| matches!(seen, Observation::BeganAgain { .. }));
    assert!(begun, "{:?}", again.observations);
}

#[test]
fn state_of_another_revision_with_a_once_fails_the_call() {
    let of = |revision: &str| {
        let names = order(&["a", "!effect", "b"]);
        server([asks(&names).revision(revision)])
    };
    let (old, new) = (of("1"), of("2"));
    let mut client = Client::of(&old);
    let first = client.call("asks");
    let second = client.answer_all(&first);
    let failed = client.moves_to(&new).answer_all(&second);
    assert_eq!(failed.cause().0, FailureKind::Diverged);
    assert!(!failed.ran);
}

#[test]
fn several_questions_of_one_round_are_kept_and_only_the_rest_are_asked_again() {
    let both = tool("both", |cx| {
        let (day, seats) = cx.ask((
            Question::form::<Value>("day", form("Which day?")),
            Question::form::<Value>("seats", form("How many?")),
        ))?;
        let (day, seats) = (day.accepted()?, seats.accepted()?);
        text(format!("{} {}", day["v"], seats["v"]))
    });
    let many = tool("many", |cx| {
        let questions = ["x", "y", "z"].map(|name| Question::form::<Value>(name, form(name)));
        let told = cx.ask(Vec::from(questions))?;
        let told: Vec<String> = told
            .into_iter()
            .map(|answer| answer.accepted().map(|value| value["v"].to_string()))
            .collect::<Result<_, _>>()?;
        text(told.join(" "))
    });
    let mut client = Client::of(&server([both, many]));
    let asked = client.call("both");
    assert_eq!(asked.keys(), ["day", "seats"]);
    let rest = client.answer(&asked, json!({ "seats": typed("2") }));
    assert_eq!(rest.keys(), ["day"]);
    assert_eq!(client.answer_all(&rest).text(), r#""v-day" "2""#);
    let asked = client.call("many");
    assert_eq!(asked.keys(), ["x", "y", "z"]);
    let rest = client.answer(&asked, json!({ "y": typed("1") }));
    assert_eq!(rest.keys(), ["x", "z"]);
    assert_eq!(client.answer_all(&rest).text(), r#""v-x" "1" "v-z""#);
}

#[test]
fn the_key_is_the_name_its_nth_use_is_counted_and_without_a_name_it_is_the_place() {
    let names = tool("names", |cx| {
        let form = || form("Again?");
        cx.ask(vec![
            Question::form::<Value>("day", form()),
            Question::form::<Value>("day", form()),
            Question::form::<Value>(None, form()),
            Question::form::<Value>(None, form()),
        ])?;
        text("done")
    });
    let mut client = Client::of(&server([names]));
    let asked = client.call("names");
    assert_eq!(asked.keys(), ["day", "day-2", "elicit-1", "elicit-2"]);
    assert_eq!(client.answer_all(&asked).text(), "done");
}

#[test]
fn the_start_and_the_dice_of_a_call_are_the_same_in_every_round_and_the_present_is_not() {
    let moments = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&moments);
    let look = tool("look", move |cx| {
        let dice = (cx.dice(), cx.dice());
        seen.lock().unwrap().push((cx.began(), dice, cx.now()));
        ask(cx, "a", "a")?;
        text("done")
    });
    let mut client = Client::of(&server([look]));
    let asked = client.call("look");
    client.answer_all(&asked);
    client.call("look");
    let moments = moments.lock().unwrap().clone();
    let [first, second, other] = moments.as_slice() else {
        panic!("{moments:?}");
    };
    assert_eq!((first.0, first.1), (second.0, second.1));
    assert_ne!(first.2, second.2);
    assert_ne!(first.1.0, first.1.1, "each throw is another");
    assert_ne!(first.1, other.1, "another call has other dice");
}

#[test]
fn replicas_of_one_key_take_turns_and_a_rotated_ring_still_opens_the_old_state() {
    let of = |keys: KeyRing| {
        let names = order(&["a", "b"]);
        let builder = Server::builder("shop", "1.0.0").state_keys(keys);
        built(builder.tool(asks(&names)))
    };
    let old = of(KeyRing::new(key(1)));
    let rotated = of(KeyRing::new(key(2)).and(key(1)).unwrap());
    let new = of(KeyRing::new(key(2)));
    let mut client = Client::of(&old);
    let first = client.call("asks");
    let second = client.moves_to(&rotated).answer_all(&first);
    assert_eq!(second.keys(), ["b"]);
    assert_eq!(client.moves_to(&new).answer_all(&second).text(), "v-a v-b");
    let unknown = client.moves_to(&new).answer_all(&first);
    assert_eq!(unknown.state_refusal(), Some(StateRefusal::NotOurs));
}
