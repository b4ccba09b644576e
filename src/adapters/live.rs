//! A server in service: what all connections of a process share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::claims::Claims;
use crate::action::{Action, Claim, Turn};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::moment::Timestamp;
use crate::server::Server;
use crate::step::Sink;

/// What a connection is told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Tell the listeners of a change.
    Change(Change),
    /// End every listener gracefully, as before a shutdown.
    CloseListeners,
}

type Subscriber = Box<dyn Fn(&Notice) + Send>;

#[derive(Default)]
struct Subscribers {
    next: u64,
    by_id: BTreeMap<u64, Subscriber>,
}

/// Tells every connection of a process what changed.
///
/// It exists before the server does, so that the server's own steps can hold it.
///
/// ```
/// use mcp_reprise::{Change, Cx, Outcome, Server, Tool, ToolError, adapters::{Live, Notifier}};
/// use mcp_reprise::protocol::CallToolResult;
///
/// # fn main() -> Result<(), mcp_reprise::BuildError> {
/// let notifier = Notifier::default();
/// let server = Server::builder("notes", "1.0.0")
///     .single_process([7; 32])
///     .value(notifier.clone())
///     .tool(Tool::new("write").step(|cx: &mut Cx, _: serde_json::Value| -> Outcome {
///         let notifier = cx.extension::<Notifier>().ok_or(ToolError::internal("no notifier"))?;
///         notifier.notify(Change::resource("file:///notes.txt"));
///         Ok(CallToolResult::text("written"))
///     }))
///     .build()?;
/// let live = Live::new(server, notifier);
/// # let _ = live;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Notifier(Arc<Mutex<Subscribers>>);

impl std::fmt::Debug for Notifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Notifier")
    }
}

impl Notifier {
    /// Tells every listener that asked for it.
    pub fn notify(&self, change: Change) {
        self.send(&Notice::Change(change));
    }

    /// Ends every listener gracefully, as before a shutdown.
    pub fn close_listeners(&self) {
        self.send(&Notice::CloseListeners);
    }

    /// Hears of every notice for as long as the subscription is kept: for a driver of your own,
    /// one for each of its connections. `subscriber` is called on whatever thread the notice
    /// comes from, and must not block: it hands the notice on.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use mcp_reprise::{Change, adapters::{Notice, Notifier}};
    ///
    /// let notifier = Notifier::default();
    /// let (inbox, notices) = mpsc::channel();
    /// let subscription = notifier.subscribe(move |notice| drop(inbox.send(notice.clone())));
    /// notifier.notify(Change::ToolsList);
    /// assert_eq!(notices.recv(), Ok(Notice::Change(Change::ToolsList)));
    /// drop(subscription);
    /// notifier.notify(Change::ToolsList);
    /// assert!(notices.recv().is_err());
    /// ```
    pub fn subscribe(&self, subscriber: impl Fn(&Notice) + Send + 'static) -> Subscription {
        let mut subscribers = self.subscribers();
        let id = subscribers.next;
        subscribers.next += 1;
        subscribers.by_id.insert(id, Box::new(subscriber));
        drop(subscribers);
        Subscription {
            id,
            notifier: self.clone(),
        }
    }

    fn send(&self, notice: &Notice) {
        for subscriber in self.subscribers().by_id.values() {
            subscriber(notice);
        }
    }

    fn subscribers(&self) -> MutexGuard<'_, Subscribers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place among those whom a [`Notifier`] tells. Dropping it ends it.
#[derive(Debug)]
#[must_use]
pub struct Subscription {
    id: u64,
    notifier: Notifier,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.notifier.subscribers().by_id.remove(&self.id);
    }
}

/// A server in service, the notifier of its connections, and what single-use tools have claimed.
///
/// Clones share all of it: make one, and give a clone to each connection and each adapter.
#[derive(Clone)]
pub struct Live {
    server: Arc<RwLock<Server>>,
    notifier: Notifier,
    claims: Claims,
    around: Option<Around>,
}

/// What to do around the run of a step: given its exchange, that which is given each piece.
type Around = Arc<dyn Fn(Exchange) -> Box<dyn Fn(&mut dyn FnMut()) + Send + Sync> + Send + Sync>;

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live")
            .field("server", &self.server())
            .field("claims", &self.claims)
            .finish_non_exhaustive()
    }
}

impl Live {
    /// Puts a server in service.
    pub fn new(server: Server, notifier: Notifier) -> Self {
        Self {
            server: Arc::new(RwLock::new(server)),
            notifier,
            claims: Claims::in_memory(),
            around: None,
        }
    }

    /// Where to claim the states of single-use tools: `claim` is given an id and until when to
    /// remember it, and gives whether the id was new. It is called on the thread that serves, so
    /// it should not take long.
    ///
    /// Without it, claims are kept in this process's memory, up to 100,000 at once; past that no
    /// state of a single-use tool is taken until some of them end.
    ///
    /// ```
    /// use std::{collections::BTreeMap, sync::Mutex};
    /// use mcp_reprise::{Server, adapters::Live};
    ///
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let claimed = Mutex::new(BTreeMap::new());
    /// let live = Live::from(server).claims(move |id, until| match claimed.lock() {
    ///     Ok(mut claimed) => claimed.insert(id, until).is_none(),
    ///     Err(_) => false,
    /// });
    /// # let _ = live;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn claims(
        self,
        claim: impl Fn([u8; 16], Timestamp) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            claims: Claims::new(claim),
            ..self
        }
    }

    /// What to run the steps within: `around` is given the exchange of a step that begins, and
    /// gives what [`Sink::around`] takes. With `tracing::Tracer` a step runs in the span of its
    /// call. A clone keeps it, so each connection of lines, which names its exchanges itself, is
    /// given one of its own.
    ///
    /// ```
    /// use mcp_reprise::{Exchange, Server, adapters::Live};
    ///
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let live = Live::from(server).around(|Exchange(exchange)| move |run: &mut dyn FnMut()| {
    ///     eprintln!("{exchange} runs");
    ///     run();
    /// });
    /// # let _ = live;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn around<A>(self, around: impl Fn(Exchange) -> A + Send + Sync + 'static) -> Self
    where
        A: Fn(&mut dyn FnMut()) + Send + Sync + 'static,
    {
        Self {
            around: Some(Arc::new(move |exchange| Box::new(around(exchange)))),
            ..self
        }
    }

    /// A sink for the step of an exchange, within which it runs as it is to run.
    pub(super) fn sink(&self, exchange: Exchange, wake: impl Fn() + Send + Sync + 'static) -> Sink {
        match &self.around {
            None => Sink::new(wake),
            Some(around) => {
                // Made when the step begins: by then it was told that the call has started.
                let (around, made) = (Arc::clone(around), OnceLock::new());
                Sink::around(wake, move |run| {
                    made.get_or_init(|| around(exchange))(run);
                })
            }
        }
    }

    /// Makes a claim, for a driver of your own, and gives whether nobody made it before:
    /// [`Exchanges::claimed`](crate::http::Exchanges::claimed) takes both.
    ///
    /// ```
    /// use mcp_reprise::{Claim, Moment, adapters::Live, http::{Exchanges, Todo}};
    ///
    /// fn claim(live: &Live, exchanges: &mut Exchanges, claim: Claim, moment: &Moment) -> Todo {
    ///     let is_new = live.claim(&claim);
    ///     exchanges.claimed(claim, is_new, moment)
    /// }
    /// # let _ = claim;
    /// ```
    pub fn claim(&self, claim: &Claim) -> bool {
        self.claims.claim(claim.id(), claim.until())
    }

    /// Makes the claims of a turn, for a driver of your own: in their places stand the steps that
    /// may run, and the answers to those that may not.
    ///
    /// ```
    /// use mcp_reprise::{Server, Turn, adapters::Live};
    ///
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let turn = Live::from(server).settle(Turn::default());
    /// assert!(turn.actions.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn settle(&self, turn: Turn) -> Turn {
        let mut settled = Turn {
            actions: Vec::new(),
            ..turn
        };
        for action in turn.actions {
            match action {
                Action::Claim(claim) if self.claim(&claim) => settled.steps.push(claim.grant()),
                Action::Claim(claim) => settled.extend(claim.refuse()),
                other => settled.actions.push(other),
            }
        }
        settled
    }

    /// The server as it is now.
    pub fn server(&self) -> Server {
        self.server
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts another server in the place of this one, and tells the listeners what changed. Steps
    /// in flight keep the server they came from.
    pub fn replace(&self, server: Server, changes: impl IntoIterator<Item = Change>) {
        *self.server.write().unwrap_or_else(PoisonError::into_inner) = server;
        for change in changes {
            self.notifier.notify(change);
        }
    }

    /// Tells connections what changed.
    pub fn notifier(&self) -> &Notifier {
        &self.notifier
    }
}

impl From<Server> for Live {
    fn from(server: Server) -> Self {
        Self::new(server, Notifier::default())
    }
}
