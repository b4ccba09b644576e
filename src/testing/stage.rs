//! The stage on which a client plays its schedules: what is offered, and what must come of it.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestError, TestRunner};
use serde_json::Value;

use super::breach::Breach;
use super::client::Client;
use super::context::{Context, context};
use super::effects::Effects;
use super::moves::{Move, moves};
use crate::protocol::LoggingLevel;
use crate::tool::Tool;

/// A history that a model is asked about.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Situation<'a> {
    /// The place of the revision among those of the stage.
    pub revision: usize,
    /// The place of the tool in its list.
    pub tool: usize,
    /// The call's arguments.
    pub arguments: &'a Value,
    /// The answers that were taken, by key, as the wire has them.
    pub history: &'a [(String, Value)],
}

/// What a model says a history comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// Questions of these keys, in this order.
    Asked(Vec<String>),
    /// A result of this text.
    Said(String),
    /// A result with `isError` of this text.
    Failed(String),
}

type Model = Arc<dyn Fn(&Situation<'_>) -> Expected + Send + Sync>;

/// Tools for a client in virtual time, which does to them whatever a client, a network and an
/// operator can do; and the check that nothing wrong ever comes of it.
///
/// What must hold: an outcome is the right result, an earlier question, or a refusal. No answer
/// reaches another question. What was done once is done again only where the client went back to
/// a state from before it; and it has the same idempotency key exactly where the call and the
/// answers so far are the same. No state outlives its time, nor its call's.
///
/// The right result is what the same call comes to when it is played in a straight line, from the
/// same first moment, with the same answers; or what a [model](Stage::model) says. Tools must note
/// each `once` with [`Effects::perform`], so that it answers alike under one key and is seen.
///
/// ```
/// use mcp_reprise::testing::{Effects, stage};
/// use mcp_reprise::{Cx, Form, Outcome, Tool, ToolError, protocol::CallToolResult};
/// use serde_json::{Value, json};
///
/// let effects = Effects::new();
/// let noted = effects.clone();
/// let book = Tool::new("book").step(move |cx: &mut Cx, _: Value| -> Outcome {
///     let seat: Value = cx
///         .once_blocking("seat", |key| Ok::<_, Value>(noted.perform("seat", &key, || json!(17))))
///         .map_err(|_| ToolError::internal("no seat"))?;
///     let sure = cx.elicit::<Value>("sure", Form::new(format!("Seat {seat}?")).boolean("sure"))?;
///     Ok(CallToolResult::text(format!("{seat} {sure:?}")))
/// });
/// stage([book]).effects(&effects).prove();
/// ```
#[derive(Clone)]
#[must_use]
pub struct Stage {
    pub(super) revisions: Vec<Vec<Tool>>,
    pub(super) scene: Context,
    pub(super) effects: Effects,
    pub(super) model: Option<Model>,
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage")
            .field("revisions", &self.revisions)
            .finish_non_exhaustive()
    }
}

/// A [`Stage`] with these tools.
pub fn stage(tools: impl IntoIterator<Item = Tool>) -> Stage {
    Stage {
        revisions: vec![tools.into_iter().collect()],
        scene: context()
            .everything()
            .log_level(LoggingLevel::Debug)
            .progress_token("progress"),
        effects: Effects::new(),
        model: None,
    }
}

impl Stage {
    /// Replicas that offer other revisions of the same tools. Give each its own
    /// [`Tool::revision`].
    pub fn revision(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.revisions.push(tools.into_iter().collect());
        self
    }

    /// Where the tools note their effects.
    pub fn effects(mut self, effects: &Effects) -> Self {
        self.effects = effects.clone();
        self
    }

    /// Changes the scene: limits, capabilities, what the server has besides.
    pub fn scene(mut self, change: impl FnOnce(Context) -> Context) -> Self {
        self.scene = change(self.scene);
        self
    }

    /// What must come of each history, in the place of a straight line through the tool itself.
    pub fn model(
        mut self,
        model: impl Fn(&Situation<'_>) -> Expected + Send + Sync + 'static,
    ) -> Self {
        self.model = Some(Arc::new(model));
        self
    }

    /// Plays one schedule.
    ///
    /// ```
    /// use mcp_reprise::testing::{Move, stage};
    /// use mcp_reprise::{Cx, Tool, protocol::CallToolResult};
    ///
    /// let hello = Tool::new("hello").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("hello"));
    /// let begin = Move::Call { tool: 0, principal: 0, arguments: vec![] };
    /// let played = stage([hello]).play(&[begin, Move::Repeat]).unwrap();
    /// assert_eq!(played.results, 2);
    /// ```
    ///
    /// # Errors
    ///
    /// What did not hold.
    ///
    /// # Panics
    ///
    /// When the tools cannot be registered.
    #[track_caller]
    pub fn play(&self, moves: &[Move]) -> Result<Played, Box<Breach>> {
        let mut client = Client::new(self);
        for (at, next) in moves.iter().enumerate() {
            client.play(at, next)?;
        }
        Ok(client.played)
    }

    /// Plays generated schedules, and shrinks the first that does not hold. As with
    /// [`prove`](super::prove()), proptest says how many, and keeps what failed in a file beside
    /// the caller's source.
    ///
    /// # Panics
    ///
    /// With what did not hold, and the smallest schedule that shows it.
    #[track_caller]
    pub fn prove(&self) {
        let config = Config {
            source_file: Some(Location::caller().file()),
            failure_persistence: Some(Box::new(FileFailurePersistence::default())),
            ..Config::default()
        };
        let cases = TestRunner::new(config).run(&moves(), |moves| match self.play(&moves) {
            Ok(_) => Ok(()),
            Err(breach) => Err(TestCaseError::fail(breach.to_string())),
        });
        match cases {
            Ok(()) => {}
            Err(TestError::Fail(breach, moves)) => {
                panic!("{breach}\n\nThe smallest schedule that shows it:\n\n{moves:#?}")
            }
            Err(error) => panic!("nothing was proved: {error}"),
        }
    }
}

/// What came up while schedules were played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// Messages sent.
    pub messages: usize,
    /// Results that came.
    pub results: usize,
    /// Rounds that ended in questions.
    pub asked: usize,
    /// States that were refused.
    pub refused: usize,
    /// Calls that were given up, or could not go on under another revision.
    pub given_up: usize,
    /// Calls that began again under another revision.
    pub began_again: usize,
    /// Answers that never arrived.
    pub lost: usize,
    /// Effects.
    pub effects: usize,
    /// Effects that were done before under the same key, by a client that went back.
    pub redone: usize,
}

impl std::ops::AddAssign for Played {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.results += other.results;
        self.asked += other.asked;
        self.refused += other.refused;
        self.given_up += other.given_up;
        self.began_again += other.began_again;
        self.lost += other.lost;
        self.effects += other.effects;
        self.redone += other.redone;
    }
}
