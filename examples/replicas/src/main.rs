//! One replica of a small cinema: `replicas ADDRESS REDIS_URL`.

#![allow(
    clippy::disallowed_methods,
    reason = "an example is a driver: it reads its arguments and its key"
)]

use std::error::Error;

use axum::Router;
use axum::extract::{Request, State};
use axum::routing::any;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Change, Cx, Form, KeyRing, Outcome, Server, StateKey, Tool, ToolError};
use replicas::{Changes, Replica};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Day {
    day: String,
}

fn book(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("Which day?").choice("day", ["Saturday", "Sunday"]);
    let Day { day } = cx.elicit("day", form)?.accepted()?;
    let changes = cx
        .extension::<Changes>()
        .ok_or(ToolError::internal("no changes"))?;
    changes.tell(Change::ResourcesList);
    Ok(CallToolResult::text(format!("Booked for {day}")))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(address), Some(redis)) = (words.next(), words.next()) else {
        return Err("replicas ADDRESS REDIS_URL, with the key in MCP_STATE_KEY".into());
    };
    let key = StateKey::from_hex(&std::env::var("MCP_STATE_KEY")?)?;
    let build = |changes: Changes| {
        Server::builder("cinema", "1.0.0")
            .state_keys(KeyRing::new(key))
            .value(changes)
            .tool(Tool::new("book").description("Books for a day").step(book))
            .legacy()
            .build()
            .expect("what is offered here can be registered")
    };
    let replica = Replica::new(&redis, build).await?;
    let serve = |State(replica): State<Replica>, request: Request| async move {
        replica.serve(request).await
    };
    let app = Router::new().route("/mcp", any(serve)).with_state(replica);
    axum::serve(tokio::net::TcpListener::bind(address).await?, app).await?;
    Ok(())
}
