//! The shapes on the wire, and what an author can get wrong.

use serde::ser::{Error, Serialize, Serializer};
use serde_json::{Value, json};

use super::*;
use crate::protocol::ElicitRequestFormParams;

fn property(field: impl Into<Field>) -> Value {
    let schema = Form::new("?").field("it", field).schema_json();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    schema["properties"]["it"].clone()
}

#[test]
fn the_shapes_of_the_spec() {
    let text = Field::text()
        .title("Display Name")
        .description("Description text");
    let text = Form::new("?").field("it", text.min_length(3).max_length(50).default("abc"));
    assert_eq!(
        text.schema_json(),
        concat!(
            r#"{"type":"object","properties":{"it":{"type":"string","title":"Display Name","#,
            r#""description":"Description text","minLength":3,"maxLength":50,"default":"abc"}},"#,
            r#""required":["it"]}"#
        )
    );
    for (field, format) in [
        (Field::email(), "email"),
        (Field::uri(), "uri"),
        (Field::date(), "date"),
        (Field::date_time(), "date-time"),
    ] {
        assert_eq!(property(field), json!({"type": "string", "format": format}));
    }
    assert_eq!(
        property(Field::number().minimum(0.0).maximum(1e300).default(0.5)),
        json!({"type": "number", "minimum": 0, "maximum": 1e300, "default": 0.5})
    );
    assert_eq!(
        property(Field::integer().minimum(-1).maximum(9).default(2)),
        json!({"type": "integer", "minimum": -1, "maximum": 9, "default": 2})
    );
    assert_eq!(
        property(Field::boolean().default(false)),
        json!({"type": "boolean", "default": false})
    );
}

#[test]
fn the_five_choices_of_the_spec() {
    assert_eq!(
        property(
            Field::choice(["Red", "Green"])
                .title("Colour")
                .default("Red")
        ),
        json!({"type": "string", "title": "Colour", "enum": ["Red", "Green"], "default": "Red"})
    );
    let pairs = [("#f00", "Red"), ("#0f0", "Green")];
    let options = json!([{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]);
    assert_eq!(
        property(Field::titled_choice(pairs)),
        json!({"type": "string", "oneOf": options})
    );
    assert_eq!(
        property(Field::titled_choice(pairs).legacy_names()),
        json!({"type": "string", "enum": ["#f00", "#0f0"], "enumNames": ["Red", "Green"]})
    );
    assert_eq!(
        property(
            Field::choices(["a", "b"])
                .min_items(1)
                .max_items(2)
                .default(["a"])
        ),
        json!({"type": "array", "minItems": 1, "maxItems": 2,
               "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]})
    );
    assert_eq!(
        property(Field::titled_choices(pairs)),
        json!({"type": "array", "items": {"anyOf": options}})
    );
}

#[test]
fn order_is_kept_and_a_later_field_takes_the_earlier_place() {
    let form = Form::new("?")
        .text("z")
        .integer("a")
        .field("z", Field::boolean().optional())
        .choice("m", ["x", "y", "x"]);
    assert_eq!(
        form.schema_json(),
        concat!(
            r#"{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"integer"},"#,
            r#""m":{"type":"string","enum":["x","y"]}},"required":["a","m"]}"#
        )
    );
}

#[test]
fn params_of_the_request() {
    let form = Form::new("Say \"hi\"\n").text("say");
    let params: Value = serde_json::from_str(&form.params_json(String::new())).unwrap();
    assert_eq!(params["mode"], "form");
    assert_eq!(params["message"], "Say \"hi\"\n");
    assert_eq!(params["requestedSchema"]["required"], json!(["say"]));

    let prompt = UrlPrompt::new("Go.", "https://example.com/x?y#z").unwrap();
    assert_eq!(
        prompt.params_json(),
        r#"{"mode":"url","message":"Go.","url":"https://example.com/x?y#z"}"#
    );
}

#[test]
fn urls_have_a_scheme() {
    for good in [
        "https://example.com",
        "http://[::1]:80/a",
        "mailto:a@example.com",
    ] {
        assert!(UrlPrompt::new("?", good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "/a",
        "//example.com",
        "example.com",
        "https://exa mple",
        "https://é.com",
        "1a:b",
    ] {
        assert_eq!(
            UrlPrompt::new("?", bad).err(),
            Some(UrlPrompt::new("?", "").unwrap_err()),
            "{bad}"
        );
    }
}

struct Unserializable;

impl Serialize for Unserializable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("no"))
    }
}

#[test]
fn what_a_question_is_about_is_kept_and_not_sent() {
    let form = Form::new("Delete?");
    assert_eq!(form.about_json(), None);
    let form = form.about(&["a", "b"]);
    assert_eq!(form.about_json(), Some(r#"["a","b"]"#));
    assert_eq!(
        form.params_json(String::new()),
        Form::new("Delete?").params_json(String::new())
    );
    assert_eq!(form.fault(), None);

    let said = Some("what the question is about cannot be serialized: no");
    let form = form.about(&Unserializable);
    assert_eq!((form.about_json(), form.fault()), (None, said));
    let prompt = UrlPrompt::new("?", "https://example.com").unwrap();
    assert_eq!(prompt.about(&Unserializable).fault(), said);
    assert_eq!(form.about(&1).fault(), None);
}

#[test]
fn faults_name_the_field() {
    let fault = |field: Field| {
        let form = Form::new("?").field("it", field);
        form.fault().map(str::to_owned)
    };
    let none: [&str; 0] = [];
    for (field, said) in [
        (
            Field::choice(none).into(),
            r#"field "it" offers nothing to choose from"#,
        ),
        (
            Field::choices(none).into(),
            r#"field "it" offers nothing to choose from"#,
        ),
        (
            Field::text().min_length(2).max_length(1).into(),
            r#"field "it" has a minimum above its maximum"#,
        ),
        (
            Field::integer().minimum(2).maximum(1).into(),
            r#"field "it" has a minimum above its maximum"#,
        ),
        (
            Field::number().minimum(0.2).maximum(0.1).into(),
            r#"field "it" has a minimum above its maximum"#,
        ),
        (
            Field::choices(["a"]).min_items(2).max_items(1).into(),
            r#"field "it" has a minimum above its maximum"#,
        ),
        (
            Field::choice(["a"]).default("b").into(),
            r#"the default of field "it" must be among the values offered"#,
        ),
        (
            Field::choices(["a"]).default(["b"]).into(),
            r#"the default of field "it" must be among the values offered"#,
        ),
        (
            Field::email().default("b").into(),
            r#"the default of field "it" must be of format email"#,
        ),
        (
            Field::integer().minimum(2).default(1).into(),
            r#"the default of field "it" must be at least 2"#,
        ),
        (
            Field::number().maximum(0.5).default(1.5).into(),
            r#"the default of field "it" must be at most 0.5"#,
        ),
    ] {
        assert_eq!(fault(field).as_deref(), Some(said));
    }
    assert_eq!(
        fault(
            Field::number()
                .minimum(f64::NAN)
                .default(f64::INFINITY)
                .into()
        ),
        None
    );
    assert_eq!(fault(Field::boolean().default(true).into()), None);
}

#[test]
fn the_wire_shapes_read_what_a_form_writes() {
    let pairs = [("#f00", "Red"), ("#0f0", "Green")];
    let form = Form::new("Please.")
        .field(
            "nick",
            Field::text()
                .optional()
                .title("Nick")
                .min_length(1)
                .max_length(9)
                .default("x"),
        )
        .email("mail")
        .uri("site")
        .date("on")
        .date_time("at")
        .field("seats", Field::integer().minimum(1).maximum(9).default(2))
        .field(
            "price",
            Field::number().minimum(0.5).maximum(1e300).default(9.25),
        )
        .field(
            "vip",
            Field::boolean().description("Lounge.").default(false),
        )
        .field("one", Field::choice(["a", "b"]).default("a"))
        .titled_choice("titled", pairs)
        .field("legacy", Field::titled_choice(pairs).legacy_names())
        .field(
            "some",
            Field::choices(["a", "b"])
                .min_items(1)
                .max_items(2)
                .default(["b"]),
        )
        .titled_choices("titled_some", pairs);
    assert_eq!(form.fault(), None);
    let written = form.params_json(String::new());
    let read: ElicitRequestFormParams = serde_json::from_str(&written).unwrap();
    let again = serde_json::to_value(&read).unwrap();
    assert_eq!(again, serde_json::from_str::<Value>(&written).unwrap());
}
