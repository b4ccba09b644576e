//! A question with the type of its answer, and several questions in one round.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::answer::Answer;
use super::form::{Form, UrlPrompt};
use super::name::QuestionName;
use super::put::Put;
use crate::journal::Told;
use crate::protocol::{CreateMessageRequestParams, CreateMessageResult, ListRootsResult};
use crate::step::{Cx, ToolError};

/// One question, with the type of what is told to it, for [`Cx::ask`].
///
/// ```
/// use mcp_reprise::{Form, Question};
///
/// let sure = Question::form::<serde_json::Value>("sure", Form::new("Are you sure?").boolean("sure"));
/// # let _ = sure;
/// ```
pub struct Question<R> {
    put: Put,
    decode: fn(&Told<'_>) -> Result<R, String>,
    answer: PhantomData<fn() -> R>,
}

impl<R> std::fmt::Debug for Question<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Question({:?})", self.put.key())
    }
}

impl Question<()> {
    /// A form, with the type its content is read into.
    pub fn form<T: DeserializeOwned>(
        name: impl Into<QuestionName>,
        form: Form,
    ) -> Question<Answer<T>> {
        Question {
            put: Put::form(name.into().into_text(), form),
            decode: form_answer,
            answer: PhantomData,
        }
    }
}

impl Question<Answer<()>> {
    /// A URL for the user to visit.
    pub fn url(name: impl Into<QuestionName>, prompt: UrlPrompt) -> Self {
        Self {
            put: Put::url(name.into().into_text(), prompt),
            decode: url_answer,
            answer: PhantomData,
        }
    }
}

impl Question<CreateMessageResult> {
    /// A request to the client's model.
    pub fn sample(name: impl Into<QuestionName>, request: CreateMessageRequestParams) -> Self {
        Self {
            put: Put::sample(name.into().into_text(), &request),
            decode: client_result,
            answer: PhantomData,
        }
    }
}

impl Question<ListRootsResult> {
    /// A request for the client's roots.
    pub fn roots(name: impl Into<QuestionName>) -> Self {
        Self {
            put: Put::roots(name.into().into_text()),
            decode: client_result,
            answer: PhantomData,
        }
    }
}

fn form_answer<T: DeserializeOwned>(told: &Told<'_>) -> Result<Answer<T>, String> {
    match told {
        Told::Accepted(content) => serde_json::from_str(content)
            .map(Answer::Accepted)
            .map_err(|error| unfit(&error)),
        told => refusal(told),
    }
}

fn url_answer(told: &Told<'_>) -> Result<Answer<()>, String> {
    match told {
        Told::Accepted(_) => Ok(Answer::Accepted(())),
        told => refusal(told),
    }
}

fn refusal<T>(told: &Told<'_>) -> Result<Answer<T>, String> {
    match told {
        Told::Declined => Ok(Answer::Declined),
        Told::Cancelled => Ok(Answer::Cancelled),
        _ => Err("no answer to an elicitation".to_owned()),
    }
}

fn client_result<T: DeserializeOwned>(told: &Told<'_>) -> Result<T, String> {
    match told {
        Told::Result(text) => serde_json::from_str(text).map_err(|error| unfit(&error)),
        _ => Err("no result of the client".to_owned()),
    }
}

/// Why an answer does not fit the author's type, for the log: what serde misses in it or expected of
/// it, without what stands there instead, which is the user's.
fn unfit(error: &serde_json::Error) -> String {
    let words = error.to_string();
    if words.starts_with("missing field `") {
        return words;
    }
    match words.rsplit_once(", expected ") {
        Some((_, expected)) => format!("expected {expected}"),
        None => format!("it does not fit at character {}", error.column()),
    }
}

/// Questions that can be put in one round: one, a tuple of up to six, or a `Vec` of one type.
pub trait Questions: sealed::Sealed {
    /// What is told to them, in the same shape.
    type Answers;

    #[doc(hidden)]
    fn put(self, cx: &mut Cx) -> Result<Self::Answers, ToolError>;
}

mod sealed {
    pub trait Sealed {}
}

/// A question on its way through a run, of whatever type its answer is.
pub(crate) trait Asking {
    fn put(&self) -> &Put;

    fn put_mut(&mut self) -> &mut Put;

    /// Reads what was told into the author's type, and keeps it.
    fn read(&mut self, told: &Told<'_>) -> Result<(), String>;
}

struct Slot<R> {
    question: Question<R>,
    answer: Option<R>,
}

impl<R> Asking for Slot<R> {
    fn put(&self) -> &Put {
        &self.question.put
    }

    fn put_mut(&mut self) -> &mut Put {
        &mut self.question.put
    }

    fn read(&mut self, told: &Told<'_>) -> Result<(), String> {
        self.answer = Some((self.question.decode)(told)?);
        Ok(())
    }
}

impl<R> Slot<R> {
    fn of(question: Question<R>) -> Self {
        Self {
            question,
            answer: None,
        }
    }

    fn answer(self) -> Result<R, ToolError> {
        let missing = || ToolError::internal("an answer is missing");
        self.answer.ok_or_else(missing)
    }
}

impl<R> sealed::Sealed for Question<R> {}

impl<R> Questions for Question<R> {
    type Answers = R;

    fn put(self, cx: &mut Cx) -> Result<R, ToolError> {
        let mut slot = Slot::of(self);
        cx.put(&mut [&mut slot])?;
        slot.answer()
    }
}

impl<R> sealed::Sealed for Vec<Question<R>> {}

impl<R> Questions for Vec<Question<R>> {
    type Answers = Vec<R>;

    fn put(self, cx: &mut Cx) -> Result<Vec<R>, ToolError> {
        let mut slots: Vec<Slot<R>> = self.into_iter().map(Slot::of).collect();
        let mut asking: Vec<_> = slots
            .iter_mut()
            .map(|slot| slot as &mut dyn Asking)
            .collect();
        cx.put(&mut asking)?;
        slots.into_iter().map(Slot::answer).collect()
    }
}

/// Tuples differ in their number of types, which only a macro can write down.
macro_rules! questions_of_tuple {
    ($($answer:ident $place:tt),+) => {
        impl<$($answer),+> sealed::Sealed for ($(Question<$answer>,)+) {}

        impl<$($answer),+> Questions for ($(Question<$answer>,)+) {
            type Answers = ($($answer,)+);

            fn put(self, cx: &mut Cx) -> Result<Self::Answers, ToolError> {
                let mut slots = ($(Slot::of(self.$place),)+);
                cx.put(&mut [$(&mut slots.$place),+])?;
                Ok(($(slots.$place.answer()?,)+))
            }
        }
    };
}

questions_of_tuple!(A 0);
questions_of_tuple!(A 0, B 1);
questions_of_tuple!(A 0, B 1, C 2);
questions_of_tuple!(A 0, B 1, C 2, D 3);
questions_of_tuple!(A 0, B 1, C 2, D 3, E 4);
questions_of_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
