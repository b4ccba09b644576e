//! One exchange while it lasts: its step, its listener, its reply.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use ::tokio::time::{Instant, Sleep, sleep_until};

use super::Shared;
use super::body::Parts;
use crate::action::{Action, Turn};
use crate::adapters::live::{Notice, Subscription};
use crate::adapters::moment::{now, until};
use crate::adapters::run::{Run, run};
use crate::exchange::Exchange;
use crate::http::{Endpoint, Part, Reply};
use crate::listener::Listener;
use crate::observation::Observation;
use crate::step::{Sink, Step};

/// One exchange while it lasts. Dropping it cancels what runs for it.
pub(super) struct Running {
    shared: Arc<Shared>,
    endpoint: Endpoint,
    reply: Reply,
    parts: VecDeque<Part>,
    step: Option<Run>,
    sink: Option<Sink>,
    /// The exchange of the step.
    exchange: Option<Exchange>,
    listening: Option<Listening>,
    wake: Arc<Wake>,
    keep_alive: KeepAlive,
}

/// Tells when a stream was silent for long enough.
#[derive(Default)]
pub(super) struct KeepAlive(Option<Pin<Box<Sleep>>>);

impl KeepAlive {
    /// A comment, when nothing was sent for long enough.
    pub(super) fn poll(&mut self, reply: &mut Reply, context: &mut Context<'_>) -> Option<Part> {
        let deadline = reply.deadline()?;
        let at = Instant::now() + until(deadline);
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(at)));
        sleep.as_mut().reset(at);
        if sleep.as_mut().poll(context).is_pending() {
            return None;
        }
        reply.tick(now())
    }
}

/// A listener, noted to from wherever a change is told, and drained when the client can be
/// written to.
struct Listening {
    listener: Arc<Mutex<Option<Listener>>>,
    closing: Arc<AtomicBool>,
    _subscription: Subscription,
}

/// Whom to wake when there is something to send.
#[derive(Default)]
pub(super) struct Wake(Mutex<Option<Waker>>);

impl Wake {
    pub(super) fn set(&self, waker: &Waker) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !held.as_ref().is_some_and(|held| held.will_wake(waker)) {
            *held = Some(waker.clone());
        }
    }

    pub(super) fn wake(&self) {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waker) = &*held {
            waker.wake_by_ref();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(sink) = &self.sink {
            sink.cancel();
        }
        let observes = self.endpoint.server().offering.observes;
        let running = self.step.as_ref().and(self.exchange);
        if let Some(exchange) = running.filter(|_| observes) {
            (self.shared.observe)(&Observation::CallCancelled { exchange });
        }
    }
}

impl Parts for Running {
    fn poll_part(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        self.next_part(context)
    }
}

impl Running {
    pub(super) fn new(shared: Arc<Shared>, endpoint: Endpoint, turn: Turn) -> Self {
        let mut running = Self {
            reply: Reply::new(endpoint.server().limits().keep_alive),
            shared,
            endpoint,
            parts: VecDeque::new(),
            step: None,
            sink: None,
            exchange: None,
            listening: None,
            wake: Arc::default(),
            keep_alive: KeepAlive::default(),
        };
        running.act(turn);
        running
    }

    fn next_part(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                let ended = matches!(part, Part::End);
                return Poll::Ready((!ended).then_some(part));
            }
            if self.reply.is_ended() {
                return Poll::Ready(None);
            }
            self.wake.set(context.waker());
            let moved =
                self.poll_step(context) | self.drain_listener() | self.poll_keep_alive(context);
            if !moved && self.parts.is_empty() {
                return Poll::Pending;
            }
        }
    }

    fn act(&mut self, turn: Turn) {
        let turn = self.shared.settle(turn);
        for action in turn.actions {
            match action {
                Action::Listen(listener) => self.listen(listener),
                action => self.parts.extend(self.reply.act(action, now())),
            }
        }
        for step in turn.steps {
            self.start(step);
        }
    }

    fn start(&mut self, step: Step) {
        let wake = Arc::clone(&self.wake);
        let sink = self.shared.live.sink(step.exchange(), move || wake.wake());
        self.exchange = Some(step.exchange());
        self.step = Some(run(step, &sink));
        self.sink = Some(sink);
    }

    /// Polls the step, and has pushed what it reports. Gives whether anything came of it.
    fn poll_step(&mut self, context: &mut Context<'_>) -> bool {
        let polled = match &mut self.step {
            Some(step) => step.as_mut().poll(context),
            None => return false,
        };
        let reports = self.sink.as_ref().map(Sink::drain).unwrap_or_default();
        let mut moved = !reports.is_empty();
        for report in reports {
            let turn = self.endpoint.server().report(report);
            self.act(turn);
        }
        if let Poll::Ready(finished) = polled {
            moved = true;
            self.step = None;
            self.sink = None;
            match finished {
                Some(finished) => {
                    let turn = self.endpoint.server().finish(finished);
                    self.act(turn);
                }
                // The runtime is shutting down, and took the thread away.
                None => self.parts.push_back(Part::End),
            }
        }
        moved
    }

    fn listen(&mut self, listener: Listener) {
        let listener = Arc::new(Mutex::new(Some(listener)));
        let closing = Arc::new(AtomicBool::new(false));
        let subscription = self.shared.live.notifier().subscribe({
            let (listener, closing) = (Arc::clone(&listener), Arc::clone(&closing));
            let wake = Arc::clone(&self.wake);
            move |notice| match notice {
                Notice::Change(change) => {
                    let mut held = listener.lock().unwrap_or_else(PoisonError::into_inner);
                    if held.as_mut().is_some_and(|listener| listener.note(change)) {
                        wake.wake();
                    }
                }
                Notice::CloseListeners => {
                    closing.store(true, Ordering::SeqCst);
                    wake.wake();
                }
            }
        });
        self.listening = Some(Listening {
            listener,
            closing,
            _subscription: subscription,
        });
    }

    fn drain_listener(&mut self) -> bool {
        let Some(listening) = &self.listening else {
            return false;
        };
        let mut held = listening
            .listener
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let actions = if listening.closing.load(Ordering::SeqCst) {
            held.take().map(Listener::close).unwrap_or_default()
        } else {
            held.as_mut()
                .and_then(Listener::next_push)
                .into_iter()
                .collect()
        };
        drop(held);
        let moved = !actions.is_empty();
        for action in actions {
            self.parts.extend(self.reply.act(action, now()));
        }
        moved
    }

    /// Sends a comment when nothing was sent for long enough.
    fn poll_keep_alive(&mut self, context: &mut Context<'_>) -> bool {
        let comment = self.keep_alive.poll(&mut self.reply, context);
        let sent = comment.is_some();
        self.parts.extend(comment);
        sent
    }
}
