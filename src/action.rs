//! What the driver is to do.

use crate::exchange::{Exchange, Response};
use crate::listener::Listener;
use crate::moment::Timestamp;
use crate::observation::Observation;
use crate::step::Step;

/// One thing the driver is to do.
///
/// The variants are the same under every feature.
#[non_exhaustive]
pub enum Action {
    /// Answer the exchange, and end it.
    Respond {
        /// The exchange to answer.
        exchange: Exchange,
        /// The answer.
        response: Response,
    },
    /// Answer the exchange with questions, and end it. The client will call again with the
    /// answers, as another exchange.
    InputRequired {
        /// The exchange to answer.
        exchange: Exchange,
        /// The answer, with its `inputRequests` and its `requestState`.
        response: Response,
    },
    /// Send a message on the exchange, which stays open: over HTTP as an event of a stream.
    Push {
        /// The exchange to send on.
        exchange: Exchange,
        /// One JSON-RPC message as JSON text without line breaks. Empty where there is nothing
        /// to say but that the stream is open, or what its event's id is: over lines, write
        /// nothing then.
        message: Vec<u8>,
        /// What the event of a stream carries beside its data.
        event: Option<EventMark>,
    },
    /// Keep the exchange open: the client is to answer on another one, until the deadline.
    AwaitAnswer {
        /// The exchange that waits.
        exchange: Exchange,
        /// When to stop waiting.
        deadline: Timestamp,
    },
    /// Run the step only if nobody has claimed its call before.
    Claim(Claim),
    /// Keep the listener: its exchange is a stream that stays open.
    Listen(Listener),
    /// End the response of the exchange here, and nothing else: what runs for it runs on, and
    /// the rest is told on another exchange.
    End {
        /// The exchange to end.
        exchange: Exchange,
    },
    /// Stop what runs for the exchange and end it: nothing more is sent on it.
    Cancel {
        /// The exchange to end.
        exchange: Exchange,
    },
}

/// A message holds what users said, and what only they may know: `Debug` shows its length.
impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Respond { exchange, response } => f
                .debug_struct("Respond")
                .field("exchange", exchange)
                .field("response", response)
                .finish(),
            Self::InputRequired { exchange, response } => f
                .debug_struct("InputRequired")
                .field("exchange", exchange)
                .field("response", response)
                .finish(),
            Self::Push {
                exchange,
                message,
                event,
            } => f
                .debug_struct("Push")
                .field("exchange", exchange)
                .field("bytes", &message.len())
                .field("event", event)
                .finish(),
            Self::AwaitAnswer { exchange, deadline } => f
                .debug_struct("AwaitAnswer")
                .field("exchange", exchange)
                .field("deadline", deadline)
                .finish(),
            Self::Claim(claim) => claim.fmt(f),
            Self::Listen(listener) => listener.fmt(f),
            Self::End { exchange } => f.debug_struct("End").field("exchange", exchange).finish(),
            Self::Cancel { exchange } => f
                .debug_struct("Cancel")
                .field("exchange", exchange)
                .finish(),
        }
    }
}

/// What the event of a stream carries beside its data: by its id the client can ask for what
/// came after it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventMark {
    /// The `id` of the event, in visible ASCII.
    pub id: String,
    /// The `retry` of the event: how many milliseconds to wait before coming back.
    pub retry: Option<u64>,
}

impl EventMark {
    /// A mark: for a driver that carries one from elsewhere.
    ///
    /// ```
    /// let mark = mcp_reprise::EventMark::new("0-7", None);
    /// assert_eq!(mark.id, "0-7");
    /// ```
    pub fn new(id: impl Into<String>, retry: Option<u64>) -> Self {
        Self {
            id: id.into(),
            retry,
        }
    }
}

impl Action {
    /// The exchange it is for.
    pub fn exchange(&self) -> Exchange {
        match self {
            Self::Respond { exchange, .. }
            | Self::InputRequired { exchange, .. }
            | Self::Push { exchange, .. }
            | Self::AwaitAnswer { exchange, .. }
            | Self::End { exchange }
            | Self::Cancel { exchange } => *exchange,
            Self::Claim(claim) => claim.exchange(),
            Self::Listen(listener) => listener.exchange(),
        }
    }

    /// A message without an event's id.
    pub(crate) fn push(exchange: Exchange, message: Vec<u8>) -> Self {
        Self::Push {
            exchange,
            message,
            event: None,
        }
    }
}

/// What one input came to.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Turn {
    /// What the driver is to do, in this order.
    pub actions: Vec<Action>,
    /// What the driver is to run, at once or later, here or elsewhere.
    pub steps: Vec<Step>,
    /// What is worth a line in the driver's log.
    pub observations: Vec<Observation>,
}

impl Turn {
    pub(crate) fn respond(exchange: Exchange, response: Response) -> Self {
        Self {
            actions: vec![Action::Respond { exchange, response }],
            ..Self::default()
        }
    }

    pub(crate) fn act(action: Action) -> Self {
        Self {
            actions: vec![action],
            ..Self::default()
        }
    }

    pub(crate) fn run(step: Step) -> Self {
        Self {
            steps: vec![step],
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn observed(mut self, observation: Observation) -> Self {
        self.observations.push(observation);
        self
    }

    /// Adds what another input came to.
    ///
    /// ```
    /// use mcp_reprise::Turn;
    ///
    /// let mut turn = Turn::default();
    /// turn.extend(Turn::default());
    /// assert!(turn.actions.is_empty());
    /// ```
    pub fn extend(&mut self, other: Self) {
        add(&mut self.actions, other.actions);
        add(&mut self.steps, other.steps);
        add(&mut self.observations, other.observations);
    }
}

/// Adds a list to another; where that is empty, without a copy.
pub(crate) fn add<T>(list: &mut Vec<T>, more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.extend(more);
    }
}

/// A step of a single-use tool, to be run only if this claim is the first of its kind.
///
/// The driver keeps the ids it has seen, until [`Claim::until`], wherever all its replicas see
/// them, and puts this one there if it is not there yet: one atomic insertion. Then it says so
/// with [`Claim::grant`] or [`Claim::refuse`].
#[derive(Debug)]
pub struct Claim {
    pub(crate) id: [u8; 16],
    pub(crate) until: Timestamp,
    pub(crate) step: Step,
    pub(crate) refusal: Response,
}

impl Claim {
    /// The id to claim: equal for two uses of one request state, and for no others.
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// When the id may be forgotten: no state of this call opens any more.
    pub fn until(&self) -> Timestamp {
        self.until
    }

    /// The exchange that waits for the claim.
    pub fn exchange(&self) -> Exchange {
        self.step.exchange()
    }

    /// The id was new: the step may run.
    pub fn grant(self) -> Step {
        self.step
    }

    /// The id was there already: the client is refused, as it is for any state that is not good.
    pub fn refuse(self) -> Turn {
        let exchange = self.step.exchange();
        Turn::respond(exchange, self.refusal).observed(Observation::StateRefused {
            exchange,
            reason: crate::request_state::StateRefusal::Claimed,
        })
    }
}
