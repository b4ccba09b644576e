//! The table of lanes, whole.

use http::{HeaderMap, Method};
use mcp_reprise::Limits;
use mcp_reprise::legacy::Lane;

const MODERN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}}"#;
const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}"#;
const OTHERS: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialize"}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    r#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","method":"initialize"}"#,
    "{",
];
const NONE: &[&str] = &[];
const NEW: &[&str] = &["2026-07-28"];
const OLD: &[&str] = &["2025-06-18"];
const ODD: [&[&str]; 4] = [
    &["1999-01-01"],
    &[""],
    &["2025-11-25", "2025-11-25"],
    &["2026-07-28", "2026-07-28"],
];

fn lane(method: &Method, versions: &[&str], session: bool, body: &str) -> Lane {
    let mut headers = HeaderMap::new();
    for version in versions {
        headers.append("mcp-protocol-version", version.parse().unwrap());
    }
    if session {
        headers.insert("mcp-session-id", "abc".parse().unwrap());
    }
    Lane::of(method, &headers, body.as_bytes(), &Limits::default())
}

fn refused(lane: Lane, about: &str) {
    assert!(
        matches!(lane, Lane::Refused(reason) if reason.contains(about)),
        "{lane:?}, not {about}"
    );
}

#[test]
fn a_modern_body_or_a_modern_version_header_is_the_modern_lanes() {
    for session in [false, true] {
        for versions in [NONE, NEW, OLD].into_iter().chain(ODD) {
            assert_eq!(lane(&Method::POST, versions, session, MODERN), Lane::Modern);
        }
        for body in OTHERS.into_iter().chain([INITIALIZE]) {
            assert_eq!(lane(&Method::POST, NEW, session, body), Lane::Modern);
        }
        for method in [Method::GET, Method::DELETE] {
            assert_eq!(lane(&method, NEW, session, ""), Lane::Modern);
        }
    }
}

#[test]
fn an_initialize_opens_a_session_unless_it_contradicts_itself() {
    for versions in [NONE, OLD] {
        assert_eq!(
            lane(&Method::POST, versions, false, INITIALIZE),
            Lane::Opening
        );
        refused(lane(&Method::POST, versions, true, INITIALIZE), "names one");
    }
    for versions in ODD {
        for session in [false, true] {
            refused(
                lane(&Method::POST, versions, session, INITIALIZE),
                "MCP-Protocol-Version",
            );
        }
    }
}

#[test]
fn anything_else_is_the_sessions_that_it_names() {
    for body in OTHERS {
        for versions in [NONE, OLD] {
            assert_eq!(
                lane(&Method::POST, versions, true, body),
                Lane::Session,
                "{body}"
            );
        }
        refused(lane(&Method::POST, OLD, false, body), "Mcp-Session-Id");
        assert_eq!(lane(&Method::POST, NONE, false, body), Lane::Modern);
        for versions in ODD {
            refused(
                lane(&Method::POST, versions, true, body),
                "MCP-Protocol-Version",
            );
            assert_eq!(lane(&Method::POST, versions, false, body), Lane::Modern);
        }
    }
}

#[test]
fn streams_and_ends_are_a_sessions() {
    for method in [Method::GET, Method::DELETE] {
        for versions in [NONE, OLD] {
            assert_eq!(lane(&method, versions, true, ""), Lane::Session);
            refused(lane(&method, versions, false, ""), "Mcp-Session-Id");
        }
        for versions in ODD {
            refused(lane(&method, versions, true, ""), "MCP-Protocol-Version");
            assert_eq!(lane(&method, versions, false, ""), Lane::Modern);
        }
    }
}
