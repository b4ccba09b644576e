//! The page of the docs that says what the wire refuses, held to the tests.

use serde_json::Value;

const PAGE: &str = include_str!("../../src/guide/what_the_wire_refuses.md");

/// What the page says of the rows of a test: one line for each that is refused, in their order.
fn rows(file: &str, test: &str) -> Vec<&'static str> {
    let heading = format!("`{file}`, `{test}`");
    let lines = PAGE.lines().skip_while(|line| !line.contains(&heading));
    let section = lines.skip(1).take_while(|line| !line.starts_with("## "));
    section
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect()
}

/// Fails unless the page has these rows for the test, and no others.
pub fn holds(file: &str, test: &str, refused: &[String]) {
    assert_eq!(
        rows(file, test),
        refused,
        "the docs say otherwise:\n{}",
        refused.join("\n")
    );
}

/// Whether an error names the request, whose id is 1, or none. A null id is not in the schema.
pub fn id_of(message: &str) -> &'static str {
    let message: Value = serde_json::from_str(message).unwrap();
    match message.get("id") {
        None => "none",
        Some(id) if *id == 1 => "its own",
        Some(id) => panic!("an id that nobody sent: {id}"),
    }
}
