//! A listener tells what was asked for, once, and nothing else.

use std::collections::BTreeSet;

use mcp_reprise::{Action, Change, Listener};
use serde_json::{Value, json};

use super::fixture;
use super::input::Input;

const URIS: [&str; 4] = ["test://a", "test://t/1", "test://t/2", "test://hidden"];

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let (filter, wanted) = filter(&mut input);
    let params = json!({ "notifications": filter, "_meta": fixture::meta() });
    let body = json!({
        "jsonrpc": "2.0", "id": "listen", "method": "subscriptions/listen", "params": params,
    });
    let mut turn = fixture::play(&fixture::server(), body.to_string().as_bytes());
    let Some(Action::Listen(mut listener)) = turn.actions.pop() else {
        panic!("no listener: {turn:?}");
    };
    let mut pending = BTreeSet::new();
    while !input.is_empty() {
        if input.pick(4) == 0 {
            assert_eq!(drain(&mut listener), std::mem::take(&mut pending));
        } else {
            let (change, told) = change(&mut input);
            listener.note(&change);
            pending.extend(wanted.contains(&told).then_some(told));
            assert_eq!(listener.is_pending(), !pending.is_empty());
        }
    }
    let mut last = listener.close();
    let Some(Action::Respond { response, .. }) = last.pop() else {
        panic!("no answer at the end");
    };
    let message = parse(response.message.as_deref().unwrap_or_default());
    assert_eq!(message["id"], "listen");
    assert_eq!(last.iter().map(told).collect::<BTreeSet<_>>(), pending);
}

fn filter(input: &mut Input<'_>) -> (Value, BTreeSet<String>) {
    let mut filter = json!({});
    let mut wanted = BTreeSet::new();
    for (name, method) in [
        ("toolsListChanged", "notifications/tools/list_changed"),
        ("promptsListChanged", "notifications/prompts/list_changed"),
        (
            "resourcesListChanged",
            "notifications/resources/list_changed",
        ),
    ] {
        match input.pick(3) {
            0 => {}
            1 => filter[name] = false.into(),
            _ => {
                filter[name] = true.into();
                wanted.insert(method.to_owned());
            }
        }
    }
    let uris: Vec<&str> = URIS.into_iter().filter(|_| input.pick(2) == 0).collect();
    // There is no resource at the last of them.
    wanted.extend(
        uris.iter()
            .filter(|uri| **uri != URIS[3])
            .map(|uri| (*uri).to_owned()),
    );
    filter["resourceSubscriptions"] = uris.into();
    (filter, wanted)
}

fn change(input: &mut Input<'_>) -> (Change, String) {
    match input.pick(4) {
        0 => (
            Change::ToolsList,
            "notifications/tools/list_changed".to_owned(),
        ),
        1 => (
            Change::PromptsList,
            "notifications/prompts/list_changed".to_owned(),
        ),
        2 => (
            Change::ResourcesList,
            "notifications/resources/list_changed".to_owned(),
        ),
        _ => {
            let uri = *input.of(&URIS);
            (Change::resource(uri), uri.to_owned())
        }
    }
}

fn drain(listener: &mut Listener) -> BTreeSet<String> {
    let mut all = Vec::new();
    while let Some(action) = listener.next_push() {
        all.push(told(&action));
    }
    let set: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(set.len(), all.len(), "told twice: {all:?}");
    set
}

/// What a push tells: the URI where it has one, else the method.
fn told(action: &Action) -> String {
    let Action::Push { message, .. } = action else {
        panic!("not a push: {action:?}");
    };
    let message = parse(message);
    let id = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(id, "listen");
    let told = message["params"]["uri"]
        .as_str()
        .or(message["method"].as_str());
    told.expect("a method").to_owned()
}

fn parse(message: &[u8]) -> Value {
    serde_json::from_slice(message).expect("a message is JSON")
}
