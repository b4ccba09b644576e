//! No mutation of a sealed state opens.

use mcp_reprise::Action;
use serde_json::{Value, json};

use super::fixture;
use super::input::Input;

pub fn check(data: &[u8]) {
    let server = fixture::server();
    let sealed = ask(&server, None).expect("the call asks");
    let mut input = Input(data);
    let mutated = mutate(&sealed, &mut input);
    if mutated == sealed {
        return;
    }
    assert_eq!(
        ask(&server, Some(&mutated)),
        None,
        "a mutated state was opened"
    );
}

/// Calls with a state; gives the state of the question, if there is one.
fn ask(server: &mcp_reprise::Server, state: Option<&str>) -> Option<String> {
    let mut params = json!({ "name": "book", "_meta": fixture::meta() });
    if let Some(state) = state {
        params["requestState"] = state.into();
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let turn = fixture::play(server, body.to_string().as_bytes());
    turn.actions.iter().find_map(|action| {
        let Action::InputRequired { response, .. } = action else {
            return None;
        };
        let message: Value = serde_json::from_slice(response.message.as_deref()?).ok()?;
        Some(message["result"]["requestState"].as_str()?.to_owned())
    })
}

fn mutate(sealed: &str, input: &mut Input<'_>) -> String {
    let mut bytes = sealed.as_bytes().to_vec();
    for _ in 0..=input.pick(4) {
        let place =
            (usize::from(input.byte()) << 8 | usize::from(input.byte())) % bytes.len().max(1);
        match input.pick(5) {
            0 if !bytes.is_empty() => bytes[place] = input.byte(),
            1 if !bytes.is_empty() => drop(bytes.remove(place)),
            2 => bytes.insert(place.min(bytes.len()), input.byte()),
            3 => bytes.truncate(place),
            _ => bytes.extend_from_slice(input.bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
