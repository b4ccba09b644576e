//! The line between a running step and its driver.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::protocol::LoggingLevel;

/// Something a running step has to say to the client: to be fed to the server at once.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub(crate) exchange: Exchange,
    pub(crate) matter: Matter,
    /// The notification as JSON text.
    pub(crate) message: Box<str>,
}

/// What a report is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Matter {
    Progress,
    Log(LoggingLevel),
    /// The connection need not be held.
    Release,
}

/// A message may hold what users said: `Debug` shows what it is about.
impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report")
            .field("exchange", &self.exchange)
            .field("matter", &self.matter)
            .finish_non_exhaustive()
    }
}

impl Report {
    /// The exchange whose step reports.
    pub fn exchange(&self) -> Exchange {
        self.exchange
    }
}

/// Where a running step leaves its reports, and where it sees that it has been cancelled.
///
/// A sink never blocks. When it is full, progress replaces the newest progress that still waits,
/// or else the newest log message; a log message that is dropped is counted.
///
/// ```
/// use mcp_reprise::Sink;
///
/// let sink = Sink::new(|| { /* wake whoever drains */ });
/// assert!(sink.drain().is_empty());
/// ```
#[derive(Clone)]
pub struct Sink(Arc<Inner>);

/// What a driver does around each piece of a run: it calls what it is given, once.
type Around = Box<dyn Fn(&mut dyn FnMut()) + Send + Sync>;

struct Inner {
    waiting: Mutex<VecDeque<Report>>,
    dropped: AtomicU64,
    cancelled: AtomicBool,
    /// Whom a cancellation wakes.
    waiting_run: Mutex<Option<Waker>>,
    wake: Box<dyn Fn() + Send + Sync>,
    around: Option<Around>,
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sink")
            .field("dropped", &self.dropped())
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

impl Default for Sink {
    fn default() -> Self {
        Self::new(|| {})
    }
}

impl Sink {
    /// A sink that calls `wake` whenever a report arrives in an empty queue. `wake` runs inside
    /// the step, so it should do no more than wake.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self::made(Box::new(wake), None)
    }

    /// A sink like that of [`Sink::new`], within whose `around` the step runs: a plain step as a
    /// whole, and an async one at each poll and when it is dropped. So it can be given a span of
    /// its call, or whatever else the author's code is to find on its thread.
    ///
    /// `around` calls what it is given, once. A step whose run it leaves out fails.
    ///
    /// ```
    /// use mcp_reprise::Sink;
    ///
    /// let sink = Sink::around(|| {}, |run| {
    ///     println!("runs");
    ///     run();
    ///     println!("has run, or waits");
    /// });
    /// # let _ = sink;
    /// ```
    pub fn around(
        wake: impl Fn() + Send + Sync + 'static,
        around: impl Fn(&mut dyn FnMut()) + Send + Sync + 'static,
    ) -> Self {
        Self::made(Box::new(wake), Some(Box::new(around)))
    }

    fn made(wake: Box<dyn Fn() + Send + Sync>, around: Option<Around>) -> Self {
        Self(Arc::new(Inner {
            waiting: Mutex::new(VecDeque::new()),
            dropped: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            waiting_run: Mutex::new(None),
            wake,
            around,
        }))
    }

    /// Runs a piece of the step as the driver wants it run. `None` where the driver left it out.
    pub(super) fn run<T>(&self, piece: impl FnOnce() -> T) -> Option<T> {
        let Some(around) = &self.0.around else {
            return Some(piece());
        };
        let (mut piece, mut came) = (Some(piece), None);
        around(&mut || {
            if let Some(piece) = piece.take() {
                came = Some(piece());
            }
        });
        came
    }

    /// Takes all reports that wait, oldest first.
    ///
    /// ```
    /// assert!(mcp_reprise::Sink::default().drain().is_empty());
    /// ```
    pub fn drain(&self) -> Vec<Report> {
        self.waiting().drain(..).collect()
    }

    /// How many log messages were dropped because the sink was full.
    pub fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Tells the step that nobody waits for it any more. An async step is dropped where it stands;
    /// a plain one looks at [`Cx::is_cancelled`](crate::Cx::is_cancelled) where it likes.
    ///
    /// ```
    /// let sink = mcp_reprise::Sink::default();
    /// sink.cancel();
    /// assert!(sink.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let waker = self.waiting_run().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Has this waker woken by a cancellation that comes later.
    pub(super) fn wake_on_cancel(&self, waker: &Waker) {
        let mut waiting = self.waiting_run();
        if !waiting.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *waiting = Some(waker.clone());
        }
    }

    fn waiting_run(&self) -> MutexGuard<'_, Option<Waker>> {
        let waiting = self.0.waiting_run.lock();
        waiting.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the step has been told that nobody waits for it.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    pub(crate) fn push(&self, report: Report, limit: usize) {
        let mut waiting = self.waiting();
        let was_empty = waiting.is_empty();
        if waiting.len() < limit {
            waiting.push_back(report);
        } else {
            let gives_way = place_for(&waiting, &report);
            let gone = match gives_way.and_then(|place| waiting.get_mut(place)) {
                Some(place) => std::mem::replace(place, report),
                None => report,
            };
            if is_log(&gone) {
                self.0.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
        drop(waiting);
        if was_empty {
            (self.0.wake)();
        }
    }

    /// A queue is sound whatever panicked beside it.
    fn waiting(&self) -> MutexGuard<'_, VecDeque<Report>> {
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_log(report: &Report) -> bool {
    matches!(report.matter, Matter::Log(_))
}

/// Which of those that wait gives way to another where there is no room for more: the newest of
/// its kind, or else of a lesser kind. For a log message none does.
fn place_for(waiting: &VecDeque<Report>, report: &Report) -> Option<usize> {
    let newest = |matter: &Matter| waiting.iter().rposition(|waits| waits.matter == *matter);
    let newest_log = || waiting.iter().rposition(is_log);
    match report.matter {
        Matter::Log(_) => None,
        Matter::Progress => newest(&Matter::Progress).or_else(newest_log),
        Matter::Release => newest(&Matter::Release)
            .or_else(newest_log)
            .or_else(|| newest(&Matter::Progress)),
    }
}
