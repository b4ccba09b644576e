//! The end of a round: a result, questions, or a failure.

use serde_json::{Map, Value};

use super::receive::resource_not_found;
use super::session::{OpenCall, Session};
use super::shape;
use crate::action::Turn;
use crate::caller::Caller;
use crate::calling::{UNASKABLE, sentence};
use crate::moment::Moment;
use crate::observation::{ErrorKind, FailureKind, Observation, shown};
use crate::offering::{Offering, Server};
use crate::protocol::error_codes::LEGACY_URL_ELICITATION_REQUIRED;
use crate::protocol::{CallToolResult, ErrorObject};
use crate::step::{Asked, Call, CallKind, Done, Ending, Failure, Finished};

impl Session {
    /// Takes a step of this session back that has run. What it has assigned is the session's from
    /// now on, if it came to a result.
    ///
    /// A step that nobody waits for any more comes to nothing: its call was cancelled, or ended
    /// with its session.
    pub fn finish(&mut self, server: &Server, finished: Finished, moment: &Moment) -> Turn {
        let offering = &*server.offering;
        let finished = crate::calling::checked(offering, finished);
        let mut observed = finished.observations();
        let end = finished.end();
        let Finished {
            call, ending, ran, ..
        } = finished;
        let Some(place) = self.calls.iter().position(|open| {
            open.exchange == call.exchange && open.id == call.id && open.asking.is_none()
        }) else {
            return Turn::default();
        };
        self.touch(moment.now);
        let open = self.calls.swap_remove(place);
        let mut turn = match ending {
            _ if open.cancelled => {
                observed.extend(self.call_cancelled(open.exchange));
                self.skip(offering, moment, &open)
            }
            Ending::Done(done) => {
                if self.observes {
                    observed.push(call.stopped(end));
                }
                self.assign(offering, &call);
                let result = shape::done(self.version, done);
                self.answer(offering, moment, &open, result)
            }
            Ending::Asked(asked) => {
                if self.observes {
                    observed.push(call.asking(&asked, offering.in_words));
                }
                self.ask(offering, moment, open, call, &asked)
            }
            Ending::Failed(failure) => {
                let place = match ran {
                    true => ErrorKind::InTool,
                    false => ErrorKind::BeforeTool,
                };
                self.fail(offering, moment, open, &call, (place, failure))
            }
        };
        turn.observations.splice(..0, observed);
        // An assigned value may have changed which tools the client sees.
        turn.extend(self.flush());
        turn
    }

    /// Keeps what a step has assigned, as far as there is room.
    fn assign(&mut self, offering: &Offering, call: &Call) {
        let Some(session) = &call.session else { return };
        if session.assigned.is_empty() {
            return;
        }
        let before = seen(offering, &call.caller_before(&self.assigns));
        let mut assigns = self.assigns.clone();
        for (name, value) in &session.assigned {
            assigns.insert(name.clone(), value.clone());
        }
        let bytes = serde_json::to_string(&assigns).map_or(usize::MAX, |text| text.len());
        if bytes > offering.limits().session_assigns {
            return;
        }
        self.assigns = assigns;
        let after = seen(offering, &self.caller(call.caller.clone()));
        self.changed.tools |= before != after;
    }

    /// Ends a call that failed, in its tool or before it.
    pub(super) fn fail(
        &mut self,
        offering: &Offering,
        moment: &Moment,
        open: OpenCall,
        call: &Call,
        (place, failure): (ErrorKind, Failure),
    ) -> Turn {
        let mut observation = None;
        let end = failure.end(place);
        let result = match failure {
            Failure::Said(text) => self.said(call.kind, text),
            Failure::InvalidParams(text) if call.kind == CallKind::Tool => {
                self.said(call.kind, text)
            }
            Failure::InvalidParams(text) => Err(ErrorObject::invalid_params(text)),
            Failure::NotFound => Err(resource_not_found(&call.name)),
            Failure::Unaskable(unaskable) => self.unaskable(call, &unaskable.questions),
            Failure::Unsaid { kind, cause } => {
                observation = Some(Observation::Failed {
                    exchange: call.exchange,
                    name: shown(&call.name),
                    failure: kind,
                    cause,
                });
                self.said(call.kind, sentence(kind).to_owned())
            }
        };
        let mut turn = self.answer(offering, moment, &open, result);
        turn.observations.extend(observation);
        if self.observes {
            turn = turn.observed(call.stopped(end));
        }
        turn
    }

    /// Ends a call whose step is lost.
    pub(super) fn lost(&mut self, offering: &Offering, moment: &Moment, open: &OpenCall) -> Turn {
        let kind = FailureKind::Cancelled;
        let result = self.said(open.kind, sentence(kind).to_owned());
        let cause = "its process has died".to_owned();
        self.answer(offering, moment, open, result)
            .observed(Observation::Failed {
                exchange: open.exchange,
                name: open.kind.method().to_owned(),
                failure: kind,
                cause,
            })
    }

    /// Text for the client: a result with `isError` for a tool, an internal error for the rest.
    fn said(&self, kind: CallKind, text: String) -> Result<String, ErrorObject> {
        if kind != CallKind::Tool {
            return Err(ErrorObject::internal_error(text));
        }
        shape::done(self.version, Done::Tool(CallToolResult::error(text)))
    }

    /// What a client is told that cannot be asked.
    ///
    /// These revisions have no error for it. Where all that is missing is that the user goes to a
    /// URL, 2025-11-25 has one that says so, with the URL: the client can show it and call again.
    /// See [URL elicitation required](https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error).
    pub(super) fn unaskable(
        &self,
        call: &Call,
        questions: &[Asked],
    ) -> Result<String, ErrorObject> {
        if call.kind == CallKind::Completion {
            let failed = sentence(FailureKind::Question).to_owned();
            return self.said(call.kind, failed);
        }
        let urls: Vec<Value> = questions
            .iter()
            .filter(|asked| &*asked.method == "elicitation/create")
            .filter_map(|asked| {
                let params = shape::url_question(&asked.params, &elicitation_id(call, &asked.key));
                serde_json::from_str(&params).ok()
            })
            .filter(|params: &Value| params.get("mode") == Some(&"url".into()))
            .collect();
        let all = !questions.is_empty() && urls.len() == questions.len();
        if !all || !self.version.has_url_elicitation() {
            return self.said(call.kind, UNASKABLE.to_owned());
        }
        let data = Map::from_iter([("elicitations".to_owned(), Value::Array(urls))]);
        let message = "This request needs the user to visit a URL first";
        Err(ErrorObject::new(LEGACY_URL_ELICITATION_REQUIRED, message).data(data.into()))
    }
}

/// The name of a question that sends the user to a URL: equal for the same question of the same
/// call, and for no other.
pub(super) fn elicitation_id(call: &Call, key: &str) -> String {
    let id = call.seed.hash("elicitation", &[key.as_bytes()]);
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The names of the tools a caller sees.
fn seen<'a>(offering: &'a Offering, caller: &Caller) -> Vec<&'a str> {
    let tools = offering.catalog.tools.iter();
    tools
        .filter(|entry| entry.listed.is_visible(caller))
        .map(|entry| &*entry.listed.name)
        .collect()
}

impl Call {
    /// The caller before this round assigned anything that the session does not have.
    fn caller_before(&self, assigns: &Map<String, Value>) -> Caller {
        let mut caller = self.caller.clone();
        for name in self
            .session
            .iter()
            .flat_map(|session| session.assigned.keys())
        {
            match assigns.get(name) {
                Some(value) => drop(caller.assigns.insert(name.clone(), value.clone())),
                None => drop(caller.assigns.remove(name)),
            }
        }
        caller
    }
}
