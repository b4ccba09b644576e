//! The client over a channel of whole messages: lines, frames, a queue.

use serde_json::{Value, json};

use super::{
    NOTE, check_booked, check_progress, check_rounds, in_session, initialize, initialized, modern,
    reply, text, until,
};

/// One end of a channel. Dropping it is hanging up.
pub trait Peer {
    /// Sends a message.
    fn send(&mut self, message: &Value);

    /// The next message of the server.
    fn receive(&mut self) -> Value;
}

/// A client that knows which answer belongs to which request.
pub struct Client<P> {
    peer: P,
    next: u64,
}

impl<P: Peer> Client<P> {
    pub fn new(peer: P) -> Self {
        Self { peer, next: 0 }
    }

    fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.peer.send(&modern(self.next, method, params));
        self.next
    }

    /// All messages up to the answer to a request, which is the last of them.
    fn answered(&mut self, id: u64) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            let message = self.peer.receive();
            let is_answer = message["id"] == id && message["method"].is_null();
            messages.push(message);
            if is_answer {
                return messages;
            }
        }
    }

    fn call(&mut self, params: Value) -> Value {
        let id = self.request("tools/call", params);
        self.answered(id).pop().unwrap()
    }

    fn notified(&mut self, method: &str) -> Value {
        loop {
            let message = self.peer.receive();
            if message["method"] == method {
                return message;
            }
        }
    }

    fn status(&mut self) -> Value {
        let status = self.call(json!({ "name": "status" }));
        serde_json::from_str(text(&status)).unwrap()
    }

    /// Calls `wait`, and comes back when it runs.
    fn begin_to_wait(&mut self) -> u64 {
        let id = self.request("tools/call", json!({ "name": "wait" }));
        self.notified("notifications/progress");
        id
    }
}

/// Checks all that goes over one channel, and over one that breaks.
pub fn check<P: Peer>(mut connect: impl FnMut() -> P) {
    let mut client = Client::new(connect());
    let echoed = client.call(json!({ "name": "echo", "arguments": { "a": [1, "é"] } }));
    assert_eq!(text(&echoed), r#"{"a":[1,"é"]}"#);

    check_rounds(|params| client.call(params));

    let id = client.request("tools/call", json!({ "name": "count" }));
    check_progress(&client.answered(id));

    let wanted = json!({ "notifications": { "resourceSubscriptions": [NOTE] } });
    client.request("subscriptions/listen", wanted);
    client.notified("notifications/subscriptions/acknowledged");
    client.request("tools/call", json!({ "name": "touch" }));
    let updated = client.notified("notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], NOTE);

    // Two may wait at once. One is cancelled, the other is released, and only that is answered.
    let cancelled = client.begin_to_wait();
    let released = client.begin_to_wait();
    let params = json!({ "requestId": cancelled });
    client
        .peer
        .send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    until("cancelled", || client.status()["cancelled"] == 1);
    client.request("tools/call", json!({ "name": "release" }));
    let messages = client.answered(released);
    assert_eq!(text(messages.last().unwrap()), "waited");
    assert!(messages.iter().all(|message| message["id"] != cancelled));

    // A channel that breaks ends what was called over it.
    let mut gone = Client::new(connect());
    gone.begin_to_wait();
    drop(gone);
    until("hung up", || client.status()["cancelled"] == 2);
}

/// Checks a session of revision 2025-11-25 over a channel: its questions are requests of the
/// server.
pub fn check_session<P: Peer>(connect: impl FnOnce() -> P) {
    let mut client = Client::new(connect());
    client.peer.send(&initialize());
    let opened = client.answered(0).pop().unwrap();
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    client.peer.send(&initialized());

    let book = in_session(1, "book", json!({ "film": "Heat" }));
    client.peer.send(&book);
    for _ in 0..2 {
        let asked = client.notified("elicitation/create");
        client.peer.send(&reply(&asked));
    }
    check_booked(&client.answered(1).pop().unwrap());

    client.peer.send(&in_session(2, "count", json!({})));
    check_progress(&client.answered(2));
}
