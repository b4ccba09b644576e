//! Typed tools: schemas from types, results from values, and checks against whole schemas.

use mcp_reprise::{
    Action, Caller, Cx, Exchange, Moment, Observation, Server, ServerBuilder, Sink, Structured,
    Timestamp, Tool,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct Book {
    /// The film.
    film: String,
    seats: Vec<Seat>,
    /// Free of charge where it is left out.
    price: Option<f64>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct Seat {
    row: u8,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct Booked {
    film: String,
    rows: Vec<u8>,
    paid: bool,
}

async fn book(_: &mut Cx, book: Book) -> Structured<Booked> {
    Structured(Booked {
        paid: book.price.is_some(),
        rows: book.seats.iter().map(|seat| seat.row).collect(),
        film: book.film,
    })
}

fn builder() -> ServerBuilder {
    Server::builder("cinema", "1.0.0").single_process([7; 32])
}

fn send(server: &Server, method: &str, mut params: Value) -> (Value, Vec<Observation>) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
    let body = request.to_string();
    let mut turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
    while let Some(step) = turn.steps.pop() {
        turn.extend(server.finish(step.run(&Sink::default())));
    }
    let response = turn.actions.into_iter().find_map(|action| match action {
        Action::Respond { response, .. } => response.message,
        _ => None,
    });
    let response: Value = serde_json::from_slice(&response.unwrap()).unwrap();
    (response["result"].clone(), turn.observations)
}

fn call(server: &Server, name: &str, arguments: Value) -> (Value, Vec<Observation>) {
    let params = json!({ "name": name, "arguments": arguments });
    send(server, "tools/call", params)
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_value_is_structured_content_and_its_text() {
    let server = builder().tool(Tool::new("book").step(book)).build();
    let arguments = json!({ "film": "Heat", "seats": [{ "row": 4 }] });
    let (result, _) = call(&server.unwrap(), "book", arguments);
    let booked = json!({ "film": "Heat", "rows": [4], "paid": false });
    assert_eq!(result["structuredContent"], booked);
    let told: Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(told, booked);
}

#[test]
fn a_string_is_the_text() {
    let hello = |_: &mut Cx, _: Value| "hello".to_owned();
    let server = builder().tool(Tool::new("hello").step(hello)).build();
    assert_eq!(text(&call(&server.unwrap(), "hello", json!({})).0), "hello");
}

#[test]
fn without_a_schema_arguments_are_checked_by_their_type() {
    let server = builder().tool(Tool::new("book").step(book)).build();
    let (result, _) = call(&server.unwrap(), "book", json!({ "film": "Heat" }));
    assert_eq!(result["isError"], true);
    assert_eq!(
        text(&result),
        "The arguments are not valid: missing field `seats`"
    );
}

#[cfg(feature = "schemars")]
mod schemas_of_types {
    use super::*;
    use mcp_reprise::protocol::CallToolResult;

    fn typed() -> Tool {
        Tool::new("book")
            .input_schema_of::<Book>()
            .output_schema_of::<Booked>()
            .step(book)
    }

    #[test]
    fn they_are_listed_in_one_piece() {
        let server = builder().tool(typed()).build().unwrap();
        let (listed, _) = send(&server, "tools/list", json!({}));
        insta::assert_snapshot!(serde_json::to_string_pretty(&listed["tools"]).unwrap());
    }

    #[test]
    fn arguments_are_checked_by_them() {
        let server = builder().tool(typed()).build().unwrap();
        for (arguments, told) in [
            (json!({ "film": "Heat" }), "seats: is required"),
            (json!({ "film": 1, "seats": [] }), "film: must be a string"),
            (
                json!({ "film": "Heat", "seats": [{ "row": 1 }, { "row": 256 }] }),
                "seats[1].row: must be at most 255",
            ),
        ] {
            let (result, _) = call(&server, "book", arguments);
            assert_eq!(result["isError"], true);
            assert_eq!(text(&result), told);
        }
    }

    #[test]
    fn a_type_that_is_no_object_cannot_be_the_arguments() {
        let count = |_: &mut Cx, _: Vec<u8>| CallToolResult::text("");
        let tool = Tool::new("count").input_schema_of::<Vec<u8>>().step(count);
        assert!(builder().tool(tool).build().is_err());
    }

    #[test]
    fn an_action_has_the_properties_of_its_type() {
        use mcp_reprise::{ActionTool, ToolAction};
        let action = ToolAction::new("book", "Books seats")
            .properties_of::<Book>()
            .step(book);
        let server = builder().tool(ActionTool::new("cinema").action(action));
        let server = server.build().unwrap();
        let data = json!({ "film": "Heat", "seats": [{ "row": 4 }] });
        let (result, _) = call(&server, "cinema", json!({ "action": "book", "data": data }));
        assert_eq!(result["structuredContent"]["rows"], json!([4]));
        let data = json!({ "film": "Heat" });
        let (result, _) = call(&server, "cinema", json!({ "action": "book", "data": data }));
        assert!(text(&result).contains("data.seats: is required"));
    }
}

#[cfg(feature = "validate")]
mod whole_schemas {
    use super::*;
    use mcp_reprise::protocol::CallToolResult;
    use mcp_reprise::{FailureKind, Outcome};

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "to": { "$ref": "#/$defs/place" },
                "list": { "type": "array", "items": { "$ref": "#/$defs/place" } },
            },
            "oneOf": [{ "required": ["to"] }, { "required": ["list"] }],
            "$defs": { "place": { "type": "string", "pattern": "^[a-z]+$" } },
        })
    }

    fn go(_: &mut Cx, _: Value) -> Outcome {
        Ok(CallToolResult::text("gone"))
    }

    #[test]
    fn they_are_checked_only_where_the_builder_asks_for_it() {
        let tool = || Tool::new("go").input_schema(schema()).step(go);
        let flat = builder().tool(tool()).build().unwrap();
        let whole = builder().tool(tool()).validate().build().unwrap();
        let wrong = json!({ "to": "A1" });
        assert_eq!(text(&call(&flat, "go", wrong.clone()).0), "gone");
        let (result, _) = call(&whole, "go", wrong);
        assert_eq!(result["isError"], true);
        assert_eq!(text(&result), "to: it does not match \"^[a-z]+$\"");
        let (result, _) = call(&whole, "go", json!({ "list": ["a", "secret!"] }));
        assert_eq!(text(&result), "list[1]: it does not match \"^[a-z]+$\"");
        let (result, _) = call(&whole, "go", json!({ "to": "a", "list": [] }));
        assert_eq!(
            text(&result),
            "arguments: it is valid under more than one of the schemas listed in the 'oneOf' keyword"
        );
        assert_eq!(text(&call(&whole, "go", json!({ "to": "a" })).0), "gone");
    }

    #[test]
    fn what_cannot_be_compiled_cannot_be_registered() {
        for schema in [
            json!({ "type": "object", "properties": { "a": { "$ref": "https://example.com/a.json" } } }),
            json!({ "type": "object", "properties": { "a": { "$ref": "file:///etc/a.json" } } }),
            json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/none" } } }),
            json!({ "type": "object", "properties": { "a": { "pattern": "(" } } }),
            json!({ "type": "object", "properties": { "a": { "pattern": "(?=a)" } } }),
            json!({ "type": "object", "required": "a" }),
        ] {
            let tool = Tool::new("go").input_schema(schema.clone()).step(go);
            let built = builder().tool(tool).validate().build();
            let error = built.err().map(|error| error.to_string());
            let told = "the inputSchema of tool \"go\" cannot be compiled";
            assert!(
                error.as_ref().is_some_and(|error| error.starts_with(told)),
                "{schema}: {error:?}"
            );
        }
    }

    /// A pattern that costs a backtracking engine exponential time costs this one nothing.
    #[test]
    fn a_pattern_takes_linear_time() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "pattern": "^(a+)+$" } },
        });
        let tool = Tool::new("go").input_schema(schema).step(go);
        let server = builder().tool(tool).validate().build().unwrap();
        let long = format!("{}!", "a".repeat(100_000));
        let (result, _) = call(&server, "go", json!({ "a": long }));
        assert_eq!(result["isError"], true);
        assert!(text(&result).len() < 200, "{}", text(&result));
    }

    #[test]
    fn structured_content_keeps_to_its_schema_or_the_log_says_that_it_does_not() {
        let output = json!({
            "type": "object",
            "properties": { "n": { "type": "integer", "multipleOf": 2 } },
            "required": ["n"],
        });
        let give = |value: Value| {
            let step = move |_: &mut Cx, _: Value| match value.clone() {
                Value::Null => CallToolResult::text("nothing"),
                Value::String(text) => CallToolResult::error(text),
                value => CallToolResult::json(&value),
            };
            let tool = Tool::new("give").output_schema(output.clone()).step(step);
            let server = builder().tool(tool).validate().build().unwrap();
            call(&server, "give", json!({}))
        };
        assert_eq!(give(json!({ "n": 4 })).0["structuredContent"]["n"], 4);
        assert_eq!(text(&give(json!("no")).0), "no");
        for wrong in [json!({ "n": 3 }), json!({}), json!([4]), Value::Null] {
            let (result, observations) = give(wrong);
            assert_eq!(result["isError"], true);
            let sentence = "The call failed because of an error in the server.";
            assert_eq!(text(&result), sentence);
            assert!(observations.iter().any(|seen| matches!(
                seen,
                Observation::Failed { failure: FailureKind::Output, cause, .. }
                    if cause.starts_with("the outputSchema is broken: ")
            )));
        }
    }
}
