//! Questions to the client, and what it says to them.

use super::envelope;
use super::finish::elicitation_id;
use super::receive::Input;
use super::session::{Asking, OpenCall, Question, Session};
use super::shape;
use crate::action::{Action, Turn};
use crate::calling::UNASKABLE;
use crate::journal::Writer;
use crate::json::Json;
use crate::moment::Moment;
use crate::observation::{ErrorKind, FailureKind, shown};
use crate::offering::Offering;
use crate::step::{Asked, Call, Failure, Reply};

impl Session {
    /// Puts the questions of a round on the stream of its call, and keeps the call until they are
    /// answered.
    pub(super) fn ask(
        &mut self,
        offering: &Offering,
        moment: &Moment,
        open: OpenCall,
        call: Box<Call>,
        asked: &[Asked],
    ) -> Turn {
        if let Some(failure) = self.no_room(offering, &call) {
            return self.fail(offering, moment, open, &call, (ErrorKind::InTool, failure));
        }
        let mut params = Vec::with_capacity(asked.len());
        for question in asked {
            let elicitation = elicitation_id(&call, &question.key);
            match shape::question(self.version, question, &elicitation) {
                Some(text) => params.push(text),
                None => {
                    let failure = Failure::Said(UNASKABLE.to_owned());
                    return self.fail(offering, moment, open, &call, (ErrorKind::InTool, failure));
                }
            }
        }
        let mut turn = Turn::default();
        let mut questions = Vec::with_capacity(asked.len());
        for (question, params) in asked.iter().zip(params) {
            self.next_question = self.next_question.saturating_add(1);
            let id = format!("ask-{}", self.next_question);
            let request = envelope::request(&id, &question.method, &params);
            self.say(offering, open.stream, request, &mut turn);
            questions.push(Question {
                id: id.into(),
                key: question.key.clone(),
                reply: None,
            });
        }
        let limits = offering.limits();
        let deadline = moment.now.after(limits.state_ttl);
        let deadline = deadline.min(call.began.after(limits.call_age));
        turn.actions.push(Action::AwaitAnswer {
            exchange: call.exchange,
            deadline,
        });
        let asking = Asking {
            call,
            deadline,
            questions,
        };
        self.calls.push(OpenCall {
            asking: Some(asking),
            ..open
        });
        turn
    }

    /// Why the call cannot wait for answers: it, or all that wait, have grown too big to be kept,
    /// or nobody will answer.
    fn no_room(&self, offering: &Offering, call: &Call) -> Option<Failure> {
        if self.deaf {
            let cause = "the client has closed its side";
            return Some(Failure::unsaid(FailureKind::Unanswered, cause));
        }
        let limits = offering.limits();
        let mut journal = Writer::default();
        journal.journal(&call.journal);
        let (bytes, most) = (journal.0.len(), limits.journal_bytes);
        if bytes > most {
            let cause = format!("{bytes} bytes, {most} at most");
            return Some(Failure::unsaid(FailureKind::JournalFull, cause));
        }
        let waiting = self.calls.iter().filter_map(|open| open.asking.as_ref());
        let kept: usize = waiting
            .map(|asking| asking.call.arguments.len() + asking.call.meta.len())
            .sum();
        let all = kept + call.arguments.len() + call.meta.len();
        (all > limits.body_bytes.saturating_mul(2)).then(|| {
            let cause = format!("{all} bytes of calls that wait for answers");
            Failure::unsaid(FailureKind::JournalFull, cause)
        })
    }

    /// The client's response to a request of ours. One that is not open, or not any more, is
    /// taken for nothing.
    pub(super) fn answered(&mut self, input: Input<'_>, response: Json<'_>) -> Turn {
        let id = response.get("id").and_then(Json::as_str);
        let Some(place) = id.and_then(|id| self.asking(&id)) else {
            return Turn::default();
        };
        let (id, result) = (response.get("id"), response.get("result"));
        let id = id.and_then(Json::as_str).unwrap_or_default();
        let Some(result) = result.filter(|_| response.get("error").is_none()) else {
            return self.answered_badly(&input, place, &id, response);
        };
        let Some(asking) = self
            .calls
            .get_mut(place)
            .and_then(|open| open.asking.as_mut())
        else {
            return Turn::default();
        };
        let named = asking
            .questions
            .iter_mut()
            .find(|question| *question.id == *id);
        if let Some(question) = named {
            question.reply = Some(result.text().into());
        }
        if asking
            .questions
            .iter()
            .any(|question| question.reply.is_none())
        {
            return Turn::default();
        }
        let mut open = self.calls.swap_remove(place);
        let Some(Asking {
            call, questions, ..
        }) = open.asking.take()
        else {
            return Turn::default();
        };
        let replies = questions.into_iter().filter_map(|question| {
            Some(Reply {
                key: question.key,
                json: question.reply?,
            })
        });
        let replies = replies.collect();
        self.resume(input, open, call, replies)
    }

    /// The call whose question of this id is open.
    fn asking(&self, id: &str) -> Option<usize> {
        self.calls.iter().position(|open| {
            open.asking.as_ref().is_some_and(|asking| {
                let mut questions = asking.questions.iter();
                questions.any(|question| *question.id == *id && question.reply.is_none())
            })
        })
    }

    /// A client that answers with an error has ended the call: what only this era can know is no
    /// value a tool could branch on.
    fn answered_badly(
        &mut self,
        input: &Input<'_>,
        place: usize,
        id: &str,
        response: Json<'_>,
    ) -> Turn {
        let error = response.get("error");
        let code = error.and_then(|error| error.get("code"));
        let message = error.and_then(|error| error.get("message"));
        let cause = format!(
            "the client answered {id} with error {}: {}",
            code.map_or_else(|| "without a code".to_owned(), |code| shown(code.text())),
            shown(&message.and_then(Json::as_str).unwrap_or_default()),
        );
        let failure = Failure::unsaid(FailureKind::AnswerError, cause);
        self.give_up(input.offering, input.moment, place, failure, Some(id))
    }

    /// Ends a call that waits, and takes back its questions but for the one that was `answered`.
    pub(super) fn give_up(
        &mut self,
        offering: &Offering,
        moment: &Moment,
        place: usize,
        failure: Failure,
        answered: Option<&str>,
    ) -> Turn {
        let mut open = self.calls.swap_remove(place);
        let mut turn = Turn::default();
        let Some(asking) = open.asking.take() else {
            return turn;
        };
        for cancelled in taken_back(&asking, answered) {
            self.say(offering, open.stream, cancelled, &mut turn);
        }
        turn.extend(self.fail(
            offering,
            moment,
            open,
            &asking.call,
            (ErrorKind::InTool, failure),
        ));
        turn
    }

    /// `notifications/cancelled`: ends the call it names, by type and value of its id.
    ///
    /// See [Cancellation](https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation).
    pub(super) fn cancelled(&mut self, input: &Input<'_>, params: Option<Json<'_>>) -> Turn {
        let Some(place) = self.named(params) else {
            return Turn::default();
        };
        let offering = input.offering;
        let mut turn = Turn::default();
        let Some(open) = self.calls.get_mut(place) else {
            return turn;
        };
        let stream = open.stream;
        if self.batches.contains_key(&stream) && open.asking.is_none() {
            // The others of its batch go on when its step has run.
            open.cancelled = true;
            return turn;
        }
        let open = self.calls.swap_remove(place);
        turn.observations.extend(self.call_cancelled(open.exchange));
        for cancelled in open
            .asking
            .iter()
            .flat_map(|asking| taken_back(asking, None))
        {
            self.say(offering, stream, cancelled, &mut turn);
        }
        if self.batches.contains_key(&stream) {
            turn.extend(self.skip(offering, input.moment, &open));
            return turn;
        }
        let attached = self.streams.remove(&stream).and_then(|gone| gone.exchange);
        turn.actions.push(Action::Cancel {
            exchange: open.exchange,
        });
        if let Some(exchange) = attached.filter(|exchange| *exchange != open.exchange) {
            turn.actions.push(Action::End { exchange });
        }
        turn
    }
}

/// Word to the client that its answers are no longer waited for.
fn taken_back(asking: &Asking, answered: Option<&str>) -> Vec<String> {
    let open = asking
        .questions
        .iter()
        .filter(|question| question.reply.is_none() && Some(&*question.id) != answered);
    open.map(|question| {
        let id = &question.id;
        envelope::notification(
            "notifications/cancelled",
            &format!(r#"{{"requestId":"{id}","reason":"The call is over"}}"#),
        )
    })
    .collect()
}
