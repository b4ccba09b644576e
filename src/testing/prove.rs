//! One line in a test: a tool proved over generated arguments and answers.

use std::panic::Location;

use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestError, TestRunner};
use serde_json::Value;

use super::flaw::Flaw;
use super::prover::check_with;
use super::respond::Taped;
use super::run::IntoTool;
use super::script::{Script, script};
use super::tape::tapes;
use super::wire::shorten;

/// How often [`prove`] plays each round: less than a single check does, for it checks often.
const PLAYS: usize = 8;
/// How many smaller cases are tried once a flaw was found.
const SHRINKS: u32 = 5_000;
/// The most questions of a call that get an answer of their own making.
const ANSWERS: usize = 12;

/// Proves a tool over generated arguments, and over generated answers to whatever it asks: valid
/// ones of every shape, near misses, declines, cancels, silence.
///
/// The first flaw is shrunk to the smallest script that shows it. A failing case is kept in
/// proptest's regression file beside the caller's source, and tried first ever after. How many
/// cases there are is proptest's to say: `PROPTEST_CASES`, 256 if it is not set. It is quicker with
/// `opt-level = 1` in your `[profile.test]`, for a round is mostly cryptography.
///
/// What it turns are the clock and the dice of [`Cx`](crate::Cx). The clock of the system it cannot
/// turn: a date read from there stays the same through all the plays of a case. A panic of the tool
/// is a flaw, and so is a case in which nothing can be proved, since the tool takes none of the
/// arguments.
///
/// A tool that awaits tokio's timers or sockets is proved in a plain `#[test]`, while a runtime is
/// entered: `let runtime = tokio::runtime::Runtime::new()?; let _entered = runtime.enter();`.
///
/// ```
/// use mcp_reprise::testing::{arguments_for, prove};
/// use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
/// use serde_json::{Value, json};
///
/// async fn book(cx: &mut Cx, _: Value) -> Outcome {
///     let day: Value = cx.elicit("day", Form::new("Which day?").text("day"))?.accepted()?;
///     Ok(CallToolResult::text(day.to_string()))
/// }
///
/// prove(book, arguments_for(&json!({ "type": "object" }))); // in a #[test]
/// ```
///
/// # Panics
///
/// With the flaw and the smallest script that shows it.
#[track_caller]
pub fn prove<M>(tool: impl IntoTool<M>, arguments: impl Strategy<Value = Value>) {
    script(tool).prove(arguments);
}

impl Script {
    /// Proves the script's tool in the script's scene, as [`prove`] does. The script's own
    /// arguments and answers are not used.
    ///
    /// ```
    /// use mcp_reprise::testing::script;
    /// use mcp_reprise::{Cx, protocol::CallToolResult};
    /// use proptest::strategy::Just;
    ///
    /// let whose = |cx: &mut Cx, _: serde_json::Value| CallToolResult::text(cx.principal().unwrap_or("nobody's"));
    /// script(whose).scene(|scene| scene.principal("alice")).prove(Just(serde_json::json!({})));
    /// ```
    ///
    /// # Panics
    ///
    /// With the flaw and the smallest script that shows it.
    #[track_caller]
    pub fn prove(self, arguments: impl Strategy<Value = Value>) {
        let config = Config {
            source_file: Some(Location::caller().file()),
            failure_persistence: Some(Box::new(FileFailurePersistence::default())),
            max_shrink_iters: SHRINKS,
            ..Config::default()
        };
        if let Err(failed) = self.prove_with(config, arguments) {
            panic!("{failed}");
        }
    }

    /// Proves the script's tool under a configuration of proptest.
    ///
    /// ```
    /// use mcp_reprise::testing::script;
    /// use mcp_reprise::{Cx, protocol::CallToolResult};
    /// use proptest::{strategy::Just, test_runner::Config};
    ///
    /// let hello = |_: &mut Cx, _: serde_json::Value| CallToolResult::text("hello");
    /// script(hello).prove_with(Config::with_cases(4), Just(serde_json::json!({}))).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// The flaw with the smallest script that shows it.
    pub fn prove_with(
        mut self,
        config: Config,
        arguments: impl Strategy<Value = Value>,
    ) -> Result<(), Box<Disproof>> {
        self.plays = self.plays.min(PLAYS);
        self.lines.clear();
        // The smallest script is only known at the end, and a flaw that comes and goes may not
        // come again: the last one seen is the one to show.
        let seen = std::cell::RefCell::new(None);
        let unreached = std::cell::RefCell::new(None);
        let reached = std::cell::Cell::new(false);
        let cases = (arguments, vec(tapes(), 0..ANSWERS));
        let proved = TestRunner::new(config).run(&cases, |(arguments, tapes)| {
            let mut script = self.clone();
            script.arguments = arguments;
            let mut taped = Taped::new(&tapes);
            match check_with(&script, &mut taped, |taped| taped.lines.clone()) {
                Ok(proof) => {
                    if proof.ran {
                        reached.set(true);
                    } else {
                        let attempted = shorten(&proof.response.to_string());
                        let flaw = Flaw::Unreached { attempted };
                        *unreached.borrow_mut() = Some(Disproof { flaw, script });
                    }
                    Ok(())
                }
                Err(flaw) => {
                    script.lines = taped.lines;
                    let reason = flaw.to_string();
                    *seen.borrow_mut() = Some(Disproof { flaw, script });
                    Err(TestCaseError::fail(reason))
                }
            }
        });
        match (proved, seen.into_inner()) {
            (Ok(()), _) => match unreached.into_inner().filter(|_| !reached.get()) {
                None => Ok(()),
                Some(nothing) => Err(Box::new(nothing)),
            },
            (Err(TestError::Fail(..)), Some(disproof)) => Err(Box::new(disproof)),
            (Err(error), _) => panic!("nothing was proved: {error}"),
        }
    }
}

/// A flaw, and the smallest script that was found to show it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Disproof {
    /// What is wrong.
    pub flaw: Flaw,
    /// The script.
    pub script: Script,
}

impl std::fmt::Display for Disproof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}\n\nThe smallest script that shows it:\n\n{}",
            self.flaw, self.script
        )
    }
}

impl std::error::Error for Disproof {}
