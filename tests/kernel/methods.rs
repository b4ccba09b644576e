//! The methods of a server, and what each refuses.

use mcp_reprise::protocol::{
    CallToolResult, CompleteResult, GetPromptResult, LoggingLevel, PromptMessage,
    ReadResourceResult,
};
use mcp_reprise::*;
use serde_json::{Value, json};

use crate::support::*;

fn offers() -> ServerBuilder {
    let hidden = |caller: &Caller| caller.principal.as_deref() == Some("root");
    blank()
        .tool(tool("a", |_| text("a")))
        .tool(tool("b", |_| text("b")))
        .tool(tool("hidden", |_| text("hidden")).visible_to(hidden))
        .tool(tool("c", |_| text("c")))
        .prompt(
            Prompt::new("greet")
                .required("name", "Whom")
                .optional("city", "Where")
                .step(|_: &mut Cx, arguments: Value| {
                    GetPromptResult::new([PromptMessage::user(format!(
                        "Hello, {}",
                        arguments["name"]
                    ))])
                })
                .complete("city", |_: &mut Cx, typed: Completing| {
                    let cities = ["Paris", "Prague"].into_iter();
                    CompleteResult::values(
                        cities.filter(move |city| city.starts_with(&typed.value)),
                    )
                }),
        )
        .resource(
            Resource::new("test://a", "a")
                .step(|cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "A")),
        )
        .resource_template(ResourceTemplate::new("test://t/{id}", "t").step(
            |cx: &mut Cx, variables: Value| -> Outcome<ReadResourceResult> {
                if variables["id"] == "none" {
                    return Err(ToolError::not_found());
                }
                Ok(ReadResourceResult::text(cx.name(), variables.to_string()))
            },
        ))
}

#[test]
fn discover_tells_versions_capabilities_and_who_the_server_is() {
    let mut client = Client::of(&built(offers().instructions("Be kind")));
    let found = client.request("server/discover", json!({}));
    let result = found.result();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["instructions"], "Be kind");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "shop"
    );
    assert_eq!(result["serverInfo"], Value::Null);
    for capability in ["tools", "prompts", "resources", "completions", "logging"] {
        assert!(
            result["capabilities"][capability].is_object(),
            "{capability}"
        );
    }
}

#[test]
fn a_list_comes_in_pages_in_the_order_of_registration() {
    let limits = Limits {
        page_items: 2,
        ..Limits::default()
    };
    let server = built(offers().limits(limits));
    let names = |principal: Option<&str>| {
        let mut client = Client::of(&server);
        client.caller.principal = principal.map(ToOwned::to_owned);
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let page = client.request("tools/list", params.clone());
            let result = page.result().clone();
            assert_eq!(
                result["cacheScope"], "private",
                "something depends on the caller"
            );
            let tools = result["tools"].as_array().unwrap();
            assert!(tools.len() <= 2);
            names.extend(
                tools
                    .iter()
                    .map(|tool| tool["name"].as_str().unwrap().to_owned()),
            );
            match result["nextCursor"].as_str() {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return names,
            }
        }
    };
    assert_eq!(names(None), ["a", "b", "c"]);
    assert_eq!(names(Some("root")), ["a", "b", "hidden", "c"]);
}

#[test]
fn a_cursor_that_is_not_ours_or_not_of_this_list_is_refused() {
    let limits = Limits {
        page_items: 1,
        ..Limits::default()
    };
    let mut client = Client::of(&built(offers().limits(limits)));
    let page = client.request("tools/list", json!({}));
    let cursor = page.result()["nextCursor"].as_str().unwrap().to_owned();
    let mut other = client.clone();
    other.caller = Caller::principal("alice");
    let mut refused = vec![
        client.request("tools/list", json!({ "cursor": "" })),
        client.request("tools/list", json!({ "cursor": "AAAA" })),
        client.request("tools/list", json!({ "cursor": 1 })),
        client.request("prompts/list", json!({ "cursor": cursor })),
    ];
    refused.push(other.request("tools/list", json!({ "cursor": cursor })));
    for round in refused {
        assert_eq!(round.code(), -32602);
    }
    assert!(
        client
            .request("tools/list", json!({ "cursor": cursor }))
            .result()["tools"]
            .is_array()
    );
}

#[test]
fn what_a_caller_does_not_see_does_not_exist() {
    let server = built(offers());
    let stranger = Client::of(&server).call("hidden").message;
    let missing = Client::of(&server).call("missing").message;
    assert_eq!(
        stranger.to_string().replace("hidden", "X"),
        missing.to_string().replace("missing", "X"),
    );
    assert_eq!(
        Client::named(&server, "root").call("hidden").text(),
        "hidden"
    );
}

#[test]
fn prompts_are_fetched_and_their_arguments_checked() {
    let mut client = Client::of(&built(offers()));
    let mut get = |params: Value| client.request("prompts/get", params);
    let good = get(json!({ "name": "greet", "arguments": { "name": "Ada" } }));
    assert_eq!(
        good.result()["messages"][0]["content"]["text"],
        "Hello, \"Ada\""
    );
    for bad in [
        json!({ "name": "none" }),
        json!({ "name": 1 }),
        json!({}),
        json!({ "name": "greet" }),
        json!({ "name": "greet", "arguments": { "city": "Rome" } }),
        json!({ "name": "greet", "arguments": { "name": 5 } }),
        json!({ "name": "greet", "arguments": ["Ada"] }),
    ] {
        assert_eq!(get(bad.clone()).code(), -32602, "{bad}");
    }
}

#[test]
fn resources_are_read_by_uri_and_by_template() {
    let mut client = Client::of(&built(offers()));
    let mut read = |uri: &str| client.request("resources/read", json!({ "uri": uri }));
    assert_eq!(read("test://a").result()["contents"][0]["text"], "A");
    let by_template = read("test://t/x%20y");
    assert_eq!(
        by_template.result()["contents"][0]["text"],
        r#"{"id":"x y"}"#
    );
    assert_eq!(by_template.result()["cacheScope"], "private");
    for missing in ["test://none", "test://t/none", "test://t/a/b"] {
        let round = read(missing);
        assert_eq!(round.code(), -32602, "{missing}");
        assert_eq!(round.error()["data"]["uri"], missing);
    }
}

#[test]
fn completions_come_from_their_step() {
    let mut client = Client::of(&built(offers()));
    let mut complete = |reference: Value, name: &str, value: &str| {
        let argument = json!({ "name": name, "value": value });
        client.request(
            "completion/complete",
            json!({ "ref": reference, "argument": argument }),
        )
    };
    let greet = json!({ "type": "ref/prompt", "name": "greet" });
    let found = complete(greet.clone(), "city", "Pr");
    assert_eq!(found.result()["completion"]["values"], json!(["Prague"]));
    let nothing = complete(greet, "name", "A");
    assert_eq!(nothing.result()["completion"]["values"], json!([]));
    let unknown = complete(json!({ "type": "ref/prompt", "name": "none" }), "x", "");
    assert_eq!(unknown.code(), -32602);
    let odd = complete(json!({ "type": "ref/other" }), "x", "");
    assert_eq!(odd.code(), -32602);
}

#[test]
fn prompts_and_resources_may_ask_too() {
    let prompt = Prompt::new("ask").step(|cx: &mut Cx, _: Value| -> Outcome<GetPromptResult> {
        let name = crate::support::ask(cx, "name", "Your name?")?;
        Ok(GetPromptResult::new([PromptMessage::user(name)]))
    });
    let resource = Resource::new("test://ask", "ask")
        .cache(
            std::time::Duration::from_secs(60),
            protocol::CacheScope::Public,
        )
        .step(|cx: &mut Cx, _: Value| -> Outcome<ReadResourceResult> {
            let name = crate::support::ask(cx, "name", "Your name?")?;
            Ok(ReadResourceResult::text(cx.name(), name))
        });
    let mut client = Client::of(&built(blank().prompt(prompt).resource(resource)));
    let asked = client.request("prompts/get", json!({ "name": "ask" }));
    let got = client.answer_all(&asked);
    assert_eq!(got.result()["messages"][0]["content"]["text"], "v-name");
    let asked = client.request("resources/read", json!({ "uri": "test://ask" }));
    let read = client.answer_all(&asked);
    assert_eq!(read.result()["contents"][0]["text"], "v-name");
    assert_eq!(
        read.result()["cacheScope"],
        "private",
        "it depends on answers"
    );
    assert_eq!(read.result()["ttlMs"], 0);
}

#[test]
fn arguments_that_do_not_fit_are_told_to_the_model_and_run_nothing() {
    let schema = json!({
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "required": ["n"],
    });
    let strict = Tool::new("strict").input_schema(schema);
    let strict = strict.step(|_: &mut Cx, _: Value| CallToolResult::text("ran"));
    let mut client = Client::of(&server([strict]));
    let wrong = client.tool("strict", json!({ "n": "x" }));
    assert!(!wrong.ran);
    assert!(wrong.failure().contains('n'), "{}", wrong.failure());
    assert!(!client.call("strict").ran);
    assert_eq!(client.tool("strict", json!({ "n": 1 })).text(), "ran");
}

#[test]
fn nothing_of_a_foreign_error_or_a_panic_reaches_the_client() {
    let foreign = tool("foreign", |_| {
        let _: u8 = "the password is 42".parse::<u8>()?;
        text("never")
    });
    let panics = tool("panics", |_| panic!("the password is 42"));
    let reads = Resource::new("test://nil", "nil").step(
        |_: &mut Cx, _: Value| -> Outcome<ReadResourceResult> {
            Err(ToolError::internal("the password is 42"))
        },
    );
    let mut client = Client::of(&built(blank().tool(foreign).tool(panics).resource(reads)));
    for (round, kind) in [
        (client.call("foreign"), FailureKind::Error),
        (client.call("panics"), FailureKind::Panic),
    ] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(round.failure(), @"The call failed because of an error in the server.");
        }
        assert_eq!(round.cause().0, kind);
    }
    let round = client.request("resources/read", json!({ "uri": "test://nil" }));
    assert_eq!(round.code(), -32603);
    assert!(!round.message.to_string().contains("password"));
    assert_eq!(round.cause().1, "the password is 42");
}

#[test]
fn messages_are_sent_only_at_the_level_that_was_asked_for() {
    let log = tool("log", |cx| {
        for level in [
            LoggingLevel::Debug,
            LoggingLevel::Warning,
            LoggingLevel::Emergency,
        ] {
            cx.log(level, format!("{level:?}"));
        }
        text("done")
    });
    let mut client = Client::of(&server([log]));
    assert!(client.call("log").pushes.is_empty(), "nobody asked");
    client.log_level = Some(LoggingLevel::Warning);
    assert_eq!(client.call("log").logs(), ["Warning", "Emergency"]);
}

#[test]
fn progress_grows_and_is_sent_only_with_a_token() {
    let steps = tool("steps", |cx| {
        for value in [1.0, 1.0, 2.0, 1.5, f64::NAN, f64::INFINITY, 3.0] {
            cx.progress(value);
        }
        text("done")
    });
    let mut client = Client::of(&server([steps]));
    assert!(client.call("steps").pushes.is_empty());
    client.progress_token = Some("tok/ü 1".into());
    let round = client.call("steps");
    assert_eq!(round.progress(), [1.0, 2.0, 3.0]);
    assert_eq!(round.pushes[0]["params"]["progressToken"], "tok/ü 1");
}

#[test]
fn a_full_sink_keeps_the_newest_progress_and_counts_what_it_dropped() {
    let flood = tool("flood", |cx| {
        for value in 1..=1_000 {
            cx.progress(value);
            cx.log(LoggingLevel::Info, "x");
        }
        text("done")
    });
    let limits = Limits {
        pending_reports: 8,
        ..Limits::default()
    };
    let mut client = Client::of(&built(blank().limits(limits).tool(flood)));
    client.progress_token = Some(1.into());
    client.log_level = Some(LoggingLevel::Debug);
    let round = client.call("flood");
    assert_eq!(round.pushes.len(), 8);
    assert_eq!(round.progress().last(), Some(&1_000.0));
    assert_eq!(round.dropped, 1_000 - round.logs().len() as u64);
}

#[test]
fn an_initialize_of_an_older_era_is_told_which_revision_is_served() {
    let mut client = Client::of(&built(offers()));
    let old = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let round = client.send(old.as_bytes());
    assert_eq!((round.status, round.code()), (400, -32022));
    assert_eq!(round.error()["data"]["supported"], json!(["2026-07-28"]));
    insta::assert_snapshot!(round.error()["message"].as_str().unwrap(), @"Unsupported protocol version: this server speaks 2026-07-28");
    let modern = client.request("initialize", json!({}));
    assert_eq!((modern.status, modern.code()), (404, -32601));
}

#[test]
fn a_listener_is_told_what_it_asked_for_once_and_only_what_the_caller_sees() {
    let hidden = Resource::new("test://hidden", "hidden").visible_to(|_| false);
    let hidden = hidden.step(|cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), ""));
    let mut client = Client::of(&built(offers().resource(hidden)));
    let filter = json!({
        "toolsListChanged": true,
        "promptsListChanged": false,
        "resourceSubscriptions": ["test://a", "test://hidden", "test://t/1"],
        "bogusChanged": true,
    });
    let body = client.body("subscriptions/listen", &json!({ "notifications": filter }));
    let turn = client.receive(body.as_bytes());
    let mut actions = turn.actions.into_iter();
    let Some(Action::Push { message, .. }) = actions.next() else {
        panic!("acknowledged first");
    };
    let acknowledged: Value = serde_json::from_slice(&message).unwrap();
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["test://a", "test://t/1"] }),
    );
    let Some(Action::Listen(mut listener)) = actions.next() else {
        panic!("and then the listener");
    };
    for _ in 0..1_000 {
        listener.note(&Change::ToolsList);
        listener.note(&Change::PromptsList);
        listener.note(&Change::resource("test://t/1"));
        listener.note(&Change::resource("test://hidden"));
    }
    let mut told = Vec::new();
    while let Some(Action::Push { message, .. }) = listener.next_push() {
        let message: Value = serde_json::from_slice(&message).unwrap();
        let id = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert_eq!(*id, 1);
        told.push(message["method"].as_str().unwrap().to_owned());
    }
    assert_eq!(
        told,
        [
            "notifications/tools/list_changed",
            "notifications/resources/updated"
        ]
    );
    let closed = listener.close();
    let [Action::Respond { response, .. }] = closed.as_slice() else {
        panic!("{closed:?}");
    };
    let response: Value = serde_json::from_slice(response.message.as_deref().unwrap()).unwrap();
    assert_eq!(
        response["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        1
    );
}
