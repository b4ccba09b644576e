//! Calls that ask: any round of them, made ready.

use serde_json::{Value, json};

use crate::cases::Sent;
use crate::driver::{Driver, call};
use crate::offers;

/// The request of a round of a call that asks so many words, one a round.
pub fn round(questions: u32, round: u32) -> Sent {
    let driver = Driver::new(offers::server());
    let arguments = json!({ "questions": questions });
    let mut sent = call("ask", arguments.clone(), json!({}));
    for answered in 1..round {
        let state = state(&driver, &sent);
        let name = offers::name(answered);
        let answer = json!({ "action": "accept", "content": { "word": "cinema" } });
        let answers = json!({ "inputResponses": { name: answer }, "requestState": state });
        sent = call("ask", arguments.clone(), answers);
    }
    sent
}

/// How long the state of ten answers is, in characters.
pub fn state_of_ten() -> usize {
    let driver = Driver::new(offers::server());
    state(&driver, &round(11, 11)).len()
}

fn state(driver: &Driver, sent: &Sent) -> String {
    let response = driver.play(sent);
    let message: Value = serde_json::from_slice(response.body()).unwrap();
    let state = message["result"]["requestState"].as_str();
    state.unwrap_or_else(|| panic!("{message}")).to_owned()
}
