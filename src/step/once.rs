//! Effects that happen once, however often the step is played.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::cx::Cx;
use super::error::{Problem, ToolError};
use super::finished::Failure;
use super::keys::Key;
use crate::journal::{Attempt, EntryKind, Told};
use crate::observation::FailureKind;

/// The idempotency key of one `once`: 32 hexadecimal digits.
///
/// The same call with the same history has the same key, another call or another answer before
/// it has another. Hand it to the service that does the effect, so that it can tell a repetition
/// from a new wish.
pub type IdempotencyKey = String;

/// Why a `once` gave no value.
///
/// `?` works on it where `E` is an error, as on `E` itself.
#[derive(Debug)]
pub enum OnceError<E> {
    /// What the author's function gave, now or in an earlier round.
    Failed(E),
    /// The round is over, or the outcome could not be kept.
    Stopped(ToolError),
}

impl<E: fmt::Display> fmt::Display for OnceError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Stopped(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> From<OnceError<E>> for ToolError {
    fn from(error: OnceError<E>) -> Self {
        match error {
            OnceError::Failed(error) => error.into(),
            OnceError::Stopped(error) => error,
        }
    }
}

impl Cx {
    /// Does an effect once, and plays its outcome back in later rounds, an `Ok` as well as an
    /// `Err`.
    ///
    /// The outcome travels in the sealed journal. Between the effect and the moment the client
    /// holds that journal there is a gap no stateless server can close: where the `once` stands
    /// after the last question, where a first round's response is lost, or where a client goes
    /// back to an older state, the function is run again, with the same key exactly when the call
    /// and the answers so far are the same. There the key is the only guard: hand it on.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
    ///
    /// #[derive(Debug, thiserror::Error, serde::Serialize, serde::Deserialize)]
    /// #[error("no seats are left")]
    /// struct SoldOut;
    ///
    /// async fn reserve(_key: String) -> Result<u32, SoldOut> { Ok(17) }
    ///
    /// async fn book(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let seat: u32 = cx.once("seat", async |key| reserve(key).await).await?;
    ///     cx.elicit::<serde_json::Value>("sure", Form::new(format!("Seat {seat}?")).boolean("sure"))?
    ///         .accepted()?;
    ///     Ok(CallToolResult::text(format!("Seat {seat} is yours")))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`OnceError::Failed`] with the author's error; [`OnceError::Stopped`] when the round is
    /// over, or when the outcome is longer than [`Limits::outcome_bytes`](crate::Limits), which
    /// fails the call.
    pub async fn once<T, E, F>(&mut self, name: &str, effect: F) -> Result<T, OnceError<E>>
    where
        T: Serialize + DeserializeOwned,
        E: Serialize + DeserializeOwned,
        F: AsyncFnOnce(IdempotencyKey) -> Result<T, E>,
    {
        match self.look_up(name, read_error)? {
            Looked::Told(outcome) => outcome,
            Looked::New(name, key) => {
                let outcome = effect(key).await;
                self.keep(&name, &outcome)?;
                outcome.map_err(OnceError::Failed)
            }
        }
    }

    /// [`Cx::once`] for a plain function.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, protocol::CallToolResult};
    ///
    /// fn stamp(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let key: String = cx.once_blocking("stamp", |key| Ok::<_, std::fmt::Error>(key).map_err(|_| ()))
    ///         .map_err(|_| mcp_reprise::ToolError::internal("no stamp"))?;
    ///     Ok(CallToolResult::text(key))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Cx::once`].
    pub fn once_blocking<T, E, F>(&mut self, name: &str, effect: F) -> Result<T, OnceError<E>>
    where
        T: Serialize + DeserializeOwned,
        E: Serialize + DeserializeOwned,
        F: FnOnce(IdempotencyKey) -> Result<T, E>,
    {
        match self.look_up(name, read_error)? {
            Looked::Told(outcome) => outcome,
            Looked::New(name, key) => {
                let outcome = effect(key);
                self.keep(&name, &outcome)?;
                outcome.map_err(OnceError::Failed)
            }
        }
    }

    /// [`Cx::once`] that keeps an `Ok` only: after an `Err` the effect is tried again in the next
    /// round, under the same key.
    ///
    /// # Errors
    ///
    /// As [`Cx::once`].
    pub async fn once_ok<T, E, F>(&mut self, name: &str, effect: F) -> Result<T, OnceError<E>>
    where
        T: Serialize + DeserializeOwned,
        F: AsyncFnOnce(IdempotencyKey) -> Result<T, E>,
    {
        match self.look_up(name, unkept_error)? {
            Looked::Told(outcome) => outcome,
            Looked::New(name, key) => {
                let value = effect(key).await.map_err(OnceError::Failed)?;
                self.keep_ok(&name, &value)?;
                Ok(value)
            }
        }
    }

    /// [`Cx::once_ok`] for a plain function.
    ///
    /// # Errors
    ///
    /// As [`Cx::once`].
    pub fn once_ok_blocking<T, E, F>(&mut self, name: &str, effect: F) -> Result<T, OnceError<E>>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce(IdempotencyKey) -> Result<T, E>,
    {
        match self.look_up(name, unkept_error)? {
            Looked::Told(outcome) => outcome,
            Looked::New(name, key) => {
                let value = effect(key).map_err(OnceError::Failed)?;
                self.keep_ok(&name, &value)?;
                Ok(value)
            }
        }
    }

    fn look_up<T: DeserializeOwned, E>(
        &mut self,
        name: &str,
        read_error: fn(&str) -> Result<E, String>,
    ) -> Result<Looked<T, E>, OnceError<E>> {
        if self.halt.is_some() {
            return Err(OnceError::Stopped(ToolError::new(Problem::Halt)));
        }
        // Taken when there is an outcome to keep: what is tried again is the same `once`.
        let name = self.keys.peek(Some(&name.into()), EntryKind::Once);
        let attempt = once(&name.text);
        let hasher = self.hasher.get_or_insert_with(|| self.call.seed.hasher());
        match self.replay.once(&attempt, hasher) {
            Err(_) => return Err(OnceError::Stopped(self.fail_diverged())),
            Ok(Some(key)) => return Ok(Looked::New(name, hex(&key))),
            Ok(None) => {}
        }
        let outcome = match self.replay.told() {
            Some(Told::Done(text)) => Self::read(&text).map(Ok),
            Some(Told::Failed(text)) => {
                read_error(&text).map(|error| Err(OnceError::Failed(error)))
            }
            _ => Err("not the outcome of a `once`".to_owned()),
        };
        let Ok(outcome) = outcome else {
            // What was done once and can no longer be read is never done again.
            let _ = self.replay.diverge(Some(&attempt));
            return Err(OnceError::Stopped(self.fail_diverged()));
        };
        self.keys.take(name);
        self.replay.pass_known();
        Ok(Looked::Told(outcome))
    }

    fn keep<T: Serialize, E: Serialize>(
        &mut self,
        name: &Key,
        outcome: &Result<T, E>,
    ) -> Result<(), OnceError<E>> {
        let told = match outcome {
            Ok(value) => serde_json::to_string(value).map(|text| Told::Done(text.into())),
            Err(error) => serde_json::to_string(error).map(|text| Told::Failed(text.into())),
        };
        self.keep_told(name, told).map_err(OnceError::Stopped)
    }

    fn keep_ok<T: Serialize, E>(&mut self, name: &Key, value: &T) -> Result<(), OnceError<E>> {
        let told = serde_json::to_string(value).map(|text| Told::Done(text.into()));
        self.keep_told(name, told).map_err(OnceError::Stopped)
    }

    fn keep_told(
        &mut self,
        name: &Key,
        told: Result<Told<'_>, serde_json::Error>,
    ) -> Result<(), ToolError> {
        let limit = self.shared.limits.outcome_bytes;
        match told {
            Ok(told) if told.text().len() <= limit => {
                self.pass_once(name.clone(), told);
                Ok(())
            }
            Ok(told) => {
                let length = told.text().len();
                let cause = format!(
                    "{:?} came out {length} bytes long, {limit} at most",
                    name.text
                );
                Err(self.fail(Failure::unsaid(FailureKind::Outcome, cause)))
            }
            Err(error) => {
                let cause = format!("{:?} cannot be written down: {error}", name.text);
                Err(self.fail(Failure::unsaid(FailureKind::Outcome, cause)))
            }
        }
    }

    fn pass_once(&mut self, name: Key, told: Told<'_>) {
        self.replay.pass(&once(&name.text).told(told));
        self.keys.take(name);
    }
}

fn once(name: &str) -> Attempt<'_> {
    Attempt {
        kind: EntryKind::Once,
        key: name,
        print: [0; 16],
    }
}

enum Looked<T, E> {
    Told(Result<T, OnceError<E>>),
    New(Key, IdempotencyKey),
}

fn read_error<E: DeserializeOwned>(text: &str) -> Result<E, String> {
    Cx::read(text)
}

fn unkept_error<E>(_: &str) -> Result<E, String> {
    Err("an error was kept where only an `Ok` is".to_owned())
}

fn hex(bytes: &[u8; 16]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
