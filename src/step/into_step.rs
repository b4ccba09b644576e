//! The four forms of a step: `fn`, `async fn`, closures, and async closures.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::cx::Cx;
use super::error::{Outcome, Problem, ToolError};
use super::finished::Done;
use super::function::Function;
use crate::protocol::{CallToolResult, CompleteResult, GetPromptResult, ReadResourceResult};

/// What a step may give back for a result of kind `K`: a `K`, what becomes one, or an
/// [`Outcome`] of either.
pub trait IntoOutcome<K> {
    /// Turns the returned value into the outcome.
    ///
    /// # Errors
    ///
    /// The author's own error.
    fn into_outcome(self) -> Outcome<K>;
}

impl<K, T: Into<K>> IntoOutcome<K> for Outcome<T> {
    fn into_outcome(self) -> Outcome<K> {
        self.map(Into::into)
    }
}

impl IntoOutcome<Self> for CallToolResult {
    fn into_outcome(self) -> Outcome<Self> {
        Ok(self)
    }
}

impl IntoOutcome<Self> for GetPromptResult {
    fn into_outcome(self) -> Outcome<Self> {
        Ok(self)
    }
}

impl IntoOutcome<Self> for ReadResourceResult {
    fn into_outcome(self) -> Outcome<Self> {
        Ok(self)
    }
}

impl IntoOutcome<Self> for CompleteResult {
    fn into_outcome(self) -> Outcome<Self> {
        Ok(self)
    }
}

/// The kinds of result a step can have.
pub(crate) trait ResultKind: Sized + Send + 'static {
    fn done(self) -> Done;
}

impl ResultKind for CallToolResult {
    fn done(self) -> Done {
        Done::Tool(self)
    }
}

impl ResultKind for GetPromptResult {
    fn done(self) -> Done {
        Done::Prompt(self)
    }
}

impl ResultKind for ReadResourceResult {
    fn done(self) -> Done {
        Done::Resource(self)
    }
}

impl ResultKind for CompleteResult {
    fn done(self) -> Done {
        Done::Completion(self)
    }
}

/// A function that can be registered as a step giving a `K`.
///
/// `fn`, `async fn`, closures and async closures of two arguments, `&mut Cx` and anything that
/// serde can read, are all steps. `M` only tells the forms apart; leave it to the compiler. An
/// async closure that captures something is cloned for each run, so let it capture `Arc`s.
///
/// ```
/// use mcp_reprise::{Cx, Outcome, Tool, protocol::CallToolResult};
/// use std::sync::Arc;
///
/// #[derive(serde::Deserialize)]
/// struct Add { a: i64, b: i64 }
///
/// fn add(_cx: &mut Cx, add: Add) -> Outcome { Ok(CallToolResult::text((add.a + add.b).to_string())) }
/// async fn add_later(_cx: &mut Cx, add: Add) -> Outcome { Ok(CallToolResult::text((add.a + add.b).to_string())) }
///
/// let offset = Arc::new(1);
/// Tool::new("one").step(add);
/// Tool::new("two").step(add_later);
/// Tool::new("three").step(|_: &mut Cx, add: Add| CallToolResult::text((add.a + add.b).to_string()));
/// Tool::new("four").step(async move |_: &mut Cx, add: Add| CallToolResult::text((add.a + *offset).to_string()));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no step for a `{K}`",
    note = "a step is a function of `&mut Cx` and one argument that serde can deserialize, giving an `Outcome`",
    note = "the future of an async step must be `Send`, and what an async closure captures must be `Clone`"
)]
pub trait IntoStep<M, K>: sealed::Sealed<M, K> {}

impl<F: sealed::Sealed<M, K>, M, K> IntoStep<M, K> for F {}

/// Marks the plain forms.
#[derive(Debug)]
pub struct PlainForm<A, R>(PhantomData<(A, R)>);

/// Marks the async forms.
#[derive(Debug)]
pub struct AsyncForm<A>(PhantomData<A>);

pub(crate) mod sealed {
    use super::Function;

    pub trait Sealed<M, K> {
        #[doc(hidden)]
        #[allow(private_interfaces)]
        fn into_function(self) -> Function;
    }
}

impl<F, A, R, K> sealed::Sealed<PlainForm<A, R>, K> for F
where
    F: Fn(&mut Cx, A) -> R + Send + Sync + 'static,
    A: DeserializeOwned + 'static,
    R: IntoOutcome<K> + 'static,
    K: ResultKind,
{
    #[allow(private_interfaces)]
    fn into_function(self) -> Function {
        Function::Plain(Arc::new(move |cx| {
            let arguments = read_arguments(cx)?;
            self(cx, arguments).into_outcome().map(K::done)
        }))
    }
}

/// One call of an async form, whose future borrows the `Cx` for `'a`.
///
/// It is `FnOnce`, on a clone for each run, because an async closure that captures anything is
/// no `Fn` of this shape: its future borrows the closure too.
pub trait AsyncStep<'a, A, K>: FnOnce(&'a mut Cx, A) -> Self::Running {
    /// What the future gives.
    type Returned: IntoOutcome<K>;
    /// The future.
    type Running: Future<Output = Self::Returned> + Send + 'a;
}

impl<'a, A, K, F, Running> AsyncStep<'a, A, K> for F
where
    F: FnOnce(&'a mut Cx, A) -> Running,
    Running: Future + Send + 'a,
    Running::Output: IntoOutcome<K>,
{
    type Returned = Running::Output;
    type Running = Running;
}

impl<F, A, K> sealed::Sealed<AsyncForm<A>, K> for F
where
    F: for<'a> AsyncStep<'a, A, K> + Clone + Send + Sync + 'static,
    A: DeserializeOwned + Send + 'static,
    K: ResultKind,
{
    #[allow(private_interfaces)]
    fn into_function(self) -> Function {
        Function::Async(Arc::new(move |cx| {
            let run = self.clone();
            Box::pin(async move {
                let arguments = read_arguments(cx)?;
                run(cx, arguments).await.into_outcome().map(K::done)
            })
        }))
    }
}

/// Reads the arguments once, straight into the author's type. What follows is the author's code.
fn read_arguments<A: DeserializeOwned>(cx: &mut Cx) -> Result<A, ToolError> {
    let arguments = serde_json::from_str(cx.input()).map_err(|error| {
        ToolError::new(Problem::InvalidParams(format!(
            "The arguments are not valid: {}",
            without_place(&error)
        )))
    })?;
    cx.begun = true;
    Ok(arguments)
}

/// serde's message without its line and column, which mean nothing to a model.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text.get(..end).unwrap_or_default().to_owned(),
        None => text,
    }
}
