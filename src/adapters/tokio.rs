//! Lines over any pair of tokio streams: standard input and output, a Unix socket, TCP.

use std::collections::BTreeMap;
use std::io;

use ::tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use ::tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use ::tokio::task::{AbortHandle, spawn};
use ::tokio::time::{Duration, Instant, sleep, timeout_at};

use super::live::{Live, Notice};
use super::moment::moment;
use super::run::run;
use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::lines::Connection;
use crate::observation::Observation;
use crate::step::{Finished, Sink, Step};

/// How long steps may run on after the input has ended.
const GRACE: Duration = Duration::from_secs(10);

/// Serves one connection of lines until its input ends.
///
/// Async steps run as tasks of the runtime this is called in, plain ones on its blocking threads.
/// `caller` is who is at the other end, as far as the connection tells.
///
/// ```no_run
/// use mcp_reprise::{Caller, Server, adapters::{Live, dice, tokio::serve}};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let live = Live::from(Server::builder("demo", "1.0.0").single_process(dice()?).build()?);
/// let listener = tokio::net::UnixListener::bind("demo.sock")?;
/// loop {
///     let (stream, _) = listener.accept().await?;
///     let (reader, writer) = stream.into_split();
///     tokio::spawn(serve(live.clone(), Caller::anonymous(), reader, writer, |_| {}));
/// }
/// # }
/// ```
///
/// # Errors
///
/// When the output can not be written to, or the system gives no randomness.
pub async fn serve(
    live: Live,
    caller: Caller,
    mut input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
    observe: impl FnMut(&Observation),
) -> io::Result<()> {
    let (events, mut inbox) = unbounded_channel();
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
        caller,
        events,
        output,
        observe,
        running: BTreeMap::new(),
        next: 0,
    };
    let mut buffer = vec![0; 64 << 10];
    loop {
        let overdue = driver.connection.deadline().map(super::moment::until);
        ::tokio::select! {
            () = sleep(overdue.unwrap_or_default()), if overdue.is_some() => {
                driver.take(Event::Overdue).await?;
            }
            event = inbox.recv() => match event {
                Some(event) => driver.take(event).await?,
                None => return Ok(()),
            },
            count = input.read(&mut buffer) => {
                // A connection that breaks has ended as well.
                let count = count.unwrap_or(0);
                if count == 0 {
                    return driver.end(&mut inbox).await;
                }
                driver.feed(buffer.get(..count).unwrap_or_default()).await?;
            }
        }
    }
}

enum Event {
    Report(Exchange),
    Finished(Box<Finished>),
    Overdue,
    Flush,
    CloseListeners,
}

struct Running {
    sink: Sink,
    task: AbortHandle,
}

impl Drop for Running {
    /// A call nobody waits for is stopped, also when the whole connection is dropped.
    fn drop(&mut self) {
        self.sink.cancel();
        self.task.abort();
    }
}

struct Driver<W, O> {
    connection: Connection,
    live: Live,
    caller: Caller,
    events: UnboundedSender<Event>,
    output: W,
    observe: O,
    running: BTreeMap<Exchange, Running>,
    next: u64,
}

impl<W: AsyncWrite + Unpin, O: FnMut(&Observation)> Driver<W, O> {
    async fn feed(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = Vec::new();
        self.connection.feed(bytes);
        self.serve_lines(&mut out)?;
        self.write(&out).await
    }

    /// The input has ended: what is running is answered, if it comes to an end in time.
    async fn end(&mut self, inbox: &mut UnboundedReceiver<Event>) -> io::Result<()> {
        let mut out = Vec::new();
        self.connection.end();
        self.serve_lines(&mut out)?;
        self.connection.close_listeners(&mut out);
        self.write(&out).await?;
        let last = Instant::now() + GRACE;
        while self.connection.is_busy() {
            match timeout_at(last, inbox.recv()).await {
                Ok(Some(event)) => self.take(event).await?,
                Ok(None) | Err(_) => break,
            }
        }
        self.output.shutdown().await
    }

    async fn take(&mut self, event: Event) -> io::Result<()> {
        let mut out = Vec::new();
        match event {
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
        self.write(&out).await
    }

    async fn write(&mut self, out: &[u8]) -> io::Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        self.output.write_all(out).await?;
        self.output.flush().await
    }

    fn serve_lines(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.connection.replace_server(self.live.server());
        loop {
            let exchange = Exchange(self.next);
            let moment = moment()?;
            let turn = self
                .connection
                .next_turn(exchange, self.caller.clone(), &moment);
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
                Some(Action::Cancel { exchange }) => drop(self.running.remove(&exchange)),
                _ => {}
            }
        }
        for step in turn.steps {
            self.start(step);
        }
    }

    fn start(&mut self, step: Step) {
        let exchange = step.exchange();
        let events = self.events.clone();
        let sink = self.live.sink(exchange, {
            let events = events.clone();
            move || drop(events.send(Event::Report(exchange)))
        });
        let run = run(step, &sink);
        let task = spawn(async move {
            if let Some(finished) = run.await {
                let _ = events.send(Event::Finished(Box::new(finished)));
            }
        });
        let task = task.abort_handle();
        self.running.insert(exchange, Running { sink, task });
    }

    /// Has pushed what a running step reports.
    fn drain(&mut self, exchange: Exchange, out: &mut Vec<u8>) {
        let reports = self
            .running
            .get(&exchange)
            .map(|running| running.sink.drain());
        for report in reports.into_iter().flatten() {
            let turn = self.connection.report(report);
            self.act(turn, out);
        }
    }
}
