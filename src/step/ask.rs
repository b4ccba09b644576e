//! Asking the client: the place where a round ends, and where a later one goes on.

use super::cx::{Cx, Halt};
use super::error::{Problem, ToolError, Unaskable};
use super::finished::{Asked, Failure};
use crate::journal::{Entry, Mark, QuestionSeen, Told, fingerprint};
use crate::json::{Outline, ReadLimits};
use crate::observation::FailureKind;
use crate::protocol::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ListRootsResult, Root,
};
use crate::question::{Answer, Form, Put, Question, QuestionName, Questions, UrlPrompt};

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

    /// Puts the questions of one round. Gives what was told to each, in order, once all are told.
    pub(crate) fn put(&mut self, questions: &[Put]) -> Result<Vec<Told>, ToolError> {
        if self.halt.is_some() {
            return Err(ToolError::new(Problem::Halt));
        }
        let marks = self.marks(questions)?;
        self.check_askable(questions, &marks)?;
        let mut told = Vec::with_capacity(questions.len());
        let mut open = Vec::new();
        for (question, mark) in questions.iter().zip(marks) {
            match self.put_one(question, &mark)? {
                Some(answer) => told.push(answer),
                None => open.push(asked(question, &mark)),
            }
        }
        if open.is_empty() {
            return Ok(told);
        }
        if open.len() > self.shared.limits.questions_per_round {
            let cause = format!("{} questions in one round", open.len());
            return Err(self.fail(Failure::unsaid(FailureKind::TooManyQuestions, cause)));
        }
        self.halt = Some(Halt::Asked(open));
        Err(ToolError::new(Problem::Halt))
    }

    /// A mark for each question: its key and its fingerprint.
    fn marks(&mut self, questions: &[Put]) -> Result<Vec<Mark>, ToolError> {
        let mut marks = Vec::with_capacity(questions.len());
        for question in questions {
            if let Some(cause) = question.fault() {
                return Err(self.fail(Failure::unsaid(FailureKind::Question, cause)));
            }
            let key = self.keys.next(question.name(), question.kind());
            let print = fingerprint(
                &self.call.seed,
                question.kind(),
                &key,
                question.params(),
                question.about(),
            );
            marks.push(Mark {
                kind: question.kind(),
                key,
                fingerprint: print,
            });
        }
        Ok(marks)
    }

    /// A client that has not declared the capability is asked nothing of the kind. What it was
    /// told before needs no asking.
    fn check_askable(&mut self, questions: &[Put], marks: &[Mark]) -> Result<(), ToolError> {
        let mut missing = ClientCapabilities::default();
        let mut unaskable = Vec::new();
        let mut declared = None;
        for (offset, (question, mark)) in questions.iter().zip(marks).enumerate() {
            if self.call.kind != super::CallKind::Completion
                && (self.replay.is_told(offset, mark)
                    || question
                        .may_be_put(declared.get_or_insert_with(|| self.client_capabilities())))
            {
                continue;
            }
            question.require(&mut missing);
            unaskable.push(asked(question, mark));
        }
        if unaskable.is_empty() {
            return Ok(());
        }
        self.replay.speak();
        Err(ToolError::new(Problem::Unaskable(Box::new(Unaskable {
            missing,
            questions: unaskable,
        }))))
    }

    /// Looks one question up, takes the client's answer if it has one, and passes its entry.
    fn put_one(&mut self, question: &Put, mark: &Mark) -> Result<Option<Told>, ToolError> {
        let seen = self
            .replay
            .question(mark)
            .map_err(|_| self.fail_diverged())?;
        let told = match seen {
            QuestionSeen::Told(told) if question.decodes(&told).is_ok() => {
                self.replay.pass_known();
                return Ok(Some(told));
            }
            QuestionSeen::Told(_) => {
                self.replay
                    .diverge(Some(mark.clone()))
                    .map_err(|_| self.fail_diverged())?;
                Told::Open { asks: 1 }
            }
            QuestionSeen::New => Told::Open { asks: 1 },
            QuestionSeen::Open { asks } => match self.reply(question, mark) {
                Some(told) => {
                    if let Err(cause) = question.decodes(&told) {
                        let cause = format!("the answer to {:?}: {cause}", mark.key);
                        return Err(self.fail(Failure::unsaid(FailureKind::AnswerType, cause)));
                    }
                    told
                }
                None if asks >= self.shared.limits.asks_per_question => {
                    let cause = format!("{:?} was put {asks} times", mark.key);
                    return Err(self.fail(Failure::unsaid(FailureKind::TooManyAsks, cause)));
                }
                None => Told::Open { asks: asks + 1 },
            },
        };
        let entry = Entry {
            kind: mark.kind,
            key: mark.key.clone(),
            print: mark.fingerprint,
            told,
        };
        let told = (!entry.is_open()).then(|| entry.told.clone());
        self.replay.pass(entry);
        Ok(told)
    }

    /// The client's answer to an open question, if there is one and it is valid.
    fn reply(&mut self, question: &Put, mark: &Mark) -> Option<Told> {
        let reply = self
            .call
            .replies
            .iter()
            .find(|reply| reply.key == mark.key)?;
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
            .map_err(|why| self.refused.push((mark.key.clone(), why)))
            .ok()
    }

    pub(super) fn fail_diverged(&mut self) -> ToolError {
        let cause = "the replay diverged, and going on would repeat a `once`";
        self.fail(Failure::unsaid(FailureKind::Diverged, cause))
    }
}

fn asked(question: &Put, mark: &Mark) -> Asked {
    Asked {
        key: mark.key.clone(),
        method: question.method().into(),
        params: question.params().into(),
    }
}
