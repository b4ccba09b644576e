//! The reader against `serde_json`: where both accept, they read the same value; what the reader
//! refuses and `serde_json` accepts falls in a named class.

use mcp_reprise::json::{Json, ReadError, ReadLimits};
use serde_json::Value;

pub fn check(data: &[u8]) {
    let limits = ReadLimits::default();
    let ours = Json::read(data, &limits);
    let theirs = serde_json::from_slice::<Value>(data);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let read: Value = ours.parse().expect("what was read can be parsed");
            assert_eq!(read, theirs);
            walk(ours, &theirs);
        }
        (Err(error), Ok(_)) => assert!(
            matches!(
                error,
                ReadError::DuplicateKey { .. }
                    | ReadError::ReservedKey { .. }
                    | ReadError::TooDeep { .. }
                    | ReadError::TooManyMembers { .. }
                    | ReadError::StringTooLong { .. }
            ),
            "refused what serde_json reads: {error}"
        ),
        // Numbers beyond a double and nesting past 127 are JSON all the same.
        (Ok(ours), Err(error)) => assert!(
            error.to_string().contains("out of range")
                || error.to_string().contains("recursion limit"),
            "accepted {ours:?}, which serde_json refuses: {error}"
        ),
        (Err(_), Err(_)) => {}
    }
}

/// Every way of looking at a value agrees with the value.
fn walk(ours: Json<'_>, theirs: &Value) {
    match theirs {
        Value::Null => assert!(ours.is_null()),
        Value::Bool(value) => assert_eq!(ours.as_bool(), Some(*value)),
        Value::String(value) => assert_eq!(ours.as_str().as_deref(), Some(value.as_str())),
        // serde_json may read a double one unit off; the standard library does not.
        Value::Number(_) => {
            let number = ours.as_number().expect("a number");
            let double: f64 = number.text().parse().expect("a double");
            if let Some(integer) = number.safe_integer() {
                assert_eq!(double, integer as f64);
            }
        }
        Value::Array(values) => {
            assert_eq!(ours.elements().count(), values.len());
            for (ours, theirs) in ours.elements().zip(values) {
                walk(ours, theirs);
            }
        }
        Value::Object(values) => {
            assert_eq!(ours.members().count(), values.len());
            for (name, member) in ours.members() {
                assert_eq!(ours.get(&name).map(Json::text), Some(member.text()));
                walk(member, &values[&*name]);
            }
        }
    }
}
