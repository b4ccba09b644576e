//! One connection: its buffer, its open requests, its listeners.

use super::buffer::{Buffer, Line as Cut};
use super::listeners::Listeners;
use super::{Line, Sessions};
use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::json::Json;
use crate::message::{Id, Notification};
use crate::moment::{Moment, Timestamp};
use crate::observation::Observation;
use crate::protocol::ErrorObject;
use crate::server::{Read, Refused, Server};
use crate::step::{Finished, Report, Running, Sink, Step};

/// One connection of lines: bytes in, lines out. It reads no socket and writes none.
///
/// ```
/// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp, lines::Connection};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
/// let mut connection = Connection::new(server);
/// let mut out = Vec::new();
///
/// connection.feed(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
/// connection.feed(b"\n");
/// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
/// while let Some(turn) = connection.next_turn(Exchange(1), Caller::anonymous(), &moment) {
///     for action in turn.actions {
///         connection.write(action, &mut out);
///     }
/// }
/// assert!(String::from_utf8(out)?.ends_with("}\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Connection {
    server: Server,
    buffer: Buffer,
    /// What was not answered yet, each with its id if that is one to cancel it by. Few, so a search
    /// through them is quick.
    pub(super) open: Vec<(Exchange, Option<Id>)>,
    ended: bool,
    listeners: Listeners,
    pub(super) sessions: Sessions,
    running: Running,
}

impl Connection {
    /// A connection to this server, before its first byte.
    pub fn new(server: Server) -> Self {
        let listeners = Listeners::default();
        Self {
            server,
            buffer: Buffer::default(),
            open: Vec::new(),
            ended: false,
            sessions: listeners.sessions.clone(),
            listeners,
            running: Running::default(),
        }
    }

    /// The server this connection is to.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Puts another server in the place of this one; what is open stays open.
    pub fn replace_server(&mut self, server: Server) {
        self.server = server;
    }

    /// Takes bytes as they come, in any pieces. Then call [`Connection::next_turn`] until it
    /// gives nothing more.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.feed(bytes);
    }

    /// No more bytes will come. What was left of a line is a line, and every request that was
    /// read is still answered.
    pub fn end(&mut self) {
        self.buffer.end();
        self.ended = true;
    }

    /// Serves the next whole line, if there is one. Each call needs dice of its own.
    ///
    /// Where a line needs no answer, the turn is empty.
    pub fn next_turn(
        &mut self,
        exchange: Exchange,
        caller: Caller,
        moment: &Moment,
    ) -> Option<Turn> {
        let line = match self.buffer.next(self.server.limits().body_bytes) {
            Some(Cut::Text(line)) => line,
            Some(Cut::TooLong) => return Some(self.refuse(exchange, Refused::TooLong)),
            None => {
                self.hang_up();
                return None;
            }
        };
        Some(self.receive(exchange, caller, &line, moment))
    }

    /// Serves one message, for a transport whose messages have their own bounds, such as a
    /// WebSocket, a queue, or a call within the process. A line break in it is white space.
    ///
    /// ```
    /// use mcp_reprise::{Action, Caller, Exchange, Moment, Server, Timestamp, lines::Connection};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let mut connection = Connection::new(server);
    /// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
    /// let message = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    /// let turn = connection.receive(Exchange(1), Caller::anonymous(), message, &moment);
    /// assert!(matches!(&*turn.actions, [Action::Respond { .. }]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn receive(
        &mut self,
        exchange: Exchange,
        caller: Caller,
        message: &[u8],
        moment: &Moment,
    ) -> Turn {
        if message.len() > self.server.limits().body_bytes {
            return self.refuse(exchange, Refused::TooLong);
        }
        let server = self.server.clone();
        let ours = Line {
            server: &server,
            exchange,
            caller: &caller,
            text: message,
            moment,
        };
        if let Some(turn) = self.sessions.take(&ours, &mut self.open) {
            return turn;
        }
        let outline = match server.outline(message) {
            Ok(outline) => outline,
            Err(refused) => return self.refuse(exchange, refused),
        };
        match server.read(outline.json()) {
            Err(refused) => self.refuse(exchange, refused),
            Ok(Read::Notification(notification)) => self.notified(&notification),
            Ok(Read::Response) => Turn::default().observed(Observation::Rejected {
                exchange,
                reason: "a response that answers nothing".to_owned(),
            }),
            Ok(read) => match self.admit(exchange, read.id()) {
                Err(error) => self.refuse(exchange, Refused::from(error)),
                Ok(()) => server.serve(exchange, caller, read, moment),
            },
        }
    }

    /// Answers what is no request to serve.
    fn refuse(&mut self, exchange: Exchange, refused: Refused) -> Turn {
        self.open.push((exchange, None));
        refused.into_turn(exchange)
    }

    /// Nothing more will come: whoever waits for the client's answer waits in vain.
    fn hang_up(&mut self) {
        if self.ended {
            for exchange in self.sessions.close() {
                self.close(exchange);
            }
        }
    }

    /// The sink for a step that is about to run, kept here for as long as it does: what the step
    /// reports is taken from it, by [`Connection::reported`] and before it is finished, and it is
    /// cancelled when the step is to be stopped, or when the connection is dropped. `wake` runs
    /// inside the step whenever the first report waits: it should do no more than wake.
    /// ```
    /// use mcp_reprise::{Finished, Step, lines::Connection};
    ///
    /// fn run(connection: &mut Connection, step: Step, wake: fn()) -> Finished {
    ///     let sink = connection.sink(&step, wake);
    ///     step.run(&sink) // here, or wherever the driver likes
    /// }
    /// # let _ = run;
    /// ```
    pub fn sink(&mut self, step: &Step, wake: impl Fn() + Send + Sync + 'static) -> Sink {
        self.running.begin(step, Sink::new(wake))
    }

    /// Takes what a running step has reported so far, from the sink it was given by
    /// [`Connection::sink`]: to be called when that wakes.
    pub fn reported(&mut self, exchange: Exchange) -> Turn {
        let mut turn = Turn::default();
        for report in self.running.reports(exchange) {
            turn.extend(self.report(report));
        }
        turn
    }

    /// Takes a step back that has run, and answers.
    pub fn finish(&mut self, finished: Finished, moment: &Moment) -> Turn {
        // What it said before it ended comes before what it ended with.
        let mut turn = self.reported(finished.exchange());
        self.running.end(finished.exchange());
        let ended = self.sessions.finish(&self.server, finished, moment);
        turn.extend(ended.unwrap_or_else(|finished| self.server.finish(*finished)));
        turn
    }

    /// Takes a report of a running step, from a sink of the driver's own, and has it pushed.
    pub fn report(&mut self, report: Report) -> Turn {
        match self.sessions.report(&self.server, report) {
            Ok(turn) => turn,
            Err(report) => self.server.report(report),
        }
    }

    /// When to come back with [`Connection::tick`], if anything has a deadline.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.sessions.deadline()
    }

    /// Ends what is overdue.
    pub fn tick(&mut self, moment: &Moment) -> Turn {
        self.sessions.tick(&self.server, moment)
    }

    /// Opens a request, unless its id is taken or too many are open.
    ///
    /// The refusal names no id: the client would take it for the answer to the other request.
    fn admit(&mut self, exchange: Exchange, id: Option<&Id>) -> Result<(), ErrorObject> {
        let Some(id) = id else { return Ok(()) };
        if self.open.iter().any(|(_, open)| open.as_ref() == Some(id)) {
            return Err(ErrorObject::invalid_request(
                "The id is the id of a request that is still open",
            ));
        }
        if self.open.len() >= self.server.limits().open_requests {
            return Err(ErrorObject::internal_error("Too many requests are open"));
        }
        self.open.push((exchange, Some(id.clone())));
        Ok(())
    }

    /// A cancellation ends the request it names, by value and type of its id. All else that a
    /// notification could say is nothing to us.
    ///
    /// See [Cancellation](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation).
    fn notified(&mut self, notification: &Notification<'_>) -> Turn {
        let named = notification
            .params
            .filter(|_| notification.method == "notifications/cancelled")
            .and_then(|params| params.get("requestId"))
            .and_then(|id: Json<'_>| Id::try_from(Box::from(id.text())).ok());
        let found = named.and_then(|named| {
            let mut open = self.open.iter();
            open.position(|(_, id)| id.as_ref() == Some(&named))
        });
        let Some(place) = found else {
            return Turn::default();
        };
        let (exchange, _) = self.open.swap_remove(place);
        self.listeners.lock().remove(&exchange);
        let turn = Turn::act(Action::Cancel { exchange });
        match self.server.offering.observes {
            true => turn.observed(Observation::CallCancelled { exchange }),
            false => turn,
        }
    }

    /// Does an action: writes its line, keeps its listener, or gives it back for the driver to do.
    ///
    /// Nothing is written for a request that was cancelled. Of what is given back, an
    /// [`Action::Claim`] is to be made, and after an [`Action::Cancel`] what runs for its exchange
    /// may be dropped: a sink from [`Connection::sink`] knows of it. The rest needs no doing.
    pub fn write(&mut self, action: Action, out: &mut Vec<u8>) -> Option<Action> {
        match action {
            Action::Respond { exchange, response }
            | Action::InputRequired { exchange, response } => {
                let was_open = self.close(exchange);
                if let Some(message) = response.message.filter(|_| was_open) {
                    line(&message, out);
                }
                None
            }
            Action::Push {
                exchange, message, ..
            } => {
                let open = self.open.iter().any(|(open, _)| *open == exchange)
                    || self.sessions.stands_on(exchange);
                if open && !message.is_empty() {
                    line(&message, out);
                }
                None
            }
            Action::Listen(listener) => {
                self.listeners.lock().insert(listener.exchange(), listener);
                None
            }
            Action::Cancel { exchange } => {
                self.close(exchange);
                self.running.cancel(exchange);
                Some(Action::Cancel { exchange })
            }
            other => Some(other),
        }
    }

    fn close(&mut self, exchange: Exchange) -> bool {
        let place = self.open.iter().position(|(open, _)| *open == exchange);
        place.map(|place| self.open.swap_remove(place)).is_some()
    }

    /// Whether a request waits for its answer. Listeners do not count: they wait for the client.
    pub fn is_busy(&self) -> bool {
        self.open.len() > self.listeners.lock().len()
    }

    /// The listeners, to be told of changes.
    pub fn listeners(&self) -> Listeners {
        self.listeners.clone()
    }

    /// Writes what waits for listeners.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        for listener in self.listeners.lock().values_mut() {
            while let Some(Action::Push { message, .. }) = listener.next_push() {
                line(&message, out);
            }
        }
        for action in self.sessions.flush().actions {
            self.write(action, out);
        }
    }

    /// Ends every listener gracefully, as a shutdown does.
    ///
    /// On lines a `notifications/cancelled` goes before the result, as the specification
    /// [asks](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation).
    pub fn close_listeners(&mut self, out: &mut Vec<u8>) {
        self.flush(out);
        let listeners = std::mem::take(&mut *self.listeners.lock());
        for (exchange, listener) in listeners {
            let id = listener.id().as_json();
            let cancelled = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            );
            line(cancelled.as_bytes(), out);
            for action in listener.close() {
                self.write(action, out);
            }
            self.close(exchange);
        }
    }
}

/// A message is JSON text from our own writers, which never break a line.
fn line(message: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(message);
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::Timestamp;

    /// Feeds lines, and gives what is written for them.
    fn written(lines: &str) -> String {
        let server = Server::builder("demo", "1.0.0").single_process([7; 32]);
        let mut connection = Connection::new(server.build().unwrap());
        let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
        let mut out = Vec::new();
        connection.feed(lines.as_bytes());
        while let Some(turn) = connection.next_turn(Exchange(1), Caller::anonymous(), &moment) {
            for action in turn.actions {
                assert!(connection.write(action, &mut out).is_none());
            }
        }
        assert!(!connection.is_busy());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_refused_is_answered_under_its_id() {
        let unreadable = r#"{"jsonrpc":"2.0","id":"p","method":"tools/call","params":"x"}"#;
        let answer = written(&format!("{unreadable}\n"));
        assert!(answer.contains(r#""id":"p","error""#), "{answer}");
        assert_eq!(answer.lines().count(), 1);

        assert!(written("{\n").contains("-32700"));
    }
}
