//! A protected server: each rule of the authorization chapter that binds a server, a test each.
//!
//! See [Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization).

#[cfg(feature = "tower")]
#[path = "../examples/everything/tokens.rs"]
mod tokens;

use http::{Method, Request};
use mcp_reprise::http::{Challenge, Endpoint, Part, ProtectedResource, Reply, bearer};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Action, Caller, Cx, Exchange, Form, Moment, Observation, Outcome, Server, ServerBuilder,
    Timestamp, Tool, Turn,
};
use serde_json::{Value, json};

const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

fn builder() -> ServerBuilder {
    let ask = |cx: &mut Cx, _: Value| -> Outcome {
        let day: Value = cx
            .elicit("day", Form::new("Which day?").text("day"))?
            .accepted()?;
        Ok(CallToolResult::text(day.to_string()))
    };
    Server::builder("mail", "1.0.0")
        .single_process([7; 32])
        .tool(Tool::new("open").step(|_: &mut Cx, _: Value| CallToolResult::text("open")))
        .tool(Tool::new("ask").step(ask))
        .tool(
            Tool::new("send")
                .scopes(["mail:read", "mail:send"])
                .step(|_: &mut Cx, _: Value| CallToolResult::text("sent")),
        )
}

fn resource() -> ProtectedResource {
    ProtectedResource::new("https://mcp.example.com/mcp", ["https://auth.example.com"])
        .and_then(|resource| resource.scopes_supported(["mail:read"]))
        .unwrap()
}

fn endpoint(server: Server) -> Endpoint {
    let endpoint = Endpoint::new(server).protected(resource());
    endpoint.allow_host("mcp.example.com").unwrap()
}

fn protected() -> Endpoint {
    endpoint(builder().build().unwrap())
}

/// A call of a tool, with these further lines.
fn call(tool: &str, lines: &[(&str, &str)], more: &Value) -> Request<String> {
    let mut params = json!({ "name": tool, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    } });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    post("tools/call", Some(tool), lines, params)
}

fn post(
    method: &str,
    name: Option<&str>,
    lines: &[(&str, &str)],
    params: Value,
) -> Request<String> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = Request::post("/mcp")
        .header("host", "mcp.example.com")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    for (name, value) in lines {
        request = request.header(*name, *value);
    }
    request.body(body.to_string()).unwrap()
}

const TOKEN: (&str, &str) = ("authorization", "Bearer alices-token");

fn alice() -> Caller {
    Caller::principal("alice")
}

fn moment() -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32])
}

/// A response as it is on the wire: its status, its challenge, its body.
#[derive(Debug)]
struct Seen {
    status: u16,
    challenge: String,
    body: Value,
}

fn seen(mut turn: Turn) -> Seen {
    let [Action::Respond { .. } | Action::InputRequired { .. }] = &*turn.actions else {
        panic!("{turn:?}");
    };
    let action = turn.actions.remove(0);
    let mut reply = Reply::new(std::time::Duration::ZERO);
    let parts = reply.act(action, Timestamp::from_millis(0));
    let [Part::Whole(response)] = &*parts else {
        panic!("{parts:?}");
    };
    let challenge = response.headers().get("www-authenticate");
    Seen {
        status: response.status().as_u16(),
        challenge: challenge.map_or_else(String::new, |c| c.to_str().unwrap().to_owned()),
        body: serde_json::from_slice(response.body()).unwrap_or_default(),
    }
}

fn receive(endpoint: &Endpoint, caller: Caller, request: &Request<String>) -> Turn {
    endpoint.receive(Exchange(1), caller, request, &moment())
}

/// Servers must use the metadata document to say where their authorization server is, and it
/// must name at least one.
#[test]
fn the_document_names_the_authorization_server() {
    let head = |method: Method, path: &str| {
        let request = Request::builder().method(method).uri(path);
        request.body(()).unwrap().into_parts().0
    };
    let endpoint = protected();
    let path = "/.well-known/oauth-protected-resource/mcp";
    let response = endpoint.metadata(&head(Method::GET, path)).unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    let document: Value = serde_json::from_slice(response.body()).unwrap();
    let expected = json!({
        "resource": "https://mcp.example.com/mcp",
        "authorization_servers": ["https://auth.example.com"],
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["mail:read"],
    });
    assert_eq!(document, expected);
    let response = endpoint.metadata(&head(Method::HEAD, path)).unwrap();
    assert!(response.status() == 200 && response.body().is_empty());
    let response = endpoint.metadata(&head(Method::POST, path)).unwrap();
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "GET, HEAD");
    for other in ["/mcp", "/.well-known/oauth-protected-resource", "/"] {
        assert!(endpoint.metadata(&head(Method::GET, other)).is_none());
    }
    let open = Endpoint::new(builder().build().unwrap());
    assert!(open.metadata(&head(Method::GET, path)).is_none());
}

/// Whoever comes without a token must be told so under 401, and where the document is.
#[test]
fn without_a_token_it_is_401_that_points_to_the_document() {
    let endpoint = protected();
    let request = call("open", &[], &json!({}));
    let turn = receive(&endpoint, Caller::anonymous(), &request);
    assert!(turn.steps.is_empty());
    assert!(matches!(
        &*turn.observations,
        [Observation::Rejected { .. }]
    ));
    let told = seen(turn);
    assert_eq!(told.status, 401);
    let expected = format!("Bearer scope=\"mail:read\", resource_metadata=\"{METADATA}\"");
    assert_eq!(told.challenge, expected, "no error: nothing was tried");
    // Of another scheme is as good as none.
    let request = call("open", &[("authorization", "Basic YTpi")], &json!({}));
    let told = seen(receive(&endpoint, alice(), &request));
    assert_eq!((told.status, told.challenge), (401, expected));
}

/// Access tokens must be validated, and invalid ones must be answered under 401: a caller whom
/// the driver could not name is served nothing.
#[test]
fn a_token_that_is_not_good_is_401() {
    let request = call("open", &[TOKEN], &json!({}));
    let told = seen(receive(&protected(), Caller::anonymous(), &request));
    assert_eq!(told.status, 401);
    assert!(
        told.challenge.starts_with("Bearer error=\"invalid_token\""),
        "{told:?}"
    );
    let expired = Challenge::invalid_token("The token has expired");
    let told = seen(protected().challenge(Exchange(1), expired));
    let expected = format!(
        "Bearer error=\"invalid_token\", error_description=\"The token has expired\", \
         scope=\"mail:read\", resource_metadata=\"{METADATA}\""
    );
    assert_eq!((told.status, told.challenge), (401, expected));
    assert_eq!(told.body["error"]["message"], "The token has expired");
}

/// Malformed authorization is 400; so are two lines, of which each reader takes another one.
#[test]
fn malformed_authorization_is_400() {
    let doubled = [TOKEN, ("authorization", "Bearer mallorys-token")];
    let malformed = [("authorization", "Bearer two words")];
    for lines in [&doubled[..], &malformed[..]] {
        let request = call("open", lines, &json!({}));
        let told = seen(receive(&protected(), alice(), &request));
        assert_eq!(told.status, 400);
        let error = "Bearer error=\"invalid_request\"";
        assert!(told.challenge.starts_with(error), "{told:?}");
    }
    let open = Endpoint::new(builder().build().unwrap()).allow_any_host();
    let told = seen(receive(&open, alice(), &call("open", &doubled, &json!({}))));
    assert_eq!((told.status, &*told.challenge), (400, ""));
}

/// Access tokens must not be in the query.
#[test]
fn a_token_in_the_uri_is_refused() {
    let mut request = call("open", &[TOKEN], &json!({}));
    *request.uri_mut() = "/mcp?access_token=alices-token".parse().unwrap();
    let told = seen(receive(&protected(), alice(), &request));
    assert_eq!(told.status, 400);
    assert!(!told.challenge.contains("alices-token"), "{told:?}");
}

/// Authorization must be in every request, and is looked at before anything else: the head alone
/// decides, whatever the method and the body.
#[test]
fn nothing_is_read_of_who_may_not_come_in() {
    for method in [Method::POST, Method::GET, Method::DELETE, Method::PUT] {
        let mut request = call("open", &[], &json!({}));
        *request.method_mut() = method.clone();
        *request.body_mut() = "{".to_owned();
        let told = seen(receive(&protected(), Caller::anonymous(), &request));
        assert_eq!(told.status, 401, "{method}");
        let (head, _) = request.into_parts();
        let turn = protected().refuse_head(Exchange(1), &head);
        assert_eq!(seen(turn.unwrap()).status, 401, "{method}");
    }
    let anonymous = protected().refuse_caller(Exchange(1), &Caller::anonymous());
    assert_eq!(seen(anonymous.unwrap()).status, 401);
    assert!(protected().refuse_caller(Exchange(1), &alice()).is_none());
    let other = protected().with_server(builder().build().unwrap());
    let anonymous = other.refuse_caller(Exchange(1), &Caller::anonymous());
    assert!(anonymous.is_some(), "another server is protected as well");
}

/// Whoever is let in is served.
#[test]
fn a_good_token_is_let_in() {
    let request = call("open", &[TOKEN], &json!({}));
    let turn = receive(&protected(), alice(), &request);
    assert_eq!(turn.steps.len(), 1);
    let (head, _) = request.into_parts();
    assert_eq!(bearer(&head), Ok(Some("alices-token")));
    assert!(protected().refuse_head(Exchange(1), &head).is_none());
}

/// Request state goes on for its own principal alone.
#[test]
fn request_state_is_its_principals() {
    let endpoint = protected();
    let mut turn = receive(&endpoint, alice(), &call("ask", &[TOKEN], &json!({})));
    let finished = turn.steps.remove(0).run(&Default::default());
    let asked = seen(endpoint.server().finish(finished));
    let answered = json!({
        "requestState": asked.body["result"]["requestState"],
        "inputResponses": { "day": { "action": "accept", "content": { "day": "Sunday" } } },
    });
    let request = call("ask", &[TOKEN], &answered);
    let turn = receive(&endpoint, Caller::principal("mallory"), &request);
    assert!(turn.steps.is_empty());
    assert!(matches!(
        &*turn.observations,
        [Observation::StateRefused { .. }]
    ));
    assert_eq!(receive(&endpoint, alice(), &request).steps.len(), 1);
}

/// A token that allows too little is 403, with all scopes that the operation needs in one
/// challenge, and no step is handed out.
#[test]
fn too_little_scope_is_403_with_all_that_is_needed() {
    let request = call("send", &[TOKEN], &json!({}));
    for granted in [&[][..], &["mail:read"], &["mail:send", "other"]] {
        let caller = alice().scopes(granted.iter().copied());
        let turn = receive(&protected(), caller, &request);
        assert!(turn.steps.is_empty());
        let told = seen(turn);
        let expected = format!(
            "Bearer error=\"insufficient_scope\", scope=\"mail:read mail:send\", \
             resource_metadata=\"{METADATA}\""
        );
        assert_eq!(
            (told.status, told.challenge),
            (403, expected),
            "{granted:?}"
        );
        let error = json!({
            "code": -32600,
            "message": "The access token does not allow this",
            "data": { "error": "insufficient_scope", "scope": "mail:read mail:send" },
        });
        assert_eq!(told.body["error"], error);
        assert_eq!(told.body["id"], 1);
    }
    let caller = alice().scopes(["mail:send", "mail:read", "other"]);
    assert_eq!(receive(&protected(), caller, &request).steps.len(), 1);
}

/// Scope hierarchies must be accounted for: a broader scope implies narrower ones.
#[test]
fn a_broader_scope_is_enough() {
    let server = builder()
        .scope_implies("mail", ["mail:send"])
        .scope_implies("mail:send", ["mail:read"]);
    let endpoint = endpoint(server.build().unwrap());
    let request = call("send", &[TOKEN], &json!({}));
    for (granted, steps) in [("mail", 1), ("mail:send", 1), ("mail:read", 0)] {
        let turn = receive(&endpoint, alice().scopes([granted]), &request);
        assert_eq!(turn.steps.len(), steps, "{granted}");
    }
}

/// What a method needs and what it calls needs are told together.
#[test]
fn methods_need_scopes_too() {
    let server = builder()
        .method_scopes("tools/call", ["mail"])
        .method_scopes("tools/list", ["mail:list"])
        .build();
    let endpoint = endpoint(server.unwrap());
    let meta = || {
        json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } })
    };
    for (request, scope) in [
        (post("tools/list", None, &[TOKEN], meta()), "mail:list"),
        (call("open", &[TOKEN], &json!({})), "mail"),
        (
            call("send", &[TOKEN], &json!({})),
            "mail mail:read mail:send",
        ),
        // Whoever may call nothing learns nothing of what there is.
        (call("none", &[TOKEN], &json!({})), "mail"),
    ] {
        let told = seen(receive(&endpoint, alice(), &request));
        assert_eq!(told.status, 403);
        assert_eq!(told.body["error"]["data"]["scope"], scope);
    }
    let discover = post("server/discover", None, &[TOKEN], meta());
    assert_eq!(seen(receive(&endpoint, alice(), &discover)).status, 200);
}

/// A tool that needs more is listed all the same: a client steps up to what it sees.
#[test]
fn what_needs_more_scope_is_still_listed() {
    let meta = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let request = post("tools/list", None, &[TOKEN], meta);
    let told = seen(receive(&protected(), alice(), &request));
    let listed = told.body["result"]["tools"].as_array().unwrap();
    assert!(listed.iter().any(|tool| tool["name"] == "send"));
}

/// Without HTTP there is no status and no header: the error says it.
#[test]
fn without_http_it_is_an_error() {
    let server = builder().build().unwrap();
    let request = call("send", &[], &json!({}));
    let body = request.body().as_bytes();
    let turn = server.receive(Exchange(1), alice(), body, &moment());
    assert!(turn.steps.is_empty());
    let told = seen(turn);
    assert_eq!(told.body["error"]["data"]["error"], "insufficient_scope");
}

/// Prompts, resources and templates need scopes in the same way; so does what comes back as data.
#[test]
fn everything_that_is_called_can_need_scopes() {
    use mcp_reprise::protocol::{GetPromptResult, PromptMessage, ReadResourceResult};
    use mcp_reprise::{Prompt, Resource, ResourceTemplate, Sink};
    let read = |cx: &mut Cx, _: Value| -> Outcome<ReadResourceResult> {
        Ok(ReadResourceResult::text(cx.name(), "text"))
    };
    let prompt = |_: &mut Cx, _: Value| -> Outcome<GetPromptResult> {
        Ok(GetPromptResult::new([PromptMessage::user("Hello")]))
    };
    let server = Server::builder("mail", "1.0.0")
        .single_process([7; 32])
        .prompt(Prompt::new("p").scopes(["s"]).step(prompt))
        .resource(Resource::new("mail:///r", "r").scopes(["s"]).step(read))
        .resource_template(
            ResourceTemplate::new("mail:///t/{id}", "t")
                .scopes(["s"])
                .step(read),
        )
        .build()
        .unwrap();
    let endpoint = endpoint(server.clone());
    for (method, key, name) in [
        ("prompts/get", "name", "p"),
        ("resources/read", "uri", "mail:///r"),
        ("resources/read", "uri", "mail:///t/1"),
    ] {
        let params = json!({ key: name, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        } });
        let request = post(method, Some(name), &[TOKEN], params);
        let told = seen(receive(&endpoint, alice(), &request));
        assert_eq!(told.status, 403, "{method}");
        let mut turn = receive(&endpoint, alice().scopes(["s"]), &request);
        let mut letter = serde_json::to_value(turn.steps.remove(0).into_data()).unwrap();
        let rejoined = server.rejoin(serde_json::from_value(letter.clone()).unwrap());
        assert!(rejoined.unwrap().run(&Sink::default()).exchange() == Exchange(1));
        letter["caller"]["scopes"] = json!([]);
        let refused = server.rejoin(serde_json::from_value(letter).unwrap());
        assert!(refused.is_none(), "{method}");
    }
}

/// Who may not read a resource is not told when it changes.
#[test]
fn a_subscription_needs_the_scopes_of_its_resource() {
    use mcp_reprise::protocol::ReadResourceResult;
    use mcp_reprise::{Change, Resource};
    let read = |cx: &mut Cx, _: Value| -> Outcome<ReadResourceResult> {
        Ok(ReadResourceResult::text(cx.name(), "text"))
    };
    let server = builder()
        .resource(Resource::new("mail:///r", "r").scopes(["s"]).step(read))
        .build();
    let endpoint = endpoint(server.unwrap());
    let params = json!({ "notifications": { "resourceSubscriptions": ["mail:///r"] }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let request = post("subscriptions/listen", None, &[TOKEN], params);
    for (caller, told) in [(alice(), false), (alice().scopes(["s"]), true)] {
        let mut turn = receive(&endpoint, caller, &request);
        let Some(Action::Listen(mut listener)) = turn.actions.pop() else {
            panic!("{turn:?}");
        };
        let change = Change::Resource("mail:///r".to_owned());
        assert_eq!(listener.note(&change), told);
    }
}

/// A scope that no token can have is found when the server is built.
#[test]
fn a_scope_is_checked_when_the_server_is_built() {
    let tool = |scope: &str| {
        let tool = Tool::new("t").scopes([scope]);
        tool.step(|_: &mut Cx, _: Value| CallToolResult::text(""))
    };
    assert!(builder().tool(tool("a b")).build().is_err());
    assert!(builder().tool(tool("a:b")).build().is_ok());
    assert!(builder().scope_implies("a", [""]).build().is_err());
    assert!(builder().method_scopes("ping", ["\""]).build().is_err());
    let resource = || resource().scopes_supported(["offline_access"]);
    assert!(resource().is_err(), "no resource needs it");
}

#[cfg(feature = "legacy")]
mod in_sessions {
    use super::*;
    use mcp_reprise::legacy::Sessions;

    pub struct Site {
        pub endpoint: Endpoint,
        pub sessions: Sessions,
    }

    impl Site {
        pub fn new() -> Self {
            Self {
                endpoint: endpoint(builder().legacy().build().unwrap()),
                sessions: Sessions::default(),
            }
        }

        pub fn receive(&mut self, caller: &Caller, request: &Request<String>) -> Turn {
            let sessions = &mut self.sessions;
            let at = &moment();
            let turn = self
                .endpoint
                .receive_with(sessions, Exchange(1), caller, request, at);
            turn.unwrap_or_else(|turn| turn)
        }
    }

    pub fn initialize() -> Request<String> {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "client", "version": "1" } });
        legacy("initialize", None, params)
    }

    pub fn legacy(method: &str, session: Option<&str>, params: Value) -> Request<String> {
        let mut request = post(method, None, &[TOKEN], params);
        request.headers_mut().remove("mcp-protocol-version");
        if let Some(session) = session {
            let headers = request.headers_mut();
            headers.insert("mcp-session-id", session.parse().unwrap());
        }
        request
    }

    /// The session that a turn has opened.
    pub fn opened(turn: &Turn) -> String {
        let [Action::Respond { response, .. }] = &*turn.actions else {
            panic!("{turn:?}");
        };
        let id = &response.headers["mcp-session-id"];
        id.to_str().unwrap().to_owned()
    }

    /// A request that is refused touches no session: it opens none, and ends none.
    #[test]
    fn a_refused_request_touches_no_session() {
        let mut site = Site::new();
        let turn = site.receive(&Caller::anonymous(), &initialize());
        assert_eq!(seen(turn).status, 401);
        assert!(site.sessions.is_empty());

        let session = opened(&site.receive(&alice(), &initialize()));
        let due = site.sessions.deadline();
        let mut delete = legacy("ping", Some(&session), json!({}));
        *delete.method_mut() = Method::DELETE;
        let later = Moment::new(Timestamp::from_millis(1_785_196_900_000), [9; 32]);
        for request in [legacy("ping", Some(&session), json!({})), delete] {
            let (endpoint, sessions) = (&site.endpoint, &mut site.sessions);
            let nobody = Caller::anonymous();
            let turn = endpoint.receive_with(sessions, Exchange(2), &nobody, &request, &later);
            assert_eq!(seen(turn.unwrap_err()).status, 401);
            assert_eq!(site.sessions.deadline(), due, "it was not even heard");
        }
        assert_eq!(site.sessions.len(), 1);
    }

    /// A call in a session needs its scopes too, and is told so in the same way.
    #[test]
    fn a_call_in_a_session_needs_its_scopes() {
        let mut site = Site::new();
        let session = opened(&site.receive(&alice(), &initialize()));
        let call = legacy("tools/call", Some(&session), json!({ "name": "send" }));
        let turn = site.receive(&alice().scopes(["mail:read"]), &call);
        assert!(turn.steps.is_empty());
        let told = seen(turn);
        let expected = format!(
            "Bearer error=\"insufficient_scope\", scope=\"mail:read mail:send\", \
             resource_metadata=\"{METADATA}\""
        );
        assert_eq!((told.status, told.challenge), (403, expected));
        assert_eq!(told.body["error"]["data"]["error"], "insufficient_scope");
        let caller = alice().scopes(["mail:read", "mail:send"]);
        assert_eq!(site.receive(&caller, &call).steps.len(), 1);
    }

    /// In a batch, which has one status for all, the error stands among the other responses.
    #[test]
    fn in_a_batch_it_is_an_error_among_others() {
        let mut site = Site::new();
        let params = json!({ "protocolVersion": "2025-03-26", "capabilities": {},
            "clientInfo": { "name": "client", "version": "1" } });
        let session = opened(&site.receive(&alice(), &legacy("initialize", None, params)));
        let mut batch = legacy("ping", Some(&session), json!({}));
        *batch.body_mut() = json!([
            { "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "send" } },
            { "jsonrpc": "2.0", "id": 2, "method": "ping" },
        ])
        .to_string();
        let told = seen(site.receive(&alice(), &batch));
        assert_eq!((told.status, &*told.challenge), (200, ""));
        assert_eq!(told.body[0]["error"]["data"]["error"], "insufficient_scope");
        assert_eq!(told.body[1]["result"], json!({}));
    }

    /// A session is its principal's: to everybody else it does not exist.
    #[test]
    fn a_session_is_its_principals() {
        let mut site = Site::new();
        let session = opened(&site.receive(&alice(), &initialize()));
        let ping = legacy("ping", Some(&session), json!({}));
        let turn = site.receive(&Caller::principal("mallory"), &ping);
        assert_eq!(seen(turn).status, 404);
        assert_eq!(seen(site.receive(&alice(), &ping)).status, 200);
    }
}

/// The example's own check of tokens, in front of a service.
#[cfg(feature = "tower")]
mod in_a_service {
    use super::*;
    use http::Response;
    use http_body_util::{BodyExt, Full};
    use hyper::body::Bytes;
    use mcp_reprise::adapters::tower::{Body, McpService};
    use tower_service::Service;

    const URL: &str = "http://127.0.0.1:8000/mcp";

    struct Site {
        tokens: tokens::Tokens,
        service: McpService,
    }

    impl Site {
        fn new() -> Self {
            let mut tokens = tokens::Tokens::default();
            assert!(tokens.add("nobody").is_err() && tokens.is_empty());
            tokens.add("alice:alices-token:profile,mail:read").unwrap();
            tokens.add("bob:bobs-token").unwrap();
            let server = builder().tool(tokens::tool()).build().unwrap();
            let service = tokens::service(server.into(), URL).unwrap();
            Self { tokens, service }
        }

        async fn send(&mut self, mut request: Request<String>) -> Response<Body> {
            let host = "127.0.0.1:8000".parse().unwrap();
            request.headers_mut().insert("host", host);
            let request = self.tokens.identify(request).await;
            let request = request.map(|body| Full::new(Bytes::from(body)));
            self.service.call(request).await.unwrap()
        }

        async fn call(&mut self, lines: &[(&str, &str)]) -> Response<Body> {
            self.send(call("who_am_i", lines, &json!({}))).await
        }
    }

    async fn body(response: Response<Body>) -> Value {
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn a_client_finds_its_way_in() {
        let mut site = Site::new();
        // Without a token it learns where to read how to get one.
        let refused = site.call(&[]).await;
        assert_eq!(refused.status(), 401);
        let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
        let (_, metadata) = challenge.split_once("resource_metadata=\"").unwrap();
        let metadata = metadata.trim_end_matches('"');
        let request = Request::get(metadata).body(String::new()).unwrap();
        let document = body(site.send(request).await).await;
        assert_eq!(document["resource"], URL);
        assert_eq!(
            document["authorization_servers"][0],
            "https://auth.example.com"
        );
        // A token that nobody knows, and one that allows too little.
        let unknown = site
            .call(&[("authorization", "Bearer mallorys-token")])
            .await;
        assert_eq!(unknown.status(), 401);
        let challenge = unknown.headers()["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("invalid_token"), "{challenge}");
        let small = site.call(&[("authorization", "Bearer bobs-token")]).await;
        assert_eq!(small.status(), 403);
        let challenge = small.headers()["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("scope=\"profile\""), "{challenge}");
        assert!(challenge.contains(metadata), "{challenge}");
        let good = site.call(&[TOKEN]).await;
        assert_eq!(good.status(), 200);
        let text = &body(good).await["result"]["content"][0]["text"];
        assert_eq!(text, "alice, with mail:read profile");
    }
}
