//! What a client may say to a question, and what comes of what it may not.

use mcp_reprise::protocol::{CreateMessageRequestParams, SamplingMessage};
use mcp_reprise::*;
use serde_json::{Value, json};

use crate::support::*;

fn name_tool() -> Tool {
    tool("name", |cx| {
        match cx.elicit::<Value>("name", form("Your name?"))? {
            Answer::Accepted(value) => text(format!("Hello, {}", value["v"])),
            Answer::Declined => text("declined"),
            Answer::Cancelled => text("cancelled"),
        }
    })
}

#[test]
fn accept_decline_and_cancel_are_each_a_value() {
    let mut client = Client::of(&server([name_tool()]));
    for (answer, said) in [
        (typed("Ada"), r#"Hello, "Ada""#),
        (json!({ "action": "decline" }), "declined"),
        (json!({ "action": "cancel" }), "cancelled"),
        (
            json!({ "action": "decline", "content": { "v": "Ada" } }),
            "declined",
        ),
    ] {
        let asked = client.call("name");
        let round = client.answer(&asked, json!({ "name": answer }));
        assert_eq!(round.text(), said);
    }
}

#[test]
fn the_short_form_ends_the_call_on_decline_and_cancel_with_a_stated_result() {
    let short = tool("short", |cx| text(ask(cx, "name", "Your name?")?));
    let own = tool("own", |cx| {
        cx.elicit::<Value>("name", form("Your name?"))?
            .accepted_or("Nothing was done.")?;
        text("done")
    });
    let mut client = Client::of(&server([short, own]));
    let mut said = |tool: &str, action: &str| {
        let asked = client.call(tool);
        let round = client.answer(&asked, json!({ "name": { "action": action } }));
        round.failure().to_owned()
    };
    insta::assert_snapshot!(said("short", "decline"), @"The user declined to answer.");
    insta::assert_snapshot!(said("short", "cancel"), @"The user cancelled the question.");
    insta::assert_snapshot!(said("own", "cancel"), @"Nothing was done.");
}

#[test]
fn what_is_no_valid_answer_is_asked_again_and_at_last_given_up() {
    for bad in [
        json!({}),
        json!({ "other": typed("Ada") }),
        json!({ "name": 7 }),
        json!({ "name": "Ada" }),
        json!({ "name": {} }),
        json!({ "name": { "action": "accept" } }),
        json!({ "name": { "action": "Accept", "content": { "v": "Ada" } } }),
        json!({ "name": { "action": ["accept"], "content": { "v": "Ada" } } }),
        json!({ "name": { "content": { "v": "Ada" } } }),
        json!({ "name": accept(json!([])) }),
        json!({ "name": accept(json!({})) }),
        json!({ "name": accept(json!({ "v": null })) }),
        json!({ "name": accept(json!({ "v": 5 })) }),
        json!({ "name": accept(json!({ "w": "Ada" })) }),
    ] {
        let mut client = Client::of(&server([name_tool()]));
        let mut asked = client.call("name");
        for _ in 1..Limits::default().asks_per_question {
            asked = client.answer(&asked, bad.clone());
            assert_eq!(asked.keys(), ["name"], "{bad}");
            // What is no answer to the question at all is no refused answer either.
            let answered = bad["name"].is_object();
            assert_eq!(asked.refused().is_some(), answered, "{bad}");
        }
        let given_up = client.answer(&asked, bad.clone());
        assert_eq!(given_up.cause().0, FailureKind::TooManyAsks, "{bad}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(given_up.failure(), @"The call was given up because its questions were not answered.");
        }
    }
}

#[test]
fn an_answer_in_the_last_asking_is_still_taken() {
    let mut client = Client::of(&server([name_tool()]));
    let mut asked = client.call("name");
    for _ in 1..Limits::default().asks_per_question {
        asked = client.refresh(&asked);
    }
    assert_eq!(
        client
            .answer(&asked, json!({ "name": typed("Ada") }))
            .text(),
        r#"Hello, "Ada""#
    );
}

#[test]
fn a_call_of_too_many_rounds_is_given_up() {
    let endless = tool("endless", |cx| {
        for _ in 0..100 {
            ask(cx, "more", "More?")?;
        }
        text("done")
    });
    let limits = Limits {
        rounds: 4,
        ..Limits::default()
    };
    let mut client = Client::of(&built(blank().limits(limits).tool(endless)));
    let mut round = client.call("endless");
    for _ in 1..4 {
        round = client.answer_all(&round);
        assert!(round.is_asking());
    }
    let given_up = client.answer_all(&round);
    assert_eq!(given_up.cause().0, FailureKind::TooManyRounds);
    assert!(!given_up.ran);
}

#[test]
fn more_questions_in_a_round_than_the_limit_are_the_authors_fault() {
    let crowd = tool("crowd", |cx| {
        let questions = (0..17).map(|_| Question::form::<Value>("q", form("?")));
        cx.ask(questions.collect::<Vec<_>>())?;
        text("done")
    });
    let mut client = Client::of(&server([crowd]));
    assert_eq!(
        client.call("crowd").cause().0,
        FailureKind::TooManyQuestions
    );
}

#[test]
fn a_valid_answer_that_the_authors_type_refuses_fails_the_call_and_is_not_asked_again() {
    let typed_tool = tool("typed", |cx| {
        let number: Answer<std::collections::BTreeMap<String, u8>> =
            cx.elicit("n", Form::new("A number?").integer("v"))?;
        text(format!("{number:?}"))
    });
    let mut client = Client::of(&server([typed_tool]));
    let asked = client.call("typed");
    let failed = client.answer(&asked, json!({ "n": accept(json!({ "v": 256 })) }));
    assert_eq!(failed.cause().0, FailureKind::AnswerType);
    insta::assert_snapshot!(failed.failure(), @"The call failed because of an error in the server.");
}

#[test]
fn a_client_that_cannot_be_asked_ends_the_call_with_the_capabilities_it_lacks() {
    let sample = || CreateMessageRequestParams::new([SamplingMessage::user("Hi")], 9);
    let with_tools = move || sample().tools([protocol::Tool::new("t")]);
    let asks = [
        tool("form", |cx| text(ask(cx, "a", "a")?)),
        tool("url", |cx| {
            let prompt = UrlPrompt::new("Go", "https://example.com/")?;
            text(format!("{:?}", cx.elicit_url("u", prompt)?))
        }),
        tool("sample", move |cx| {
            text(format!("{:?}", cx.sample("s", sample())?))
        }),
        tool("tools", move |cx| {
            text(format!("{:?}", cx.sample("s", with_tools())?))
        }),
        tool("roots", |cx| text(format!("{:?}", cx.list_roots("r")?))),
    ];
    let server = server(asks);
    for (name, declared, required) in [
        ("form", json!({}), json!({ "elicitation": { "form": {} } })),
        (
            "form",
            json!({ "elicitation": { "url": {} } }),
            json!({ "elicitation": { "form": {} } }),
        ),
        (
            "url",
            json!({ "elicitation": {} }),
            json!({ "elicitation": { "url": {} } }),
        ),
        ("sample", json!({ "roots": {} }), json!({ "sampling": {} })),
        (
            "tools",
            json!({ "sampling": {} }),
            json!({ "sampling": { "tools": {} } }),
        ),
        ("roots", json!({ "sampling": {} }), json!({ "roots": {} })),
    ] {
        let mut client = Client::of(&server);
        client.capabilities = declared;
        let round = client.call(name);
        assert_eq!((round.status, round.code()), (400, -32021), "{name}");
        assert_eq!(
            round.error()["data"]["requiredCapabilities"],
            required,
            "{name}"
        );
    }
    let mut client = Client::of(&server);
    client.capabilities = json!({ "elicitation": {} });
    assert!(
        client.call("form").is_asking(),
        "an empty capability means form mode"
    );
}

#[test]
fn that_a_client_cannot_be_asked_is_a_value_too() {
    let falls_back = tool("polite", |cx| match ask(cx, "name", "Your name?") {
        Err(error) if error.is_unaskable() => text("Hello, you"),
        name => text(format!("Hello, {}", name?)),
    });
    let mut client = Client::of(&server([falls_back]));
    client.capabilities = json!({});
    assert_eq!(client.call("polite").text(), "Hello, you");
}

#[test]
fn results_of_sampling_and_roots_are_checked_before_they_are_taken() {
    let both = tool("both", |cx| {
        let request = CreateMessageRequestParams::new([SamplingMessage::user("Hi")], 9);
        let (said, roots) = cx.ask((Question::sample("s", request), Question::roots("r")))?;
        text(format!("{} {}", said.model, roots.roots.len()))
    });
    let mut client = Client::of(&server([both]));
    let asked = client.call("both");
    let bad = json!({
        "s": { "role": "assistant", "content": { "type": "text", "text": "x" } },
        "r": { "roots": [{ "uri": "https://example.com" }] },
    });
    let again = client.answer(&asked, bad);
    assert_eq!(again.keys(), ["r", "s"]);
    let good = json!({
        "s": { "role": "assistant", "content": { "type": "text", "text": "x" }, "model": "m" },
        "r": { "roots": [{ "uri": "file:///home" }] },
    });
    assert_eq!(client.answer(&again, good).text(), "m 1");
}

#[test]
fn the_log_says_what_is_wrong_with_an_answer_and_never_what_it_is() {
    let form = || Form::new("Size?").choice("size", ["small", "large"]);
    let pizza = tool("pizza", move |cx| {
        cx.elicit::<Value>("size", form())?.accepted()?;
        text("done")
    });
    let mut client = Client::of(&server([pizza]));
    let asked = client.call("pizza");
    let again = client.answer(&asked, json!({ "size": accept(json!({ "size": "huge" })) }));
    insta::assert_snapshot!(again.refused().unwrap(), @r#"size: field "size" must be among the values offered"#);
}

#[test]
fn a_form_without_fields_is_accepted_by_the_word_alone() {
    let confirm = tool("confirm", |cx| {
        cx.elicit::<Value>("sure", Form::new("Sure?"))?.accepted()?;
        text("done")
    });
    let mut client = Client::of(&server([confirm]));
    let asked = client.call("confirm");
    let done = client.answer(&asked, json!({ "sure": { "action": "accept" } }));
    assert_eq!(done.text(), "done");
}

#[test]
fn a_halt_wins_over_a_panic_about_it() {
    let unwraps = tool("unwraps", |cx| text(ask(cx, "name", "Your name?").unwrap()));
    let mut client = Client::of(&server([unwraps]));
    let asked = client.call("unwraps");
    assert_eq!(asked.keys(), ["name"]);
    assert_eq!(client.answer_all(&asked).text(), "v-name");
}

#[test]
fn what_follows_a_question_that_can_no_longer_be_put_is_said() {
    let polite = tool("polite", |cx| {
        cx.log(protocol::LoggingLevel::Info, "before");
        if ask(cx, "name", "Your name?").is_err_and(|error| error.is_unaskable()) {
            cx.log(protocol::LoggingLevel::Info, "unasked");
        }
        text("done")
    });
    let mut client = Client::of(&server([polite]));
    client.log_level = Some(protocol::LoggingLevel::Debug);
    let asked = client.call("polite");
    assert_eq!(asked.logs(), ["before"]);
    client.capabilities = json!({});
    assert_eq!(client.refresh(&asked).logs(), ["unasked"]);
}

/// A question is named by any text, or by its place.
#[test]
fn a_name_is_any_text() {
    let server = server([tool("names", |cx| {
        let name = "string".to_owned();
        let _: Value = cx.elicit("str", form("?"))?.accepted()?;
        let _: Value = cx.elicit(&name, form("?"))?.accepted()?;
        let _: Value = cx.elicit(name, form("?"))?.accepted()?;
        let _: Value = cx.elicit(format!("number-{}", 1), form("?"))?.accepted()?;
        let _: Value = cx.elicit(Some("some"), form("?"))?.accepted()?;
        let _: Value = cx.elicit(None, form("?"))?.accepted()?;
        text("done")
    })]);
    let mut client = Client::of(&server);
    let mut round = client.call("names");
    let mut keys = Vec::new();
    while round.is_asking() {
        keys.extend(round.keys());
        round = client.answer_all(&round);
    }
    let named = ["str", "string", "string-2", "number-1", "some", "elicit-1"];
    assert_eq!(keys, named);
}
