//! The worker: it runs what it is sent, with the functions of its own server.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mcp_reprise::adapters::{Live, Notice};
use mcp_reprise::{Exchange, Sink};

use super::broker::{Broker, ToFront, ToWorker};

pub fn run(live: &Live, broker: &Arc<Broker>) -> io::Result<()> {
    let changes = Arc::clone(broker);
    let _subscription = live.notifier().subscribe(move |notice| {
        if let Notice::Change(change) = notice {
            changes.send("front", &ToFront::Changed(change.clone()));
        }
    });
    let mut sinks: BTreeMap<Exchange, Sink> = BTreeMap::new();
    loop {
        let Some(message) = broker.receive("worker", Duration::from_secs(1)) else {
            continue;
        };
        let report = |exchange, sinks: &BTreeMap<Exchange, Sink>| {
            for report in sinks.get(&exchange).map(Sink::drain).unwrap_or_default() {
                broker.send("front", &ToFront::Reported(report));
            }
        };
        match message {
            ToWorker::Run(data) => {
                let (exchange, wake) = (data.exchange(), Arc::clone(broker));
                let sink = Sink::new(move || wake.send("worker", &ToWorker::Reported(exchange)));
                sinks.insert(exchange, sink.clone());
                let step = live.server().rejoin(*data);
                let step = step.ok_or_else(|| io::Error::other("a worker of another build"))?;
                let ends = Arc::clone(broker);
                thread::spawn(move || {
                    let finished = Box::new(step.run(&sink));
                    ends.send("worker", &ToWorker::Finished(finished));
                });
            }
            ToWorker::Cancel(exchange) => sinks.get(&exchange).into_iter().for_each(Sink::cancel),
            ToWorker::Reported(exchange) => report(exchange, &sinks),
            ToWorker::Finished(finished) => {
                // What it said before it ended goes before what it ended with.
                report(finished.exchange(), &sinks);
                sinks.remove(&finished.exchange());
                broker.send("front", &ToFront::Finished(finished));
            }
        }
    }
}
