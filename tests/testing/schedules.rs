//! Whatever a client, a network and an operator do: an outcome is the right one, an earlier
//! question, or a refusal.

#![allow(clippy::disallowed_methods, reason = "the time is reported")]

use std::cell::RefCell;
use std::time::{Duration, Instant};

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::testing::{Breach, Effects, Expected, Move, Played, Stage, moves, script, stage};
use mcp_reprise::{Cx, Form, Limits, Outcome, Tool, ToolError};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::trees::{Node, async_tool, model, plain_tool, tree};

/// How many schedules are played over random trees, and how many over straight lines.
const SCHEDULES: u32 = 10_000;
const STRAIGHT: u32 = 1_000;

fn limits() -> Limits {
    Limits {
        state_ttl: Duration::from_secs(60),
        call_age: Duration::from_secs(600),
        rounds: 9,
        ..Limits::default()
    }
}

/// Two tools of one tree, one plain and one async, and a second revision of both.
fn staged(first: &[Node], second: &[Node]) -> Stage {
    let effects = Effects::new();
    let schema = json!({ "type": "object", "properties": { "n": { "enum": [1, 2] } } });
    let tools = |tree: &[Node], revision: &str| {
        let tools = [
            plain_tool("plain", tree.to_vec(), &effects),
            async_tool("async", tree.to_vec(), &effects),
        ];
        tools.map(|tool| tool.input_schema(schema.clone()).revision(revision))
    };
    stage(tools(first, "1"))
        .revision(tools(second, "2"))
        .effects(&effects)
        .scene(|scene| scene.limits(limits()))
}

#[test]
fn trees_come_to_what_the_model_says() {
    let began = Instant::now();
    let sum = RefCell::new(Played::default());
    let mut runner = TestRunner::new(Config {
        source_file: Some(file!()),
        max_shrink_iters: 4_000,
        ..Config::with_cases(SCHEDULES)
    });
    let proved = runner.run(&(tree(), tree(), moves()), |(first, second, moves)| {
        let trees = [first.clone(), second.clone()];
        let stage = staged(&first, &second)
            .model(move |situation| model(&trees[situation.revision], situation));
        match stage.play(&moves) {
            Ok(played) => {
                *sum.borrow_mut() += played;
                Ok(())
            }
            Err(breach) => Err(TestCaseError::fail(breach.to_string())),
        }
    });
    if let Err(error) = proved {
        panic!("{error}");
    }
    let sum = sum.into_inner();
    println!("{SCHEDULES} schedules in {:?}: {sum:?}", began.elapsed());
    for (what, count) in [
        ("results", sum.results),
        ("questions", sum.asked),
        ("refusals", sum.refused),
        ("calls given up", sum.given_up),
        ("calls begun again", sum.began_again),
        ("lost answers", sum.lost),
        ("effects", sum.effects),
        ("effects done again", sum.redone),
    ] {
        assert!(count > 100, "only {count} {what} came up");
    }
}

/// The model and the straight line say the same, so users may trust the latter.
#[test]
fn trees_come_to_what_a_straight_line_does() {
    let mut runner = TestRunner::new(Config {
        source_file: Some(file!()),
        max_shrink_iters: 4_000,
        ..Config::with_cases(STRAIGHT)
    });
    let proved = runner.run(&(tree(), tree(), moves()), |(first, second, moves)| {
        let played = staged(&first, &second).play(&moves);
        played
            .map(drop)
            .map_err(|breach| TestCaseError::fail(breach.to_string()))
    });
    if let Err(error) = proved {
        panic!("{error}");
    }
}

/// The prover finds nothing in a tree, whatever is answered.
#[test]
fn trees_have_no_flaw() {
    let mut runner = TestRunner::new(Config {
        source_file: Some(file!()),
        max_shrink_iters: 4_000,
        ..Config::with_cases(100)
    });
    let proved = runner.run(&tree(), |tree| {
        let effects = Effects::new();
        let config = Config {
            failure_persistence: None,
            ..Config::with_cases(3)
        };
        let quiet = quieted(&tree);
        let script = script(async_tool("tree", quiet, &effects)).plays(4);
        let proved = script.prove_with(config, Just(json!({})));
        proved.map_err(|disproof| TestCaseError::fail(disproof.to_string()))
    });
    if let Err(error) = proved {
        panic!("{error}");
    }
}

/// A random tree says the same words twice, which is a flaw of its author.
fn quieted(tree: &[Node]) -> Vec<Node> {
    tree.iter()
        .filter(|node| !matches!(node, Node::Log(_) | Node::Progress(_)))
        .map(|node| match node {
            Node::Branch(yes, no) => Node::Branch(quieted(yes), quieted(no)),
            Node::Loop(times, body) => Node::Loop(*times, quieted(body)),
            other => other.clone(),
        })
        .collect()
}

/// The first schedule that breaches the tool, if a hundred do not hold.
fn breached(stage: &Stage) -> Breach {
    let found = RefCell::new(None);
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(2_000)
    };
    let proved = TestRunner::new(config).run(&moves(), |moves| match stage.play(&moves) {
        Ok(_) => Ok(()),
        Err(breach) => {
            *found.borrow_mut() = Some(*breach);
            Err(TestCaseError::fail("found"))
        }
    });
    assert!(proved.is_err(), "nothing was found");
    found.into_inner().unwrap()
}

/// What the schedules are worth: tools that break a rule are found.
#[test]
fn a_service_that_ignores_its_key_is_found() {
    let effects = Effects::new();
    let noted = effects.clone();
    let count = std::sync::atomic::AtomicU64::new(0);
    let tool = Tool::new("order").step(move |cx: &mut Cx, _: Value| -> Outcome {
        cx.elicit::<Value>("sure", Form::new("Sure?"))?;
        let order: u64 = cx
            .once_blocking("order", |key| {
                noted.tick_under("order", &key);
                Ok::<_, Value>(count.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
            })
            .map_err(|_| ToolError::internal("no order"))?;
        Ok(CallToolResult::text(order.to_string()))
    });
    let breach = breached(&stage([tool]).effects(&effects));
    assert!(matches!(breach, Breach::Outcome { .. }), "{breach}");
}

#[test]
fn a_tool_that_makes_its_own_keys_is_found() {
    let effects = Effects::new();
    let noted = effects.clone();
    let tool = Tool::new("order").step(move |cx: &mut Cx, _: Value| -> Outcome {
        cx.elicit::<Value>("sure", Form::new("Sure?"))?;
        noted.perform("order", "always the same key", || json!(1));
        Ok(CallToolResult::text("done"))
    });
    let breach = breached(&stage([tool]).effects(&effects));
    assert!(matches!(breach, Breach::Key { .. }), "{breach}");
}

#[test]
fn an_effect_in_every_round_is_found() {
    let effects = Effects::new();
    let noted = effects.clone();
    let tool = Tool::new("order").step(move |cx: &mut Cx, _: Value| -> Outcome {
        noted.tick("order");
        cx.elicit::<Value>("sure", Form::new("Sure?"))?;
        Ok(CallToolResult::text("done"))
    });
    let breach = breached(&stage([tool]).effects(&effects));
    assert!(matches!(breach, Breach::DoneAgain { .. }), "{breach}");
    assert!(breach.to_string().contains("was done again"));
}

#[test]
fn a_wrong_model_is_found() {
    let tool = Tool::new("tree").step(|cx: &mut Cx, _: Value| -> Outcome {
        cx.elicit::<Value>("sure", Form::new("Sure?"))?;
        Ok(CallToolResult::text("done"))
    });
    let stage = stage([tool]).model(|situation| match situation.history {
        [] => Expected::Asked(vec!["sure".into()]),
        _ => Expected::Said("over".into()),
    });
    let breach = breached(&stage);
    insta::assert_snapshot!(without_move(&breach.to_string()));
}

fn without_move(text: &str) -> String {
    let (_, rest) = text.split_once(": ").unwrap();
    rest.to_owned()
}

/// Schedules of every kind of move by hand, so that what is generated is known to be understood.
#[test]
fn moves_do_what_they_say() {
    let effects = Effects::new();
    let tree = vec![Node::Ask(Some("a")), Node::Once("w"), Node::Ask(Some("b"))];
    let tool = plain_tool("tree", tree, &effects);
    let stage = stage([tool.revision("1")])
        .effects(&effects)
        .scene(|scene| scene.limits(limits()));
    let call = |principal| Move::Call {
        tool: 0,
        principal,
        arguments: vec![],
    };
    let answer = |back| Move::Answer {
        call: 0,
        back,
        answers: vec![],
    };
    let play = |moves: &[Move]| stage.play(moves).unwrap();

    let straight = play(&[call(0), answer(0), answer(0)]);
    assert_eq!(
        (straight.asked, straight.results, straight.effects),
        (2, 1, 1)
    );
    // Back to the first state with other words: another history, another key.
    let back = play(&[call(0), answer(0), answer(1)]);
    assert_eq!((back.asked, back.effects, back.redone), (3, 2, 0));
    // The same message again: the same history and the same key.
    let again = play(&[call(0), answer(0), Move::Repeat]);
    assert_eq!((again.effects, again.redone), (2, 1));
    let hung = play(&[
        call(0),
        Move::HangUp {
            call: 0,
            answers: vec![],
            when: 2,
        },
    ]);
    assert_eq!((hung.asked, hung.lost, hung.effects), (1, 1, 1));
    let never = play(&[
        call(0),
        Move::HangUp {
            call: 0,
            answers: vec![],
            when: 0,
        },
    ]);
    assert_eq!((never.lost, never.effects), (1, 0));
    let swap = Move::Swap {
        of: 0,
        into: 1,
        answers: vec![],
    };
    assert_eq!(play(&[call(0), call(1), swap.clone()]).refused, 1);
    assert_eq!(play(&[call(1), call(1), swap]).refused, 0);
    for (long, refused) in [(3, 0), (4, 1)] {
        assert_eq!(
            play(&[call(0), Move::Wait { long }, answer(0)]).refused,
            refused
        );
    }
    for (forget, refused) in [(false, 0), (true, 1)] {
        assert_eq!(
            play(&[call(0), Move::Rotate { forget }, answer(0)]).refused,
            refused
        );
    }
    // Refreshed at the edge of each state's life, a call still ends with its age.
    let mut long = vec![call(0)];
    for _ in 0..11 {
        long.push(Move::Wait { long: 3 });
        long.push(Move::Refresh { call: 0, back: 0 });
    }
    assert_eq!(play(&long).given_up, 1);
}

/// Two revisions: a call begins again, unless something was done once in it.
#[test]
fn replicas_of_two_revisions() {
    let effects = Effects::new();
    let tools = |revision: &str, once: bool| {
        let mut tree = vec![Node::Ask(Some("a"))];
        if once {
            tree.insert(0, Node::Once("w"));
        }
        [plain_tool("tree", tree, &effects).revision(revision)]
    };
    let call = Move::Call {
        tool: 0,
        principal: 0,
        arguments: vec![],
    };
    let answer = Move::Answer {
        call: 0,
        back: 0,
        answers: vec![],
    };
    let moves = [call, Move::Replica { number: 1 }, answer];
    let plain = stage(tools("1", false))
        .revision(tools("2", false))
        .effects(&effects);
    let played = plain.play(&moves).unwrap();
    assert_eq!(
        (played.asked, played.began_again, played.results),
        (2, 1, 0)
    );
    let once = stage(tools("1", true))
        .revision(tools("2", true))
        .effects(&effects);
    let played = once.play(&moves).unwrap();
    assert_eq!((played.asked, played.given_up), (1, 1));
}

/// A tool of single use: the second use of a state is refused like any bad one.
#[test]
fn single_use() {
    let effects = Effects::new();
    let tree = vec![Node::Ask(Some("a")), Node::Once("w")];
    let tool = plain_tool("tree", tree, &effects).single_use();
    let stage = stage([tool]).effects(&effects);
    let call = Move::Call {
        tool: 0,
        principal: 0,
        arguments: vec![],
    };
    let answer = Move::Answer {
        call: 0,
        back: 0,
        answers: vec![],
    };
    let played = stage.play(&[call, answer.clone(), answer]).unwrap();
    assert_eq!((played.results, played.refused, played.effects), (1, 1, 1));
    stage.prove();
}
