//! Whatever the server emits is valid by the official schema of its revision.
//!
//! The schema isn't part of the project. It is looked for in `../shared/schema` beside the
//! project; where it isn't there, the test says so and passes.

use std::collections::BTreeMap;
use std::path::Path;

use jsonschema::Validator;
use mcp_reprise::protocol::{
    CallToolResult, CompleteResult, ContentBlock, CreateMessageRequestParams, GetPromptResult,
    LoggingLevel, PromptMessage, ReadResourceResult, SamplingMessage,
};
use mcp_reprise::*;
use serde_json::{Value, json};

/// The schema's definitions, each as a validator of its own, made when it is first needed.
struct Schema {
    whole: Value,
    validators: BTreeMap<String, Validator>,
}

impl Schema {
    fn load() -> Option<Self> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/schema/2026-07-28.json");
        let text = std::fs::read_to_string(beside).ok()?;
        Some(Self {
            whole: serde_json::from_str(&text).expect("a schema"),
            validators: BTreeMap::new(),
        })
    }

    fn check(&mut self, definition: &str, message: &Value) {
        let validator = self
            .validators
            .entry(definition.to_owned())
            .or_insert_with(|| {
                assert!(
                    self.whole["$defs"][definition].is_object(),
                    "no {definition}"
                );
                let schema = json!({
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "$ref": format!("#/$defs/{definition}"),
                    "$defs": self.whole["$defs"],
                });
                jsonschema::validator_for(&schema).expect("a schema")
            });
        let errors: Vec<String> = validator
            .iter_errors(message)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{definition}: {errors:?}\n{message:#}");
    }
}

fn everything(cx: &mut Cx, _: Value) -> Outcome {
    cx.progress(Progress::new(1.0).of(2.0).message("half"));
    cx.log_as("schema", LoggingLevel::Info, json!({ "a": 1 }));
    let form = Form::new("All kinds")
        .text("text")
        .email("mail")
        .uri("site")
        .date("day")
        .date_time("at")
        .integer("whole")
        .number("real")
        .boolean("sure")
        .choice("one", ["a", "b"])
        .titled_choice("titled", [("a", "A"), ("b", "B")])
        .choices("many", ["a", "b"])
        .titled_choices("titles", [("a", "A"), ("b", "B")])
        .field(
            "nick",
            Field::text()
                .optional()
                .min_length(1)
                .max_length(9)
                .default("x"),
        );
    let url = UrlPrompt::new("Go there", "https://example.com/go")?;
    let sample = CreateMessageRequestParams::new([SamplingMessage::user("Hello")], 10);
    cx.ask((
        Question::form::<Value>("form", form),
        Question::url("url", url),
        Question::sample("sample", sample),
        Question::roots("roots"),
    ))?;
    Ok(CallToolResult::text("done"))
}

fn content(_: &mut Cx, _: Value) -> CallToolResult {
    CallToolResult::content([
        ContentBlock::text("text"),
        ContentBlock::image([1, 2, 3], "image/png"),
        ContentBlock::audio([1, 2, 3], "audio/wav"),
        ContentBlock::resource_link("test://a", "a"),
        ContentBlock::embedded_text("test://a", "text"),
        ContentBlock::embedded_blob("test://a", [1, 2, 3]),
    ])
    .structured_content(json!([1, null]))
}

fn fails(_: &mut Cx, kind: BTreeMap<String, String>) -> Outcome {
    Err(match kind.get("kind").map(String::as_str) {
        Some("said") => ToolError::say("no"),
        Some("internal") => ToolError::internal("secret"),
        _ => panic!("secret"),
    })
}

fn server() -> Server {
    Server::builder("schema", "1.0.0")
        .single_process([7; 32])
        .instructions("Use it well")
        .limits(Limits {
            page_items: 2,
            ..Limits::default()
        })
        .tool(
            Tool::new("everything")
                .title("Everything")
                .description("All")
                .step(everything),
        )
        .tool(Tool::new("content").step(content))
        .tool(Tool::new("fails").step(fails))
        .prompt(
            Prompt::new("greet")
                .required("name", "Whom")
                .step(|_: &mut Cx, _: Value| GetPromptResult::new([PromptMessage::user("Hello")]))
                .complete("name", |_: &mut Cx, _: Completing| {
                    CompleteResult::values(["Ada"])
                }),
        )
        .resource(
            Resource::new("test://a", "a")
                .size(4)
                .step(|cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "text")),
        )
        .resource_template(
            ResourceTemplate::new("test://t/{id}", "t")
                .step(|cx: &mut Cx, _: Value| ReadResourceResult::blob(cx.name(), [1, 2])),
        )
        .build()
        .unwrap()
}

fn capabilities() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
}

fn request(method: &str, mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": "token",
    });
    json!({ "jsonrpc": "2.0", "id": "r-1", "method": method, "params": params })
}

/// All messages a request leads to, in order; listeners are told of every change and closed.
fn messages(server: &Server, request: &Value) -> Vec<Value> {
    let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
    let body = request.to_string();
    let mut turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
    while let Some(step) = turn.steps.pop() {
        let sink = Sink::default();
        let finished = step.run(&sink);
        for report in sink.drain() {
            turn.extend(server.report(report));
        }
        turn.extend(server.finish(finished));
    }
    turn.actions.into_iter().flat_map(told).collect()
}

fn told(action: Action) -> Vec<Value> {
    match action {
        Action::Respond { response, .. } | Action::InputRequired { response, .. } => response
            .message
            .iter()
            .map(|message| parse(message))
            .collect(),
        Action::Push { message, .. } => vec![parse(&message)],
        Action::Listen(mut listener) => {
            for change in [
                Change::ToolsList,
                Change::PromptsList,
                Change::ResourcesList,
                Change::resource("test://a"),
            ] {
                listener.note(&change);
            }
            listener.close().into_iter().flat_map(told).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn parse(message: &[u8]) -> Value {
    serde_json::from_slice(message).unwrap()
}

#[test]
fn whatever_the_server_emits_is_valid_by_the_schema() {
    let Some(mut schema) = Schema::load() else {
        println!("skipped: the official schema is not here");
        return;
    };
    let server = server();
    let call = |name: &str, kind: &str| json!({ "name": name, "arguments": { "kind": kind } });
    let listen = json!({ "notifications": {
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a", "test://none"],
    } });
    let reference = json!({
        "ref": { "type": "ref/prompt", "name": "greet" },
        "argument": { "name": "name", "value": "A" },
    });
    let mut checked = 0;
    for (method, params, definition) in [
        ("server/discover", json!({}), "DiscoverResultResponse"),
        ("tools/list", json!({}), "ListToolsResultResponse"),
        ("prompts/list", json!({}), "ListPromptsResultResponse"),
        ("resources/list", json!({}), "ListResourcesResultResponse"),
        (
            "resources/templates/list",
            json!({}),
            "ListResourceTemplatesResultResponse",
        ),
        (
            "tools/call",
            call("everything", ""),
            "CallToolResultResponse",
        ),
        ("tools/call", call("content", ""), "CallToolResultResponse"),
        (
            "tools/call",
            call("fails", "said"),
            "CallToolResultResponse",
        ),
        (
            "tools/call",
            call("fails", "internal"),
            "CallToolResultResponse",
        ),
        (
            "tools/call",
            call("fails", "panic"),
            "CallToolResultResponse",
        ),
        (
            "tools/call",
            json!({ "name": "none" }),
            "JSONRPCErrorResponse",
        ),
        (
            "prompts/get",
            json!({ "name": "greet", "arguments": { "name": "Ada" } }),
            "GetPromptResultResponse",
        ),
        (
            "prompts/get",
            json!({ "name": "greet" }),
            "JSONRPCErrorResponse",
        ),
        (
            "resources/read",
            json!({ "uri": "test://a" }),
            "ReadResourceResultResponse",
        ),
        (
            "resources/read",
            json!({ "uri": "test://t/1" }),
            "ReadResourceResultResponse",
        ),
        (
            "resources/read",
            json!({ "uri": "test://none" }),
            "JSONRPCErrorResponse",
        ),
        ("completion/complete", reference, "CompleteResultResponse"),
        (
            "subscriptions/listen",
            listen,
            "SubscriptionsListenResultResponse",
        ),
        ("initialize", json!({}), "JSONRPCErrorResponse"),
    ] {
        let mut all = messages(&server, &request(method, params, capabilities()));
        let answer = all.pop().expect("an answer");
        assert_eq!(
            answer.get("result").is_some(),
            definition != "JSONRPCErrorResponse",
            "{answer}"
        );
        schema.check(definition, &answer);
        for notification in &all {
            schema.check(notification_definition(notification), notification);
        }
        checked += 1 + all.len();
    }
    assert!(checked >= 26, "{checked}");
}

fn notification_definition(message: &Value) -> &'static str {
    match message["method"].as_str().unwrap() {
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        other => panic!("{other}"),
    }
}

#[test]
fn the_errors_of_this_revision_are_valid_by_their_own_definitions() {
    let Some(mut schema) = Schema::load() else {
        println!("skipped: the official schema is not here");
        return;
    };
    let server = server();
    let unaskable = request("tools/call", json!({ "name": "everything" }), json!({}));
    let answer = messages(&server, &unaskable).pop().unwrap();
    assert_eq!(answer["error"]["code"], -32021);
    schema.check("MissingRequiredClientCapabilityError", &answer);
    let mut unsupported = request("tools/list", json!({}), json!({}));
    unsupported["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "1999-01-01".into();
    let answer = messages(&server, &unsupported).pop().unwrap();
    assert_eq!(answer["error"]["code"], -32022);
    schema.check("UnsupportedProtocolVersionError", &answer);
    for broken in ["{", "[]", r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#] {
        let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
        let turn = server.receive(Exchange(1), Caller::anonymous(), broken.as_bytes(), &moment);
        let answer = turn.actions.into_iter().flat_map(told).next().unwrap();
        assert!(answer.get("id").is_none());
        schema.check("JSONRPCErrorResponse", &answer);
    }
}
