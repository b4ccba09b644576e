//! The client over HTTP/1.1, on a socket of its own for each request: dropping a response hangs
//! up.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use super::{
    NOTE, PATIENCE, check_booked, check_progress, check_rounds, in_session, initialize,
    initialized, modern, reply, text, until,
};

/// An endpoint, and what its clients send in every request.
pub struct Site {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

impl Site {
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            headers: Vec::new(),
        }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends a request, and reads the head of the response.
    pub fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} /mcp HTTP/1.1\r\nhost: {}\r\n", self.address);
        head += "accept: application/json, text/event-stream\r\n";
        let ours = self.headers.iter().map(|(name, value)| (&**name, &**value));
        for (name, value) in ours.chain(headers.iter().copied()) {
            head += &format!("{name}: {value}\r\n");
        }
        if method == "POST" {
            head += "content-type: application/json\r\n";
            head += &format!("content-length: {}\r\n", body.len());
        }
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .unwrap();
        Response::read(stream).unwrap()
    }

    /// Sends a request of revision 2026-07-28.
    pub fn request(&self, id: u64, method: &str, params: Value) -> Response {
        let mut headers = vec![
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        let name = params["name"].as_str().map(str::to_owned);
        headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
        self.send("POST", &headers, &modern(id, method, params).to_string())
    }

    /// The answer to a call.
    pub fn call(&self, params: Value) -> Value {
        let mut messages = self.request(1, "tools/call", params).messages();
        messages.pop().expect("an answer")
    }

    fn status(&self) -> Value {
        let status = self.call(json!({ "name": "status" }));
        serde_json::from_str(text(&status)).unwrap()
    }

    fn cancelled(&self) -> u64 {
        self.status()["cancelled"].as_u64().unwrap()
    }

    /// Calls `wait`, and comes back when it runs.
    fn begin_to_wait(&self) -> Response {
        let mut response = self.request(7, "tools/call", json!({ "name": "wait" }));
        assert_eq!(response.event().message["method"], "notifications/progress");
        response
    }
}

/// A response whose body is still to be read.
pub struct Response {
    pub status: u16,
    pub head: BTreeMap<String, String>,
    body: BufReader<Body>,
}

/// One event of a stream.
pub struct Event {
    pub id: Option<String>,
    pub message: Value,
}

impl Response {
    fn read(stream: TcpStream) -> io::Result<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {line:?}"));
        let mut head = BTreeMap::new();
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            head.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let is_chunked = head
            .get("transfer-encoding")
            .is_some_and(|coding| coding == "chunked");
        let length = head
            .get("content-length")
            .and_then(|length| length.parse().ok());
        let body = Body {
            reader,
            is_chunked,
            left: match (is_chunked, length) {
                (true, _) => 0,
                (false, length) => length.unwrap_or(u64::MAX),
            },
        };
        Ok(Self {
            status,
            head,
            body: BufReader::new(body),
        })
    }

    fn is_stream(&self) -> bool {
        self.head
            .get("content-type")
            .is_some_and(|media| media == "text/event-stream")
    }

    /// The next event that holds a message, comments and empty ones left out.
    pub fn event(&mut self) -> Event {
        self.next_event().expect("the stream ended")
    }

    fn next_event(&mut self) -> Option<Event> {
        assert!(self.is_stream(), "{} {:?}", self.status, self.head);
        let (mut id, mut data) = (None, String::new());
        loop {
            let mut line = String::new();
            if self.body.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            if let Some(said) = line.strip_prefix("data: ") {
                data += said;
            } else if let Some(said) = line.strip_prefix("id: ") {
                id = Some(said.to_owned());
            } else if line.is_empty() && !data.is_empty() {
                let message = serde_json::from_str(&data).unwrap();
                return Some(Event { id, message });
            }
        }
    }

    /// All messages up to the end of the response.
    pub fn messages(mut self) -> Vec<Value> {
        if self.is_stream() {
            let events = std::iter::from_fn(|| self.next_event());
            return events.map(|event| event.message).collect();
        }
        let mut body = String::new();
        self.body.read_to_string(&mut body).unwrap();
        let message = serde_json::from_str(&body);
        vec![message.unwrap_or_else(|_| panic!("{} {body:?}", self.status))]
    }
}

/// The body, without the frame that HTTP puts around it.
struct Body {
    reader: BufReader<TcpStream>,
    is_chunked: bool,
    /// Of the body, or of the chunk.
    left: u64,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && self.is_chunked {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            if line == "\r\n" {
                // The end of the chunk before.
                line.clear();
                self.reader.read_line(&mut line)?;
            }
            self.left = u64::from_str_radix(line.trim_end(), 16).unwrap_or(0);
        }
        let count = (&mut self.reader).take(self.left).read(buffer)?;
        if self.left != u64::MAX {
            self.left -= count as u64;
        }
        Ok(count)
    }
}

/// Checks all that revision 2026-07-28 has an endpoint carry.
pub fn check(site: &Site) {
    let echoed = site.call(json!({ "name": "echo", "arguments": { "a": [1, "é"] } }));
    assert_eq!(text(&echoed), r#"{"a":[1,"é"]}"#);
    let refused = site.send("PUT", &[], "");
    assert_eq!(refused.status, 405);

    check_rounds(|params| site.call(params));

    let counting = site.request(2, "tools/call", json!({ "name": "count" }));
    check_progress(&counting.messages());

    let wanted = json!({ "notifications": { "resourceSubscriptions": [NOTE] } });
    let mut listening = site.request(3, "subscriptions/listen", wanted);
    let acknowledged = listening.event().message;
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    site.call(json!({ "name": "touch" }));
    let updated = listening.event().message;
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], NOTE);
    drop(listening);

    // Whoever hangs up ends the call, and no other.
    let after = site.cancelled() + 1;
    let gone = site.begin_to_wait();
    let released = site.begin_to_wait();
    drop(gone);
    until("hung up", || site.cancelled() == after);
    assert_eq!(site.status()["waiting"], 1);
    site.call(json!({ "name": "release" }));
    assert_eq!(text(released.messages().last().unwrap()), "waited");
}

/// Checks a session of revision 2025-11-25: its questions are requests of the server, and whoever
/// hangs up comes back for the rest.
pub fn check_session(site: &Site) {
    let opened = site.send("POST", &[], &initialize().to_string());
    let session = opened.head["mcp-session-id"].clone();
    assert_eq!(
        opened.messages()[0]["result"]["protocolVersion"],
        "2025-11-25"
    );
    let headers = [
        ("mcp-session-id", &*session),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let post = |message: Value| site.send("POST", &headers, &message.to_string());
    assert_eq!(post(initialized()).status, 202);

    let mut booking = post(in_session(1, "book", json!({ "film": "Heat" })));
    for _ in 0..2 {
        let asked = booking.event().message;
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        assert_eq!(post(reply(&asked)).status, 202);
    }
    check_booked(&booking.event().message);

    let counting = post(in_session(2, "count", json!({})));
    check_progress(&counting.messages());

    let after = site.cancelled() + 1;
    let mut waiting = post(in_session(3, "wait", json!({})));
    let last = waiting.event();
    assert_eq!(last.message["method"], "notifications/progress");
    drop(waiting);
    // By the time that a client who hung up later has been missed, this one was missed too.
    drop(site.begin_to_wait());
    until("hung up", || site.cancelled() == after);
    assert_eq!(site.status()["waiting"], 1, "the session's call goes on");
    let id = last.id.expect("an event that can be gone on from");
    let resume = [headers[0], headers[1], ("last-event-id", &*id)];
    let mut resumed = site.send("GET", &resume, "");
    site.call(json!({ "name": "release" }));
    assert_eq!(text(&resumed.event().message), "waited");
    assert_eq!(site.send("DELETE", &headers, "").status, 200);
}
