//! Action tools: one tool, many named actions, and what it says of itself.

use std::collections::BTreeMap;

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Action, ActionError, ActionTool, BuildError, Caller, Cx, Exchange, Form, Hint, Moment, Outcome,
    RegisterError, Server, ServerBuilder, Sink, Timestamp, Tool, ToolAction, ToolError,
};
use serde_json::{Value, json};

#[derive(serde::Deserialize)]
struct Create {
    title: String,
    priority: u8,
}

fn create(cx: &mut Cx, create: Create) -> Outcome {
    cx.hint(Hint::action("tasks", "list", "See it among the others").example(json!({})));
    cx.hint(Hint::action("vault", "open", "Nobody sees this"));
    let Create { title, priority } = create;
    let action = cx.action().unwrap_or_default().to_owned();
    Ok(CallToolResult::text(format!(
        "{action}: {title} at {priority}"
    )))
}

async fn remove(cx: &mut Cx, _: Value) -> Outcome {
    cx.hint(Hint::tool("search", "Find its number").example(json!({ "text": "milk" })));
    let sure: Value = cx
        .elicit("sure", Form::new("Sure?").boolean("sure"))?
        .accepted()?;
    match sure["sure"] == true {
        true => Ok(CallToolResult::text("removed")),
        false => Err(ToolError::say("It stays.")),
    }
}

fn done(_: &mut Cx, _: Value) -> Outcome {
    Ok(CallToolResult::text("done"))
}

fn tasks() -> ActionTool {
    ActionTool::new("tasks")
        .description("Keeps a list of tasks.\nEverything is forgotten at midnight.")
        .action(
            ToolAction::new("create", "Adds a task to the list")
                .description("Titles may repeat.")
                .property("title", json!({ "type": "string", "minLength": 1 }))
                .property("priority", json!({ "type": "integer", "maximum": 9 }))
                .property("due", json!({ "type": "string", "format": "date" }))
                .required(["title"])
                .default("priority", 5)
                .note("A due date is a day.")
                .related("list")
                .example("For today", json!({ "title": "Milk", "priority": 1 }))
                .step(create),
        )
        .action(
            ToolAction::new("remove", "Takes a task off the list")
                .property("id", json!({ "type": "integer" }))
                .property("title", json!({ "type": "string" }))
                .required_one_of(["id", "title"])
                .step(remove),
        )
        .action(ToolAction::new("list", "Lists the tasks").step(done))
}

fn builder() -> ServerBuilder {
    let vault = ActionTool::new("vault")
        .description("Holds secrets")
        .action(ToolAction::new("open", "Opens the vault").step(done))
        .tool()
        .visible_to(|caller| caller.principal.as_deref() == Some("alice"));
    let search = Tool::new("search").description("Finds tasks").step(done);
    Server::builder("todo", "1.0.0")
        .single_process([7; 32])
        .tool(tasks())
        .tool(search)
        .tool(vault)
}

/// Sends a request of alice or of nobody, and gives the result, its steps run.
fn send(caller: Caller, method: &str, mut params: Value) -> Value {
    let server = builder().build().unwrap();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
    let body = request.to_string();
    let mut turn = server.receive(Exchange(1), caller, body.as_bytes(), &moment);
    while let Some(step) = turn.steps.pop() {
        // What is to be run elsewhere is the same step there.
        let data = serde_json::to_string(&step.into_data()).unwrap();
        let step = server.rejoin(serde_json::from_str(&data).unwrap()).unwrap();
        turn.extend(server.finish(step.run(&Sink::default())));
    }
    let response = turn.actions.into_iter().find_map(|action| match action {
        Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
            response.message
        }
        _ => None,
    });
    serde_json::from_slice(&response.unwrap()).unwrap()
}

fn call(arguments: Value) -> Value {
    let params = json!({ "name": "tasks", "arguments": arguments });
    send(Caller::anonymous(), "tools/call", params)["result"].clone()
}

fn texts(result: &Value) -> Vec<&str> {
    let content = result["content"].as_array().unwrap().iter();
    content
        .map(|block| block["text"].as_str().unwrap())
        .collect()
}

/// The one text of a result, as JSON.
fn told(result: &Value, error: bool) -> Value {
    assert_eq!(result["isError"] == true, error, "{result}");
    let texts = texts(result);
    assert_eq!(texts.len(), 1, "{result}");
    serde_json::from_str(texts[0]).unwrap()
}

/// Does the call that an error or a page gives for more, which must be right as it stands.
fn follow(help: &Value) -> Value {
    let params = json!({ "name": help["tool"], "arguments": help["arguments"] });
    let answer = send(Caller::anonymous(), "tools/call", params);
    told(&answer["result"], false)
}

#[test]
fn the_listed_schema_is_small_and_has_a_summary_a_line() {
    let listed = send(Caller::anonymous(), "tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tasks = tools.iter().find(|tool| tool["name"] == "tasks").unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(tasks).unwrap());
}

#[test]
fn an_action_runs_with_its_data_and_the_defaults() {
    let result = call(json!({ "action": "create", "data": { "title": "Milk" } }));
    assert_eq!(texts(&result)[0], "create: Milk at 5");
    let data = json!({ "title": "Milk", "priority": 1 });
    let result = call(json!({ "action": "create", "data": data }));
    assert_eq!(texts(&result)[0], "create: Milk at 1");
    assert_eq!(texts(&call(json!({ "action": "list" }))), ["done"]);
    let empty = json!({ "action": "list", "data": {} });
    assert_eq!(texts(&call(empty)), ["done"]);
}

#[test]
fn hints_stand_beside_a_result_and_beside_an_error() {
    let result = call(json!({ "action": "create", "data": { "title": "Milk" } }));
    let hints: Value = serde_json::from_str(texts(&result)[1]).unwrap();
    assert_eq!(
        hints,
        json!({ "hints": [{
            "tool": "tasks",
            "action": "list",
            "description": "See it among the others",
            "example": { "action": "list", "data": {} },
        }] })
    );
    let asked = call(json!({ "action": "remove", "data": { "id": 7 } }));
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let params = json!({
        "name": "tasks",
        "arguments": { "action": "remove", "data": { "id": 7 } },
        "requestState": asked["requestState"],
        "inputResponses": { "sure": { "action": "accept", "content": { "sure": false } } },
    });
    let result = send(Caller::anonymous(), "tools/call", params)["result"].clone();
    assert_eq!(result["isError"], true, "{result}");
    let texts = texts(&result);
    assert_eq!(texts[0], "It stays.");
    let hints: Value = serde_json::from_str(texts[1]).unwrap();
    let hint = json!({ "tool": "search", "description": "Find its number", "example": { "text": "milk" } });
    assert_eq!(hints, json!({ "hints": [hint] }));
}

#[test]
fn what_a_call_gets_wrong_is_told_with_a_call_that_helps() {
    let wrong = [
        ("no action", json!({})),
        ("an action of another type", json!({ "action": 1 })),
        ("an unknown action", json!({ "action": "creat" })),
        (
            "a field in the wrong place",
            json!({ "action": "create", "title": "Milk" }),
        ),
        (
            "data of another type",
            json!({ "action": "create", "data": ["Milk"] }),
        ),
        ("a missing field", json!({ "action": "create" })),
        (
            "an unknown field",
            json!({ "action": "create", "data": { "title": "Milk", "titel": 1 } }),
        ),
        (
            "a field of another type",
            json!({ "action": "create", "data": { "title": 1 } }),
        ),
        ("a missing group", json!({ "action": "remove", "data": {} })),
        (
            "an unknown field of help",
            json!({ "action": "help", "data": { "toll": "tasks" } }),
        ),
        (
            "help on an unknown tool",
            json!({ "action": "help", "data": { "tool": "taks" } }),
        ),
        (
            "help on an unknown action",
            json!({ "action": "help", "data": { "tool": "tasks", "action": "creat" } }),
        ),
        (
            "help on a tool of somebody else",
            json!({ "action": "help", "data": { "tool": "vault" } }),
        ),
    ];
    let mut all = BTreeMap::new();
    for (what, arguments) in wrong {
        let error = told(&call(arguments), true);
        follow(&error["help"]);
        all.insert(what, error);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&all).unwrap());
}

#[test]
fn help_has_three_levels() {
    let index = told(&call(json!({ "action": "help" })), false);
    let tool = json!({ "action": "help", "data": { "tool": "tasks" } });
    let action = json!({ "action": "help", "data": { "action": "create" } });
    let plain = json!({ "action": "help", "data": { "tool": "search" } });
    let pages = json!({
        "index": index,
        "tool": told(&call(tool), false),
        "action": told(&call(action), false),
        "a tool without actions": told(&call(plain), false),
    });
    follow(&pages["index"]["help"]);
    follow(&pages["tool"]["help"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&pages).unwrap());
}

#[test]
fn help_shows_what_its_caller_sees() {
    let tools = |caller: Caller| {
        let params = json!({ "name": "tasks", "arguments": { "action": "help" } });
        let index = told(&send(caller, "tools/call", params)["result"], false);
        let tools = index["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["tool"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(tools(Caller::anonymous()), ["tasks", "search"]);
    assert_eq!(
        tools(Caller::principal("alice")),
        ["tasks", "search", "vault"]
    );
}

fn refused(tool: ActionTool) -> ActionError {
    let server = Server::builder("todo", "1.0.0").single_process([7; 32]);
    match server.tool(tool).build() {
        Err(BuildError::Register(RegisterError::Action { error, .. })) => error,
        other => panic!("{other:?}"),
    }
}

fn of(action: ToolAction) -> ActionTool {
    ActionTool::new("tool").action(action)
}

#[test]
fn what_an_author_gets_wrong_fails_where_it_is_registered() {
    let text = || json!({ "type": "string" });
    let action = || ToolAction::new("act", "Acts").step(done);
    let wrong = [
        ActionTool::new("tool"),
        of(ToolAction::new("act", "Acts")),
        of(ToolAction::new("a b", "Acts").step(done)),
        of(ToolAction::new("help", "Helps").step(done)),
        of(ToolAction::new("act", "Acts\nand more").step(done)),
        of(ToolAction::new("act", " ").step(done)),
        of(action()).action(action()),
        of(action().property("a", text()).property("a", text())),
        of(action().property("a", json!({ "tpye": "string" }))),
        of(action().property("a", json!("string"))),
        of(action().property("a", text()).required(["b"])),
        of(action().property("a", text()).required_one_of(["a", "b"])),
        of(action().property("a", text()).required_one_of(["a"])),
        of(action().property("a", text()).default("b", 1)),
        of(action().property("a", text()).default("a", 1)),
        of(action().related("other")),
        of(action().example("One", json!({ "a": 1 }))),
        of(action().example("One", json!([]))),
        of(action()
            .property("a", text())
            .example("One", json!({ "a": 1 }))),
        of(action()
            .property("a", text())
            .required(["a"])
            .example("One", json!({}))),
    ];
    let told: Vec<String> = wrong
        .into_iter()
        .map(|tool| refused(tool).to_string())
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}
