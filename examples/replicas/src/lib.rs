//! A driver whose replicas share their sessions through Redis: an example of one, with the whole of
//! it on two pages.
//!
//! A session is kept as the value it is, and changed by compare and swap. A replica names its
//! exchanges by a number that no other has, and what is to be done for an exchange is done by the
//! replica that has it: a step runs where its client is connected, whoever was sent the answer it
//! goes on with. Where that replica is gone, the one that was sent the answer runs it, and the client
//! comes back for the rest to whomever it likes. Only a step that runs when its replica dies is lost
//! with it: see `Session::revive`.
//!
//! Modern requests need none of this, but for changes, which are told to the listeners of all.

mod letter;
mod serving;
mod store;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use mcp_reprise::adapters::tower::McpService;
use mcp_reprise::adapters::{Live, Notifier, moment, now};
use mcp_reprise::http::{Endpoint, Part, Reply};
use mcp_reprise::legacy::Session;
use mcp_reprise::{Action, Change, Exchange, Server, Sink, Step, Timestamp, Turn};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use letter::Letter;
use store::Store;

pub use store::Problem;

/// How long a step waits for the replica that is to run it. One that dies may still seem to listen.
const PATIENCE: Duration = Duration::from_millis(500);

/// Where a tool tells of a change, for it to reach the listeners of all replicas.
#[derive(Clone)]
pub struct Changes(UnboundedSender<Change>);

impl Changes {
    pub fn tell(&self, change: Change) {
        let _ = self.0.send(change);
    }
}

/// One of the replicas.
#[derive(Clone)]
pub struct Replica(Arc<Inner>);

struct Inner {
    number: u64,
    next: AtomicU64,
    endpoint: Endpoint,
    modern: McpService,
    notifier: Notifier,
    store: Store,
    /// Held while a session is changed and what comes of it is done, so that it is done in order.
    in_order: tokio::sync::Mutex<()>,
    outlets: Mutex<BTreeMap<Exchange, (Reply, UnboundedSender<Part>)>>,
    running: Mutex<BTreeMap<Exchange, Sink>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Replica {
    /// A replica of the server that `build` makes, which finds [`Changes`] among its values.
    pub async fn new(url: &str, build: impl FnOnce(Changes) -> Server) -> Result<Self, Problem> {
        let client = redis::Client::open(url)?;
        let mut store = Store::new(&client).await?;
        let number = store.number().await?;
        let (changes, mut changed) = unbounded_channel();
        let server = build(Changes(changes));
        let notifier = Notifier::default();
        let claims = store.claims(&client)?;
        let live = Live::new(server.clone(), notifier.clone()).claims(claims);
        let (endpoint, modern) = (Endpoint::new(server), McpService::new(live));
        let replica = Self(Arc::new(Inner {
            number,
            next: AtomicU64::new(1),
            endpoint,
            modern,
            notifier,
            store,
            in_order: tokio::sync::Mutex::default(),
            outlets: Mutex::default(),
            running: Mutex::default(),
        }));
        let mut letters = client.get_async_pubsub().await?;
        letters
            .subscribe(&[store::address(number), store::EVERYBODY.to_owned()])
            .await?;
        // Both end with the replica, of which they must not be what keeps it alive.
        let reader = Arc::downgrade(&replica.0);
        tokio::spawn(async move {
            let mut letters = letters.into_on_message();
            while let Some(letter) = letters.next().await {
                let Some(inner) = reader.upgrade() else {
                    return;
                };
                let letter = serde_json::from_slice(letter.get_payload_bytes());
                if let Ok(letter) = letter {
                    Self(inner).open(letter).await;
                }
            }
        });
        let teller = Arc::downgrade(&replica.0);
        tokio::spawn(async move {
            while let Some(change) = changed.recv().await {
                let Some(inner) = teller.upgrade() else {
                    return;
                };
                Self(inner).announce(change).await;
            }
        });
        Ok(replica)
    }

    /// Tells the modern listeners of all replicas, and every session there is.
    async fn announce(&self, change: Change) {
        self.0
            .store
            .send(store::EVERYBODY, &Letter::Change(change.clone()))
            .await;
        for id in self.0.store.ids().await {
            self.change(&id, |session| match session.notify(&change) {
                true => session.flush(),
                false => Turn::default(),
            })
            .await;
        }
    }

    async fn open(&self, letter: Letter) {
        match letter {
            Letter::Change(change) => self.0.notifier.notify(change),
            Letter::Run(ticket, id, data) => {
                let step = self.0.endpoint.server().rejoin(data);
                if let (Some(step), true) = (step, self.0.store.take(ticket).await) {
                    self.start(id, step);
                }
            }
            letter => letter
                .action()
                .into_iter()
                .for_each(|action| self.act(action)),
        }
    }

    /// Changes a session where it is kept, and has done what comes of it. Gives whether it is there.
    async fn change(&self, id: &str, change: impl Fn(&mut Session) -> Turn + Send) -> bool {
        let _in_order = self.0.in_order.lock().await;
        match self.0.store.change(id, change).await {
            Some(turn) => {
                self.perform(id, turn).await;
                true
            }
            None => false,
        }
    }

    async fn perform(&self, id: &str, turn: Turn) {
        turn.observations
            .iter()
            .for_each(|seen| eprintln!("{seen:?}"));
        for action in turn.actions {
            let exchange = action.exchange();
            if let Action::AwaitAnswer { deadline, .. } = action {
                self.tick(id.to_owned(), deadline);
            } else if self.owner(exchange) == self.0.number {
                self.act(action);
            } else if let Some(letter) = Letter::of(action) {
                let owner = store::address(self.owner(exchange));
                // Where nobody is, the client comes back for what the session keeps for it.
                self.0.store.send(&owner, &letter).await;
            }
        }
        for step in turn.steps {
            let owner = self.owner(step.exchange());
            if owner == self.0.number {
                self.start(id.to_owned(), step);
                continue;
            }
            let Exchange(ticket) = self.exchange();
            let letter = Letter::Run(ticket, id.to_owned(), step.into_data());
            let patience = match self.0.store.send(&store::address(owner), &letter).await {
                true => PATIENCE,
                false => Duration::ZERO,
            };
            let replica = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(patience).await;
                Box::pin(replica.open(letter)).await;
            });
        }
    }

    /// An exchange of this replica, by a name that no other has.
    fn exchange(&self) -> Exchange {
        Exchange(self.0.number << 40 | self.0.next.fetch_add(1, Ordering::Relaxed))
    }

    fn owner(&self, Exchange(name): Exchange) -> u64 {
        name >> 40
    }

    /// Does an action of an exchange of this replica.
    fn act(&self, action: Action) {
        let exchange = action.exchange();
        if matches!(action, Action::Cancel { .. }) {
            if let Some(sink) = lock(&self.0.running).remove(&exchange) {
                sink.cancel();
            }
        }
        let mut outlets = lock(&self.0.outlets);
        let Some((reply, parts)) = outlets.get_mut(&exchange) else {
            return;
        };
        reply
            .act(action, now())
            .into_iter()
            .for_each(|part| drop(parts.send(part)));
        if reply.is_ended() {
            outlets.remove(&exchange);
        }
    }

    /// Ends what nobody answers.
    fn tick(&self, id: String, deadline: Timestamp) {
        let weak = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            tokio::time::sleep(deadline.since(now())).await;
            let (Some(inner), Ok(at)) = (weak.upgrade(), moment()) else {
                return;
            };
            let server = inner.endpoint.server().clone();
            Self(inner)
                .change(&id, |session| session.tick(&server, &at))
                .await;
        });
    }

    /// Runs a step on a thread, and says what it reports and what it comes to.
    fn start(&self, id: String, step: Step) {
        let (exchange, reported) = (step.exchange(), Arc::new(Notify::new()));
        let wake = Arc::clone(&reported);
        let sink = Sink::new(move || wake.notify_one());
        lock(&self.0.running).insert(exchange, sink.clone());
        let (replica, watched) = (self.clone(), sink.clone());
        tokio::spawn(async move {
            let server = replica.0.endpoint.server().clone();
            let mut run = tokio::task::spawn_blocking(move || step.run(&sink));
            let finished = loop {
                let ended = tokio::select! {
                    ended = &mut run => Some(ended),
                    () = reported.notified() => None,
                };
                for report in watched.drain() {
                    replica
                        .change(&id, |session| session.report(&server, report.clone()))
                        .await;
                }
                if let Some(ended) = ended {
                    break ended;
                }
            };
            lock(&replica.0.running).remove(&exchange);
            // It is written down, since it may take several tries to bring it home.
            let written = finished
                .ok()
                .and_then(|finished| serde_json::to_string(&finished).ok());
            let (Some(written), Ok(at)) = (written, moment()) else {
                return;
            };
            let finish = |session: &mut Session| match serde_json::from_str(&written) {
                Ok(finished) => session.finish(&server, finished, &at),
                Err(_) => Turn::default(),
            };
            replica.change(&id, finish).await;
        });
    }
}
