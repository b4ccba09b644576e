//! Running a step: in the driver, wherever the driver likes.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use serde::{Deserialize, Serialize};

use super::call::{Call, CallKind};
use super::cx::{Cx, Halt};
use super::error::{Problem, ToolError};
use super::finished::{Done, Ending, Failure, Finished};
use super::function::{Function, Running};
use super::hint::{self, Hint};
use super::shared::Shared;
use super::sink::Sink;
use crate::exchange::Exchange;
use crate::observation::FailureKind;
use crate::protocol::CallToolResult;

/// One run of one tool, prompt, resource or completion, to be run by the driver.
///
/// Nothing runs until the driver says so, and where it runs is the driver's business: inline, on
/// a thread, in its own runtime, in another process ([`Step::into_data`]). Dropping a step, or
/// the future of a running one, cancels the call.
#[derive(Debug)]
pub struct Step {
    pub(crate) call: Box<Call>,
    pub(crate) function: Function,
    pub(crate) shared: Arc<Shared>,
}

/// A step as data, for another process to run: [`Server::rejoin`](crate::Server::rejoin) makes it
/// a step again. It holds answers of the user: keep it as safe as the state key.
///
/// The caller's typed extensions stay behind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StepData(pub(crate) Box<Call>);

impl StepData {
    /// The exchange the answer goes to.
    pub fn exchange(&self) -> Exchange {
        self.0.exchange
    }
}

impl Step {
    /// The exchange the answer goes to.
    pub fn exchange(&self) -> Exchange {
        self.call.exchange
    }

    /// What is being called.
    pub fn kind(&self) -> CallKind {
        self.call.kind
    }

    /// The name of the tool or prompt, or the URI of the resource.
    pub fn name(&self) -> &str {
        &self.call.name
    }

    /// The step as data. The function stays behind: every server of the same build knows it.
    pub fn into_data(self) -> StepData {
        StepData(self.call)
    }

    /// Runs the step on this thread until it ends. An async step is polled, and this thread
    /// parked while it waits.
    ///
    /// A panic in the author's code is caught and becomes a failure of the call.
    pub fn run(self, sink: &Sink) -> Finished {
        let waker = match self.is_plain() {
            // It ends within the first poll.
            true => Waker::noop().clone(),
            false => Waker::from(Arc::new(Unpark::this_thread())),
        };
        let mut context = Context::from_waker(&waker);
        let mut run = pin!(self.run_async(sink));
        loop {
            match run.as_mut().poll(&mut context) {
                Poll::Ready(finished) => return finished,
                Poll::Pending => std::thread::park(),
            }
        }
    }

    /// Runs the step as a future. A plain step runs to its end in the first poll.
    ///
    /// A panic in the author's code is caught and becomes a failure of the call. When the sink is
    /// told that nobody waits any more, the author's future is dropped where it stands.
    pub fn run_async(self, sink: &Sink) -> impl Future<Output = Finished> + Send + use<> {
        let sink = sink.clone();
        let mut cx = Cx::new(self.call, self.shared, sink.clone());
        let function = self.function;
        async move {
            let result = match &function {
                Function::Plain(_) if sink.is_cancelled() => Err(cancelled()),
                Function::Plain(function) => caught(&sink, || function(&mut cx)),
                // Making the future runs none of the author's code: that begins with its first poll.
                Function::Async(function) => {
                    Watched {
                        run: Some(function(&mut cx)),
                        sink,
                    }
                    .await
                }
            };
            finish(cx, result)
        }
    }

    /// Ends the step without running it, where the driver has no room for one more. The client is
    /// told to try again.
    ///
    /// ```
    /// use mcp_reprise::{Action, Caller, Cx, Exchange, Moment, Server, Timestamp, Tool, Turn};
    /// use mcp_reprise::protocol::CallToolResult;
    ///
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// let server = Server::builder("demo", "1.0.0")
    ///     .single_process([7; 32])
    ///     .tool(Tool::new("greet").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("hello")))
    ///     .build()?;
    /// let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","_meta":{
    ///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    /// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
    /// let Turn { mut steps, .. } = server.receive(Exchange(1), Caller::anonymous(), body, &moment);
    /// let step = steps.remove(0);
    /// let turn = server.finish(step.turn_away());
    /// assert!(matches!(&*turn.actions, [Action::Respond { .. }]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn turn_away(self) -> Finished {
        let failure = Failure::unsaid(FailureKind::Busy, "there was no room to run it");
        Finished::unrun(self.call, Ending::Failed(failure))
    }

    /// Whether the call belongs to a session, in which a client that goes ends nothing.
    pub(crate) fn is_in_session(&self) -> bool {
        self.call.session.is_some()
    }

    /// Whether the step is a plain function, which keeps the thread that polls it until it ends.
    pub fn is_plain(&self) -> bool {
        matches!(self.function, Function::Plain(_))
    }
}

/// An author's future, whose panics are failures, and which ends when it is cancelled.
struct Watched<'a> {
    /// There until it is dropped.
    run: Option<Running<'a>>,
    sink: Sink,
}

/// Runs a piece of the author's code, whose panic is a failure.
fn caught<T>(sink: &Sink, piece: impl FnOnce() -> T) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(|| sink.run(piece))) {
        Ok(came) => came.ok_or_else(|| {
            Failure::unsaid(
                FailureKind::Error,
                "what was put around the step left it out",
            )
        }),
        Err(panic) => Err(panicked(panic)),
    }
}

impl Future for Watched<'_> {
    type Output = Result<Result<Done, ToolError>, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.sink.wake_on_cancel(context.waker());
        if self.sink.is_cancelled() {
            return Poll::Ready(Err(cancelled()));
        }
        let this = &mut *self;
        let poll = || match &mut this.run {
            Some(run) => run.as_mut().poll(context),
            None => Poll::Pending,
        };
        match caught(&this.sink, poll) {
            Ok(poll) => poll.map(Ok),
            Err(failure) => Poll::Ready(Err(failure)),
        }
    }
}

/// What is dropped with the author's future may have something to say too.
impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let run = &mut self.run;
        self.sink.run(|| drop(run.take()));
    }
}

fn cancelled() -> Failure {
    Failure::unsaid(FailureKind::Cancelled, "nobody waits for the call any more")
}

/// Wakes a thread that is parked.
pub(crate) struct Unpark(Thread);

impl Unpark {
    /// Wakes the thread this is made on.
    pub(crate) fn this_thread() -> Self {
        Self(std::thread::current())
    }
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// How the run ended. A round that was ended inside stays ended, whatever came back, a panic
/// over the halt itself included.
fn finish(mut cx: Cx, result: Result<Result<Done, ToolError>, Failure>) -> Finished {
    let halted = cx.halt.is_some();
    let swallowed = halted
        && matches!(
            &result,
            Ok(Ok(_))
                | Err(Failure::Unsaid {
                    kind: FailureKind::Panic,
                    ..
                })
        );
    let ending = match (cx.halt.take(), result) {
        (Some(Halt::Asked(asked)), _) => Ending::Asked(asked),
        (Some(Halt::Failed(failure)), _) => Ending::Failed(failure),
        (None, Err(failure)) => Ending::Failed(failure),
        (None, Ok(Ok(done))) => Ending::Done(done),
        (None, Ok(Err(error))) => Ending::Failed(failure(*error.0)),
    };
    let ending = hinted(ending, cx.call.kind, &cx.hints);
    // Where the core itself ended the run, what stands behind is not left unread by the author.
    if !halted {
        cx.replay.end();
    }
    let (journal, divergence) = cx.replay.into_parts();
    cx.call.journal = journal;
    cx.call.replies = Vec::new();
    Finished {
        call: cx.call,
        ending,
        divergence,
        refused: cx.refused,
        swallowed,
        ran: cx.begun,
    }
}

/// Hints go beside what the model reads.
fn hinted(ending: Ending, kind: CallKind, hints: &[Hint]) -> Ending {
    if hints.is_empty() || kind != CallKind::Tool {
        return ending;
    }
    let result = match ending {
        Ending::Done(Done::Tool(result)) => result,
        Ending::Failed(Failure::Said(text)) => CallToolResult::error(text),
        other => return other,
    };
    Ending::Done(Done::Tool(result.block(hint::written(hints))))
}

fn failure(problem: Problem) -> Failure {
    match problem {
        Problem::Said(text) => Failure::Said(text),
        Problem::InvalidParams(text) => Failure::InvalidParams(text),
        Problem::NotFound => Failure::NotFound,
        Problem::Unaskable(missing) => Failure::Unaskable(missing),
        Problem::Internal(cause) => Failure::unsaid(FailureKind::Error, cause),
        // An author can keep a halt of another run; in this run nothing was asked.
        Problem::Halt => Failure::unsaid(FailureKind::Error, "a halt of another round"),
    }
}

/// What a panic said, for the log.
fn panicked(panic: Box<dyn Any + Send>) -> Failure {
    let words = match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => match panic.downcast::<&str>() {
            Ok(words) => (*words).to_owned(),
            Err(_) => "a panic without words".to_owned(),
        },
    };
    Failure::unsaid(FailureKind::Panic, words)
}
