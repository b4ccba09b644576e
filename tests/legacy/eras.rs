//! One tool, one script, one result, in both eras.

use mcp_reprise::legacy::Transport;
use mcp_reprise::protocol::{CallToolResult, CreateMessageRequestParams, SamplingMessage};
use mcp_reprise::{
    Action, Answer, Caller, Cx, Exchange, Form, Moment, Outcome, Question, Server, Sink, Timestamp,
    Tool,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Client, builder};

/// What a tool does, in order.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
enum Move {
    Ask(String),
    AskTwo,
    Once,
    Sample,
    Roots,
    Dice,
    /// Ends here if the last answer was a decline.
    Heed,
}

async fn play(cx: &mut Cx, moves: Value) -> Outcome {
    let moves: Vec<Move> = serde_json::from_value(moves["moves"].clone())?;
    let mut said: Vec<String> = Vec::new();
    for step in moves {
        said.push(match step {
            Move::Ask(name) => {
                let answer: Answer<Value> = cx.elicit(
                    &*name,
                    Form::new(format!("{name}, after {said:?}?")).integer("n"),
                )?;
                format!("{answer:?}")
            }
            Move::AskTwo => {
                let (one, two) = cx.ask((
                    Question::form::<Value>("one", Form::new("One?").integer("n")),
                    Question::form::<Value>("two", Form::new("Two?").integer("n")),
                ))?;
                format!("{one:?} {two:?}")
            }
            Move::Once => {
                let n = said.len();
                let done = cx.once("effect", async |_| Ok::<_, String>(n)).await;
                format!("{:?}", done.ok())
            }
            Move::Sample => {
                let request = CreateMessageRequestParams::new([SamplingMessage::user("Hi")], 5);
                cx.sample(None, request)?.model
            }
            Move::Roots => format!("{}", cx.list_roots(None)?.len()),
            Move::Dice => {
                cx.dice();
                cx.began().as_millis().to_string()
            }
            Move::Heed if said.last().is_some_and(|last| last.contains("Declined")) => break,
            Move::Heed => continue,
        });
    }
    Ok(CallToolResult::text(said.join("; ")))
}

/// What the user says next to a form: what is good, what is not, or no.
#[derive(Debug, Clone)]
enum Say {
    Accept(i32),
    Wrong,
    Decline,
    Cancel,
}

fn answer(method: &str, say: Option<&Say>) -> Value {
    match method {
        "sampling/createMessage" => json!({"role": "assistant", "model": "m",
            "content": {"type": "text", "text": "hi"}}),
        "roots/list" => json!({"roots": [{"uri": "file:///a"}]}),
        _ => match say.unwrap_or(&Say::Accept(0)) {
            Say::Accept(n) => json!({"action": "accept", "content": {"n": n}}),
            Say::Wrong => json!({"action": "accept", "content": {"n": "x"}}),
            Say::Decline => json!({"action": "decline"}),
            Say::Cancel => json!({"action": "cancel"}),
        },
    }
}

fn server() -> Server {
    let schema = json!({"type": "object"});
    builder()
        .tool(Tool::new("play").input_schema(schema).step(play))
        .build()
        .unwrap()
}

const BEGAN: u64 = 1_000;

fn modern(moves: &[Move], script: &[Say]) -> Value {
    let server = server();
    let mut script = script.iter();
    let mut more = json!({});
    for round in 0..100_u64 {
        let mut params = json!({"name": "play", "arguments": {"moves": moves}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":
                {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}}});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let body = json!({"jsonrpc": "2.0", "id": round, "method": "tools/call", "params": params});
        let moment = Moment::new(Timestamp::from_millis(BEGAN + round), [9; 32]);
        let body = body.to_string();
        let mut turn = server.receive(
            Exchange(round),
            Caller::anonymous(),
            body.as_bytes(),
            &moment,
        );
        while let Some(step) = turn.steps.pop() {
            turn.extend(server.finish(step.run(&Sink::default())));
        }
        let (Action::Respond { response, .. } | Action::InputRequired { response, .. }) =
            turn.actions.pop().unwrap()
        else {
            panic!()
        };
        let response: Value = serde_json::from_slice(&response.message.unwrap()).unwrap();
        let result = &response["result"];
        if result["resultType"] == "complete" {
            return json!({"content": result["content"], "isError": result["isError"]});
        }
        let requests = result["inputRequests"]
            .as_object()
            .expect("neither result nor questions");
        let answers = requests.iter().map(|(key, request)| {
            let method = request["method"].as_str().unwrap();
            let say = (method == "elicitation/create")
                .then(|| script.next())
                .flatten();
            (key.clone(), answer(method, say))
        });
        let answers: serde_json::Map<String, Value> = answers.collect();
        more = json!({"requestState": result["requestState"], "inputResponses": answers});
    }
    panic!("no end")
}

fn legacy(transport: Transport, version: &str, moves: &[Move], script: &[Say]) -> Value {
    let capabilities = json!({"elicitation": {}, "sampling": {}, "roots": {}});
    let mut client = Client::over(transport, server(), version, capabilities);
    client.now = BEGAN - 1;
    let mut script = script.iter();
    let call = client.request(
        "tools/call",
        json!({"name": "play", "arguments": {"moves": moves}}),
    );
    client.run();
    let mut seen = 0;
    for _ in 0..100 {
        let asked: Vec<Value> = client.pushed(call).into_iter().skip(seen).collect();
        seen += asked.len();
        if asked.is_empty() {
            let response = client.response(call);
            let result = &response["result"];
            return json!({"content": result["content"], "isError": result["isError"]});
        }
        for question in asked {
            let method = question["method"].as_str().unwrap();
            let say = (method == "elicitation/create")
                .then(|| script.next())
                .flatten();
            client.through_paper();
            client.answer(question["id"].as_str().unwrap(), answer(method, say));
        }
    }
    panic!("no end")
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        3 => "[abc]".prop_map(Move::Ask),
        1 => Just(Move::AskTwo),
        1 => Just(Move::Once),
        1 => Just(Move::Sample),
        1 => Just(Move::Roots),
        1 => Just(Move::Dice),
        1 => Just(Move::Heed),
    ];
    proptest::collection::vec(one, 0..7)
}

fn script() -> impl Strategy<Value = Vec<Say>> {
    let one = prop_oneof![
        4 => any::<i32>().prop_map(Say::Accept),
        1 => Just(Say::Wrong),
        1 => Just(Say::Decline),
        1 => Just(Say::Cancel),
    ];
    proptest::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn the_same_tool_and_script_give_the_same_result(moves in moves(), script in script()) {
        let recorded = modern(&moves, &script);
        for version in ["2025-11-25", "2025-06-18"] {
            for transport in [Transport::Http, Transport::Lines] {
                let attempted = legacy(transport, version, &moves, &script);
                prop_assert_eq!(&recorded, &attempted, "{} over {:?}", version, transport);
            }
        }
    }
}
