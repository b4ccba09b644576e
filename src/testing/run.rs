//! Running a tool on its own, in a scene.

use serde_json::{Map, Value};

use super::context::{Context, key_ring};
use super::response::Answered;
use super::wire::{Message, Reply, Round, play};
use crate::observation::FailureKind;
use crate::protocol::{CallToolResult, ErrorObject};
use crate::server::Server;
use crate::step::IntoStep;
use crate::tool::Tool;

/// What the kit takes for a tool: a [`Tool`], or just its step in any of the forms of
/// [`IntoStep`]. A bare step is a tool of the name `tool` that takes any arguments.
///
/// `M` only tells the forms apart; leave it to the compiler.
///
/// ```
/// use mcp_reprise::testing::{IntoTool as _};
/// use mcp_reprise::{Cx, Tool, protocol::CallToolResult};
///
/// let step = |_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello");
/// let bare = step.into_tool();
/// let whole = Tool::new("hello").step(step).into_tool();
/// # let _ = (bare, whole);
/// ```
pub trait IntoTool<M> {
    /// The tool.
    fn into_tool(self) -> Tool;
}

/// Marks what is a tool already.
#[derive(Debug)]
pub struct Whole;

/// Marks a bare step.
#[derive(Debug)]
pub struct Bare<M>(std::marker::PhantomData<M>);

impl IntoTool<Whole> for Tool {
    fn into_tool(self) -> Tool {
        self
    }
}

impl IntoTool<Whole> for &Tool {
    fn into_tool(self) -> Tool {
        self.clone()
    }
}

impl<F: IntoStep<M, CallToolResult>, M> IntoTool<Bare<M>> for F {
    fn into_tool(self) -> Tool {
        Tool::new("tool").step(self)
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ran {
    /// With a result: the tool's own, or what the tool said with
    /// [`ToolError::say`](crate::ToolError::say), which is a result with `isError`.
    Outcome(CallToolResult),
    /// At questions that the scene has no answer to, keyed and shaped as the client sees them.
    InputRequired(Map<String, Value>),
    /// With a failure whose reason a client is not told: a foreign error, a panic, a limit.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
        /// The whole truth, as the log gets it.
        cause: String,
    },
    /// With a JSON-RPC error, such as the one for a client that has not declared what it would be
    /// asked.
    Error(ErrorObject),
}

impl Ran {
    /// The result.
    ///
    /// ```
    /// use mcp_reprise::testing::{context, run_tool};
    /// use mcp_reprise::{Cx, protocol::CallToolResult};
    ///
    /// let ran = run_tool(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello"), context(), serde_json::json!({}));
    /// assert_eq!(ran.outcome().content.len(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// When the run ended otherwise: says how.
    #[track_caller]
    pub fn outcome(self) -> CallToolResult {
        match self {
            Self::Outcome(result) => result,
            other => panic!("wanted the tool's outcome; arrived: {other:?}"),
        }
    }

    /// The questions the run stopped at.
    ///
    /// # Panics
    ///
    /// When the run ended otherwise: says how.
    #[track_caller]
    pub fn input_required(self) -> Map<String, Value> {
        match self {
            Self::InputRequired(questions) => questions,
            other => panic!("wanted questions to the client; arrived: {other:?}"),
        }
    }
}

impl Answered for Ran {
    fn answered(&self) -> Result<Value, String> {
        match self {
            Self::Outcome(result) => result.answered(),
            other => Err(format!("{other:?}")),
        }
    }
}

/// Runs a tool as the wire would, and gives how it ended: its own outcome, or the questions it
/// stopped at.
///
/// The scene's answers stand in for the client's: where the tool asks what the scene answers, it
/// is run again from its top, as in earnest, until it ends or asks something else. So work before
/// a question happens once a round here too; [`script`](super::script()) finds it.
///
/// A [`Cx`](crate::Cx) cannot be made by hand, so no question can be put where no round is open;
/// there is nothing to raise at run time. What could go wrong silently is an answer in the scene
/// that nobody asked for, so that is a panic.
///
/// ```compile_fail
/// let cx = mcp_reprise::Cx::default(); // there is no such thing
/// ```
///
/// ```
/// use mcp_reprise::testing::{context, run_tool, text_response};
/// use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
/// use serde_json::{Value, json};
///
/// async fn book(cx: &mut Cx, _: Value) -> Outcome {
///     let day: Value = cx.elicit("day", Form::new("Which day?").text("day"))?.accepted()?;
///     Ok(CallToolResult::text(day["day"].as_str().unwrap_or("never")))
/// }
///
/// let asked = run_tool(book, context().elicitation(), json!({})).input_required();
/// assert_eq!(asked["day"]["method"], "elicitation/create");
/// assert_eq!(asked["day"]["params"]["message"], "Which day?");
///
/// let told = context().elicitation().accept("day", json!({ "day": "Friday" }));
/// assert_eq!(text_response(&run_tool(book, told, json!({}))), "Friday");
/// ```
///
/// # Panics
///
/// When the tool cannot be registered; when an answer of the scene was never asked for, or was
/// refused because it is no answer to what was asked.
#[track_caller]
pub fn run_tool<M>(tool: impl IntoTool<M>, context: Context, arguments: impl Into<Value>) -> Ran {
    let arguments = arguments.into();
    let server = match context.build(&[tool.into_tool()], key_ring(&[0])) {
        Ok(server) => server,
        Err(error) => panic!("the tool cannot be registered: {error}"),
    };
    let name = first_tool(&server, &context);
    let mut unused = context.answers.clone();
    let mut moment = context.moment;
    let mut id = context.request_id.clone();
    let mut state: Option<String> = None;
    let mut answers: Vec<(String, Value)> = Vec::new();
    for number in 2.. {
        let message = Message {
            id: &id,
            tool: &name,
            arguments: &arguments,
            meta: &context.meta,
            state: state.as_deref(),
            answers: &answers,
        };
        let round = play(&server, &context.caller, &message.body(), &moment);
        let Reply::Asked {
            requests,
            state: sealed,
            ..
        } = &round.reply
        else {
            all_used(&unused, &round);
            return ended(round);
        };
        let again = |key: &str| answers.iter().find(|(answered, _)| answered == key);
        if let Some((refused, _)) = requests.iter().find_map(|(key, _)| again(key)) {
            panic!(
                "the scene's answer to {refused:?} was refused, for it is no answer to what was asked: {}",
                round.visible()
            );
        }
        let (now, later): (Vec<_>, Vec<_>) = std::mem::take(&mut unused)
            .into_iter()
            .partition(|(key, _)| requests.iter().any(|(asked, _)| asked == key));
        unused = later;
        if now.is_empty() {
            all_used(&unused, &round);
            return Ran::InputRequired(requests.iter().cloned().collect());
        }
        answers = now;
        state = Some(sealed.clone());
        moment = later_moment(&moment, number);
        id = number.into();
    }
    unreachable!("a scene has finitely many answers")
}

/// A second later, with other dice.
fn later_moment(moment: &crate::moment::Moment, number: u64) -> crate::moment::Moment {
    let mut later = *moment;
    later.now = later.now.after(std::time::Duration::from_secs(1));
    later.dice[..8].copy_from_slice(&number.to_be_bytes());
    later
}

#[track_caller]
fn all_used(unused: &[(String, Value)], round: &Round) {
    if unused.is_empty() {
        return;
    }
    let keys: Vec<&str> = unused.iter().map(|(key, _)| &**key).collect();
    panic!(
        "the scene answers {keys:?}, which the tool never asked: it {}",
        round.brief()
    );
}

#[track_caller]
fn ended(round: Round) -> Ran {
    if let Some((kind, cause)) = round.failure() {
        let cause = cause.to_owned();
        return Ran::Failed { kind, cause };
    }
    let Reply::Done(ended) = round.reply else {
        unreachable!("the caller has seen that it asks nothing")
    };
    if let Some(error) = ended.response.get("error") {
        return Ran::Error(serde_json::from_value(error.clone()).expect("a JSON-RPC error"));
    }
    let mut result: CallToolResult =
        serde_json::from_value(ended.response["result"].clone()).expect("a result of a tool");
    // What the server adds to every result is not the tool's.
    result.meta = result.meta.take().and_then(|meta| {
        let mut members = meta.into_object();
        members.remove(crate::protocol::META_SERVER_INFO);
        let members = (!members.is_empty()).then_some(members)?;
        serde_json::from_value(members.into()).ok()
    });
    Ran::Outcome(result)
}

/// The name of the first tool of a server, as its list has it.
#[track_caller]
pub(super) fn first_tool(server: &Server, context: &Context) -> String {
    match super::listing::listed(server, &context.caller)
        .into_iter()
        .next()
    {
        Some(tool) => tool.name,
        None => panic!("the caller of the scene does not see the tool"),
    }
}
