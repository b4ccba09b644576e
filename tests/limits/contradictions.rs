//! Limits with which nothing could be served, and limits that contradict each other, are refused
//! when the server is built.

use super::*;

fn built_with(set: impl FnOnce(&mut Limits)) -> Result<Server, BuildError> {
    let mut limits = Limits::default();
    set(&mut limits);
    blank()
        .limits(limits)
        .tool(Tool::new("long").revision("r".repeat(1_000)).step(keep))
        .build()
}

/// The limit that is told to be wrong.
fn wrong(set: impl FnOnce(&mut Limits)) -> &'static str {
    match built_with(set) {
        Err(BuildError::Limit { limit, .. }) => limit,
        other => panic!("{other:?}"),
    }
}

#[test]
fn none_of_it() {
    assert_eq!(wrong(|limits| limits.body_bytes = 0), "body_bytes");
    assert_eq!(wrong(|limits| limits.depth = 0), "depth");
    assert_eq!(wrong(|limits| limits.members = 0), "members");
    assert_eq!(wrong(|limits| limits.string_bytes = 0), "string_bytes");
    assert_eq!(wrong(|limits| limits.headers = 0), "headers");
    assert_eq!(
        wrong(|limits| limits.asks_per_question = 0),
        "asks_per_question"
    );
    assert_eq!(wrong(|limits| limits.rounds = 0), "rounds");
    assert_eq!(wrong(|limits| limits.page_items = 0), "page_items");
    assert_eq!(wrong(|limits| limits.open_requests = 0), "open_requests");
    assert_eq!(
        wrong(|limits| limits.state_ttl = Duration::ZERO),
        "state_ttl"
    );
    assert_eq!(wrong(|limits| limits.call_age = Duration::ZERO), "call_age");
    // Without sessions these say nothing.
    let without = |limits: &mut Limits| {
        limits.sessions = 0;
        limits.session_idle = Duration::ZERO;
    };
    assert!(built_with(without).is_ok());
}

#[cfg(feature = "legacy")]
#[test]
fn none_of_it_where_there_are_sessions() {
    let wrong = |limits| match blank().legacy().limits(limits).build() {
        Err(BuildError::Limit { limit, .. }) => limit,
        other => panic!("{other:?}"),
    };
    let limits = Limits {
        sessions: 0,
        ..Limits::default()
    };
    assert_eq!(wrong(limits), "sessions");
    let limits = Limits {
        session_idle: Duration::ZERO,
        ..Limits::default()
    };
    assert_eq!(wrong(limits), "session_idle");
}

#[test]
fn what_is_nested_too_deep_to_be_read() {
    assert_eq!(wrong(|limits| limits.depth = 128), "depth");
    assert!(built_with(|limits| limits.depth = 127).is_ok());
}

#[test]
fn a_resource_that_could_not_be_read() {
    let with = |bytes| {
        let limits = Limits {
            uri_bytes: bytes,
            ..Limits::default()
        };
        let text = |cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "text");
        let resource = Resource::new("test://nine", "nine").step(text);
        blank().limits(limits).resource(resource).build()
    };
    assert!(with(11).is_ok());
    let refused = with(10).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the limit uri_bytes: a resource with a URI of 11 bytes could not be read"
    );
}

/// A full journal, under the longest revision, is sealed into a state that is taken again: at the
/// smallest `state_chars` that builds, and not at one less.
#[test]
fn a_state_that_would_be_refused() {
    for set in [
        (|limits: &mut Limits, chars| limits.state_chars = chars) as fn(&mut Limits, usize),
        |limits, chars| limits.string_bytes = chars,
        |limits, chars| limits.body_bytes = chars,
    ] {
        let builds = |chars| built_with(|limits| set(limits, chars)).is_ok();
        let smallest = (80_000..100_000).find(|chars| builds(*chars)).unwrap();
        assert_eq!(wrong(|limits| set(limits, smallest - 1)), "journal_bytes");
        // 65,536 bytes of journal, 1,073 or so around it, the padding, the tag, in base64.
        assert_eq!(smallest, 89_110);
    }
    let large = |limits: &mut Limits| limits.journal_bytes = usize::MAX;
    assert_eq!(wrong(large), "journal_bytes");
}

#[test]
fn a_journal_that_is_full_comes_back() {
    let limits = |chars| Limits {
        journal_bytes: 2_000,
        state_chars: chars,
        ..Limits::default()
    };
    let builds = |chars: &usize| blank().limits(limits(*chars)).build().is_ok();
    let smallest = (2_000..4_000).find(builds).unwrap();
    let keeps = |cx: &mut Cx, arguments: Value| -> Outcome {
        let length = usize::try_from(count_of(&arguments)).unwrap();
        let kept = cx.once_ok_blocking("kept", |_| Ok::<_, ToolError>("x".repeat(length)));
        let kept = kept.map_err(|_| ToolError::internal("not kept"))?;
        ask(cx, "day", "Day?")?;
        text(kept)
    };
    let tool = Tool::new("keeps").step(keeps);
    let mut client = Client::of(&built(blank().limits(limits(smallest)).tool(tool)));
    let full = (1_900..2_000).rev().find_map(|count| {
        let asked = client.tool("keeps", json!({ "count": count }));
        asked.is_asking().then_some((count, asked))
    });
    let (count, asked) = full.unwrap();
    assert!(asked.state().len() <= smallest);
    let kept = client.answer_all(&asked).text().len();
    assert_eq!(kept, count);
}
