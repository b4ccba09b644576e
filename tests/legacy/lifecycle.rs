//! The beginning, the methods that are only of these revisions, and the end.

use mcp_reprise::legacy::{LegacyVersion, Session, Transport};
use mcp_reprise::{Caller, Exchange, Limits};
use serde_json::{Value, json};

use crate::support::{Client, Said, able, at, initialize, limited, said, server};

fn open(transport: Transport, body: &Value) -> (Option<Session>, Said) {
    let body = body.to_string();
    let caller = Caller::anonymous();
    let (session, mut turn) = Session::open(
        &server(),
        transport,
        Exchange(0),
        &caller,
        body.as_bytes(),
        &at(0),
    );
    (session, said(turn.actions.pop().unwrap()))
}

fn negotiated(transport: Transport, version: &str) -> Value {
    match open(transport, &initialize(version, json!({}))).1 {
        Said::Response(200, response) => response["result"]["protocolVersion"].clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn if_the_server_supports_the_requested_version_it_must_respond_with_the_same_version() {
    for version in LegacyVersion::ALL {
        assert_eq!(
            negotiated(Transport::Lines, version.as_str()),
            version.as_str()
        );
    }
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        assert_eq!(negotiated(Transport::Http, version), version);
    }
}

#[test]
fn otherwise_the_server_must_respond_with_another_version_it_supports() {
    for version in ["2099-12-31", "2026-07-28", "", "1"] {
        assert_eq!(negotiated(Transport::Http, version), "2025-11-25");
        assert_eq!(negotiated(Transport::Lines, version), "2025-11-25");
    }
    // That revision has no Streamable HTTP.
    assert_eq!(negotiated(Transport::Http, "2024-11-05"), "2025-11-25");
}

#[test]
fn an_initialize_that_lacks_something_is_refused() {
    for member in ["protocolVersion", "capabilities", "clientInfo"] {
        let mut body = initialize("2025-11-25", json!({}));
        body["params"].as_object_mut().unwrap().remove(member);
        let (session, said) = open(Transport::Http, &body);
        assert!(session.is_none());
        let Said::Response(200, response) = said else {
            panic!("{said:?}")
        };
        assert_eq!(response["error"]["code"], -32602);
        assert_eq!(response["id"], "init");
    }
}

#[test]
fn the_session_id_must_only_contain_visible_ascii_and_differs_each_time() {
    let one = Client::open("2025-11-25", able()).session;
    assert!(one.id().len() >= 32 && one.id().bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
    let body = initialize("2025-11-25", json!({})).to_string();
    let (two, _) = Session::open(
        &server(),
        Transport::Http,
        Exchange(0),
        &Caller::anonymous(),
        body.as_bytes(),
        &at(77),
    );
    assert_ne!(one.id(), two.unwrap().id());
}

#[test]
fn tasks_are_not_offered_and_initialize_says_what_is() {
    let (_, said) = open(Transport::Http, &initialize("2025-11-25", able()));
    let Said::Response(200, response) = said else {
        panic!("{said:?}")
    };
    let result = &response["result"];
    assert!(result["capabilities"].get("tasks").is_none());
    assert!(result["capabilities"]["tools"]["listChanged"] == true);
    assert_eq!(result["serverInfo"]["name"], "test");
    assert!(result.get("_meta").is_none() && result.get("resultType").is_none());
}

#[test]
fn a_second_initialize_is_refused() {
    let mut client = Client::open("2025-11-25", able());
    let exchange = client.send(&initialize("2025-11-25", able()));
    assert_eq!(client.response(exchange)["error"]["code"], -32600);
}

#[test]
fn the_receiver_must_respond_promptly_to_a_ping_with_an_empty_response() {
    for version in LegacyVersion::ALL {
        let mut client = Client::over(Transport::Lines, server(), version.as_str(), able());
        assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    }
}

#[test]
fn an_unknown_method_is_answered_under_200() {
    let mut client = Client::open("2025-11-25", able());
    let exchange = client.request("com.example/nope", json!({}));
    let [Said::Response(200, response)] = &client.over_exchange(exchange)[..] else {
        panic!()
    };
    assert_eq!(response["error"]["code"], -32601);
}

#[test]
fn a_notification_or_response_that_is_accepted_must_be_answered_by_202_without_a_body() {
    let mut client = Client::open("2025-11-25", able());
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}),
        json!({"jsonrpc": "2.0", "method": "com.example/unknown"}),
        json!({"jsonrpc": "2.0", "id": "ask-99", "result": {}}),
        json!({"jsonrpc": "2.0", "id": 4, "error": {"code": 1, "message": "late"}}),
    ] {
        let exchange = client.send(&message);
        assert_eq!(
            client.over_exchange(exchange),
            [Said::Empty(202)],
            "{message}"
        );
    }
}

#[test]
fn a_log_level_that_is_none_must_be_refused_by_invalid_params() {
    let mut client = Client::open("2025-11-25", able());
    assert_eq!(
        client.ask("logging/setLevel", json!({"level": "loud"}))["error"]["code"],
        -32602
    );
    assert_eq!(
        client.ask("logging/setLevel", json!({}))["error"]["code"],
        -32602
    );
    assert_eq!(
        client.ask("logging/setLevel", json!({"level": "error"}))["result"],
        json!({})
    );
    let exchange = client.call("logger");
    let pushed = client.pushed(exchange);
    assert_eq!(pushed.len(), 1);
    assert_eq!(pushed[0]["params"]["level"], "error");
}

#[test]
fn a_resource_that_is_not_there_is_32002() {
    let mut client = Client::open("2025-11-25", able());
    for method in ["resources/read", "resources/subscribe"] {
        let error = client.ask(method, json!({"uri": "test://none"}))["error"].clone();
        assert_eq!(error["code"], -32002);
        assert_eq!(error["data"]["uri"], "test://none");
    }
    assert!(
        client.ask("resources/read", json!({"uri": "test://a"}))["result"]["contents"].is_array()
    );
}

#[test]
fn subscriptions_are_bounded() {
    let server = limited(Limits {
        subscription_uris: 0,
        ..Limits::default()
    });
    let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
    let response = client.ask("resources/subscribe", json!({"uri": "test://a"}));
    assert_eq!(response["error"]["code"], -32602);
}

#[test]
fn batches_are_of_2025_03_26_alone() {
    for version in ["2025-11-25", "2025-06-18"] {
        let mut client = Client::open(version, able());
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let exchange = client.send(&json!([ping]));
        let [Said::Response(400, response)] = &client.over_exchange(exchange)[..] else {
            panic!()
        };
        assert_eq!(response["error"]["code"], -32600);
        assert_eq!(response.get("id").is_some(), version == "2025-06-18");
    }
    let mut client = Client::open("2025-03-26", able());
    let exchange = client.send(&json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "steps"}},
        {"jsonrpc": "2.0", "id": 3, "method": "nope"},
        7,
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "count"}},
    ]));
    client.run();
    let response = client.response(exchange);
    let ids: Vec<&Value> = response
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(
        ids,
        [&Value::Null, &json!(1), &json!(2), &json!(3), &json!(4)]
    );
    let exchange = client.send(&json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]));
    assert_eq!(client.over_exchange(exchange), [Said::Empty(202)]);
    let exchange = client.send(&json!([]));
    assert!(matches!(
        &client.over_exchange(exchange)[..],
        [Said::Response(400, _)]
    ));
    let exchange = client.send(&json!([initialize("2025-03-26", able())]));
    assert_eq!(client.response(exchange)[0]["error"]["code"], -32600);
}

#[test]
fn a_cancelled_call_is_not_answered_and_ids_are_told_apart_by_type() {
    let mut client = Client::open("2025-11-25", able());
    let message =
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "steps"}});
    let exchange = client.send(&message);
    for wrong in [json!("7"), json!(8), json!(null), json!({})] {
        client.notify("notifications/cancelled", json!({"requestId": wrong}));
    }
    assert!(!client.over_exchange(exchange).contains(&Said::Cancel));
    client.notify("notifications/cancelled", json!({"requestId": 7}));
    client.run();
    assert_eq!(client.over_exchange(exchange).last(), Some(&Said::Cancel));
}

#[test]
fn an_id_that_is_open_is_refused_and_open_calls_are_bounded() {
    let server = limited(Limits {
        open_requests: 1,
        ..Limits::default()
    });
    let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
    let call = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "steps"}});
    client.send(&call(1));
    let twice = client.send(&call(1));
    assert_eq!(client.response(twice)["error"]["code"], -32600);
    let more = client.send(&call(2));
    assert_eq!(client.response(more)["error"]["code"], -32603);
}

#[test]
fn a_session_that_is_silent_for_too_long_ends_and_one_that_is_busy_does_not() {
    let mut client = Client::open("2025-11-25", able());
    let idle = client.session.deadline().unwrap();
    assert_eq!(idle.as_millis(), 1 + 3_600_000);
    let stream = client.connect(None);
    assert_eq!(client.session.deadline(), None);
    client.disconnect(stream);
    let idle = client.session.deadline().unwrap().as_millis();
    client.session.tick(&client.server, &at(idle - 1));
    assert!(!client.session.is_ended());
    client.session.tick(&client.server, &at(idle));
    assert!(client.session.is_ended());
}

#[test]
fn the_end_takes_calls_and_streams_with_it() {
    let mut client = Client::open("2025-11-25", able());
    let stream = client.connect(None);
    let asking = client.call("book");
    let turn = client.session.end();
    client.take(turn);
    assert!(client.session.is_ended());
    assert_eq!(client.over_exchange(stream).last(), Some(&Said::End));
    assert!(client.over_exchange(asking).contains(&Said::Cancel));
    assert!(client.session.end().actions.is_empty());
}

#[test]
fn a_session_of_another_layout_is_refused_and_debug_is_mute() {
    let mut client = Client::open("2025-11-25", able());
    client.call("book");
    let written = serde_json::to_string(&client.session).unwrap();
    let other = written.replacen("\"layout\":1", "\"layout\":2", 1);
    let error = serde_json::from_str::<Session>(&other).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a session of layout 2, and this is layout 1")
    );
    let shown = format!("{:?}", client.session);
    assert!(!shown.contains(client.session.id()) && !shown.contains("Which day"));
}

#[test]
fn every_change_has_a_revision_of_its_own() {
    let mut client = Client::open("2025-11-25", able());
    let mut last = client.session.revision();
    for tool in ["count", "steps", "book"] {
        client.call(tool);
        assert!(client.session.revision() > last);
        last = client.session.revision();
    }
}
