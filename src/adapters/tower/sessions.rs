//! Sessions in a service: what is said on one exchange of what happens on another.
//!
//! Their steps run as tasks of their own, since a client that hangs up cancels nothing here. The
//! sessions themselves are the pure [`Sessions`]; this is the hub between them, the steps and the
//! connections.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::{Request, Response};
use ::tokio::sync::Notify;
use ::tokio::task::{AbortHandle, spawn};
use ::tokio::time::sleep;

use super::body::{Body, Parts, opened};
use super::running::{KeepAlive, Wake};
use super::{Shared, plain};
use crate::action::{Action, Turn};
use crate::adapters::live::{Notice, Subscription};
use crate::adapters::moment::{moment, now};
use crate::adapters::run::run;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::http::{Endpoint, Part, Reply};
use crate::legacy::Sessions;
use crate::observation::Observation;
use crate::server::Server;
use crate::step::{Finished, Sink, Step};

/// Parts that may wait for one client. One that reads so slowly is cut off, and can come back for
/// the rest.
const WAITING: usize = 1024;

/// How often it is looked whether anything is overdue.
const PERIOD: Duration = Duration::from_secs(1);

/// The sessions of a service, and what hangs on them.
#[derive(Default)]
pub(super) struct Hub {
    inner: Arc<Mutex<Inner>>,
    ticking: AtomicBool,
    subscription: OnceLock<Subscription>,
}

#[derive(Default)]
struct Inner {
    sessions: Sessions,
    outlets: BTreeMap<Exchange, Arc<Outlet>>,
    running: BTreeMap<Exchange, Running>,
    /// What is to be told when nothing is locked any more.
    observed: Vec<Observation>,
    /// What is to run once that is told.
    begun: Vec<(Server, Step)>,
}

struct Running {
    sink: Sink,
    task: AbortHandle,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.sink.cancel();
        self.task.abort();
    }
}

/// One response that is being written.
struct Outlet {
    waiting: Mutex<Waiting>,
    wake: Wake,
}

struct Waiting {
    reply: Reply,
    parts: VecDeque<Part>,
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works with the hub, and tells afterwards what was observed: whoever hears it may want to notify.
/// Then the steps begin, which may run within what an observer has made of it.
fn locked<T>(shared: &Arc<Shared>, work: impl FnOnce(&mut Inner) -> T) -> T {
    let (done, observed, begun) = {
        let mut inner = lock(&shared.hub.inner);
        let done = work(&mut inner);
        let observed = std::mem::take(&mut inner.observed);
        (done, observed, std::mem::take(&mut inner.begun))
    };
    observed.iter().for_each(&*shared.observe);
    for (server, step) in begun {
        start(shared, server, step);
    }
    done
}

impl Inner {
    /// Does what an input came to, wherever it goes.
    fn perform(&mut self, server: &Server, turn: Turn) {
        self.observed.extend(turn.observations);
        turn.actions.into_iter().for_each(|action| self.act(action));
        let begun = turn.steps.into_iter();
        self.begun.extend(begun.map(|step| (server.clone(), step)));
    }

    /// Has an action done where its response is written.
    fn act(&mut self, action: Action) {
        let exchange = action.exchange();
        let cancels = matches!(action, Action::Cancel { .. });
        let outlet = self.outlets.get(&exchange);
        if outlet.is_some_and(|outlet| !outlet.act(action)) {
            self.hung_up(exchange);
        }
        if cancels {
            self.running.remove(&exchange);
        }
    }

    fn hung_up(&mut self, exchange: Exchange) {
        self.outlets.remove(&exchange);
        if let Ok(moment) = moment() {
            self.sessions.disconnected(exchange, &moment);
        }
    }
}

impl Outlet {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does an action of this exchange. Gives whether the client is still there to read it.
    fn act(&self, action: Action) -> bool {
        let mut waiting = self.lock();
        let parts = waiting.reply.act(action, now());
        waiting.parts.extend(parts);
        let keeps_up = waiting.parts.len() <= WAITING;
        if !keeps_up {
            waiting.parts.clear();
            waiting.parts.push_back(Part::End);
        }
        drop(waiting);
        self.wake.wake();
        keeps_up
    }
}

/// Has the sessions of a service told of changes.
pub(super) fn attach(shared: &Arc<Shared>) {
    // The subscriber must not be what keeps its own subscription alive.
    let weak = Arc::downgrade(&shared.hub.inner);
    let subscription = shared.live.notifier().subscribe(move |notice| {
        if let (Notice::Change(change), Some(inner)) = (notice, weak.upgrade()) {
            let mut inner = lock(&inner);
            // A change is only told: nothing runs for it.
            let turn = inner.sessions.notify(change);
            turn.actions
                .into_iter()
                .for_each(|action| inner.act(action));
        }
    });
    let _ = shared.hub.subscription.set(subscription);
}

/// Serves a request that may be a session's; gives the turn of one that is not.
pub(super) async fn respond(
    shared: &Arc<Shared>,
    endpoint: &Endpoint,
    exchange: Exchange,
    caller: &Caller,
    request: &Request<Vec<u8>>,
) -> Result<Turn, Response<Body>> {
    let Ok(moment) = moment() else {
        return Err(plain(::http::StatusCode::INTERNAL_SERVER_ERROR));
    };
    let server = endpoint.server();
    let begun = locked(shared, |inner| {
        let sessions = &mut inner.sessions;
        let turn = endpoint.receive_with(sessions, exchange, caller, request, &moment)?;
        let outlet = Arc::new(Outlet {
            waiting: Mutex::new(Waiting {
                reply: Reply::new(server.limits().keep_alive),
                parts: VecDeque::new(),
            }),
            wake: Wake::default(),
        });
        inner.outlets.insert(exchange, Arc::clone(&outlet));
        inner.perform(server, turn);
        Ok(outlet)
    });
    let outlet = match begun {
        Ok(outlet) => outlet,
        Err(turn) => return Ok(turn),
    };
    tick_from_now_on(shared);
    let mut reader = Reader {
        shared: Arc::clone(shared),
        exchange,
        outlet,
        keep_alive: KeepAlive::default(),
    };
    let first = poll_fn(|context| reader.poll_part(context)).await;
    Err(opened(first, reader))
}

/// Runs a step as a task of its own, unless its call was cancelled meanwhile.
fn start(shared: &Arc<Shared>, server: Server, step: Step) {
    let mut inner = lock(&shared.hub.inner);
    let exchange = step.exchange();
    if !inner.sessions.knows(exchange) {
        return;
    }
    let reported = Arc::new(Notify::new());
    let sink = shared.live.sink(exchange, {
        let reported = Arc::clone(&reported);
        move || reported.notify_one()
    });
    let weak = Arc::downgrade(shared);
    let watched = sink.clone();
    let task = spawn(async move {
        let mut run = run(step, &watched);
        let finished = loop {
            ::tokio::select! {
                finished = &mut run => break finished,
                () = reported.notified() => drain(&weak, &server, &watched),
            }
        };
        drain(&weak, &server, &watched);
        if let (Some(shared), Some(finished)) = (weak.upgrade(), finished) {
            finish(&shared, &server, finished);
        }
    });
    let task = task.abort_handle();
    inner.running.insert(exchange, Running { sink, task });
}

/// Has said what a running step reports.
fn drain(shared: &Weak<Shared>, server: &Server, sink: &Sink) {
    let Some(shared) = shared.upgrade() else {
        return;
    };
    locked(&shared, |inner| {
        for report in sink.drain() {
            let turn = inner.sessions.report(server, report);
            inner.perform(server, turn);
        }
    });
}

fn finish(shared: &Arc<Shared>, server: &Server, finished: Finished) {
    // Without dice the call fails as if its client had gone: nothing may be sealed or named.
    let Ok(moment) = moment() else { return };
    locked(shared, |inner| {
        inner.running.remove(&finished.exchange());
        let turn = inner.sessions.finish(server, finished, &moment);
        inner.perform(server, turn);
    });
}

/// Looks for what is overdue for as long as there are sessions.
fn tick_from_now_on(shared: &Arc<Shared>) {
    if shared.hub.ticking.swap(true, Ordering::SeqCst) {
        return;
    }
    let weak = Arc::downgrade(shared);
    spawn(async move {
        loop {
            sleep(PERIOD).await;
            let Some(shared) = weak.upgrade() else { return };
            let Ok(moment) = moment() else { continue };
            let server = shared.live.server();
            let empty = locked(&shared, |inner| {
                let turn = inner.sessions.tick(&server, &moment);
                inner.perform(&server, turn);
                let empty = inner.sessions.is_empty();
                if empty {
                    shared.hub.ticking.store(false, Ordering::SeqCst);
                }
                empty
            });
            if empty {
                return;
            }
        }
    });
}

/// The reading end of an outlet. Dropping it means that the connection is gone.
struct Reader {
    shared: Arc<Shared>,
    exchange: Exchange,
    outlet: Arc<Outlet>,
    keep_alive: KeepAlive,
}

impl Parts for Reader {
    fn poll_part(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.outlet.wake.set(context.waker());
        let mut waiting = self.outlet.lock();
        loop {
            match waiting.parts.pop_front() {
                Some(Part::End) => return Poll::Ready(None),
                Some(part) => return Poll::Ready(Some(part)),
                None if waiting.reply.is_ended() => return Poll::Ready(None),
                None => {}
            }
            match self.keep_alive.poll(&mut waiting.reply, context) {
                Some(comment) => waiting.parts.push_back(comment),
                None => return Poll::Pending,
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut inner = lock(&self.shared.hub.inner);
        let here = inner.outlets.get(&self.exchange);
        if here.is_some_and(|outlet| Arc::ptr_eq(outlet, &self.outlet)) {
            inner.hung_up(self.exchange);
        }
    }
}
