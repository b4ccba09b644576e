//! The beginning of a call, and its rounds after the first.

use std::sync::Arc;

use super::envelope;
use super::receive::{Input, Served, resource_not_found};
use super::session::{OpenCall, Session, Transport};
use super::shape;
use super::stream::{Purpose, Stream};
use crate::action::Turn;
use crate::calling::{self, Calling, Found, Uncallable};
use crate::exchange::Exchange;
use crate::journal::{Journal, Seed};
use crate::json::{Json, Kind};
use crate::message::{Id, Request};
use crate::observation::{CallEnd, ErrorKind, FailureKind, Observation};
use crate::offering::Offering;
use crate::protocol::{
    CallToolResult, CompleteResult, ErrorObject, META_CLIENT_INFO, META_PROGRESS_TOKEN,
};
use crate::step::{Call, CallKind, Done, Failure, Reply, Step};

impl Session {
    /// Begins a call: finds what it calls, and hands out its first step.
    pub(super) fn begin(
        &mut self,
        input: Input<'_>,
        request: Request<'_>,
        kind: CallKind,
        stream: Option<u64>,
    ) -> Result<Served, ErrorObject> {
        let offering = input.offering;
        let params = request.params.unwrap_or(Json::EMPTY_OBJECT);
        let caller = self.caller(input.caller.clone());
        let round = match calling::find(offering, &caller, kind, params) {
            Ok(Found::Step(round)) => round,
            Err(Uncallable::Forbidden(forbidden)) => return Ok(Served::Forbidden(forbidden)),
            Err(Uncallable::Error(error)) => return Err(as_here(error, kind, params)),
            Ok(Found::NothingToComplete) => {
                let result = CompleteResult::values(Vec::<String>::new());
                let result = shape::done(self.version, Done::Completion(result))?;
                return Ok(Served::Answer(result));
            }
        };
        let call = self.call(input, request.id, params, &round);
        let started = self
            .observes
            .then(|| call.started(self.version.as_str(), Some(self.shown())));
        if let Some(refused) = round.refused {
            let stopped = started
                .is_some()
                .then(|| call.stopped(CallEnd::INVALID_ARGUMENTS));
            let result = Done::Tool(CallToolResult::error(refused));
            let observed = started.into_iter().chain(stopped).collect();
            return shape::done(self.version, result).map(|text| Served::Refused(text, observed));
        }
        self.admit(offering, &call.id)?;
        let (exchange, id) = (call.exchange, call.id.clone());
        let mut turn = Turn::run(Step {
            call,
            function: round.function,
            shared: Arc::clone(&offering.shared),
        });
        let stream = match stream {
            Some(stream) => stream,
            None => self.open_answer(exchange, &mut turn),
        };
        turn.observations.extend(started);
        self.calls.push(OpenCall {
            exchange,
            id,
            kind,
            stream,
            cancelled: false,
            progress: None,
            asking: None,
        });
        Ok(Served::Later(turn))
    }

    /// Opens the stream of an answer. Where the revision has it, the stream begins at once with
    /// an event that a client can come back to, since a call may take its time.
    ///
    /// See [Sending messages to the server](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server).
    pub(super) fn open_answer(&mut self, exchange: Exchange, turn: &mut Turn) -> u64 {
        let over_http = self.transport == Transport::Http;
        let number = self.next_stream;
        let mut stream = Stream::new(Purpose::Answer, exchange, over_http);
        self.next_stream += 1;
        if over_http && self.version.has_priming() {
            turn.actions.extend(stream.mark(number, None));
        }
        self.streams.insert(number, stream);
        number
    }

    /// Refuses an id that is taken, and a request too many.
    fn admit(&self, offering: &Offering, id: &Id) -> Result<(), ErrorObject> {
        if self.calls.iter().any(|call| call.id == *id) {
            let message = "The id is the id of a request that is still open";
            return Err(ErrorObject::invalid_request(message));
        }
        if self.calls.len() >= offering.limits().open_requests {
            return Err(ErrorObject::internal_error("Too many requests are open"));
        }
        Ok(())
    }

    fn call(&self, input: Input<'_>, id: Id, params: Json<'_>, round: &Calling<'_>) -> Box<Call> {
        let Input {
            exchange,
            caller,
            moment,
            ..
        } = input;
        let meta = params
            .get("_meta")
            .filter(|meta| meta.kind() == Kind::Object)
            .unwrap_or(Json::EMPTY_OBJECT);
        let progress_token = meta
            .get(META_PROGRESS_TOKEN)
            .filter(|token| is_token(*token))
            .map(|token| token.text().into());
        Box::new(Call {
            exchange,
            id,
            kind: round.kind,
            name: (*round.name).into(),
            function: round.registered_apart(),
            arguments: (*round.arguments).into(),
            canonical: None,
            action: round.action.clone(),
            caller: self.caller(caller),
            meta: with_client(meta, &self.client).into(),
            capabilities: self.capabilities.clone(),
            progress_token,
            log_level: self.log_level,
            now: moment.now,
            began: moment.now,
            seed: Seed(moment.dice),
            rounds: 1,
            claims: 0,
            revision: round.revision.into(),
            journal: Journal::default(),
            replies: Vec::new(),
            session: Some(Default::default()),
        })
    }

    /// Plays a call again from its top, now that its questions are answered.
    pub(super) fn resume(
        &mut self,
        input: Input<'_>,
        open: OpenCall,
        mut call: Box<Call>,
        replies: Vec<Reply>,
    ) -> Turn {
        let offering = input.offering;
        call.replies = replies;
        call.rounds = call.rounds.saturating_add(1);
        call.now = input.moment.now;
        call.caller = self.caller(input.caller);
        call.session = Some(Default::default());
        if call.rounds > offering.limits().rounds {
            let cause = format!("round {}", call.rounds);
            let failure = Failure::unsaid(FailureKind::TooManyRounds, cause);
            return self.fail(offering, input.moment, open, &call, before(failure));
        }
        let Some((function, revision)) = calling::registered(offering, &call) else {
            let cause = "it is no longer offered to this caller";
            let failure = Failure::unsaid(FailureKind::Diverged, cause);
            return self.fail(offering, input.moment, open, &call, before(failure));
        };
        let mut turn = Turn::default();
        if *call.revision != *revision {
            if call.journal.has_once() {
                let cause = "another revision wrote the journal, and it holds a `once`";
                let failure = Failure::unsaid(FailureKind::Diverged, cause);
                return self.fail(offering, input.moment, open, &call, before(failure));
            }
            turn = turn.observed(Observation::BeganAgain {
                exchange: call.exchange,
                recorded: call.revision.to_string(),
                attempted: revision.to_owned(),
            });
            call.revision = revision.into();
            call.journal = Journal::default();
            call.seed = Seed(input.moment.dice);
            call.replies.clear();
        }
        self.calls.push(open);
        if self.observes {
            turn.observations
                .splice(..0, call.answered(offering.in_words));
        }
        turn.steps.push(Step {
            call,
            function,
            shared: Arc::clone(&offering.shared),
        });
        turn
    }

    /// Says the response of a call, and goes on with the batch it belongs to.
    pub(super) fn conclude(
        &mut self,
        offering: &Offering,
        moment: &crate::moment::Moment,
        open: &OpenCall,
        message: String,
    ) -> Turn {
        if let Some(batch) = self.batches.get_mut(&open.stream) {
            batch.responses.push(message);
            return self.go_on(offering, moment, open.stream);
        }
        self.respond(offering, open.stream, message)
    }

    /// The response to an open call, from its result.
    pub(super) fn answer(
        &mut self,
        offering: &Offering,
        moment: &crate::moment::Moment,
        open: &OpenCall,
        result: Result<String, ErrorObject>,
    ) -> Turn {
        let message = match result {
            Ok(result) => envelope::result(&open.id, &result),
            Err(error) => envelope::error(self.version, Some(&open.id), &error),
        };
        self.conclude(offering, moment, open, message)
    }
}

/// A failure of a round whose step was not run.
fn before(failure: Failure) -> (ErrorKind, Failure) {
    (ErrorKind::BeforeTool, failure)
}

/// The error of finding nothing, in the code of these revisions.
fn as_here(error: ErrorObject, kind: CallKind, params: Json<'_>) -> ErrorObject {
    let uri = params.get("uri").and_then(Json::as_str).unwrap_or_default();
    if kind == CallKind::Resource && error == calling::resource_not_found(&uri) {
        return resource_not_found(&uri);
    }
    error
}

fn is_token(token: Json<'_>) -> bool {
    match token.kind() {
        Kind::String => true,
        Kind::Number => token
            .as_number()
            .is_some_and(|number| number.safe_integer().is_some()),
        _ => false,
    }
}

/// The request's metadata, and who the client said it is when the session began.
fn with_client(meta: Json<'_>, client: &str) -> String {
    let mut out = format!(r#"{{"{META_CLIENT_INFO}":{client}"#);
    for (name, value) in meta.members().filter(|(name, _)| *name != META_CLIENT_INFO) {
        out.push(',');
        out.push_str(&serde_json::to_string(&name).unwrap_or_default());
        out.push(':');
        out.push_str(value.text());
    }
    out.push('}');
    out
}
