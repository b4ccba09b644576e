//! The part that every HTTP server of whatever make needs beside its sockets.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::thread;

use ::http::Request;

use super::live::{Live, Notice, Subscription};
use super::moment::{moment, now};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::http::{Endpoint, Exchanges, Part, Todo};
use crate::moment::{Moment, Timestamp};
use crate::observation::Observation;
use crate::step::{Finished, Sink, Step, Unpark};

/// Parts that may wait for one client. One that reads so slowly is cut off, and in a session can
/// come back for the rest.
const WAITING: usize = 1024;

/// One endpoint for an HTTP server of your own, on any runtime or on none: the
/// [`Exchanges`] of all its clients, each with what it has to be sent.
///
/// A server hands each request in and writes the [`Parts`] that come of it; dropping those is its
/// client hanging up. It says how a [`Job`] is run, and calls [`Desk::tick`] every now and then.
/// All else is done here: claims, listeners, reports, cancellation, sessions. Clones are one desk.
///
/// ```
/// use mcp_reprise::adapters::Desk;
/// use mcp_reprise::http::{Endpoint, Part};
/// use mcp_reprise::{Caller, Server};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
/// let endpoint = Endpoint::new(server.clone());
/// let desk = Desk::new(server, endpoint, |job| drop(std::thread::spawn(|| job.run())), |_| {});
///
/// let request = http::Request::get("/mcp").header("host", "localhost").body(Vec::new())?;
/// let mut parts = desk.receive(Caller::anonymous(), &request)?;
/// let Some(Part::Whole(response)) = parts.wait() else { panic!("no response") };
/// assert_eq!(response.status(), 405);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Desk(Arc<Shared>);

struct Shared {
    live: Live,
    run: Box<dyn Fn(Job) + Send + Sync>,
    observe: Box<dyn Fn(&Observation) + Send + Sync>,
    held: Mutex<Held>,
    next: AtomicU64,
    subscription: OnceLock<Subscription>,
}

struct Held {
    exchanges: Exchanges,
    clients: BTreeMap<Exchange, Client>,
}

/// What one client has still to be sent.
#[derive(Default)]
struct Client {
    parts: VecDeque<Part>,
    /// Nothing will be added to them.
    ended: bool,
    waker: Option<Waker>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Desk")
    }
}

impl Desk {
    /// A desk at which nobody is served yet. `run` is handed each step that is to run, and must
    /// not wait for it: it spawns a task or a thread. `observe` is told what is worth a line in
    /// the log.
    pub fn new(
        live: impl Into<Live>,
        endpoint: Endpoint,
        run: impl Fn(Job) + Send + Sync + 'static,
        observe: impl Fn(&Observation) + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            live: live.into(),
            run: Box::new(run),
            observe: Box::new(observe),
            held: Mutex::new(Held {
                exchanges: Exchanges::new(endpoint),
                clients: BTreeMap::new(),
            }),
            next: AtomicU64::new(0),
            subscription: OnceLock::new(),
        });
        // The subscriber must not be what keeps its own subscription alive.
        let weak = Arc::downgrade(&shared);
        let subscription = shared.live.notifier().subscribe(move |notice| {
            feed(&weak, |exchanges, moment| match notice {
                Notice::Change(change) => exchanges.notify(change, moment.now),
                Notice::CloseListeners => exchanges.close_listeners(moment.now),
            });
        });
        let _ = shared.subscription.set(subscription);
        Self(shared)
    }

    /// Serves one request, and gives the response as it comes.
    ///
    /// # Errors
    ///
    /// When the system gives no randomness.
    pub fn receive<B: AsRef<[u8]>>(
        &self,
        caller: Caller,
        request: &Request<B>,
    ) -> io::Result<Parts> {
        let moment = moment()?;
        let exchange = Exchange(self.0.next.fetch_add(1, Ordering::Relaxed));
        let server = self.0.live.server();
        self.0.lock().clients.insert(exchange, Client::default());
        let parts = Parts {
            desk: self.clone(),
            exchange,
        };
        self.0.feed(&moment, |exchanges| {
            exchanges.replace_server(server);
            exchanges.receive(exchange, caller, request, &moment)
        });
        Ok(parts)
    }

    /// When to call [`Desk::tick`], if anything has a deadline.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.0.lock().exchanges.deadline()
    }

    /// Does what is overdue: see [`Exchanges::tick`]. With nothing due it costs next to nothing,
    /// so a timer of a second will do.
    pub fn tick(&self) {
        feed(&Arc::downgrade(&self.0), Exchanges::tick);
    }
}

/// Feeds what needs dice, which the system has; a call that gets none fails as if its client had
/// gone: nothing may be sealed or named without.
fn feed(shared: &Weak<Shared>, input: impl FnOnce(&mut Exchanges, &Moment) -> Todo) {
    if let (Some(shared), Ok(moment)) = (shared.upgrade(), moment()) {
        shared.feed(&moment, |exchanges| input(exchanges, &moment));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what an input comes to. Nothing foreign is called under the lock but claims.
    fn feed(self: &Arc<Self>, moment: &Moment, input: impl FnOnce(&mut Exchanges) -> Todo) {
        let mut held = self.lock();
        let mut todo = input(&mut held.exchanges);
        while let Some(claim) = todo.claims.pop() {
            let is_new = self.live.claim(&claim);
            todo.extend(held.exchanges.claimed(claim, is_new, moment));
        }
        let mut wakers = Vec::new();
        for (exchange, part) in todo.parts {
            wakers.extend(held.send(exchange, part, moment));
        }
        let waiting = todo.waiting.iter();
        wakers.extend(waiting.filter_map(|exchange| held.clients.get_mut(exchange)?.waker.take()));
        let jobs: Vec<Job> = todo
            .steps
            .into_iter()
            .map(|step| self.job(&mut held, step))
            .collect();
        drop(held);
        wakers.into_iter().for_each(Waker::wake);
        todo.observations.iter().for_each(&*self.observe);
        jobs.into_iter().for_each(&*self.run);
    }

    fn job(self: &Arc<Self>, held: &mut Held, step: Step) -> Job {
        let (exchange, weak) = (step.exchange(), Arc::downgrade(self));
        let sink = self.live.sink(exchange, move || {
            feed(&weak, |exchanges, moment| {
                exchanges.reported(exchange, moment.now)
            });
        });
        let sink = held.exchanges.keep(&step, sink);
        Job {
            exchange,
            ended: false,
            step: Some(step),
            sink,
            desk: Arc::downgrade(self),
        }
    }
}

impl Held {
    /// Adds a part to what a client has to be sent, and gives whom to wake for it.
    fn send(&mut self, exchange: Exchange, part: Part, moment: &Moment) -> Option<Waker> {
        let client = self.clients.get_mut(&exchange)?;
        client.ended = matches!(part, Part::Whole(_) | Part::End);
        client.parts.push_back(part);
        if client.parts.len() > WAITING {
            client.parts.clear();
            client.ended = true;
            self.exchanges.disconnected(exchange, moment);
        }
        client.waker.take()
    }
}

/// A response as it comes, part for part. Dropping it tells the desk that the client has hung up,
/// or needs no more.
#[must_use]
pub struct Parts {
    desk: Desk,
    exchange: Exchange,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parts({})", self.exchange.0)
    }
}

impl Parts {
    /// The next part: one [`Part::Whole`], or a [`Part::Open`] and each [`Part::Data`] after it.
    /// `None` is the end. It is to be called when the client can be written to: what a listener
    /// has to tell is put into words no sooner.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        let mut held = self.desk.0.lock();
        let Held { exchanges, clients } = &mut *held;
        let Some(client) = clients.get_mut(&self.exchange) else {
            return Poll::Ready(None);
        };
        if client.parts.is_empty() && !client.ended {
            let told = exchanges.drain(self.exchange, now());
            client
                .parts
                .extend(told.parts.into_iter().map(|(_, part)| part));
        }
        match client.parts.pop_front() {
            Some(Part::End) => Poll::Ready(None),
            Some(part) => Poll::Ready(Some(part)),
            None if client.ended => Poll::Ready(None),
            None => {
                client.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Waits for the next part: see [`Parts::poll_next`].
    pub async fn next(&mut self) -> Option<Part> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// Blocks this thread until the next part: see [`Parts::poll_next`]. It ticks the desk
    /// meanwhile, so a server on threads needs no timer.
    pub fn wait(&mut self) -> Option<Part> {
        let waker = Waker::from(Arc::new(Unpark::this_thread()));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(part) = self.poll_next(&mut context) {
                return part;
            }
            match self.desk.deadline() {
                None => thread::park(),
                Some(due) if due > now() => thread::park_timeout(due.since(now())),
                Some(_) => self.desk.tick(),
            }
        }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let client = self.desk.0.lock().clients.remove(&self.exchange);
        // One that was sent all it had to be is not told to have gone.
        if client.is_some_and(|client| !client.ended) {
            let weak = Arc::downgrade(&self.desk.0);
            feed(&weak, |exchanges, moment| {
                exchanges.disconnected(self.exchange, moment)
            });
        }
    }
}

/// A step to run, and its way back to the desk. One that is dropped before it runs is turned away;
/// where it runs as a future and that is dropped, the response of its client ends there.
#[must_use]
pub struct Job {
    exchange: Exchange,
    step: Option<Step>,
    sink: Sink,
    desk: Weak<Shared>,
    ended: bool,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Job({:?})", self.step)
    }
}

impl Job {
    /// Whether it keeps the thread that polls it until it ends: then it belongs on a thread where
    /// nothing else waits.
    pub fn is_plain(&self) -> bool {
        self.step.as_ref().is_some_and(Step::is_plain)
    }

    /// Runs the step on this thread.
    pub fn run(mut self) {
        if let Some(step) = self.step.take() {
            self.finish(step.run(&self.sink));
        }
    }

    /// Runs the step as a future.
    pub async fn run_async(mut self) {
        if let Some(step) = self.step.take() {
            let run = step.run_async(&self.sink);
            self.finish(run.await);
        }
    }

    fn finish(&mut self, finished: Finished) {
        self.ended = true;
        feed(&self.desk, |exchanges, moment| {
            exchanges.finish(finished, moment)
        });
    }
}

impl Job {
    /// Nothing will come of the step any more: nobody is left waiting for it.
    fn lose(&self) {
        let Some(shared) = self.desk.upgrade() else {
            return;
        };
        let waker = shared
            .lock()
            .clients
            .get_mut(&self.exchange)
            .and_then(|client| {
                client.ended = true;
                client.waker.take()
            });
        if let Some(waker) = waker {
            waker.wake();
        }
        feed(&self.desk, |exchanges, moment| {
            exchanges.disconnected(self.exchange, moment)
        });
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        match self.step.take() {
            Some(step) => self.finish(step.turn_away()),
            None if !self.ended => self.lose(),
            None => {}
        }
    }
}
