//! Random tool trees: a tool that plays one through `Cx`, and the reference model, which knows
//! nothing of journals and says from the answers alone what a call must come to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;

use mcp_reprise::protocol::{
    CallToolResult, CreateMessageRequestParams, LoggingLevel, SamplingMessage, TextContent,
};
use mcp_reprise::testing::{Effects, Expected, Situation};
use mcp_reprise::{Answer, Cx, Form, Outcome, Question, Tool, ToolError};
use proptest::prelude::*;
use serde_json::{Value, json};

type Name = Option<&'static str>;

/// One node of a tree.
#[derive(Debug, Clone)]
pub enum Node {
    Ask(Name),
    AskMany(Vec<Name>),
    Sample(Name),
    Roots(Name),
    Once(&'static str),
    Log(u8),
    Progress(u8),
    /// Goes one way if the last answer was an accepted one, and another if not.
    Branch(Vec<Node>, Vec<Node>),
    Loop(u8, Vec<Node>),
    Fail(u8),
}

pub fn tree() -> impl Strategy<Value = Vec<Node>> {
    let name = || proptest::sample::select(vec![None, Some("a"), Some("b"), Some("a-2")]);
    let leaf = prop_oneof![
        6 => name().prop_map(Node::Ask),
        2 => proptest::collection::vec(name(), 1..4).prop_map(Node::AskMany),
        1 => name().prop_map(Node::Sample),
        1 => name().prop_map(Node::Roots),
        4 => proptest::sample::select(vec!["w", "x", "a"]).prop_map(Node::Once),
        1 => (0u8..3).prop_map(Node::Log),
        1 => (0u8..9).prop_map(Node::Progress),
        1 => (0u8..2).prop_map(Node::Fail),
    ];
    let node = leaf.prop_recursive(3, 16, 4, |node| {
        let some = || proptest::collection::vec(node.clone(), 0..4);
        prop_oneof![
            2 => (some(), some()).prop_map(|(yes, no)| Node::Branch(yes, no)),
            1 => (0u8..4, some()).prop_map(|(times, body)| Node::Loop(times, body)),
        ]
    });
    proptest::collection::vec(node, 0..6)
}

/// What a run has come to know so far.
#[derive(Debug, Default)]
struct Learned {
    trace: Vec<String>,
    accepted: bool,
}

impl Learned {
    fn answer(&mut self, answer: &Answer<Value>) {
        self.accepted = matches!(answer, Answer::Accepted(_));
        self.trace.push(match answer {
            Answer::Accepted(content) => content.to_string(),
            Answer::Declined => "no".to_owned(),
            Answer::Cancelled => "gone".to_owned(),
        });
    }
}

fn form(name: Name) -> Form {
    Form::new(format!("{name:?}?")).text("v")
}

fn sampling() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new([SamplingMessage::user(TextContent::new("moon?"))], 9)
}

fn said(error: mcp_reprise::OnceError<Value>) -> ToolError {
    match error {
        mcp_reprise::OnceError::Failed(value) => ToolError::internal(value.to_string()),
        mcp_reprise::OnceError::Stopped(error) => error,
    }
}

/// A tool that plays a tree as a plain function.
pub fn plain_tool(name: &str, tree: Vec<Node>, effects: &Effects) -> Tool {
    let (tree, effects) = (Arc::new(tree), effects.clone());
    Tool::new(name).step(move |cx: &mut Cx, _: Value| -> Outcome {
        let mut learned = Learned::default();
        plain(&tree, cx, &effects, &mut learned)?;
        Ok(CallToolResult::text(learned.trace.join(";")))
    })
}

fn plain(
    nodes: &[Node],
    cx: &mut Cx,
    effects: &Effects,
    learned: &mut Learned,
) -> Result<(), ToolError> {
    for node in nodes {
        match node {
            Node::Once(name) => {
                let perform = |key: String| Ok(effects.perform(name, &key, || json!(name)));
                let value: Value = cx.once_blocking(name, perform).map_err(said)?;
                learned.trace.push(value.to_string());
            }
            Node::Branch(yes, no) => {
                plain(
                    if learned.accepted { yes } else { no },
                    cx,
                    effects,
                    learned,
                )?;
            }
            Node::Loop(times, body) => {
                for _ in 0..*times {
                    plain(body, cx, effects, learned)?;
                }
            }
            other => simple(other, cx, learned)?,
        }
    }
    Ok(())
}

/// The nodes that are the same for both kinds of tool.
fn simple(node: &Node, cx: &mut Cx, learned: &mut Learned) -> Result<(), ToolError> {
    match node {
        Node::Ask(name) => learned.answer(&cx.elicit::<Value>(*name, form(*name))?),
        Node::AskMany(names) => {
            let questions = names
                .iter()
                .map(|name| Question::form::<Value>(*name, form(*name)));
            for answer in cx.ask(questions.collect::<Vec<_>>())? {
                learned.answer(&answer);
            }
        }
        Node::Sample(name) => {
            let result = cx.sample(*name, sampling())?;
            learned
                .trace
                .push(serde_json::to_value(&result)?["content"]["text"].to_string());
        }
        Node::Roots(name) => {
            let roots = cx.list_roots(*name)?;
            learned.trace.push(format!("{} roots", roots.len()));
        }
        Node::Log(number) => cx.log(LoggingLevel::Info, number),
        Node::Progress(number) => cx.progress(f64::from(*number)),
        Node::Fail(number) => return Err(ToolError::say(format!("failed {number}"))),
        Node::Once(_) | Node::Branch(..) | Node::Loop(..) => unreachable!(),
    }
    Ok(())
}

/// A tool that plays a tree as an async function.
pub fn async_tool(name: &str, tree: Vec<Node>, effects: &Effects) -> Tool {
    let (tree, effects) = (Arc::new(tree), effects.clone());
    Tool::new(name).step(async move |cx: &mut Cx, _: Value| -> Outcome {
        let mut learned = Learned::default();
        walk(&tree, cx, &effects, &mut learned).await?;
        Ok(CallToolResult::text(learned.trace.join(";")))
    })
}

type Walking<'a> = Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>>;

fn walk<'a>(
    nodes: &'a [Node],
    cx: &'a mut Cx,
    effects: &'a Effects,
    learned: &'a mut Learned,
) -> Walking<'a> {
    Box::pin(async move {
        for node in nodes {
            match node {
                Node::Once(name) => {
                    let value: Value = cx
                        .once(name, async |key| {
                            Ok(effects.perform(name, &key, || json!(name)))
                        })
                        .await
                        .map_err(said)?;
                    learned.trace.push(value.to_string());
                }
                Node::Branch(yes, no) => {
                    let way = if learned.accepted { yes } else { no };
                    walk(way, cx, effects, learned).await?;
                }
                Node::Loop(times, body) => {
                    for _ in 0..*times {
                        walk(body, cx, effects, learned).await?;
                    }
                }
                other => simple(other, cx, learned)?,
            }
        }
        Ok(())
    })
}

/// The reference model: what the tree comes to with these answers.
pub fn model(tree: &[Node], situation: &Situation<'_>) -> Expected {
    let mut model = Model {
        history: situation.history.iter().cloned().collect(),
        ..Model::default()
    };
    match model.run(tree) {
        ControlFlow::Break(expected) => expected,
        ControlFlow::Continue(()) => Expected::Said(model.learned.trace.join(";")),
    }
}

#[derive(Default)]
struct Model {
    history: BTreeMap<String, Value>,
    uses: BTreeMap<String, u32>,
    taken: BTreeSet<String>,
    learned: Learned,
}

impl Model {
    fn run(&mut self, nodes: &[Node]) -> ControlFlow<Expected> {
        for node in nodes {
            match node {
                Node::Ask(name) => self.elicit(&[*name])?,
                Node::AskMany(names) => self.elicit(names)?,
                Node::Sample(name) => {
                    let told = self.told(*name, "sample")?;
                    self.learned.trace.push(told["content"]["text"].to_string());
                }
                Node::Roots(name) => {
                    let told = self.told(*name, "roots")?;
                    let count = told["roots"].as_array().map_or(0, Vec::len);
                    self.learned.trace.push(format!("{count} roots"));
                }
                Node::Once(name) => {
                    self.key(Some(name), "once");
                    self.learned.trace.push(json!(name).to_string());
                }
                Node::Branch(yes, no) => {
                    self.run(if self.learned.accepted { yes } else { no })?;
                }
                Node::Loop(times, body) => {
                    for _ in 0..*times {
                        self.run(body)?;
                    }
                }
                Node::Log(_) | Node::Progress(_) => {}
                Node::Fail(number) => {
                    return ControlFlow::Break(Expected::Failed(format!("failed {number}")));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn elicit(&mut self, names: &[Name]) -> ControlFlow<Expected> {
        let keys: Vec<String> = names.iter().map(|name| self.key(*name, "elicit")).collect();
        let open: Vec<String> = keys
            .iter()
            .filter(|key| !self.history.contains_key(*key))
            .cloned()
            .collect();
        if !open.is_empty() {
            return ControlFlow::Break(Expected::Asked(open));
        }
        for key in keys {
            let told = &self.history[&key];
            let answer = match told["action"].as_str() {
                Some("accept") => Answer::Accepted(told["content"].clone()),
                Some("decline") => Answer::Declined,
                _ => Answer::Cancelled,
            };
            self.learned.answer(&answer);
        }
        ControlFlow::Continue(())
    }

    fn told(&mut self, name: Name, kind: &str) -> ControlFlow<Expected, Value> {
        let key = self.key(name, kind);
        match self.history.get(&key) {
            Some(told) => ControlFlow::Continue(told.clone()),
            None => ControlFlow::Break(Expected::Asked(vec![key])),
        }
    }

    /// A key as the author's words have it: the name, its nth use `name-n`, or kind and place; and
    /// none twice.
    fn key(&mut self, name: Name, kind: &str) -> String {
        let stem = name.map_or_else(|| format!("unnamed {kind}"), ToOwned::to_owned);
        loop {
            let uses = self.uses.entry(stem.clone()).or_default();
            *uses += 1;
            let key = match (name, *uses) {
                (Some(name), 1) => name.to_owned(),
                (name, uses) => format!("{}-{uses}", name.unwrap_or(kind)),
            };
            if self.taken.insert(key.clone()) {
                return key;
            }
        }
    }
}
