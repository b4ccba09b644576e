//! One tool of several actions, which explains itself: call it with `{"action": "help"}`.

use mcp_reprise::{ActionTool, Answer, Cx, Form, Hint, Outcome, Structured, ToolAction, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const FILMS: [(&str, &str); 3] = [
    ("heat", "Heat"),
    ("alien", "Alien"),
    ("playtime", "Playtime"),
];

pub fn tool() -> ActionTool {
    ActionTool::new("programme")
        .description("The programme of a cinema, and what people say of it.")
        .action(
            ToolAction::new("list", "Lists the films")
                .property(
                    "containing",
                    json!({ "type": "string", "description": "A part of the title" }),
                )
                .related("rate")
                .example("All of them", json!({}))
                .step(list),
        )
        .action(
            ToolAction::new("rate", "Rates a film")
                .description("Asks the user for a word on it, who may decline.")
                .property(
                    "film",
                    json!({ "type": "string", "description": "Its key" }),
                )
                .property(
                    "stars",
                    json!({ "type": "integer", "minimum": 1, "maximum": 5 }),
                )
                .required(["film"])
                .default("stars", 3)
                .note("The key of a film is what `list` gives.")
                .related("list")
                .example("A good one", json!({ "film": "heat", "stars": 5 }))
                .step(rate),
        )
}

#[derive(Deserialize)]
struct List {
    #[serde(default)]
    containing: String,
}

#[derive(Serialize)]
struct Film {
    key: &'static str,
    title: &'static str,
}

fn list(cx: &mut Cx, list: List) -> Structured<Value> {
    let films: Vec<Film> = FILMS
        .into_iter()
        .filter(|(_, title)| title.contains(&list.containing))
        .map(|(key, title)| Film { key, title })
        .collect();
    if let Some(film) = films.first() {
        let hint = Hint::action("programme", "rate", "Say what you think of one");
        cx.hint(hint.example(json!({ "film": film.key, "stars": 4 })));
    }
    Structured(json!({ "films": films }))
}

#[derive(Deserialize)]
struct Rate {
    film: String,
    stars: u8,
}

#[derive(Deserialize)]
struct Word {
    word: String,
}

async fn rate(cx: &mut Cx, rate: Rate) -> Outcome<String> {
    let film = FILMS.into_iter().find(|(key, _)| *key == rate.film);
    let Some((_, title)) = film else {
        cx.hint(Hint::action(
            "programme",
            "list",
            "See which films there are",
        ));
        return Err(ToolError::say("There is no such film."));
    };
    let form = Form::new(format!("A word on {title}?")).text("word");
    Ok(match cx.elicit("word", form)? {
        Answer::Accepted(Word { word }) => format!("{title}: {} stars, {word:?}", rate.stars),
        _ => format!("{title}: {} stars", rate.stars),
    })
}
