//! What a step tells while it runs: progress and log.

use serde::Serialize;
use serde_json::Value;

use super::cx::Cx;
use super::progress::Progress;
use super::sink::{Matter, Report};
use crate::protocol::LoggingLevel;

impl Cx {
    /// Tells the client how far the step has come, if it asked to be told: by a `progressToken` in
    /// the request's `_meta`. Over HTTP the answer is a stream of events then.
    ///
    /// What does not grow is left out, as is what an earlier round has told already.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, Progress, protocol::CallToolResult};
    ///
    /// fn count(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     for n in 1..=3 {
    ///         cx.progress(Progress::new(n).of(3));
    ///     }
    ///     Ok(CallToolResult::text("done"))
    /// }
    /// ```
    pub fn progress(&mut self, progress: impl Into<Progress>) {
        let progress = progress.into();
        let Some(token) = &self.call.progress_token else {
            return;
        };
        let grows = self
            .last_progress
            .is_none_or(|last| progress.progress > last);
        if !progress.progress.is_finite() || !grows || self.is_mute() {
            return;
        }
        let params = ProgressParams {
            progress: number(progress.progress),
            total: progress.total.filter(|total| total.is_finite()).map(number),
            message: progress.message,
        };
        let Some(rest) = members(&params) else { return };
        self.last_progress = Some(progress.progress);
        let message = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},{rest}}}"#
        );
        self.report(Matter::Progress, message);
    }

    /// Logs to the client, if it asked for messages of this level.
    ///
    /// See [Logging](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging).
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, protocol::{CallToolResult, LoggingLevel}};
    ///
    /// fn look(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     cx.log(LoggingLevel::Info, "looking");
    ///     Ok(CallToolResult::text("found"))
    /// }
    /// ```
    pub fn log(&mut self, level: LoggingLevel, data: impl Serialize) {
        self.log_message(level, None, &data);
    }

    /// Logs to the client under the name of a logger.
    pub fn log_as(&mut self, logger: &str, level: LoggingLevel, data: impl Serialize) {
        self.log_message(level, Some(logger), &data);
    }

    fn log_message(&mut self, level: LoggingLevel, logger: Option<&str>, data: &impl Serialize) {
        if self.call.log_level.is_none_or(|least| level < least) || self.is_mute() {
            return;
        }
        let Some(rest) = members(&LogParams {
            level,
            logger,
            data,
        }) else {
            return;
        };
        let message =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{{rest}}}"#);
        self.report(Matter::Log(level), message);
    }

    /// Nothing is said in the part an earlier round has played, nor after the end of the round.
    pub(super) fn is_mute(&self) -> bool {
        self.halt.is_some() || self.replay.is_silent()
    }

    pub(super) fn report(&self, matter: Matter, message: String) {
        let report = Report {
            exchange: self.call.exchange,
            matter,
            message: message.into(),
        };
        self.sink.push(report, self.shared.limits.pending_reports);
    }
}

#[derive(Serialize)]
struct ProgressParams {
    progress: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct LogParams<'a, T> {
    level: LoggingLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    logger: Option<&'a str>,
    data: &'a T,
}

/// A number as people write it: without a fraction where there is none.
fn number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

/// The members of an object, with its closing brace.
fn members(value: &impl Serialize) -> Option<String> {
    let text = serde_json::to_string(value).ok()?;
    text.strip_prefix('{').map(ToOwned::to_owned)
}
