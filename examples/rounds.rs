//! One call of a tool that asks two questions, round by round, with no IO but printing.
//!
//! The clock and the dice are made up, so the output is the same each time.

use std::error::Error;

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Action, Caller, Cx, Exchange, Form, Moment, Outcome, Server, Sink, Timestamp, Tool,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Book {
    film: String,
}

#[derive(Deserialize)]
struct Day {
    day: String,
}

#[derive(Deserialize)]
struct Seats {
    seats: u32,
}

fn book(cx: &mut Cx, args: Book) -> Outcome {
    println!("   the tool begins at its first line");
    let day = Form::new(format!("Which day for {}?", args.film)).text("day");
    let Day { day } = cx.elicit("day", day)?.accepted()?;
    println!("   the tool knows the day: {day}");
    let Seats { seats } = cx
        .elicit("seats", Form::new("How many seats?").integer("seats"))?
        .accepted()?;
    println!("   the tool knows the seats: {seats}");
    let told = format!("{seats} seats for {} on {day}", args.film);
    Ok(CallToolResult::text(told))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("A call of `book`, round by round.");
    let server = Server::builder("cinema", "1.0.0")
        .single_process([7; 32])
        .tool(Tool::new("book").step(book))
        .build()?;

    let first = play(&server, 1, json!({}))?;
    let second = play(&server, 2, answer(&first, "day", json!("Sunday")))?;
    play(&server, 3, answer(&second, "seats", json!(2)))?;
    Ok(())
}

/// What the client sends back: its user's answer, and the state just as it came.
fn answer(asked: &Value, question: &str, value: Value) -> Value {
    json!({
        "inputResponses": { question: { "action": "accept", "content": { question: value } } },
        "requestState": asked["requestState"],
    })
}

/// Plays one round, and gives the result that the client is sent.
fn play(server: &Server, round: u8, answers: Value) -> Result<Value, Box<dyn Error>> {
    println!("\n== Round {round}");
    let request = request(round, answers);
    println!("-> the client sends {}", pretty(&request));

    // The driver's part: a clock and dice, here of its own making.
    let minute = 60_000 * u64::from(round);
    let moment = Moment::new(
        Timestamp::from_millis(1_785_196_800_000 + minute),
        [round; 32],
    );
    let exchange = Exchange(round.into());
    let body = request.to_string();
    let mut turn = server.receive(exchange, Caller::anonymous(), body.as_bytes(), &moment);

    // What the core wants run is run here and now.
    while let Some(step) = turn.steps.pop() {
        println!("   the core hands out a step of {}", step.name());
        let finished = step.run(&Sink::default());
        turn.extend(server.finish(finished));
    }
    match turn.actions.pop().ok_or("no action")? {
        Action::InputRequired { response, .. } => show("InputRequired", response.message),
        Action::Respond { response, .. } => show("Respond", response.message),
        other => Err(format!("unexpected: {other:?}").into()),
    }
}

fn request(round: u8, answers: Value) -> Value {
    let mut params = answers;
    params["name"] = json!("book");
    params["arguments"] = json!({ "film": "Stalker" });
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    });
    json!({ "jsonrpc": "2.0", "id": round, "method": "tools/call", "params": params })
}

fn show(action: &str, message: Option<Vec<u8>>) -> Result<Value, Box<dyn Error>> {
    let message: Value = serde_json::from_slice(&message.unwrap_or_default())?;
    println!("<- action {action}: {}", pretty(&message));
    Ok(message["result"].clone())
}

/// JSON to read, with the sealed state cut short: all of it is noise to anybody but the server.
fn pretty(message: &Value) -> String {
    let mut message = message.clone();
    for part in ["params", "result"] {
        if let Some(Value::String(state)) = message.pointer_mut(&format!("/{part}/requestState")) {
            *state = format!("{}... ({} characters)", &state[..24], state.len());
        }
    }
    format!("{message:#}")
}
