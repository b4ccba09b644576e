//! Tools that ask. Each is played from its top every round.

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Answer, Cx, Field, Form, Outcome, Question, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::box_office::BoxOffice;
use crate::number::Whole;
use crate::server::shared;

pub fn all() -> [Tool; 4] {
    [
        Tool::new("ask_name")
            .description("Asks for a name, and greets.")
            .step(ask_name),
        Tool::new("plan")
            .description("Asks two questions at once, and plans a meal.")
            .step(plan),
        Tool::new("book")
            .description("Books seats for a film. Asks which day, holds seats, asks to confirm.")
            .input_schema(json!({
                "type": "object",
                "properties": { "film": { "type": "string" } },
                "required": ["film"],
            }))
            .single_use()
            .step(book),
        Tool::new("interview")
            .description("Asks so many questions one after the other, and says all that was said.")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "questions": { "type": "integer", "minimum": 1, "maximum": 20 },
                    "region": { "type": "string", "x-mcp-header": "Region" },
                },
                "required": ["questions"],
            }))
            .step(interview),
    ]
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

/// One question, and what became of it as a value.
fn ask_name(cx: &mut Cx, _: Value) -> Outcome {
    let answer = cx.elicit("name", Form::new("What is your name?").text("name"))?;
    Ok(CallToolResult::text(match answer {
        Answer::Accepted(Name { name }) => format!("Hello, {name}"),
        Answer::Declined | Answer::Cancelled => "no name".to_owned(),
    }))
}

#[derive(Deserialize)]
struct Dish {
    dish: String,
}

#[derive(Deserialize)]
struct Guests {
    guests: u32,
}

/// Two questions in one round. Who answers only one is asked the other again.
fn plan(cx: &mut Cx, _: Value) -> Outcome {
    let dish = Form::new("What is for dinner?").choice("dish", ["soup", "stew", "cake"]);
    let guests = Form::new("For how many?").field("guests", Field::integer().minimum(1));
    let (dish, guests) = cx.ask((
        Question::form::<Dish>("dish", dish),
        Question::form::<Guests>("guests", guests),
    ))?;
    let Dish { dish } = dish.accepted()?;
    let Guests { guests } = guests.accepted()?;
    Ok(CallToolResult::text(format!("{dish} for {guests}")))
}

#[derive(Deserialize)]
struct Book {
    film: String,
}

#[derive(Deserialize)]
struct Wish {
    day: String,
    seats: u32,
}

#[derive(Serialize, Deserialize)]
struct Sure {
    sure: bool,
}

/// Two questions with an effect between them.
///
/// The seats are held in the round that brings the first answer. The round that brings the second
/// answer plays this function again, and reads from the journal what was held. Should the client
/// send the first answer twice, `single_use` refuses the second time; and if ever the effect is
/// tried twice, the box office knows it by its key.
async fn book(cx: &mut Cx, args: Book) -> Outcome {
    let wish = Form::new(format!("When do you want to see {:?}?", args.film))
        .choice("day", ["Friday", "Saturday", "Sunday"])
        .field("seats", Field::integer().minimum(1).maximum(8));
    let wish: Wish = cx.elicit("wish", wish)?.accepted()?;

    let office = shared::<BoxOffice>(cx)?;
    let first = cx
        .once("hold", async |key| office.hold(&key, wish.seats))
        .await?;

    let last = first + wish.seats - 1;
    let sure = Form::new(format!(
        "Seats {first} to {last} are held for you. Take them?"
    ))
    .boolean("sure")
    .about(&wish.day);
    let Sure { sure } = cx
        .elicit("sure", sure)?
        .accepted_or("Nothing was booked.")?;
    Ok(CallToolResult::text(if sure {
        format!("{}, {}, seats {first} to {last}", args.film, wish.day)
    } else {
        "Nothing was booked.".to_owned()
    }))
}

#[derive(Deserialize)]
struct Interview {
    questions: Whole<u32>,
}

#[derive(Deserialize)]
struct Said {
    said: String,
}

/// As many rounds as there are questions.
fn interview(cx: &mut Cx, args: Interview) -> Outcome {
    let mut said = Vec::new();
    for number in 1..=args.questions.0 {
        let form = Form::new(format!("Question {number}?")).text("said");
        let answer: Said = cx.elicit(format!("question-{number}"), form)?.accepted()?;
        said.push(answer.said);
    }
    Ok(CallToolResult::text(said.join(" ")))
}
