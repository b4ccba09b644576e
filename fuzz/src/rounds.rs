//! Random answers to a call that asks: no panic, and always an outcome, a question or a refusal.

use mcp_reprise::Action;
use serde_json::{Map, Value, json};

use super::fixture;
use super::input::Input;

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let server = fixture::server();
    let tool = *input.of(&["book", "both"]);
    let mut states: Vec<String> = Vec::new();
    for id in 0..12 {
        if id > 0 && input.is_empty() {
            return;
        }
        let mut params = json!({ "name": tool, "_meta": fixture::meta() });
        if !states.is_empty() && input.pick(8) > 0 {
            let state = input.of(&states).clone();
            params["requestState"] = state.into();
        }
        params["inputResponses"] = answers(&mut input);
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let turn = fixture::play(&server, body.to_string().as_bytes());
        let [action] = turn.actions.as_slice() else {
            panic!("one answer each: {turn:?}");
        };
        if let Action::InputRequired { response, .. } = action {
            let message = response.message.as_deref().expect("a message");
            let message: Value = serde_json::from_slice(message).expect("JSON");
            let state = &message["result"]["requestState"];
            states.push(state.as_str().expect("a state").to_owned());
        }
    }
}

fn answers(input: &mut Input<'_>) -> Value {
    let mut answers = Map::new();
    for _ in 0..input.pick(4) {
        let key = *input.of(&["day", "sure", "one", "other", "elicit-1", ""]);
        answers.insert(key.to_owned(), answer(input));
    }
    Value::Object(answers)
}

fn answer(input: &mut Input<'_>) -> Value {
    let action = *input.of(&["accept", "decline", "cancel", "Accept", ""]);
    let content = match input.pick(6) {
        0 => json!({ "day": input.text(), "seats": input.byte() }),
        1 => json!({ "sure": true }),
        2 => json!({ "one": input.text() }),
        3 => json!({ "other": ["a", input.text()] }),
        4 => return serde_json::from_slice(input.bytes()).unwrap_or(Value::Null),
        _ => return json!({ "action": action }),
    };
    json!({ "action": action, "content": content })
}
