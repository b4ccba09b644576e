//! Who is let in: hosts and origins that only look like good ones, a row each.

use http::{HeaderValue, Method, Request};
use mcp_reprise::http::Endpoint;
use mcp_reprise::{Action, Caller, Exchange, Moment, Server, Timestamp};
use serde_json::Value;

/// The body is no message at all: who is let in is told so, and nobody else.
const LET_IN: u16 = 400;
const KEPT_OUT: u16 = 403;

fn endpoint() -> Endpoint {
    let server = Server::builder("guarded", "1.0.0").single_process([7; 32]);
    Endpoint::new(server.build().unwrap())
}

fn status(endpoint: &Endpoint, uri: &str, lines: &[(&'static str, &str)]) -> u16 {
    answer(endpoint, Method::POST, uri, lines).0
}

fn answer(
    endpoint: &Endpoint,
    method: Method,
    uri: &str,
    lines: &[(&'static str, &str)],
) -> (u16, Value) {
    let mut request = Request::builder()
        .method(method)
        .uri(uri)
        .header("content-type", "application/json");
    for (name, value) in lines {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        request = request.header(*name, value);
    }
    let request = request.body("{").unwrap();
    let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
    let turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment);
    let [Action::Respond { response, .. }] = turn.actions.as_slice() else {
        panic!("{turn:?}");
    };
    let message = response.message.as_deref().unwrap_or_default();
    let body = serde_json::from_slice(message).unwrap();
    let head = request.into_parts().0;
    let by_head = endpoint.refuse_head(Exchange(1), &head).is_some();
    let status = response.status.as_u16();
    assert_eq!(
        by_head,
        status != LET_IN,
        "the head alone decides: {head:?}"
    );
    (status, body)
}

#[test]
fn hosts() {
    let endpoint = endpoint();
    for host in [
        "localhost",
        "LOCALHOST:1",
        "localhost:65535",
        "127.0.0.1",
        "127.255.255.254:80",
        "[::1]",
        "[::1]:8000",
        "[0:0:0:0:0:0:0:1]",
    ] {
        assert_eq!(status(&endpoint, "/", &[("host", host)]), LET_IN, "{host}");
    }
    for host in [
        "",
        "example.com",
        // Names that begin or end alike.
        "localhost.example.com",
        "127.0.0.1.example.com",
        "example-localhost",
        "a.localhost",
        "localhost.",
        "127.0.0.1.",
        // A user in front.
        "localhost@example.com",
        "example.com@localhost",
        "localhost:80@example.com",
        "[::1]@example.com",
        // Text behind the bracket.
        "[::1]example.com",
        "[::1].example.com",
        "[::1]80",
        "[::1]:80:80",
        // Addresses that are not plainly of this machine.
        "[::ffff:127.0.0.1]",
        "[::1%25lo]",
        "[::1%lo]",
        "[::1",
        "::1",
        "[[::1]]",
        "[127.0.0.1]",
        "[localhost]",
        "0.0.0.0",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.000.000.001",
        // Ports that are none.
        "localhost:",
        "localhost:65536",
        "localhost:+80",
        "localhost:-1",
        "localhost:80:80",
        "localhost: 80",
        "localhost:http",
        // What is no host.
        "http://localhost",
        "localhost/",
        "localhost?",
        "localhost#",
        "localhost\\",
        "localhost,example.com",
        "localhost example.com",
        "%6cocalhost",
        "löcalhost",
        "null",
    ] {
        assert_eq!(
            status(&endpoint, "/", &[("host", host)]),
            KEPT_OUT,
            "{host}"
        );
    }
}

#[test]
fn every_place_that_names_the_host_must_name_a_good_one() {
    let endpoint = endpoint();
    for (uri, hosts, expected) in [
        ("/", &[][..], KEPT_OUT),
        ("http://localhost/", &[], LET_IN),
        ("http://[::1]:8000/", &[], LET_IN),
        ("http://example.com/", &[], KEPT_OUT),
        ("http://example.com@localhost/", &[], KEPT_OUT),
        ("http://localhost/", &["localhost"], LET_IN),
        ("http://localhost/", &["example.com"], KEPT_OUT),
        ("http://example.com/", &["localhost"], KEPT_OUT),
        ("/", &["localhost", "localhost"], KEPT_OUT),
        ("/", &["localhost", "example.com"], KEPT_OUT),
    ] {
        let lines: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
        assert_eq!(status(&endpoint, uri, &lines), expected, "{uri} {hosts:?}");
    }
    let open = endpoint.allow_any_host();
    assert_eq!(status(&open, "/", &[]), LET_IN);
    assert_eq!(status(&open, "/", &[("host", "example.com")]), LET_IN);
}

#[test]
fn origins() {
    let endpoint = endpoint();
    let from = |origin: &str| {
        let lines = [("host", "localhost"), ("origin", origin)];
        status(&endpoint, "/", &lines)
    };
    for origin in [
        "http://localhost",
        "https://localhost:8443",
        "HTTP://LocalHost:1",
        "http://127.0.0.1:3000",
        "http://[::1]",
    ] {
        assert_eq!(from(origin), LET_IN, "{origin}");
    }
    for origin in [
        "",
        "null",
        "NULL",
        "https://example.com",
        "http://localhost.example.com",
        "http://localhost.",
        "http://localhost@example.com",
        "http://example.com@localhost",
        "http://example.com#localhost",
        "http://example.com\\@localhost",
        "http://localhost/",
        "http://localhost/path",
        "http://localhost?",
        "http://localhost:",
        "http://localhost:+80",
        "http://[::1",
        "http://[::1]example.com",
        "http://[::1].example.com",
        "http:localhost",
        "http:/localhost",
        "http:///localhost",
        "//localhost",
        "://localhost",
        "localhost",
        "http://",
        "http://localhost http://localhost",
        "http://localhost, http://localhost",
        // What other schemes call their host is not this machine.
        "ftp://localhost",
        "file://localhost",
        "app://localhost",
    ] {
        assert_eq!(from(origin), KEPT_OUT, "{origin}");
    }
    let twice = [
        ("host", "localhost"),
        ("origin", "http://localhost"),
        ("origin", "http://localhost"),
    ];
    assert_eq!(status(&endpoint, "/", &twice), KEPT_OUT);
    let open = endpoint.clone().allow_any_origin();
    let null = [("host", "localhost"), ("origin", "null")];
    assert_eq!(status(&open, "/", &null), LET_IN);
}

#[test]
fn who_is_kept_out_learns_nothing_else() {
    let lines = [("host", "localhost"), ("origin", "https://example.com")];
    for method in [Method::POST, Method::GET, Method::DELETE, Method::OPTIONS] {
        let (status, body) = answer(&endpoint(), method, "/", &lines);
        assert_eq!(status, KEPT_OUT);
        assert_eq!(body["error"]["code"], -32600);
        assert!(body.get("id").is_none(), "{body}");
    }
}

#[test]
fn what_is_allowed_is_allowed_as_it_is_named() {
    let endpoint = endpoint()
        .allow_host("mcp.example.com")
        .and_then(|endpoint| endpoint.allow_host("other.example.com:443"))
        .and_then(|endpoint| endpoint.allow_host("third.example.com:8443"))
        .and_then(|endpoint| endpoint.allow_host("[2001:db8:0::1]"))
        .and_then(|endpoint| endpoint.allow_origin("https://app.example.com"))
        .and_then(|endpoint| endpoint.allow_origin("http://app.example.com:8080"))
        .and_then(|endpoint| endpoint.allow_origin("app-extension://abcdef"))
        .unwrap();
    for (host, expected) in [
        ("mcp.example.com", LET_IN),
        ("MCP.Example.com:9", LET_IN),
        ("a.mcp.example.com", KEPT_OUT),
        // A client leaves out the port of its scheme.
        ("other.example.com", LET_IN),
        ("other.example.com:443", LET_IN),
        ("other.example.com:8443", KEPT_OUT),
        ("third.example.com", KEPT_OUT),
        ("third.example.com:8443", LET_IN),
        // An address is what it means, not how it is spelled.
        ("[2001:DB8::1]:80", LET_IN),
        ("[2001:db8::2]", KEPT_OUT),
    ] {
        assert_eq!(
            status(&endpoint, "/", &[("host", host)]),
            expected,
            "{host}"
        );
    }
    for (origin, expected) in [
        ("https://app.example.com", LET_IN),
        ("https://app.example.com:443", LET_IN),
        ("HTTPS://APP.example.com", LET_IN),
        ("https://app.example.com:444", KEPT_OUT),
        ("http://app.example.com", KEPT_OUT),
        ("http://app.example.com:8080", LET_IN),
        ("app-extension://abcdef", LET_IN),
        ("app-extension://abcdeg", KEPT_OUT),
    ] {
        let lines = [("host", "localhost"), ("origin", origin)];
        assert_eq!(status(&endpoint, "/", &lines), expected, "{origin}");
    }
}

#[test]
fn what_is_no_host_and_no_origin_cannot_be_allowed() {
    for host in ["", "https://a", "a/b", "a@b", "a.", "a:b", "*.a", "[::1"] {
        let error = endpoint().allow_host(host).unwrap_err();
        assert!(error.to_string().contains("is not a host"), "{error}");
    }
    for origin in ["", "null", "a", "https://", "https://a/", "https://*.a"] {
        let error = endpoint().allow_origin(origin).unwrap_err();
        assert!(error.to_string().contains("is not an origin"), "{error}");
    }
}
