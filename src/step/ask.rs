//! Asking the client: the place where a round ends, and where a later one goes on.

use super::cx::{Cx, Halt};
use super::error::{Problem, ToolError, Unaskable};
use super::finished::{Asked, Failure};
use crate::journal::{QuestionSeen, Told};
use crate::json::{Outline, ReadLimits};
use crate::observation::FailureKind;
use crate::protocol::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ListRootsResult, Root,
};
use crate::question::{Answer, Asking, Form, Put, Question, QuestionName, Questions, UrlPrompt};

use serde::de::DeserializeOwned;

impl Cx {
    /// Puts a form to the user and gives the answer, typed.
    ///
    /// `name` is the question's key on the wire; `None` names it by its place, `elicit-1`. The
    /// call ends here while nobody has answered, and comes back to this line with the answer.
    ///
    /// See [Elicitation](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation).
    ///
    /// ```
    /// use mcp_reprise::{Answer, Cx, Form, Outcome, protocol::CallToolResult};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Day { day: String }
    ///
    /// fn book(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     match cx.elicit("day", Form::new("Which day?").text("day"))? {
    ///         Answer::Accepted(Day { day }) => Ok(CallToolResult::text(format!("Booked for {day}"))),
    ///         Answer::Declined => Ok(CallToolResult::text("Maybe another time")),
    ///         Answer::Cancelled => Ok(CallToolResult::text("Nothing booked")),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// To be passed on with `?`: the round is over, or the client cannot be asked
    /// ([`ToolError::is_unaskable`]).
    pub fn elicit<T: DeserializeOwned>(
        &mut self,
        name: impl Into<QuestionName>,
        form: Form,
    ) -> Result<Answer<T>, ToolError> {
        self.ask(Question::form(name, form))
    }

    /// Sends the user to a URL, and tells whether they agreed to go. What they do there, the
    /// server has to find out by itself.
    ///
    /// # Errors
    ///
    /// As [`Cx::elicit`].
    pub fn elicit_url(
        &mut self,
        name: impl Into<QuestionName>,
        prompt: UrlPrompt,
    ) -> Result<Answer<()>, ToolError> {
        self.ask(Question::url(name, prompt))
    }

    /// Asks the client's model.
    ///
    /// See [Sampling](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling).
    ///
    /// # Errors
    ///
    /// As [`Cx::elicit`].
    pub fn sample(
        &mut self,
        name: impl Into<QuestionName>,
        request: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, ToolError> {
        self.ask(Question::sample(name, request))
    }

    /// Asks the client for its roots.
    ///
    /// See [Roots](https://modelcontextprotocol.io/specification/2026-07-28/client/roots).
    ///
    /// # Errors
    ///
    /// As [`Cx::elicit`].
    pub fn list_roots(&mut self, name: impl Into<QuestionName>) -> Result<Vec<Root>, ToolError> {
        self.ask(Question::roots(name))
            .map(|result: ListRootsResult| result.roots)
    }

    /// Puts several questions in one round, as a tuple or a `Vec`. Each is its own entry in the
    /// journal: those that are answered are kept, and only the rest are asked again.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Form, Outcome, Question, protocol::CallToolResult};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Day { day: String }
    /// #[derive(serde::Deserialize)]
    /// struct Seats { seats: u32 }
    ///
    /// fn book(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let (day, seats) = cx.ask((
    ///         Question::form::<Day>("day", Form::new("Which day?").text("day")),
    ///         Question::form::<Seats>("seats", Form::new("How many?").integer("seats")),
    ///     ))?;
    ///     let (day, seats) = (day.accepted()?, seats.accepted()?);
    ///     Ok(CallToolResult::text(format!("{} seats on {}", seats.seats, day.day)))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Cx::elicit`].
    pub fn ask<Q: Questions>(&mut self, questions: Q) -> Result<Q::Answers, ToolError> {
        questions.put(self)
    }

    /// Puts the questions of one round, which are read into once all are told.
    pub(crate) fn put(&mut self, questions: &mut [&mut dyn Asking]) -> Result<(), ToolError> {
        if self.halt.is_some() {
            return Err(ToolError::new(Problem::Halt));
        }
        self.place(questions)?;
        self.check_askable(questions)?;
        let mut open = Vec::new();
        for question in questions {
            match self.put_one(&mut **question)? {
                true => self.spare = question.put_mut().spare(),
                false => open.push(asked(question.put())),
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        if open.len() > self.shared.limits.questions_per_round {
            let cause = format!("{} questions in one round", open.len());
            return Err(self.fail(Failure::unsaid(FailureKind::TooManyQuestions, cause)));
        }
        self.halt = Some(Halt::Asked(open));
        Err(ToolError::new(Problem::Halt))
    }

    /// Gives each question its key and its fingerprint.
    fn place(&mut self, questions: &mut [&mut dyn Asking]) -> Result<(), ToolError> {
        for question in questions {
            let question = question.put_mut();
            if let Some(cause) = question.fault() {
                return Err(self.fail(Failure::unsaid(FailureKind::Question, cause)));
            }
            // Where many questions are replayed, one text serves them all.
            question.write(std::mem::take(&mut self.spare));
            let kind = question.kind();
            let key = self.keys.next(question.key(), kind);
            let (params, about) = (question.params(), question.about());
            let print = self.hasher().question(kind, &key, params, about);
            question.place(key, print);
        }
        Ok(())
    }

    /// A client that has not declared the capability is asked nothing of the kind. What it was
    /// told before needs no asking.
    fn check_askable(&mut self, questions: &[&mut dyn Asking]) -> Result<(), ToolError> {
        let mut declared = None;
        let mut unaskable = Vec::new();
        for (offset, question) in questions.iter().enumerate() {
            let question = question.put();
            if self.call.kind != super::CallKind::Completion
                && (self.replay.is_told(offset, &question.attempt())
                    || question
                        .may_be_put(declared.get_or_insert_with(|| self.client_capabilities())))
            {
                continue;
            }
            unaskable.push(question);
        }
        if unaskable.is_empty() {
            return Ok(());
        }
        self.replay.speak();
        let mut missing = ClientCapabilities::default();
        for question in &unaskable {
            question.require(&mut missing);
        }
        Err(ToolError::new(Problem::Unaskable(Box::new(Unaskable {
            missing,
            questions: unaskable.into_iter().map(asked).collect(),
        }))))
    }

    /// Looks one question up, takes the client's answer if it has one, and passes its entry. Gives
    /// whether it is told.
    fn put_one(&mut self, question: &mut dyn Asking) -> Result<bool, ToolError> {
        let seen = self.replay.question(&question.put().attempt());
        let seen = match seen {
            Ok(QuestionSeen::Told(told)) if question.read(&told).is_ok() => {
                self.replay.pass_known();
                return Ok(true);
            }
            Ok(QuestionSeen::Told(_)) => {
                // What was told is of another type than the author reads now.
                self.replay
                    .diverge(Some(&question.put().attempt()))
                    .map_err(|_| self.fail_diverged())?;
                None
            }
            Ok(QuestionSeen::New) => None,
            Ok(QuestionSeen::Open { asks }) => Some(asks),
            Err(_) => return Err(self.fail_diverged()),
        };
        let told = match seen {
            None => Told::Open { asks: 1 },
            Some(asks) => match self.reply(question.put()) {
                Some(told) => {
                    if let Err(cause) = question.read(&told) {
                        let key = question.put().attempt().key.to_owned();
                        let cause = format!("the answer to {key:?}: {cause}");
                        return Err(self.fail(Failure::unsaid(FailureKind::AnswerType, cause)));
                    }
                    told
                }
                None if asks >= self.shared.limits.asks_per_question => {
                    let key = question.put().attempt().key;
                    let cause = format!("{key:?} was put {asks} times");
                    return Err(self.fail(Failure::unsaid(FailureKind::TooManyAsks, cause)));
                }
                None => Told::Open {
                    asks: asks.saturating_add(1),
                },
            },
        };
        let entry = question.put().attempt().told(told);
        self.replay.pass(&entry);
        Ok(!entry.is_open())
    }

    /// The client's answer to an open question, if there is one and it is valid.
    fn reply(&mut self, question: &Put) -> Option<Told<'static>> {
        let key = question.attempt().key;
        let mut replies = self.call.replies.iter();
        let reply = replies.find(|reply| *reply.key == *key)?;
        let limits = ReadLimits {
            depth: self.shared.limits.depth,
            members: self.shared.limits.members,
            string: self.shared.limits.string_bytes,
        };
        let taken = match Outline::read(reply.json.as_bytes(), &limits) {
            Ok(outline) => question.take(outline.json()),
            Err(error) => Err(error.to_string()),
        };
        taken
            .map_err(|why| self.refused.push((key.into(), why)))
            .ok()
    }

    pub(super) fn fail_diverged(&mut self) -> ToolError {
        let cause = "the replay diverged, and going on would repeat a `once`";
        self.fail(Failure::unsaid(FailureKind::Diverged, cause))
    }
}

fn asked(question: &Put) -> Asked {
    Asked {
        key: question.attempt().key.into(),
        method: question.method().into(),
        params: question.params().into(),
    }
}
