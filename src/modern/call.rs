//! The beginning of a round: opening the state, handing out the step.

use std::sync::Arc;
use std::time::Duration;

use super::{Incoming, Refusal};
use crate::action::{Action, Claim, Turn};
use crate::calling::{self, Calling, Found, optional_object, optional_string};
use crate::exchange::{Exchange, Response};
use crate::journal::{Journal, Seed};
use crate::json::{Json, Kind};
use crate::moment::{Moment, Timestamp};
use crate::observation::{FailureKind, Observation};
use crate::offering::Offering;
use crate::protocol::{CallToolResult, CompleteResult, PROTOCOL_VERSION};
use crate::request_state::{self, Binding, CallState, Canonical, StateRefusal};
use crate::step::{Call, CallKind, Done, Ending, Failure, Finished, Reply, Step};
use crate::wire;

/// Serves a request of one of the four calling methods.
pub(super) fn serve(incoming: Incoming<'_>, kind: CallKind) -> Turn {
    match open(&incoming, kind) {
        Ok(Ok(round)) => begin(incoming, round),
        Ok(Err(response)) => Turn::respond(incoming.exchange, response),
        Err(refusal) => super::refuse(incoming.exchange, &incoming.request.id, refusal),
    }
}

/// A request that was looked at, and not begun yet.
struct Round<'a> {
    calling: Calling<'a>,
    /// The state it goes on from; none in the first round of a call.
    state: Option<(CallState, Canonical)>,
    responses: Option<Json<'a>>,
}

/// Finds what is called, and opens the state that came with the request. Where there is nothing to
/// run, there is a response at once.
fn open<'a>(
    incoming: &Incoming<'a>,
    kind: CallKind,
) -> Result<Result<Round<'a>, Response>, Refusal> {
    let Incoming {
        offering,
        caller,
        request,
        moment,
        ..
    } = incoming;
    let round = match calling::find(offering, caller, kind, request.params)? {
        Found::Step(round) => round,
        Found::NothingToComplete => {
            let mut result = CompleteResult::values(Vec::<String>::new());
            result.result_type = None;
            let info = &offering.server_info;
            let response = super::finish::written(&request.id, &result, None, info)?;
            return Ok(Err(response));
        }
    };
    let state_text = optional_string(request.params, "requestState")?;
    let responses = optional_object(request.params, "inputResponses")?;
    let state = match &state_text {
        Some(text) if round.kind != CallKind::Completion => {
            let binding = Binding {
                server: &offering.identity.name,
                method: round.kind.method(),
                name: &round.name,
                principal: caller.principal.as_deref(),
                arguments: Canonical::of(&round.arguments),
            };
            let (now, limits) = (moment.now, offering.limits());
            let state = request_state::open(&offering.keys, &binding, text, now, limits);
            Some((state.map_err(refused_state)?, binding.arguments))
        }
        _ => None,
    };
    Ok(Ok(Round {
        calling: round,
        state,
        responses,
    }))
}

/// Begins a round: the first of a call, or one that goes on from a sealed state.
fn begin(incoming: Incoming<'_>, round: Round<'_>) -> Turn {
    let Incoming {
        offering,
        exchange,
        caller,
        request,
        moment,
    } = incoming;
    let Round {
        calling: round,
        state,
        responses,
    } = round;
    let claim = state
        .as_ref()
        .filter(|_| round.single_use)
        .map(|(state, _)| claim_of(offering, state));
    let (state, canonical, observation) = match state {
        None => (fresh(&round, moment), None, None),
        Some((state, canonical)) => {
            let (state, observation) = resume(exchange, state, &round);
            (state, Some(canonical), observation)
        }
    };
    let replies = replies(&state.journal, responses);
    let call = Box::new(Call {
        exchange,
        id: request.id,
        kind: round.kind,
        name: (*round.name).into(),
        function: round.registered_apart(),
        arguments: (*round.arguments).into(),
        canonical,
        action: round.action.clone(),
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
        session: None,
    });
    let mut observed = Vec::new();
    if offering.observes {
        observed.push(call.started(PROTOCOL_VERSION, None));
        observed.extend(call.answered(offering.in_words));
    }
    observed.extend(observation);
    let mut turn = hand_out(offering, call, &round, claim);
    turn.observations.splice(..0, observed);
    turn
}

/// What to claim before a state may be gone on from, and until when to remember it.
///
/// Every state counts, whatever comes with it: a run that is given no answer can still finish,
/// where the tool asks less than it did.
fn claim_of(offering: &Offering, state: &CallState) -> ([u8; 16], Timestamp) {
    /// How far the clocks of replicas may differ: a claim is remembered longer than any of them
    /// would open the state.
    const SLACK: Duration = Duration::from_secs(300);
    let id = state.seed.hash("claim", &[&state.claims.to_be_bytes()]);
    let age = offering.limits().call_age;
    (id, state.began.after(age.saturating_add(SLACK)))
}

fn fresh(round: &Calling<'_>, moment: &Moment) -> CallState {
    CallState {
        seed: Seed(moment.dice),
        began: moment.now,
        rounds: 1,
        claims: 0,
        revision: round.revision.into(),
        journal: Journal::default(),
    }
}

/// Goes on from a state; one that another revision sealed begins again, unless that would repeat
/// a `once`: then its journal is kept as it is, and the replay fails where it differs.
fn resume(
    exchange: Exchange,
    mut state: CallState,
    round: &Calling<'_>,
) -> (CallState, Option<Observation>) {
    state.rounds = state.rounds.saturating_add(1);
    state.claims = state.claims.saturating_add(1);
    if *state.revision == *round.revision || state.journal.has_once() {
        return (state, None);
    }
    let observation = Observation::BeganAgain {
        exchange,
        recorded: state.revision.to_string(),
        attempted: round.revision.to_owned(),
    };
    // The seed follows from the old one: a state that comes twice begins one call again, not two.
    let again = CallState {
        seed: state.seed.again(round.revision),
        revision: round.revision.into(),
        journal: Journal::default(),
        ..state
    };
    (again, Some(observation))
}

/// The client's answers to open questions. What else it sends is ignored, as the
/// [specification](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling)
/// has it.
fn replies(journal: &Journal, responses: Option<Json<'_>>) -> Vec<Reply> {
    let Some(responses) = responses else {
        return Vec::new();
    };
    let open: Vec<&str> = journal
        .entries()
        .filter(|entry| entry.is_open())
        .map(|entry| entry.key)
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    responses
        .members()
        .filter(|(key, value)| value.kind() == Kind::Object && open.contains(&&**key))
        .map(|(key, value)| Reply {
            key: (*key).into(),
            json: value.text().into(),
        })
        .collect()
}

/// Hands the step out, or ends the call where no step need run.
fn hand_out(
    offering: &Offering,
    call: Box<Call>,
    round: &Calling<'_>,
    claim: Option<([u8; 16], Timestamp)>,
) -> Turn {
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
    } else if *call.revision != *round.revision {
        let cause = "another revision of the tool sealed the state, and it holds a `once`";
        Some(Ending::Failed(Failure::unsaid(
            FailureKind::Diverged,
            cause,
        )))
    } else {
        None
    };
    if let Some(ending) = ended {
        return super::finish(offering, Finished::unrun(call, ending));
    }
    let claim = claim.map(|(id, until)| {
        let refusal = refused_state(StateRefusal::Claimed);
        (id, until, wire::error(Some(&call.id), &refusal.error))
    });
    let step = Step {
        call,
        function: round.function.clone(),
        shared: Arc::clone(&offering.shared),
    };
    match claim {
        None => Turn::run(step),
        Some((id, until, refusal)) => Turn::act(Action::Claim(Claim {
            id,
            until,
            step,
            refusal,
        })),
    }
}

/// All refusals of a state are the same bytes.
fn refused_state(reason: StateRefusal) -> Refusal {
    Refusal {
        state: Some(reason),
        ..Refusal::invalid_params("The request state is not valid")
    }
}
