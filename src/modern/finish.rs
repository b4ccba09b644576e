//! The end of a round: the result, the questions with their sealed state, or a failure.

use serde::Serialize;

use super::Refusal;
use crate::action::{Action, Turn};
use crate::calling::UNASKABLE;
use crate::exchange::Response;
use crate::message::Id;
use crate::observation::{FailureKind, Observation, shown};
use crate::offering::Offering;
use crate::protocol::{
    CacheScope, CallToolResult, ErrorObject, META_SERVER_INFO, Meta,
    MissingRequiredClientCapabilityData,
};
use crate::question::quoted;
use crate::request_state::{self, Binding, CallState, Canonical};
use crate::step::{Asked, Call, CallKind, Done, Ending, Failure, Finished};
use crate::wire;

/// Answers a finished step.
pub(crate) fn finish(offering: &Offering, finished: Finished) -> Turn {
    let finished = crate::calling::checked(offering, finished);
    let mut observed = finished.observations();
    if offering.observes {
        if let Ending::Asked(asked) = &finished.ending {
            observed.push(finished.call.asking(asked, offering.in_words));
        }
        observed.push(finished.call.stopped(finished.end()));
    }
    let Finished {
        mut call, ending, ..
    } = finished;
    let mut turn = match ending {
        Ending::Done(done) => done_turn(offering, &call, done),
        Ending::Asked(asked) => asked_turn(offering, &mut call, &asked),
        Ending::Failed(failure) => failed_turn(offering, &call, failure),
    };
    turn.observations.extend(observed);
    turn
}

fn done_turn(offering: &Offering, call: &Call, done: Done) -> Turn {
    match write_done(offering, call, done) {
        Ok(response) => Turn::respond(call.exchange, response),
        Err(refusal) => super::refuse(call.exchange, &call.id, refusal),
    }
}

fn write_done(offering: &Offering, call: &Call, done: Done) -> Result<Response, Refusal> {
    let info = &offering.server_info;
    match done {
        Done::Tool(mut result) => {
            result.result_type = None;
            let meta = result.meta.take();
            written(&call.id, &result, meta, info)
        }
        Done::Prompt(mut result) => {
            result.result_type = None;
            let meta = result.meta.take();
            written(&call.id, &result, meta, info)
        }
        Done::Completion(mut result) => {
            result.result_type = None;
            let meta = result.meta.take();
            written(&call.id, &result, meta, info)
        }
        Done::Resource(mut result) => {
            result.result_type = None;
            let meta = result.meta.take();
            let hint = cache_hint(offering, call);
            result
                .ttl_ms
                .get_or_insert(crate::calling::millis(hint.ttl));
            result.cache_scope.get_or_insert(hint.scope);
            // What was read with the help of answers depends on them: it is nobody else's, and
            // not to be kept.
            if !call.journal.is_empty() {
                result.ttl_ms = Some(0);
                result.cache_scope = Some(CacheScope::Private);
            }
            written(&call.id, &result, meta, info)
        }
    }
}

fn cache_hint(offering: &Offering, call: &Call) -> crate::tool::CacheHint {
    let catalog = &offering.catalog;
    if let Some(entry) = catalog.resource(call.registered(), &call.caller) {
        return entry.cache;
    }
    catalog
        .templates
        .iter()
        .find(|entry| *entry.listed.name == *call.registered())
        .map(|entry| entry.cache)
        .unwrap_or_default()
}

/// A complete result: its type and the server's name, and then its own members, all written
/// straight into the message.
pub(super) fn written(
    id: &Id,
    result: &impl Serialize,
    meta: Option<Meta>,
    server_info: &str,
) -> Result<Response, Refusal> {
    let unwritable = |_| Refusal::from(ErrorObject::internal_error("Internal error"));
    let mut out = wire::open_result(id, server_info.len() + 128);
    out.extend_from_slice(br#"{"resultType":"complete","_meta":{"#);
    match meta {
        None => out.extend_from_slice(server_info.as_bytes()),
        Some(meta) => {
            out.extend_from_slice(merged(meta, server_info).map_err(unwritable)?.as_bytes())
        }
    }
    out.push(b'}');
    let own = out.len();
    serde_json::to_writer(&mut out, result).map_err(unwritable)?;
    // Its own opening brace gives way to the comma that goes on with the object.
    if out.get(own..) == Some(b"{}") {
        out.truncate(own);
        out.push(b'}');
    } else if let Some(brace) = out.get_mut(own) {
        *brace = b',';
    }
    Ok(wire::close_result(out))
}

/// The members of the author's own metadata, with the server's name where the author gave none.
fn merged(meta: Meta, server_info: &str) -> Result<String, serde_json::Error> {
    let named = meta.get(META_SERVER_INFO).is_some() || server_info.is_empty();
    let text = serde_json::to_string(&meta)?;
    let members = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let members = members.unwrap_or_default();
    Ok(match (named, members) {
        (true, members) => members.to_owned(),
        (false, "") => server_info.to_owned(),
        (false, members) => format!("{server_info},{members}"),
    })
}

/// The questions, and the journal sealed.
fn asked_turn(offering: &Offering, call: &mut Call, asked: &[Asked]) -> Turn {
    let state = CallState {
        seed: call.seed.clone(),
        began: call.began,
        rounds: call.rounds,
        claims: call.claims,
        revision: std::mem::take(&mut call.revision),
        journal: std::mem::take(&mut call.journal),
    };
    let canonical = call.canonical.take();
    let binding = Binding {
        server: &offering.identity.name,
        method: call.kind.method(),
        name: &call.name,
        principal: call.caller.principal.as_deref(),
        arguments: canonical.unwrap_or_else(|| Canonical::of(&call.arguments)),
    };
    let limits = offering.limits();
    let sealed = match request_state::seal(&offering.keys, &binding, &state, call.now, limits) {
        Ok(sealed) => sealed,
        Err(length) => {
            let cause = format!("{length} bytes, {} at most", limits.journal_bytes);
            let failure = Failure::unsaid(FailureKind::JournalFull, cause);
            return failed_turn(offering, call, failure);
        }
    };
    let asking: usize = asked.iter().map(|asked| asked.params.len() + 96).sum();
    let info = &offering.server_info;
    let room = info.len() + asking + sealed.len() + 128;
    let mut out = wire::open_result(&call.id, room);
    let mut write = |text: &str| out.extend_from_slice(text.as_bytes());
    write(r#"{"resultType":"input_required","_meta":{"#);
    write(info);
    write(r#"},"inputRequests":{"#);
    for (count, question) in asked.iter().enumerate() {
        if count > 0 {
            write(",");
        }
        write(&quoted(&question.key));
        write(r#":{"method":""#);
        write(&question.method);
        write(r#"","params":"#);
        write(&question.params);
        write("}");
    }
    write(r#"},"requestState":""#);
    // A sealed state is base64: nothing in it needs escaping.
    write(&sealed);
    write("\"}");
    Turn::act(Action::InputRequired {
        exchange: call.exchange,
        response: wire::close_result(out),
    })
}

fn failed_turn(offering: &Offering, call: &Call, failure: Failure) -> Turn {
    let exchange = call.exchange;
    match failure {
        Failure::Said(text) => Turn::respond(exchange, said(offering, call, text)),
        Failure::InvalidParams(text) if call.kind == CallKind::Tool => {
            Turn::respond(exchange, said(offering, call, text))
        }
        Failure::InvalidParams(text) => respond_error(call, &ErrorObject::invalid_params(text)),
        Failure::NotFound => respond_error(call, &crate::calling::resource_not_found(&call.name)),
        Failure::Unaskable(unaskable) => {
            if call.kind == CallKind::Completion {
                let failure = Failure::unsaid(FailureKind::Question, "a completion cannot ask");
                return failed_turn(offering, call, failure);
            }
            let data = MissingRequiredClientCapabilityData::new(unaskable.missing);
            respond_error(
                call,
                &ErrorObject::missing_required_client_capability(UNASKABLE, &data),
            )
        }
        Failure::Unsaid { kind, cause } => {
            let sentence = crate::calling::sentence(kind).to_owned();
            Turn::respond(exchange, said(offering, call, sentence)).observed(Observation::Failed {
                exchange,
                name: shown(&call.name),
                failure: kind,
                cause,
            })
        }
    }
}

fn respond_error(call: &Call, error: &ErrorObject) -> Turn {
    Turn::respond(call.exchange, wire::error(Some(&call.id), error))
}

/// Text for the client: a result with `isError` for a tool, an internal error for the rest.
fn said(offering: &Offering, call: &Call, text: String) -> Response {
    if call.kind != CallKind::Tool {
        return wire::error(Some(&call.id), &ErrorObject::internal_error(text));
    }
    let mut result = CallToolResult::error(text);
    result.result_type = None;
    match written(&call.id, &result, None, &offering.server_info) {
        Ok(response) => response,
        Err(refusal) => wire::error(Some(&call.id), &refusal.error),
    }
}
