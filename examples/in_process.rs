//! Client and server in one thread, as in a game's loop or a plugin's host: no socket, no
//! runtime, no second thread. A step is a future that is polled once a frame.

pub mod shared;

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use mcp_reprise::adapters::{Live, Notice, Subscription, dice, moment, now};
use mcp_reprise::lines::Connection;
use mcp_reprise::{Caller, Exchange, Finished, Turn};

/// A step on its way.
type Run = Pin<Box<dyn Future<Output = Finished>>>;

/// One client's way to the server. Dropping it drops whatever runs for that client.
pub struct InProcess {
    live: Live,
    connection: Connection,
    running: Vec<(Exchange, Run)>,
    next: u64,
    /// What the server has said and the client has not taken yet: lines, a message each.
    pub said: Vec<u8>,
    _subscription: Subscription,
}

impl InProcess {
    pub fn new(live: Live) -> Self {
        let connection = Connection::new(live.server());
        let listeners = connection.listeners();
        let subscription = live.notifier().subscribe(move |notice| {
            if let Notice::Change(change) = notice {
                listeners.notify(change); // it is said with the next frame
            }
        });
        Self {
            live,
            connection,
            running: Vec::new(),
            next: 0,
            said: Vec::new(),
            _subscription: subscription,
        }
    }

    /// The client says something. Nothing runs yet.
    pub fn say(&mut self, message: &[u8]) -> std::io::Result<()> {
        self.next += 1;
        let (exchange, caller, moment) = (Exchange(self.next), Caller::anonymous(), moment()?);
        let turn = self.connection.receive(exchange, caller, message, &moment);
        self.perform(turn);
        Ok(())
    }

    /// One frame: every step is polled once, and what came of it is said.
    pub fn frame(&mut self) -> std::io::Result<()> {
        let mut context = Context::from_waker(Waker::noop());
        for (exchange, mut run) in std::mem::take(&mut self.running) {
            // One that was cancelled is over with this poll, and what it comes to is not said.
            let turn = match run.as_mut().poll(&mut context) {
                Poll::Ready(finished) => self.connection.finish(finished, &moment()?),
                Poll::Pending => {
                    self.running.push((exchange, run));
                    self.connection.reported(exchange)
                }
            };
            self.perform(turn);
        }
        if self.connection.deadline().is_some_and(|due| due <= now()) {
            let turn = self.connection.tick(&moment()?);
            self.perform(turn);
        }
        self.connection.flush(&mut self.said);
        Ok(())
    }

    fn perform(&mut self, turn: Turn) {
        let turn = self.live.settle(turn);
        for action in turn.actions {
            self.connection.write(action, &mut self.said);
        }
        for step in turn.steps {
            let (exchange, sink) = (step.exchange(), self.connection.sink(&step, || {}));
            let run: Run = Box::pin(step.run_async(&sink));
            self.running.push((exchange, run));
        }
    }
}

fn main() -> Result<(), shared::Failed> {
    let mut client = InProcess::new(shared::live(dice()?)?);
    client.say(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#)?;
    client.frame()?;
    println!("{}", String::from_utf8_lossy(&client.said));
    Ok(())
}
