//! A form's schema as JSON text, in the five shapes of the spec's choices and
//! the three of its scalars.

use super::Form;
use super::field::Field;
use super::kind::{Choice, Choices, Kind, Naming, Options, Text};
use super::written::{Written, array, quote, quoted};

/// Appends a form's `requestedSchema`.
pub(super) fn of_form(form: &Form, mut out: String) -> String {
    out.push_str(r#"{"type":"object","properties":{"#);
    for (count, named) in form.fields().iter().enumerate() {
        if count > 0 {
            out.push(',');
        }
        quote(&named.name, &mut out);
        out.push(':');
        out = of_field(&named.field, Written::onto(out)).finish();
    }
    out.push('}');
    let fields = form.fields().iter();
    let mut required = fields.filter(|named| named.field.is_required());
    // Older drafts of JSON Schema allow no empty `required`.
    if let Some(first) = required.next() {
        out.push_str(r#","required":["#);
        quote(&first.name, &mut out);
        for named in required {
            out.push(',');
            quote(&named.name, &mut out);
        }
        out.push(']');
    }
    out.push('}');
    out
}

fn of_field(field: &Field, written: Written) -> Written {
    let schema = written
        .known(type_member(field.kind()))
        .some("title", field.shown_title())
        .some("description", field.shown_description());
    match field.kind() {
        Kind::Text(text) => of_text(schema, text),
        Kind::Integer(integer) => schema
            .some("minimum", integer.minimum)
            .some("maximum", integer.maximum)
            .some("default", integer.default),
        Kind::Number(number) => schema
            .some("minimum", number.minimum.clone())
            .some("maximum", number.maximum.clone())
            .some("default", number.default.clone()),
        Kind::Boolean(boolean) => schema.some("default", boolean.default),
        Kind::Choice(choice) => of_choice(schema, choice),
        Kind::Choices(choices) => of_choices(schema, choices),
    }
}

fn type_member(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text(_) | Kind::Choice(_) => r#""type":"string""#,
        Kind::Integer(_) => r#""type":"integer""#,
        Kind::Number(_) => r#""type":"number""#,
        Kind::Boolean(_) => r#""type":"boolean""#,
        Kind::Choices(_) => r#""type":"array""#,
    }
}

fn of_text(schema: Written, text: &Text) -> Written {
    schema
        .some("minLength", text.min_length)
        .some("maxLength", text.max_length)
        .some("format", text.format.map(|format| format.name()))
        .some("default", text.default.as_deref())
}

fn of_choice(schema: Written, choice: &Choice) -> Written {
    let options = &choice.options;
    match options.naming {
        Naming::Values => schema.raw("enum", &values(options)),
        Naming::Titles => schema.raw("oneOf", &titled(options)),
        Naming::Legacy => schema
            .raw("enum", &values(options))
            .raw("enumNames", &titles(options)),
    }
    .some("default", choice.default.as_deref())
}

fn of_choices(schema: Written, choices: &Choices) -> Written {
    let options = &choices.options;
    let items = match options.naming {
        Naming::Titles => Written::object().raw("anyOf", &titled(options)),
        // A list has no legacy shape.
        Naming::Values | Naming::Legacy => Written::object()
            .known(r#""type":"string""#)
            .raw("enum", &values(options)),
    };
    schema
        .some("minItems", choices.min_items)
        .some("maxItems", choices.max_items)
        .raw("items", &items.finish())
        .some("default", choices.default.clone())
}

fn values(options: &Options) -> String {
    array(options.entries.iter().map(|(value, _)| quoted(value)))
}

fn titles(options: &Options) -> String {
    array(options.entries.iter().map(|(_, title)| quoted(title)))
}

fn titled(options: &Options) -> String {
    array(options.entries.iter().map(|(value, title)| {
        Written::object()
            .string("const", value)
            .string("title", title)
            .finish()
    }))
}
