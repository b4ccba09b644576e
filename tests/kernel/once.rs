//! Effects that happen once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_reprise::*;
use serde_json::json;

use crate::support::*;

#[derive(Debug, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error("no seat is left: {0}")]
struct SoldOut(u32);

/// A tool that does `effect` once, and then asks.
fn books(
    effect: impl Fn(u32) -> Result<u32, SoldOut> + Send + Sync + 'static,
    only_ok: bool,
) -> (Tool, Arc<AtomicU32>) {
    let tries = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&tries);
    let book = tool("book", move |cx| {
        let try_it = |_: IdempotencyKey| effect(counted.fetch_add(1, Ordering::SeqCst) + 1);
        let seat = if only_ok {
            cx.once_ok_blocking("seat", try_it)
        } else {
            cx.once_blocking("seat", try_it)
        };
        let said = match seat {
            Ok(seat) => format!("seat {seat}"),
            Err(OnceError::Failed(error)) => error.to_string(),
            Err(OnceError::Stopped(error)) => return Err(error),
        };
        ask(cx, "sure", "Sure?")?;
        text(said)
    });
    (book, tries)
}

#[test]
fn an_ok_and_an_err_are_both_played_back() {
    let (good, good_tries) = books(Ok, false);
    let mut client = Client::of(&server([good]));
    let asked = client.call("book");
    assert_eq!(client.answer_all(&asked).text(), "seat 1");
    assert_eq!(good_tries.load(Ordering::SeqCst), 1);
    let (bad, bad_tries) = books(|tries| Err(SoldOut(tries)), false);
    let mut client = Client::of(&server([bad]));
    let asked = client.call("book");
    assert_eq!(client.answer_all(&asked).text(), "no seat is left: 1");
    assert_eq!(bad_tries.load(Ordering::SeqCst), 1);
}

#[test]
fn where_only_an_ok_is_kept_an_err_is_tried_again() {
    let fails_first = |tries| {
        if tries == 1 {
            Err(SoldOut(tries))
        } else {
            Ok(tries)
        }
    };
    let (book, tries) = books(fails_first, true);
    let mut client = Client::of(&server([book]));
    let asked = client.call("book");
    let again = client.answer_all(&asked);
    // The second round does what the first did not: what it did then comes first in the journal.
    assert!(again.is_asking());
    assert_eq!(tries.load(Ordering::SeqCst), 2);
    assert_eq!(client.answer_all(&again).text(), "seat 2");
    assert_eq!(tries.load(Ordering::SeqCst), 2);
}

#[test]
fn an_async_once_is_as_good_as_a_blocking_one() {
    let book = async |cx: &mut Cx, _: serde_json::Value| -> Outcome {
        let seat: u32 = cx.once("seat", async |_| Ok::<u32, SoldOut>(17)).await?;
        let sure: u32 = cx.once_ok("sure", async |_| Ok::<u32, SoldOut>(1)).await?;
        ask(cx, "day", "Which day?")?;
        text(format!("{seat} {sure}"))
    };
    let mut client = Client::of(&server([Tool::new("book").step(book)]));
    let asked = client.call("book");
    assert_eq!(client.answer_all(&asked).text(), "17 1");
}

#[test]
fn one_history_has_one_key_however_the_client_spells_its_answers() {
    let order = tool("order", |cx| {
        let form = Form::new("How many?").integer("n").text("v");
        cx.elicit::<serde_json::Value>("many", form)?.accepted()?;
        let key = stamp(cx, "order")?;
        ask(cx, "sure", "Sure?")?;
        text(key)
    });
    let mut client = Client::of(&server([order]));
    let asked = client.call("order");
    let mut key = |content: &str| {
        let content = serde_json::from_str(content).unwrap();
        let sure = client.answer(&asked, json!({ "many": accept(content) }));
        client.answer_all(&sure).text().to_owned()
    };
    let one = key(r#"{ "n": 2, "v": "x" }"#);
    assert_eq!(key(r#"{ "v": "\u0078", "n": 2.0 }"#), one);
    assert_ne!(key(r#"{ "n": 3, "v": "x" }"#), one);
    assert_eq!(one.len(), 32);
}

#[test]
fn two_onces_of_one_name_have_keys_of_their_own() {
    let twice = tool("twice", |cx| {
        text([stamp(cx, "a")?, stamp(cx, "a")?].join(" "))
    });
    let mut client = Client::of(&server([twice]));
    let keys = client.call("twice").text().to_owned();
    let (one, other) = keys.split_once(' ').unwrap();
    assert_ne!(one, other);
}

#[test]
fn an_outcome_over_its_limit_fails_the_call_and_says_so_in_the_log() {
    let limits = Limits {
        outcome_bytes: 10,
        ..Limits::default()
    };
    let long = tool("long", |cx| {
        let kept = cx.once_blocking("long", |_| {
            Ok::<String, String>("a secret, and long".into())
        });
        text(kept.map_err(|_| ToolError::say("swallowed"))?)
    });
    let mut client = Client::of(&built(blank().limits(limits).tool(long)));
    let failed = client.call("long");
    assert!(!failed.message.to_string().contains("secret"));
    let (kind, cause) = failed.cause();
    assert_eq!(kind, FailureKind::Outcome);
    insta::assert_snapshot!(cause, @r#""long" came out 20 bytes long, 10 at most"#);
}

#[test]
fn a_journal_over_its_limit_fails_the_call() {
    let limits = Limits {
        journal_bytes: 100,
        ..Limits::default()
    };
    let grow = tool("grow", |cx| {
        ask(cx, "one", "One?")?;
        ask(cx, "two", "Two?")?;
        text("done")
    });
    let mut client = Client::of(&built(blank().limits(limits).tool(grow)));
    let asked = client.call("grow");
    let long = "x".repeat(100);
    let failed = client.answer(&asked, json!({ "one": typed(&long) }));
    assert_eq!(failed.cause().0, FailureKind::JournalFull);
}

#[test]
fn what_is_tried_again_in_one_run_is_one_once_of_one_key() {
    let keys = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&keys);
    let hold = tool("hold", move |cx| {
        for _ in 0..3 {
            let held = cx.once_ok_blocking("hold", |key| {
                let mut seen = seen.lock().unwrap();
                seen.push(key);
                if seen.len() == 2 {
                    Ok(17)
                } else {
                    Err("timed out")
                }
            });
            match held {
                Ok(seat) => {
                    ask(cx, "sure", "Sure?")?;
                    return text(format!("seat {seat}"));
                }
                Err(OnceError::Failed(_)) => {}
                Err(OnceError::Stopped(error)) => return Err(error),
            }
        }
        text("no seat")
    });
    let mut client = Client::of(&server([hold]));
    let asked = client.call("hold");
    assert_eq!(client.answer_all(&asked).text(), "seat 17");
    let keys = keys.lock().unwrap();
    assert_eq!(keys.len(), 2, "nothing was tried after it was done");
    assert_eq!(keys[0], keys[1]);
}
