//! A script: a tool, its arguments, and what its user says to each question.

use std::sync::Arc;

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::context::{Context, context, to_json};
use super::effects::Effects;
use super::flaw::Flaw;
use super::proof::Proof;
use super::run::IntoTool;
use crate::protocol::{CreateMessageResult, LoggingLevel, Root};
use crate::question::QuestionName;
use crate::tool::Tool;

/// How often [`Script::check`] plays each round.
const PLAYS: usize = 32;

/// A tool with its arguments, and what its user says to each question in order: to be
/// [checked](Script::check).
///
/// ```
/// use mcp_reprise::testing::script;
/// use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
/// use serde_json::{Value, json};
///
/// async fn book(cx: &mut Cx, _: Value) -> Outcome {
///     let day: Value = cx.elicit("day", Form::new("Which day?").text("day"))?.accepted()?;
///     let seats = cx.elicit::<Value>("seats", Form::new("How many?").integer("seats"))?.value();
///     Ok(CallToolResult::text(format!("{day} {}", seats.is_some())))
/// }
///
/// let proof = script(book)
///     .arguments(json!({}))
///     .accept("day", json!({ "day": "Friday" }))
///     .decline("seats")
///     .check()
///     .unwrap();
/// assert_eq!(proof.text(), r#"{"day":"Friday"} false"#);
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Script {
    pub(super) tool: Tool,
    pub(super) arguments: Value,
    pub(super) lines: Vec<Line>,
    pub(super) scene: Context,
    pub(super) effects: Option<Effects>,
    pub(super) plays: usize,
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// The key; `None` for the next question of its kind.
    pub(super) name: Option<String>,
    pub(super) says: Says,
    /// The answer as the wire has it.
    pub(super) answer: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Elicited,
    Sampled,
    Rooted,
    /// Whatever is asked.
    Anything,
    /// The client comes back without an answer.
    Silence,
}

impl Says {
    pub(super) fn fits(self, request: &Value) -> bool {
        let method = match self {
            Self::Elicited => "elicitation/create",
            Self::Sampled => "sampling/createMessage",
            Self::Rooted => "roots/list",
            Self::Anything => return true,
            Self::Silence => return false,
        };
        request["method"] == method
    }
}

/// A script for a tool, or for just its step: see [`IntoTool`]. The client can do everything,
/// wants all log messages and all progress.
pub fn script<M>(tool: impl IntoTool<M>) -> Script {
    Script {
        tool: tool.into_tool(),
        arguments: json!({}),
        lines: Vec::new(),
        scene: context()
            .everything()
            .log_level(LoggingLevel::Debug)
            .progress_token("progress"),
        effects: None,
        plays: PLAYS,
    }
}

impl Script {
    /// The arguments of the call. Without this, an empty object.
    pub fn arguments(mut self, arguments: impl Into<Value>) -> Self {
        self.arguments = arguments.into();
        self
    }

    /// The user accepts the question with this content. An unnamed question is answered with
    /// `None`: the next one of its kind.
    ///
    /// # Panics
    ///
    /// When the content has no JSON form.
    #[track_caller]
    pub fn accept(self, name: impl Into<QuestionName>, content: impl Serialize) -> Self {
        let content = to_json(content);
        let answer = json!({ "action": "accept", "content": content });
        self.line(name.into().into_text(), Says::Elicited, answer)
    }

    /// The user says no.
    pub fn decline(self, name: impl Into<QuestionName>) -> Self {
        self.line(
            name.into().into_text(),
            Says::Elicited,
            json!({ "action": "decline" }),
        )
    }

    /// The user goes away without an answer.
    pub fn cancel(self, name: impl Into<QuestionName>) -> Self {
        self.line(
            name.into().into_text(),
            Says::Elicited,
            json!({ "action": "cancel" }),
        )
    }

    /// The client's model says this.
    ///
    /// ```
    /// use mcp_reprise::testing::script;
    /// use mcp_reprise::{Cx, Outcome};
    /// use mcp_reprise::protocol::{CallToolResult, CreateMessageRequestParams, CreateMessageResult, Role, SamplingMessage, TextContent};
    ///
    /// fn rhyme(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let ask = CreateMessageRequestParams::new([SamplingMessage::user(TextContent::new("moon?"))], 9);
    ///     Ok(CallToolResult::text(cx.sample(None, ask)?.model))
    /// }
    ///
    /// let says = CreateMessageResult::new(Role::Assistant, TextContent::new("June"), "small");
    /// assert_eq!(script(rhyme).sample(None, says).check().unwrap().text(), "small");
    /// ```
    #[track_caller]
    pub fn sample(self, name: impl Into<QuestionName>, result: CreateMessageResult) -> Self {
        self.line(name.into().into_text(), Says::Sampled, to_json(result))
    }

    /// The client has these roots.
    #[track_caller]
    pub fn roots(
        self,
        name: impl Into<QuestionName>,
        roots: impl IntoIterator<Item = Root>,
    ) -> Self {
        let roots: Vec<Root> = roots.into_iter().collect();
        self.line(
            name.into().into_text(),
            Says::Rooted,
            json!({ "roots": to_json(roots) }),
        )
    }

    /// The client sends just this, whatever is asked: for answers that are none, which a tool
    /// never sees, and after which the question is put again.
    ///
    /// # Panics
    ///
    /// When the answer has no JSON form.
    #[track_caller]
    pub fn answer(self, name: impl Into<QuestionName>, answer: impl Serialize) -> Self {
        self.line(name.into().into_text(), Says::Anything, to_json(answer))
    }

    /// The client comes back without any answer, and everything open is put again.
    pub fn silence(self) -> Self {
        self.line(None, Says::Silence, Value::Null)
    }

    /// Who calls, when, and what the server has besides. The scene's own answers are not used.
    /// Lay your overrides over [`Script::scene`] to keep the client able.
    pub fn context(mut self, context: Context) -> Self {
        self.scene = context;
        self
    }

    /// Changes the scene.
    ///
    /// ```
    /// use mcp_reprise::testing::script;
    /// use mcp_reprise::{Cx, protocol::CallToolResult};
    ///
    /// let whose = |cx: &mut Cx, _: serde_json::Value| CallToolResult::text(cx.principal().unwrap_or("nobody's"));
    /// let proof = script(whose).scene(|scene| scene.principal("alice")).check().unwrap();
    /// assert_eq!(proof.text(), "alice");
    /// ```
    pub fn scene(mut self, change: impl FnOnce(Context) -> Context) -> Self {
        self.scene = change(self.scene);
        self
    }

    /// Where the tool notes its effects, so that repeated ones are seen.
    ///
    /// ```
    /// use mcp_reprise::testing::{Effects, Flaw, script};
    /// use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
    /// use serde_json::{Value, json};
    ///
    /// let effects = Effects::new();
    /// let noted = effects.clone();
    /// let hasty = move |cx: &mut Cx, _: Value| -> Outcome {
    ///     noted.tick("write"); // too early: it happens in every round
    ///     cx.elicit::<Value>("sure", Form::new("Sure?").boolean("sure"))?.accepted()?;
    ///     Ok(CallToolResult::text("written"))
    /// };
    /// let flaw = script(hasty).effects(&effects).accept("sure", json!({ "sure": true })).check().unwrap_err();
    /// assert!(matches!(flaw, Flaw::Repeated { recorded: 1, attempted: 2, .. }));
    /// ```
    pub fn effects(mut self, effects: &Effects) -> Self {
        self.effects = Some(effects.clone());
        self
    }

    /// How often each round is played, at least twice. Without this, 32 times.
    pub fn plays(mut self, plays: usize) -> Self {
        self.plays = plays.max(2);
        self
    }

    /// Plays the script on every lane and on every cut, and gives the result, or the first flaw.
    ///
    /// Each prefix of the answers is played to its end: to the question that comes next, or to the
    /// result. Each round is played many times, on two servers that share a key, from the same
    /// sealed state, under other clocks and other dice; and where it asks, its state is sent back
    /// without an answer as often, which must come to the same questions. Where a round asks
    /// several questions, the script is played with all of them answered together, and again with
    /// one answer a round; both must come to the same result.
    ///
    /// # What it sees, and what it cannot
    ///
    /// A branch that goes the rarer way with a chance of `p` in each play escapes one round with a
    /// chance of about `(1 - p)^n` for `n` plays. For a coin, such as the lowest bit of a clock that
    /// counts nanoseconds, that is 2⁻³¹ with the usual 32 plays, for a chance of one in ten about
    /// three in a hundred; [`Script::plays`] buys more. The order of a hash map of 16 keys practically never
    /// comes out the same in all of them.
    ///
    /// No prover sees what does not change while it looks: a branch on the hour or the weekday, on
    /// a file, a variable or a table that stays as it is for these milliseconds, a cache that is
    /// already warm. It moves the clock of [`Cx::now`](crate::Cx::now) by milliseconds up to
    /// minutes, but never past the lifetime of a state. It sees only the effects that are noted in
    /// [`Effects`], and of two `once` with different outcomes only that they are two. It does not
    /// see races in what a tool starts beside itself, and it proves the answers of this script and
    /// no others: for others there is [`prove`](super::prove()).
    ///
    /// # Errors
    ///
    /// The first [`Flaw`].
    pub fn check(&self) -> Result<Proof, Flaw> {
        super::prover::check(self)
    }

    fn line(mut self, name: Option<Arc<str>>, says: Says, answer: Value) -> Self {
        self.lines.push(Line {
            name: name.map(|name| name.to_string()),
            says,
            answer,
        });
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.name {
            Some(name) => format!("{name:?}"),
            None => "None".to_owned(),
        };
        match (self.says, self.answer["action"].as_str()) {
            (Says::Silence, _) => f.write_str("silence()"),
            (Says::Elicited, Some("accept")) => {
                write!(f, "accept({name}, json!({}))", self.answer["content"])
            }
            (Says::Elicited, Some("decline")) => write!(f, "decline({name})"),
            (Says::Elicited, Some("cancel")) => write!(f, "cancel({name})"),
            _ => write!(f, "answer({name}, json!({}))", self.answer),
        }
    }
}

/// The script as one would write it.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "script(tool)\n    .arguments(json!({}))", self.arguments)?;
        for line in &self.lines {
            write!(f, "\n    .{line}")?;
        }
        Ok(())
    }
}
