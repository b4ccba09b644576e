//! Where the prover gets the answers of a round: from a script, line by line or as many as fit.

use serde_json::Value;

use super::flaw::Flaw;
use super::script::{Line, Says};

/// The open questions of a round, in order.
pub(super) type Open = [(String, Value)];

/// Who answers.
pub(super) trait Answers {
    /// What to send in this round to the open questions.
    ///
    /// # Errors
    ///
    /// [`Flaw::OffScript`]
    fn next(&mut self, round: u32, open: &Open) -> Result<Vec<(String, Value)>, Flaw>;

    /// What is left when the call has ended.
    fn rest(&self) -> Option<String>;
}

/// How many lines of a script go into one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// All that answer what is open.
    Together,
    /// One.
    OneByOne,
}

/// The lines of a script.
pub(super) struct Scripted<'a> {
    lines: &'a [Line],
    pace: Pace,
}

impl<'a> Scripted<'a> {
    pub(super) fn new(lines: &'a [Line], pace: Pace) -> Self {
        Self { lines, pace }
    }
}

impl Answers for Scripted<'_> {
    fn next(&mut self, round: u32, open: &Open) -> Result<Vec<(String, Value)>, Flaw> {
        let mut answers: Vec<(String, Value)> = Vec::new();
        while let Some((line, rest)) = self.lines.split_first() {
            if line.says == Says::Silence {
                if answers.is_empty() {
                    self.lines = rest;
                }
                return Ok(answers);
            }
            let answered = |key: &str| answers.iter().any(|(answered, _)| answered == key);
            let fits = |(key, request): &&(String, Value)| {
                !answered(key)
                    && line.says.fits(request)
                    && line.name.as_ref().is_none_or(|name| name == key)
            };
            let Some((key, _)) = open.iter().find(fits) else {
                break;
            };
            answers.push((key.clone(), line.answer.clone()));
            self.lines = rest;
            if self.pace == Pace::OneByOne {
                break;
            }
        }
        if answers.is_empty() {
            return Err(Flaw::OffScript {
                round,
                recorded: self.rest(),
                attempted: open.iter().map(|(key, _)| format!("{key:?}")).collect(),
            });
        }
        Ok(answers)
    }

    fn rest(&self) -> Option<String> {
        self.lines.first().map(ToString::to_string)
    }
}
