//! Lines over standard input and output, with blocking std alone.
//!
//! One thread reads, one thread for each running step runs it, and the calling thread does the
//! rest. An `async` step is driven by parking its thread.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::live::{Live, Notice};
use super::moment::moment;
use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::lines::Connection;
use crate::observation::Observation;
use crate::step::{Finished, Sink, Step};

/// How long steps may run on after the input has ended.
const GRACE: Duration = Duration::from_secs(10);

/// Serves standard input and output until the input ends.
///
/// What is observed goes to standard error, a line each. A step that prints to standard output
/// breaks the protocol there: what is for people goes to standard error, or to [`Cx::log`].
///
/// An `async` step runs on a thread of its own that is parked while it waits. What needs a
/// runtime to wait in, such as tokio's timers and sockets, is for [`super::tokio`].
///
/// [`Cx::log`]: crate::Cx::log
///
/// ```no_run
/// use mcp_reprise::{Server, adapters::{dice, stdio}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process(dice()?).build()?;
/// stdio::serve(server)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// When the output can not be written to, or the system gives no randomness.
pub fn serve(live: impl Into<Live>) -> io::Result<()> {
    let observe = |observation: &Observation| eprintln!("{observation:?}");
    serve_on(live.into(), io::stdin(), io::stdout(), observe)
}

/// Serves any pair of blocking streams until the input ends.
///
/// # Errors
///
/// As [`serve`].
pub fn serve_on(
    live: Live,
    input: impl Read + Send + 'static,
    output: impl Write,
    observe: impl FnMut(&Observation),
) -> io::Result<()> {
    let (events, inbox) = channel();
    let (served, may_read) = channel();
    thread::Builder::new().spawn({
        let events = events.clone();
        move || read(input, &events, &may_read)
    })?;
    let connection = Connection::new(live.server());
    let _subscription = live.notifier().subscribe({
        let (listeners, events) = (connection.listeners(), events.clone());
        move |notice| match notice {
            Notice::Change(change) => {
                if listeners.notify(change) {
                    let _ = events.send(Event::Flush);
                }
            }
            Notice::CloseListeners => drop(events.send(Event::CloseListeners)),
        }
    });
    let mut driver = Driver {
        connection,
        live,
        events,
        output,
        observe,
        served,
        running: BTreeMap::new(),
        threads: Arc::default(),
        next: 0,
    };
    driver.run(&inbox)
}

/// Whatever way the serving ends, nobody waits any more for what runs.
impl<W, O> Drop for Driver<W, O> {
    fn drop(&mut self) {
        self.running.values().for_each(Sink::cancel);
    }
}

fn take(step: &Mutex<Option<Step>>) -> Option<Step> {
    step.lock().unwrap_or_else(PoisonError::into_inner).take()
}

enum Event {
    Bytes(Vec<u8>),
    End,
    Report(Exchange),
    Finished(Box<Finished>),
    Overdue,
    Flush,
    CloseListeners,
}

/// Reads a piece, and waits until it is served: a client that writes faster than it is answered
/// has to wait.
fn read(mut input: impl Read, events: &Sender<Event>, may_read: &Receiver<()>) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let event = match input.read(&mut buffer) {
            Ok(0) => Event::End,
            Ok(count) => Event::Bytes(buffer.get(..count).unwrap_or_default().to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Event::End,
        };
        let ended = matches!(event, Event::End);
        if events.send(event).is_err() || ended || may_read.recv().is_err() {
            return;
        }
    }
}

struct Driver<W, O> {
    connection: Connection,
    live: Live,
    events: Sender<Event>,
    output: W,
    observe: O,
    served: Sender<()>,
    running: BTreeMap<Exchange, Sink>,
    /// Held by each thread that runs a step.
    threads: Arc<()>,
    next: u64,
}

impl<W: Write, O: FnMut(&Observation)> Driver<W, O> {
    fn run(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        let mut last = None;
        loop {
            let event = match self.wait(last) {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => inbox.recv_timeout(wait),
            };
            let event = match event {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) if last.is_none_or(|last| last > Instant::now()) => {
                    Event::Overdue
                }
                Err(_) => return Ok(()),
            };
            if matches!(event, Event::End) {
                last = Some(Instant::now() + GRACE);
            }
            self.take(event)?;
            if last.is_some() && !self.connection.is_busy() {
                return Ok(());
            }
        }
    }

    /// How long nothing need be done, if that is not for ever.
    fn wait(&self, last: Option<Instant>) -> Option<Duration> {
        let last = last.map(|last| last.saturating_duration_since(Instant::now()));
        let overdue = self.connection.deadline().map(super::moment::until);
        match (last, overdue) {
            (Some(last), Some(overdue)) => Some(last.min(overdue)),
            (last, overdue) => last.or(overdue),
        }
    }

    fn take(&mut self, event: Event) -> io::Result<()> {
        let mut out = Vec::new();
        match event {
            Event::Bytes(bytes) => {
                self.connection.feed(&bytes);
                self.serve_lines(&mut out)?;
                let _ = self.served.send(());
            }
            Event::End => {
                self.connection.end();
                self.serve_lines(&mut out)?;
                self.connection.close_listeners(&mut out);
            }
            Event::Report(exchange) => self.drain(exchange, &mut out),
            Event::Finished(finished) => {
                self.drain(finished.exchange(), &mut out);
                self.running.remove(&finished.exchange());
                let turn = self.connection.finish(*finished, &moment()?);
                self.act(turn, &mut out);
            }
            Event::Overdue => {
                let turn = self.connection.tick(&moment()?);
                self.act(turn, &mut out);
            }
            Event::Flush => self.connection.flush(&mut out),
            Event::CloseListeners => self.connection.close_listeners(&mut out),
        }
        if out.is_empty() {
            return Ok(());
        }
        self.output.write_all(&out)?;
        self.output.flush()
    }

    fn serve_lines(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.connection.replace_server(self.live.server());
        loop {
            let exchange = Exchange(self.next);
            let moment = moment()?;
            let turn = self
                .connection
                .next_turn(exchange, Caller::anonymous(), &moment);
            let Some(turn) = turn else { return Ok(()) };
            self.next += 1;
            self.act(turn, out);
        }
    }

    fn act(&mut self, turn: Turn, out: &mut Vec<u8>) {
        turn.observations.iter().for_each(&mut self.observe);
        for action in turn.actions {
            match self.connection.write(action, out) {
                Some(Action::Claim(claim)) => {
                    if self.live.claim(&claim) {
                        self.start(claim.grant());
                    } else {
                        self.act(claim.refuse(), out);
                    }
                }
                Some(Action::Cancel { exchange }) => {
                    if let Some(sink) = self.running.remove(&exchange) {
                        sink.cancel();
                    }
                }
                _ => {}
            }
        }
        for step in turn.steps {
            self.start(step);
        }
    }

    /// Runs a step on a thread of its own, if there is one to be had.
    ///
    /// A call that was cancelled is open no more, but its thread may take its time. So threads
    /// have the limit of open requests too, each on its own.
    fn start(&mut self, step: Step) {
        let exchange = step.exchange();
        let events = self.events.clone();
        let sink = self.live.sink(exchange, {
            let events = events.clone();
            move || drop(events.send(Event::Report(exchange)))
        });
        self.running.insert(exchange, sink.clone());
        let step = Arc::new(Mutex::new(Some(step)));
        let most = self.connection.server().limits().open_requests;
        let begun = if Arc::strong_count(&self.threads) > most {
            None
        } else {
            let (step, events) = (Arc::clone(&step), events.clone());
            let thread = Arc::clone(&self.threads);
            let run = move || {
                let finished = take(&step).map(|step| step.run(&sink));
                drop(thread);
                if let Some(finished) = finished {
                    let _ = events.send(Event::Finished(Box::new(finished)));
                }
            };
            thread::Builder::new().spawn(run).ok()
        };
        if begun.is_none() {
            let turned_away = take(&step).map(Step::turn_away);
            if let Some(finished) = turned_away {
                let _ = events.send(Event::Finished(Box::new(finished)));
            }
        }
    }

    /// Has pushed what a running step reports.
    fn drain(&mut self, exchange: Exchange, out: &mut Vec<u8>) {
        let reports = self.running.get(&exchange).map(Sink::drain);
        for report in reports.into_iter().flatten() {
            let turn = self.connection.report(report);
            self.act(turn, out);
        }
    }
}
