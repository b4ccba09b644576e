//! What is said, in the shape of each revision: held against the official schemas.

use std::fs;
use std::path::Path;

use mcp_reprise::legacy::{LegacyVersion, Transport};
use mcp_reprise::protocol::{
    Annotations, AudioContent, CallToolResult, ContentBlock, CreateMessageRequestParams, Icon,
    Meta, ResourceLink, SamplingContent, SamplingMessage, TextContent,
};
use mcp_reprise::{Cx, Outcome, Server, Tool};
use serde_json::{Value, json};

use crate::support::{Client, able, builder};

fn rich(_: &mut Cx, _: Value) -> Outcome {
    let meta: Meta = serde_json::from_value(json!({"com.example/a": 1}))?;
    let mut annotations = Annotations::new();
    annotations.last_modified = Some("2025-01-01T00:00:00Z".to_owned());
    let mut result = CallToolResult::content([
        ContentBlock::from(TextContent::new("text").meta(meta).annotations(annotations)),
        AudioContent::new(b"wav", "audio/wav").into(),
        ResourceLink::new("test://a", "a").into(),
    ]);
    result.structured_content = Some(json!({"a": 1}));
    Ok(result)
}

fn list(_: &mut Cx, _: Value) -> Outcome {
    let mut result = CallToolResult::content(Vec::<ContentBlock>::new());
    result.structured_content = Some(json!([1, 2]));
    Ok(result)
}

fn parts(cx: &mut Cx, _: Value) -> Outcome {
    let parts = vec!["one".into(), "two".into()];
    let message = SamplingMessage::user(SamplingContent::Many(parts));
    cx.sample(None, CreateMessageRequestParams::new([message], 5))?;
    Ok(CallToolResult::text("done"))
}

fn server() -> Server {
    builder()
        .tool(
            Tool::new("rich")
                .title("Rich")
                .icons([Icon::new("https://example.com/i.png")])
                .output_schema(json!({"type": "object", "properties": {"a": {"type": "integer"}}}))
                .annotations(mcp_reprise::protocol::ToolAnnotations::new().read_only_hint(true))
                .step(rich),
        )
        .tool(
            Tool::new("list")
                .output_schema(json!({"type": "array"}))
                .step(list),
        )
        .tool(Tool::new("parts").step(parts))
        .build()
        .unwrap()
}

fn client(version: LegacyVersion) -> Client {
    Client::over(Transport::Lines, server(), version.as_str(), able())
}

/// Holds a value against a definition of the revision's schema, if the schemas are at hand.
fn check(version: LegacyVersion, definition: &str, value: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/schema");
    let Ok(schema) = fs::read(folder.join(format!("{version}.json"))) else {
        return;
    };
    let mut schema: Value = serde_json::from_slice(&schema).unwrap();
    let place = if schema.get("$defs").is_some() {
        "$defs"
    } else {
        "definitions"
    };
    schema["$ref"] = format!("#/{place}/{definition}").into();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(
        problems.is_empty(),
        "{version} {definition}: {problems:?}\n{value:#}"
    );
}

#[test]
fn results_are_valid_in_every_revision() {
    for version in LegacyVersion::ALL {
        let mut client = client(version);
        for (method, definition) in [
            ("tools/list", "ListToolsResult"),
            ("prompts/list", "ListPromptsResult"),
            ("resources/list", "ListResourcesResult"),
            ("resources/templates/list", "ListResourceTemplatesResult"),
            ("ping", "EmptyResult"),
        ] {
            let response = client.ask(method, json!({}));
            check(version, definition, &response["result"]);
            for absent in ["resultType", "ttlMs", "cacheScope", "_meta"] {
                assert!(
                    response["result"].get(absent).is_none(),
                    "{method} {absent}"
                );
            }
        }
        for (method, params, definition) in [
            ("tools/call", json!({"name": "rich"}), "CallToolResult"),
            ("tools/call", json!({"name": "list"}), "CallToolResult"),
            ("prompts/get", json!({"name": "greet"}), "GetPromptResult"),
            (
                "resources/read",
                json!({"uri": "test://a"}),
                "ReadResourceResult",
            ),
        ] {
            let response = client.ask(method, params);
            check(version, definition, &response["result"]);
            for absent in ["resultType", "ttlMs", "cacheScope", "_meta"] {
                assert!(
                    response["result"].get(absent).is_none(),
                    "{method} {absent}"
                );
            }
        }
    }
}

#[test]
fn questions_are_valid_in_every_revision() {
    for version in LegacyVersion::ALL {
        let mut client = client(version);
        for (tool, definition) in [
            ("form", "ElicitRequest"),
            ("book", "ElicitRequest"),
            ("url", "ElicitRequest"),
            ("many", "ElicitRequest"),
            ("parts", "CreateMessageRequest"),
            ("roots", "ListRootsRequest"),
        ] {
            let call = client.call(tool);
            let questions = client
                .pushed(call)
                .into_iter()
                .filter(|push| push["id"].is_string());
            for question in questions {
                check(version, definition, &question);
                check(version, "JSONRPCRequest", &question);
            }
        }
    }
}

#[test]
fn what_a_revision_does_not_have_is_left_out() {
    let tool = |version| {
        let listed = client(version).ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        tools
            .into_iter()
            .find(|tool| tool["name"] == "rich")
            .unwrap()
    };
    let members = |version| {
        let tool = tool(version);
        let members = tool
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>();
        members.join(" ")
    };
    use LegacyVersion as V;
    assert_eq!(
        members(V::V2025_11_25),
        "annotations icons inputSchema name outputSchema title"
    );
    assert_eq!(
        members(V::V2025_06_18),
        "annotations inputSchema name outputSchema title"
    );
    assert_eq!(members(V::V2025_03_26), "annotations inputSchema name");
    assert_eq!(members(V::V2024_11_05), "inputSchema name");
}

#[test]
fn content_that_a_revision_does_not_have_is_said_in_what_it_has() {
    let kinds = |version| {
        let mut client = client(version);
        let call = client.call("rich");
        let result = client.response(call)["result"].clone();
        let kinds = result["content"].as_array().unwrap().iter();
        let kinds: Vec<_> = kinds
            .map(|content| content["type"].as_str().unwrap().to_owned())
            .collect();
        (kinds.join(" "), result)
    };
    use LegacyVersion as V;
    let (latest, result) = kinds(V::V2025_11_25);
    assert_eq!(latest, "text audio resource_link");
    assert_eq!(result["structuredContent"], json!({"a": 1}));
    let (older, result) = kinds(V::V2025_03_26);
    assert_eq!(older, "text audio text");
    assert!(result.get("structuredContent").is_none());
    assert!(result["content"][0].get("_meta").is_none());
    assert_eq!(result["content"][0]["annotations"], json!({}));
    assert_eq!(result["content"][2]["text"], "a: test://a");
    let (oldest, result) = kinds(V::V2024_11_05);
    assert_eq!(oldest, "text resource text");
    assert_eq!(result["content"][1]["resource"]["mimeType"], "audio/wav");
    let mut client = client(V::V2025_11_25);
    let call = client.call("list");
    assert_eq!(client.text(call), "[1,2]");
}

#[test]
fn forms_of_2025_06_18_have_what_it_has() {
    let mut newer = client(LegacyVersion::V2025_11_25);
    let call = newer.call("form");
    let (_, params) = newer.last_question(call);
    let properties = &params["requestedSchema"]["properties"];
    assert_eq!(properties["age"]["default"], 3);
    assert_eq!(properties["colour"]["oneOf"][0]["title"], "Red");

    let mut older = client(LegacyVersion::V2025_06_18);
    let call = older.call("form");
    let (_, params) = older.last_question(call);
    assert!(params.get("mode").is_none());
    let properties = &params["requestedSchema"]["properties"];
    assert!(
        properties["age"].get("default").is_none() && properties["name"].get("default").is_none()
    );
    assert_eq!(properties["vip"]["default"], true);
    assert_eq!(properties["colour"]["enum"], json!(["r", "g"]));
    assert_eq!(properties["colour"]["enumNames"], json!(["Red", "Green"]));
    let call = older.call("many");
    assert!(older.questions(call).is_empty());
    assert!(older.text(call).starts_with("The call needs a capability"));
    let call = older.call("parts");
    let (_, params) = older.last_question(call);
    assert_eq!(params["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn progress_has_a_message_since_2025_03_26() {
    for version in LegacyVersion::ALL {
        let mut client = client(version);
        let params = json!({"name": "steps", "_meta": {"progressToken": "t"}});
        let call = client.request("tools/call", params);
        client.run();
        let pushed = client.pushed(call);
        assert_eq!(pushed.len(), 3);
        for push in &pushed {
            check(version, "ProgressNotification", push);
            let newer = version >= LegacyVersion::V2025_03_26;
            assert_eq!(push["params"].get("message").is_some(), newer);
        }
    }
}
