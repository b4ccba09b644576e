//! Small helpers the shapes share for reading themselves from JSON.
//!
//! Members that choose between shapes are looked up in a [`Value`] first, so
//! that reading doesn't depend on the order of members nor on `serde_json`'s
//! optional features.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::Value;

/// Reads a member that may be any JSON value, and keeps an explicit `null`
/// apart from an absent member.
pub(super) fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Reads `T` from a value, with the error of the caller's deserializer.
pub(super) fn convert<T: DeserializeOwned, E: Error>(value: Value) -> Result<T, E> {
    serde_json::from_value(value).map_err(E::custom)
}

/// The string member `name` of an object, if there is one.
pub(super) fn text_member<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}
