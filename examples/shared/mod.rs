//! The server that every embedding serves: one tool for each thing that a transport must carry.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_reprise::adapters::{Live, Notifier};
use mcp_reprise::protocol::{CallToolResult, ReadResourceResult};
use mcp_reprise::{
    Change, Cx, Form, KeyRing, Limits, Outcome, Progress, Resource, Server, StateKey, Tool,
};
use serde_json::{Value, json};

/// What can go wrong with a driver.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// What `touch` changes, for those who listen.
pub const NOTE: &str = "note://desk";

/// A silent stream gets a comment this often. Where a transport learns only from a write that
/// failed that its client has gone, that is how soon it learns it. The default is 15 seconds.
const KEEP_ALIVE: Duration = Duration::from_millis(250);

/// The server in service. Replicas of it share a key.
pub fn live(key: [u8; 32]) -> Result<Live, Failed> {
    // It is there before the server, so that a tool can tell of what it has changed.
    let notifier = Notifier::default();
    let changed = notifier.clone();
    let waits = Waits::default();
    let (began, released, told) = (waits.clone(), waits.clone(), waits);
    let wait = async move |cx: &mut Cx, _: Value| -> Outcome {
        let wait = began.begin();
        cx.progress(Progress::new(1).of(2));
        wait.await;
        Ok(CallToolResult::text("waited"))
    };
    let server = Server::builder("embedded", "1.0.0")
        .state_keys(KeyRing::new(StateKey::new(&key)?))
        .limits(Limits {
            keep_alive: KEEP_ALIVE,
            ..Limits::default()
        })
        .resource(
            Resource::new(NOTE, "note")
                .step(|_: &mut Cx, _: Value| ReadResourceResult::text(NOTE, "a note")),
        )
        .tool(Tool::new("echo").step(|_: &mut Cx, arguments: Value| arguments.to_string()))
        .tool(Tool::new("book").step(book))
        .tool(Tool::new("count").step(count))
        .tool(Tool::new("wait").step(wait))
        .tool(Tool::new("release").step(move |_: &mut Cx, _: Value| released.release()))
        .tool(Tool::new("status").step(move |_: &mut Cx, _: Value| told.status()))
        .tool(Tool::new("touch").step(move |_: &mut Cx, _: Value| {
            changed.notify(Change::resource(NOTE));
            "touched".to_owned()
        }));
    #[cfg(feature = "legacy")]
    let server = server.legacy();
    Ok(Live::new(server.build()?, notifier))
}

/// Asks two questions, one after the other.
async fn book(cx: &mut Cx, arguments: Value) -> Outcome {
    let day: Value = cx
        .elicit("day", Form::new("Which day?").text("day"))?
        .accepted()?;
    let seats: Value = cx
        .elicit("seats", Form::new("How many seats?").integer("seats"))?
        .accepted()?;
    let (film, day, seats) = (&arguments["film"], &day["day"], &seats["seats"]);
    let booked = json!({ "film": film, "day": day, "seats": seats });
    Ok(CallToolResult::text(booked.to_string()))
}

/// Says how far it has come, three times.
fn count(cx: &mut Cx, _: Value) -> Outcome {
    for n in 1..=3 {
        cx.progress(Progress::new(n).of(3));
    }
    Ok(CallToolResult::text("counted"))
}

/// Who waits in `wait`, and how it went with those who did. It needs no runtime.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    waiting: u32,
    released: u32,
    /// Dropped where they stood, since nobody waited for them any more.
    cancelled: u32,
    /// How often all who waited were released.
    releases: u32,
    wakers: Vec<Waker>,
}

impl Waits {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> Wait {
        let mut counts = self.lock();
        counts.waiting += 1;
        Wait {
            since: counts.releases,
            waits: self.clone(),
        }
    }

    fn release(&self) -> String {
        let mut counts = self.lock();
        counts.releases += 1;
        counts.wakers.drain(..).for_each(Waker::wake);
        "released".to_owned()
    }

    fn status(&self) -> String {
        let counts = self.lock();
        let (waiting, released, cancelled) = (counts.waiting, counts.released, counts.cancelled);
        json!({ "waiting": waiting, "released": released, "cancelled": cancelled }).to_string()
    }
}

/// Waits to be released.
struct Wait {
    since: u32,
    waits: Waits,
}

impl Future for Wait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut counts = self.waits.lock();
        if counts.releases > self.since {
            return Poll::Ready(());
        }
        counts.wakers.push(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut counts = self.waits.lock();
        counts.waiting -= 1;
        match counts.releases > self.since {
            true => counts.released += 1,
            false => counts.cancelled += 1,
        }
    }
}
