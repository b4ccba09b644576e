//! What a session remembers for its steps.

use mcp_reprise::legacy::Transport;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Caller, Cx, Form, Limits, Outcome, Tool};
use serde_json::{Value, json};

use crate::support::{Client, able, accept, builder, limited};

#[test]
fn the_session_wins_over_the_request_and_grows_with_each_result() {
    let mut client = Client::open("2025-11-25", able());
    let call = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "count"}});
    let caller = Caller::anonymous()
        .assign("tenant", "north")
        .assign("calls", 40);
    let first = client.send_as(caller.clone(), &call(1));
    client.run();
    assert_eq!(client.text(first), r#"41 for "north" Legacy"#);
    client.through_paper();
    let second = client.send_as(caller, &call(2));
    client.run();
    assert_eq!(client.text(second), r#"42 for "north" Legacy"#);
    assert_eq!(client.session.assigns()["calls"], 42);
    assert!(
        client.session.assigns().get("tenant").is_none(),
        "a request's stay the request's"
    );
}

#[test]
fn what_would_grow_too_big_is_not_kept() {
    let server = limited(Limits {
        session_assigns: 11,
        ..Limits::default()
    });
    let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
    client.call("count");
    assert!(client.session.assigns().get("calls").is_some());
    let server = limited(Limits {
        session_assigns: 4,
        ..Limits::default()
    });
    let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
    client.call("count");
    assert!(client.session.assigns().is_empty());
}

fn unlock(cx: &mut Cx, _: Value) -> Outcome {
    cx.assign("unlocked", true);
    let _: Value = cx
        .elicit("sure", Form::new("Sure?").boolean("sure"))?
        .accepted()?;
    Ok(CallToolResult::text(cx.tools().count().to_string()))
}

fn secret(_: &mut Cx, _: Value) -> Outcome {
    Ok(CallToolResult::text("secret"))
}

#[test]
fn a_session_narrows_and_extends_its_tools_and_the_client_is_told() {
    let unlocked = |caller: &Caller| caller.assigns.get("unlocked") == Some(&json!(true));
    let server = builder()
        .tool(
            Tool::new("unlock")
                .step(unlock)
                .visible_to(move |caller| !unlocked(caller)),
        )
        .tool(Tool::new("secret").step(secret).visible_to(unlocked))
        .build()
        .unwrap();
    let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
    let names = |client: &mut Client| {
        let listed = client.ask("tools/list", json!({}));
        listed["result"]["tools"].to_string()
    };
    assert!(names(&mut client).contains("unlock") && !names(&mut client).contains("secret"));
    let get = client.connect(None);
    let call = client.call("unlock");
    assert!(
        client.session.assigns().is_empty(),
        "a round that asks has come to no result"
    );
    let (id, _) = client.last_question(call);
    client.answer(&id, accept(json!({"sure": true})));
    client.text(call);
    assert!(names(&mut client).contains("secret") && !names(&mut client).contains("unlock"));
    assert_eq!(
        client.pushed(get)[0]["method"],
        "notifications/tools/list_changed"
    );
    let call = client.call("secret");
    assert_eq!(client.text(call), "secret");
}
