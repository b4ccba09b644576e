//! A protected server: each rule of the authorization chapter that binds a server, a test each.
//!
//! See [Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization).

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

fn seen(turn: &Turn) -> Seen {
    let [action @ (Action::Respond { .. } | Action::InputRequired { .. })] = &*turn.actions else {
        panic!("{turn:?}");
    };
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
    let told = seen(&turn);
    assert_eq!(told.status, 401);
    let expected = format!("Bearer scope=\"mail:read\", resource_metadata=\"{METADATA}\"");
    assert_eq!(told.challenge, expected, "no error: nothing was tried");
    assert!(turn.steps.is_empty());
    assert!(matches!(
        &*turn.observations,
        [Observation::Rejected { .. }]
    ));
    // Of another scheme is as good as none.
    let request = call("open", &[("authorization", "Basic YTpi")], &json!({}));
    let told = seen(&receive(&endpoint, alice(), &request));
    assert_eq!((told.status, told.challenge), (401, expected));
}

/// Access tokens must be validated, and invalid ones must be answered under 401: a caller whom
/// the driver could not name is served nothing.
#[test]
fn a_token_that_is_not_good_is_401() {
    let request = call("open", &[TOKEN], &json!({}));
    let told = seen(&receive(&protected(), Caller::anonymous(), &request));
    assert_eq!(told.status, 401);
    assert!(
        told.challenge.starts_with("Bearer error=\"invalid_token\""),
        "{told:?}"
    );
    let expired = Challenge::invalid_token("The token has expired");
    let told = seen(&protected().challenge(Exchange(1), expired));
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
        let told = seen(&receive(&protected(), alice(), &request));
        assert_eq!(told.status, 400);
        let error = "Bearer error=\"invalid_request\"";
        assert!(told.challenge.starts_with(error), "{told:?}");
    }
    let open = Endpoint::new(builder().build().unwrap()).allow_any_host();
    let told = seen(&receive(
        &open,
        alice(),
        &call("open", &doubled, &json!({})),
    ));
    assert_eq!((told.status, &*told.challenge), (400, ""));
}

/// Access tokens must not be in the query.
#[test]
fn a_token_in_the_uri_is_refused() {
    let mut request = call("open", &[TOKEN], &json!({}));
    *request.uri_mut() = "/mcp?access_token=alices-token".parse().unwrap();
    let told = seen(&receive(&protected(), alice(), &request));
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
        let told = seen(&receive(&protected(), Caller::anonymous(), &request));
        assert_eq!(told.status, 401, "{method}");
        let (head, _) = request.into_parts();
        let turn = protected().refuse_head(Exchange(1), &head);
        assert_eq!(seen(&turn.unwrap()).status, 401, "{method}");
    }
    let anonymous = protected().refuse_caller(Exchange(1), &Caller::anonymous());
    assert_eq!(seen(&anonymous.unwrap()).status, 401);
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
    let asked = seen(&endpoint.server().finish(finished));
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
        assert_eq!(seen(&turn).status, 401);
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
            assert_eq!(seen(&turn.unwrap_err()).status, 401);
            assert_eq!(site.sessions.deadline(), due, "it was not even heard");
        }
        assert_eq!(site.sessions.len(), 1);
    }

    /// A session is its principal's: to everybody else it does not exist.
    #[test]
    fn a_session_is_its_principals() {
        let mut site = Site::new();
        let session = opened(&site.receive(&alice(), &initialize()));
        let ping = legacy("ping", Some(&session), json!({}));
        let turn = site.receive(&Caller::principal("mallory"), &ping);
        assert_eq!(seen(&turn).status, 404);
        assert_eq!(seen(&site.receive(&alice(), &ping)).status, 200);
    }
}
