//! The front: it holds what is open for each client, and runs nothing.

use std::{collections::BTreeMap, io, time::Duration};

use mcp_reprise::adapters::{Live, moment, now};
use mcp_reprise::lines::Connection;
use mcp_reprise::{Action, Caller, Exchange, Moment, Turn};

use super::broker::{Broker, ToFront, ToWorker};

pub struct Front<'a> {
    pub live: &'a Live,
    pub broker: &'a Broker,
    pub clients: BTreeMap<String, Connection>,
    /// Whose the steps are that run.
    pub running: BTreeMap<Exchange, String>,
    pub next: u64,
}

impl Front<'_> {
    pub fn run(&mut self) -> io::Result<()> {
        loop {
            let dues = self.clients.values().filter_map(Connection::deadline);
            let wait = dues.min().map(|due| due.since(now()));
            let wait = wait.unwrap_or(Duration::from_secs(60));
            match self.broker.receive("front", wait) {
                Some(message) => self.take(message, &moment()?),
                None => self.all(Connection::tick, &moment()?),
            }
        }
    }

    fn take(&mut self, message: ToFront, moment: &Moment) {
        match message {
            ToFront::Said { client, message } => {
                self.next += 1;
                let opened = self.clients.entry(client.clone());
                let connection = opened.or_insert_with(|| Connection::new(self.live.server()));
                let (exchange, caller) = (Exchange(self.next), Caller::principal(&*client));
                let turn = connection.receive(exchange, caller, message.as_bytes(), moment);
                self.perform(&client, turn);
            }
            ToFront::Gone { client } => {
                self.clients.remove(&client);
                for (exchange, _) in self.running.iter().filter(|(_, whose)| **whose == client) {
                    self.broker.send("worker", &ToWorker::Cancel(*exchange));
                }
            }
            ToFront::Reported(report) => {
                let client = self.running.get(&report.exchange()).cloned();
                self.one(client, |connection| connection.report(report));
            }
            ToFront::Finished(finished) => {
                let client = self.running.remove(&finished.exchange());
                self.one(client, |connection| connection.finish(*finished, moment));
            }
            ToFront::Changed(change) => {
                self.clients.values().for_each(|connection| {
                    connection.listeners().notify(&change);
                });
                self.all(|_, _| Turn::default(), moment);
            }
        }
    }

    fn all(&mut self, feed: impl Fn(&mut Connection, &Moment) -> Turn, moment: &Moment) {
        for client in Vec::from_iter(self.clients.keys().cloned()) {
            self.one(Some(client), |connection| feed(connection, moment));
        }
    }

    fn one(&mut self, client: Option<String>, feed: impl FnOnce(&mut Connection) -> Turn) {
        let Some(client) = client else { return };
        let turn = self.clients.get_mut(&client).map(feed);
        self.perform(&client, turn.unwrap_or_default());
    }

    fn perform(&mut self, client: &str, turn: Turn) {
        let turn = self.live.settle(turn);
        let Some(connection) = self.clients.get_mut(client) else {
            return;
        };
        let mut out = Vec::new();
        for action in turn.actions {
            if let Some(Action::Cancel { exchange }) = connection.write(action, &mut out) {
                self.broker.send("worker", &ToWorker::Cancel(exchange));
            }
        }
        connection.flush(&mut out);
        for step in turn.steps {
            self.running.insert(step.exchange(), client.to_owned());
            let run = ToWorker::Run(Box::new(step.into_data()));
            self.broker.send("worker", &run);
        }
        for message in String::from_utf8_lossy(&out).lines() {
            self.broker.send(client, &message);
        }
    }
}
