//! The beginning of a round: finding what is called, opening the state, handing out the step.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Incoming, Refusal, params};
use crate::action::{Action, Claim, Turn};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::journal::{EntryKind, Journal, Seed};
use crate::json::{Json, Kind};
use crate::observation::{FailureKind, Observation, shown};
use crate::offering::Offering;
use crate::protocol::{CallToolResult, ErrorObject};
use crate::request_state::{self, Binding, CallState, StateRefusal};
use crate::step::{Call, CallKind, Done, Ending, Failure, Finished, Function, Reply, Step};
use crate::tool::{Completing, Listed};
use crate::wire;

pub(super) fn tool(incoming: Incoming<'_>) -> Result<Turn, Refusal> {
    let offering = incoming.offering;
    let name = params::string(incoming.request.params, "name")?;
    let arguments = params::optional_object(incoming.request.params, "arguments")?;
    let entry = offering
        .catalog
        .tool(&name, &incoming.caller)
        .ok_or_else(|| Refusal::invalid_params(format!("Unknown tool: {}", shown(&name))))?;
    let text = arguments.map_or("{}", Json::text);
    if text.len() > offering.limits().arguments_bytes {
        return Err(Refusal::invalid_params("params.arguments is too long"));
    }
    let checked = match arguments {
        Some(arguments) => entry.arguments.check(arguments),
        None => entry.arguments.check(Json::EMPTY_OBJECT),
    };
    let round = Round {
        kind: CallKind::Tool,
        name: &name,
        function: &name,
        arguments: text,
        listed: &entry.listed,
        single_use: entry.single_use,
        refused: checked.err().map(|error| error.to_string()),
    };
    begin(incoming, round)
}

pub(super) fn prompt(incoming: Incoming<'_>) -> Result<Turn, Refusal> {
    let offering = incoming.offering;
    let name = params::string(incoming.request.params, "name")?;
    let arguments = params::optional_object(incoming.request.params, "arguments")?;
    let entry = offering
        .catalog
        .prompt(&name, &incoming.caller)
        .ok_or_else(|| Refusal::invalid_params(format!("Unknown prompt: {}", shown(&name))))?;
    let text = arguments.map_or("{}", Json::text);
    if text.len() > offering.limits().arguments_bytes {
        return Err(Refusal::invalid_params("params.arguments is too long"));
    }
    let given = arguments.map(strings).transpose()?.unwrap_or_default();
    let missing = entry
        .arguments
        .iter()
        .find(|(argument, required)| *required && !given.contains_key(argument));
    if let Some((argument, _)) = missing {
        let message = format!("The argument {argument} is missing");
        return Err(Refusal::invalid_params(message));
    }
    let round = Round {
        kind: CallKind::Prompt,
        name: &name,
        function: &name,
        arguments: text,
        listed: &entry.listed,
        single_use: false,
        refused: None,
    };
    begin(incoming, round)
}

pub(super) fn resource(incoming: Incoming<'_>) -> Result<Turn, Refusal> {
    let offering = incoming.offering;
    let uri = params::string(incoming.request.params, "uri")?;
    let not_found = || {
        let data = Value::Object(Map::from_iter([("uri".to_owned(), shown(&uri).into())]));
        Refusal::from(ErrorObject::invalid_params("Resource not found").data(data))
    };
    if uri.len() > offering.limits().uri_bytes {
        return Err(not_found());
    }
    let found = offering
        .catalog
        .resource(&uri, &incoming.caller)
        .map(|entry| (&entry.listed, "{}".to_owned()));
    let (listed, arguments) = match found {
        Some(found) => found,
        None => offering
            .catalog
            .template(&uri, &incoming.caller)
            .and_then(|(entry, variables)| {
                Some((&entry.listed, serde_json::to_string(&variables).ok()?))
            })
            .ok_or_else(not_found)?,
    };
    let round = Round {
        kind: CallKind::Resource,
        name: &uri,
        function: &listed.name,
        arguments: &arguments,
        listed,
        single_use: false,
        refused: None,
    };
    begin(incoming, round)
}

/// See [Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion).
pub(super) fn completion(incoming: Incoming<'_>) -> Result<Turn, Refusal> {
    let offering = incoming.offering;
    let params = incoming.request.params;
    let reference = params::optional_object(params, "ref")?
        .ok_or_else(|| Refusal::invalid_params("params.ref is missing"))?;
    let argument = params::optional_object(params, "argument")?
        .ok_or_else(|| Refusal::invalid_params("params.argument is missing"))?;
    let name = params::string(argument, "name")?;
    let value = params::string(argument, "value")?;
    let settled = match params::optional_object(params, "context")? {
        None => BTreeMap::new(),
        Some(context) => params::optional_object(context, "arguments")?
            .map(strings)
            .transpose()?
            .unwrap_or_default(),
    };
    let kind = params::string(reference, "type")?;
    let (of, listed, completions) = match &*kind {
        "ref/prompt" => {
            let name = params::string(reference, "name")?;
            let entry = offering.catalog.prompt(&name, &incoming.caller);
            let entry = entry.ok_or_else(|| {
                Refusal::invalid_params(format!("Unknown prompt: {}", shown(&name)))
            })?;
            ("prompt", &entry.listed, &entry.completions)
        }
        "ref/resource" => {
            let uri = params::string(reference, "uri")?;
            let entry = offering
                .catalog
                .templates
                .iter()
                .find(|entry| {
                    *entry.listed.name == *uri && entry.listed.is_visible(&incoming.caller)
                })
                .ok_or_else(|| Refusal::invalid_params("There is no such resource template"))?;
            ("template", &entry.listed, &entry.completions)
        }
        _ => return Err(Refusal::invalid_params("params.ref is of no known type")),
    };
    let Some(function) = completions.get(&*name) else {
        let result = crate::protocol::CompleteResult::values(Vec::<String>::new());
        let body = super::finish::written(&result, None, &offering.server_info)?;
        let response = wire::result(&incoming.request.id, &body);
        return Ok(Turn::respond(incoming.exchange, response));
    };
    let arguments = serde_json::to_string(&Completing::new(value.into_owned(), settled))
        .map_err(|_| ErrorObject::internal_error("Internal error"))?;
    let listed = Listed {
        function: function.clone(),
        ..listed.clone()
    };
    let round = Round {
        kind: CallKind::Completion,
        name: &name,
        function: &format!("{of}\n{}\n{name}", listed.name),
        arguments: &arguments,
        listed: &listed,
        single_use: false,
        refused: None,
    };
    begin(incoming, round)
}

/// The function a call was registered under, for a step that comes back as data.
pub(crate) fn rejoin(offering: &Offering, call: &Call) -> Option<Function> {
    let catalog = &offering.catalog;
    let caller = &call.caller;
    Some(match call.kind {
        CallKind::Tool => catalog
            .tool(&call.function, caller)?
            .listed
            .function
            .clone(),
        CallKind::Prompt => catalog
            .prompt(&call.function, caller)?
            .listed
            .function
            .clone(),
        CallKind::Resource => match catalog.resource(&call.function, caller) {
            Some(entry) => entry.listed.function.clone(),
            None => {
                let entry = catalog
                    .templates
                    .iter()
                    .find(|entry| entry.listed.name == call.function)?;
                entry.listed.is_visible(caller).then_some(())?;
                entry.listed.function.clone()
            }
        },
        CallKind::Completion => {
            let mut parts = call.function.splitn(3, '\n');
            let (of, name, argument) = (parts.next()?, parts.next()?, parts.next()?);
            let completions = if of == "prompt" {
                &catalog.prompt(name, caller)?.completions
            } else {
                let entry = catalog
                    .templates
                    .iter()
                    .find(|entry| *entry.listed.name == *name)?;
                entry.listed.is_visible(caller).then_some(())?;
                &entry.completions
            };
            completions.get(argument)?.clone()
        }
    })
}

/// The members of an object of strings.
fn strings(object: Json<'_>) -> Result<BTreeMap<String, String>, Refusal> {
    object
        .members()
        .map(|(name, value)| match value.as_str() {
            Some(value) => Ok((name.into_owned(), value.into_owned())),
            None => Err(Refusal::invalid_params(format!(
                "The argument {} is not a string",
                shown(&name)
            ))),
        })
        .collect()
}

/// What is called, before its state is known.
struct Round<'a> {
    kind: CallKind,
    name: &'a str,
    function: &'a str,
    arguments: &'a str,
    listed: &'a Listed,
    single_use: bool,
    /// What is wrong with the arguments, for the model.
    refused: Option<String>,
}

/// Begins a round: the first of a call, or one that goes on from a sealed state.
fn begin(incoming: Incoming<'_>, round: Round<'_>) -> Result<Turn, Refusal> {
    let Incoming {
        offering,
        exchange,
        caller,
        request,
        moment,
    } = incoming;
    let state_text = params::optional_string(request.params, "requestState")?;
    let responses = params::optional_object(request.params, "inputResponses")?;
    let binding = Binding {
        server: &offering.identity.name,
        method: round.kind.method(),
        name: round.name,
        principal: caller.principal.as_deref(),
        arguments: round.arguments,
    };
    let state = match &state_text {
        None => None,
        Some(text) if round.kind != CallKind::Completion => Some(
            request_state::open(
                &offering.keys,
                &binding,
                text,
                moment.now,
                offering.limits(),
            )
            .map_err(|reason| refused_state(exchange, reason))?,
        ),
        Some(_) => None,
    };
    let (state, observation) = match state {
        None => (fresh(&round, moment), None),
        Some(state) => resume(exchange, state, &round, moment),
    };
    let replies = replies(&state.journal, responses);
    let call = Box::new(Call {
        exchange,
        id: request.id,
        kind: round.kind,
        name: round.name.into(),
        function: round.function.into(),
        arguments: round.arguments.into(),
        caller,
        meta: request.meta.text().into(),
        capabilities: request.capabilities.text().into(),
        progress_token: request.progress_token.map(|token| token.text().into()),
        log_level: request.log_level,
        now: moment.now,
        began: state.began,
        seed: state.seed,
        rounds: state.rounds,
        claims: state.claims,
        revision: state.revision,
        journal: state.journal,
        replies,
    });
    let mut turn = hand_out(offering, call, &round);
    turn.observations.extend(observation);
    Ok(turn)
}

fn fresh(round: &Round<'_>, moment: &crate::moment::Moment) -> CallState {
    CallState {
        seed: Seed(moment.dice),
        began: moment.now,
        rounds: 1,
        claims: 0,
        revision: round.listed.revision.clone(),
        journal: Journal::default(),
    }
}

/// Goes on from a state; one that another revision sealed begins again, unless that would repeat
/// a `once`: then its journal is kept as it is, and the replay fails where it differs.
fn resume(
    exchange: Exchange,
    mut state: CallState,
    round: &Round<'_>,
    moment: &crate::moment::Moment,
) -> (CallState, Option<Observation>) {
    state.rounds = state.rounds.saturating_add(1);
    if state.revision == round.listed.revision || has_once(&state.journal) {
        return (state, None);
    }
    let observation = Observation::BeganAgain {
        exchange,
        recorded: state.revision.to_string(),
        attempted: round.listed.revision.to_string(),
    };
    let again = CallState {
        began: state.began,
        rounds: state.rounds,
        claims: state.claims,
        ..fresh(round, moment)
    };
    (again, Some(observation))
}

fn has_once(journal: &Journal) -> bool {
    journal
        .entries
        .iter()
        .any(|entry| entry.kind == EntryKind::Once)
}

/// The client's answers to open questions. What else it sends is ignored, as the
/// [specification](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling)
/// has it.
fn replies(journal: &Journal, responses: Option<Json<'_>>) -> Vec<Reply> {
    let Some(responses) = responses.filter(|_| journal.first_open().is_some()) else {
        return Vec::new();
    };
    responses
        .members()
        .filter(|(key, value)| {
            value.kind() == Kind::Object && journal.open_keys().any(|open| *open == **key)
        })
        .map(|(key, value)| Reply {
            key: (*key).into(),
            json: value.text().into(),
        })
        .collect()
}

/// Hands the step out, or ends the call where no step need run.
fn hand_out(offering: &Offering, mut call: Box<Call>, round: &Round<'_>) -> Turn {
    let ended = if let Some(text) = &round.refused {
        Some(Ending::Done(Done::Tool(CallToolResult::error(
            text.clone(),
        ))))
    } else if call.rounds > offering.limits().rounds {
        let cause = format!("round {}", call.rounds);
        Some(Ending::Failed(Failure::unsaid(
            FailureKind::TooManyRounds,
            cause,
        )))
    } else if call.revision != round.listed.revision {
        let cause = "another revision of the tool sealed the state, and it holds a `once`";
        Some(Ending::Failed(Failure::unsaid(
            FailureKind::Diverged,
            cause,
        )))
    } else {
        None
    };
    if let Some(ending) = ended {
        return super::finish(
            offering,
            Finished {
                call,
                ending,
                divergence: None,
            },
        );
    }
    let claim = (round.single_use && !call.replies.is_empty()).then(|| {
        let id = call.seed.hash("claim", &[&call.claims.to_be_bytes()]);
        call.claims = call.claims.saturating_add(1);
        (id, call.began.after(offering.limits().call_age))
    });
    let refusal = refused_state(call.exchange, StateRefusal::Claimed);
    let refusal = wire::error(Some(&call.id), &refusal.error);
    let step = Step {
        call,
        function: round.listed.function.clone(),
        shared: Arc::clone(&offering.shared),
    };
    match claim {
        None => Turn::run(step),
        Some((id, until)) => Turn::act(Action::Claim(Claim {
            id,
            until,
            step,
            refusal,
        })),
    }
}

/// All refusals of a state are the same bytes.
fn refused_state(exchange: Exchange, reason: StateRefusal) -> Refusal {
    Refusal {
        observation: Some(Observation::StateRefused { exchange, reason }),
        ..Refusal::invalid_params("The request state is not valid")
    }
}
