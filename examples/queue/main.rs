//! Queues: client, front and worker know each other by the names of queues of text, as with
//! NATS, SQS or a table. The front holds what is open and runs nothing: a step goes to the worker
//! as text, and how it ended comes back as text.

#![allow(clippy::disallowed_methods, reason = "a driver has threads")]

#[path = "broker.rs"]
pub mod broker;
#[path = "front.rs"]
pub mod front;
#[path = "../shared/mod.rs"]
mod shared;
#[path = "worker.rs"]
pub mod worker;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use broker::{Broker, ToFront};
use front::Front;

/// Starts both, each with a server of its own: of one build, and with one key.
pub fn serve(broker: &Arc<Broker>) -> Result<(), shared::Failed> {
    let (front, worker) = (shared::live([7; 32])?, shared::live([7; 32])?);
    let (fronts, workers) = (Arc::clone(broker), Arc::clone(broker));
    thread::spawn(move || {
        let (clients, running, next) = (BTreeMap::new(), BTreeMap::new(), 0);
        let (live, broker) = (&front, &*fronts);
        Front {
            live,
            broker,
            clients,
            running,
            next,
        }
        .run()
    });
    thread::spawn(move || worker::run(&worker, &workers));
    Ok(())
}

fn main() -> Result<(), shared::Failed> {
    let broker = Arc::default();
    serve(&broker)?;
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_owned();
    let client = "replies.1".to_owned();
    broker.send("front", &ToFront::Said { client, message });
    let said: Option<String> = broker.receive("replies.1", Duration::from_secs(10));
    println!("{said:?}");
    Ok(())
}
