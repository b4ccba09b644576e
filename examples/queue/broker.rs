//! What stands for NATS, SQS or a table here: queues of text, by name, and what goes through
//! those of the front and of the worker.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use mcp_reprise::{Change, Exchange, Finished, Report, StepData};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the front is told. A client is known by the queue of its replies.
#[derive(Serialize, Deserialize)]
pub enum ToFront {
    Said { client: String, message: String },
    Gone { client: String },
    Reported(Report),
    Finished(Box<Finished>),
    Changed(Change),
}

/// What the worker is told. With several workers each needs a queue of its own beside the one
/// they share, for what is cancelled.
#[derive(Serialize, Deserialize)]
pub enum ToWorker {
    Run(Box<StepData>),
    Cancel(Exchange),
    /// By its own threads, as the next.
    Reported(Exchange),
    Finished(Box<Finished>),
}

#[derive(Default)]
pub struct Broker {
    queues: Mutex<BTreeMap<String, VecDeque<String>>>,
    arrived: Condvar,
}

impl Broker {
    pub fn send(&self, queue: &str, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("messages can be written");
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.entry(queue.to_owned()).or_default().push_back(text);
        self.arrived.notify_all();
    }

    /// The next message of a queue, or none when that takes too long.
    pub fn receive<T: DeserializeOwned>(&self, queue: &str, patience: Duration) -> Option<T> {
        let queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let is_empty = |queues: &mut BTreeMap<String, VecDeque<String>>| {
            queues.get(queue).is_none_or(VecDeque::is_empty)
        };
        let waited = self.arrived.wait_timeout_while(queues, patience, is_empty);
        let (mut queues, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let text = queues.get_mut(queue)?.pop_front()?;
        Some(serde_json::from_str(&text).expect("messages can be read"))
    }
}
