//! Streams: which message goes where, and what a client that comes back gets.

use mcp_reprise::{Change, Limits};
use serde_json::json;

use crate::support::{Client, Said, able, accept, limited, server, text};

fn mark(client: &Client, exchange: u64) -> String {
    match client.over_exchange(exchange).first() {
        Some(Said::Mark(id, None)) => id.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_server_should_immediately_send_an_event_id_and_an_empty_data_field() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.request("tools/call", json!({"name": "count"}));
    assert_eq!(client.over_exchange(call).len(), 1);
    mark(&client, call);
    let get = client.connect(None);
    mark(&client, get);
    // Earlier clients could not read it.
    for version in ["2025-06-18", "2025-03-26"] {
        let mut client = Client::open(version, able());
        let call = client.call("count");
        assert!(matches!(
            client.over_exchange(call)[..],
            [Said::Response(200, _)]
        ));
        let get = client.connect(None);
        assert_eq!(client.over_exchange(get), [Said::Opened]);
    }
}

#[test]
fn an_event_id_must_be_unique_across_all_streams_of_the_session() {
    let mut client = Client::open("2025-11-25", able());
    let mut ids = std::collections::BTreeSet::new();
    let mut count = 0;
    for tool in ["book", "sample", "steps"] {
        let get = client.connect(None);
        let call = client.call(tool);
        for said in [client.over_exchange(get), client.over_exchange(call)].concat() {
            if let Said::Mark(id, _) | Said::Push(_, Some(id)) = said {
                count += 1;
                ids.insert(id);
            }
        }
    }
    assert!(count > 6);
    assert_eq!(ids.len(), count);
}

#[test]
fn disconnection_should_not_be_interpreted_as_the_client_cancelling_its_request() {
    let mut client = Client::open("2025-11-25", able());
    let params = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let call = client.request("tools/call", params);
    let mark = mark(&client, call);
    client.disconnect(call);
    client.run();
    assert_eq!(client.over_exchange(call).len(), 1, "nobody was there");
    let resumed = client.connect(Some(&mark));
    let pushed = client.pushed(resumed);
    let progress: Vec<_> = pushed[..3]
        .iter()
        .map(|push| push["params"]["progress"].clone())
        .collect();
    assert_eq!(progress, [1, 2, 3]);
    assert_eq!(text(&pushed[3]), "done");
    assert_eq!(client.over_exchange(resumed).last(), Some(&Said::End));
}

#[test]
fn a_stream_is_resumed_where_the_client_was_and_goes_on() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("book");
    let events = client.over_exchange(call);
    let Some(Said::Push(_, Some(last))) = events
        .iter()
        .rev()
        .find(|said| matches!(said, Said::Push(..)))
    else {
        panic!()
    };
    client.through_paper();
    let resumed = client.connect(Some(last));
    assert_eq!(
        client.over_exchange(call).last(),
        Some(&Said::End),
        "one connection a stream"
    );
    assert!(client.pushed(resumed).is_empty());
    let (id, _) = client.last_question(call);
    client.answer(&id, accept(json!({"day": "Friday"})));
    let (id, _) = client.last_question(resumed);
    client.answer(&id, json!({"action": "decline"}));
    assert_eq!(client.text(resumed), "declined");
}

#[test]
fn the_server_must_not_replay_messages_of_a_different_stream() {
    let mut client = Client::open("2025-11-25", able());
    let one = client.call("book");
    let two = client.call("sample");
    let resumed = client.connect(Some(&mark(&client, two)));
    assert_eq!(client.questions(resumed), client.questions(two));
    assert_ne!(client.questions(resumed), client.questions(one));
    for nowhere in [
        "0",
        "p99-0",
        "p0",
        "p-",
        "g",
        "p1-18446744073709551616",
        "\u{e9}",
    ] {
        let refused = client.connect(Some(nowhere));
        assert!(
            matches!(client.over_exchange(refused)[..], [Said::Response(400, _)]),
            "{nowhere}"
        );
    }
}

#[test]
fn each_message_must_go_over_only_one_stream() {
    let mut client = Client::open("2025-11-25", able());
    let (first, second) = (client.connect(None), client.connect(None));
    let call = client.request("tools/call", json!({"name": "steps"}));
    assert!(client.session.notify(&Change::ToolsList));
    let turn = client.session.flush();
    client.take(turn);
    assert_eq!(client.pushed(first).len(), 1);
    assert!(client.pushed(second).is_empty() && client.pushed(call).is_empty());
    client.disconnect(first);
    client.session.notify(&Change::PromptsList);
    let turn = client.session.flush();
    client.take(turn);
    assert_eq!(
        client.pushed(second)[0]["method"],
        "notifications/prompts/list_changed"
    );
}

#[test]
fn streams_of_a_session_are_bounded_by_409() {
    let server = limited(Limits {
        session_streams: 2,
        ..Limits::default()
    });
    let mut client = Client::over(
        mcp_reprise::legacy::Transport::Http,
        server,
        "2025-11-25",
        able(),
    );
    let first = client.connect(None);
    client.connect(None);
    let third = client.connect(None);
    assert!(matches!(
        client.over_exchange(third)[..],
        [Said::Response(409, _)]
    ));
    client.disconnect(first);
    let again = client.connect(None);
    mark(&client, again);
}

#[test]
fn a_change_that_nobody_heard_is_told_when_a_stream_opens() {
    let mut client = Client::open("2025-11-25", able());
    client.ask("resources/subscribe", json!({"uri": "test://a"}));
    for change in [
        Change::ToolsList,
        Change::ToolsList,
        Change::resource("test://a"),
        Change::resource("test://b"),
    ] {
        assert!(!client.session.notify(&change));
    }
    client.through_paper();
    let get = client.connect(None);
    let pushed = client.pushed(get);
    let methods: Vec<_> = pushed.iter().map(|push| push["method"].clone()).collect();
    assert_eq!(
        methods,
        [
            "notifications/tools/list_changed",
            "notifications/resources/updated"
        ]
    );
    assert_eq!(pushed[1]["params"], json!({"uri": "test://a"}));
    let second = client.connect(None);
    assert!(client.pushed(second).is_empty());
    client.ask("resources/unsubscribe", json!({"uri": "test://a"}));
    assert!(!client.session.notify(&Change::resource("test://a")));
}

#[test]
fn a_server_that_closes_the_connection_should_send_a_retry_field() {
    let mut client = Client::open("2025-11-25", able());
    let params = json!({"name": "leave", "_meta": {"progressToken": 1}});
    let call = client.request("tools/call", params.clone());
    client.run();
    let said = client.over_exchange(call);
    let [
        Said::Mark(..),
        Said::Push(..),
        Said::Mark(id, Some(500)),
        Said::End,
    ] = &said[..]
    else {
        panic!("{said:?}")
    };
    let resumed = client.connect(Some(id));
    let pushed = client.pushed(resumed);
    assert_eq!(pushed[0]["params"]["progress"], 2);
    assert_eq!(text(&pushed[1]), "left");
    // Nothing of the kind is in the earlier revisions, nor over lines.
    let mut client = Client::open("2025-06-18", able());
    let call = client.request("tools/call", params);
    client.run();
    assert_eq!(client.text(call), "left");
}

#[test]
fn what_is_kept_is_bounded() {
    let limits = Limits {
        stream_events: 2,
        stream_bytes: 1_000,
        ..Limits::default()
    };
    let mut client = Client::over(
        mcp_reprise::legacy::Transport::Http,
        limited(limits),
        "2025-11-25",
        able(),
    );
    let mut marks = Vec::new();
    for _ in 0..40 {
        let call = client.request(
            "tools/call",
            json!({"name": "steps", "_meta": {"progressToken": 1}}),
        );
        marks.push(mark(&client, call));
        client.run();
    }
    let written = serde_json::to_string(&client.session).unwrap();
    assert!(written.len() < 20_000, "{}", written.len());
    let resumed = client.connect(Some(&marks[39]));
    assert_eq!(client.pushed(resumed).len(), 2, "the newest are kept");
    let gone = client.connect(Some(&marks[0]));
    assert!(matches!(
        client.over_exchange(gone)[..],
        [Said::Response(400, _)]
    ));
}

#[test]
fn nothing_is_pushed_before_the_client_has_said_that_it_is_ready() {
    let body = crate::support::initialize("2025-11-25", able()).to_string();
    let server = server();
    let (session, _) = mcp_reprise::legacy::Session::open(
        &server,
        mcp_reprise::legacy::Transport::Http,
        mcp_reprise::Exchange(0),
        &mcp_reprise::Caller::anonymous(),
        body.as_bytes(),
        &crate::support::at(0),
    );
    let mut session = session.unwrap();
    session.connect(
        &server,
        mcp_reprise::Exchange(1),
        None,
        &crate::support::at(1),
    );
    assert!(!session.notify(&Change::ToolsList));
    assert!(session.flush().actions.is_empty());
}
