//! Reading the params of one method.

use std::borrow::Cow;

use super::Refusal;
use crate::json::{Json, Kind};

/// A string that must be there.
pub(super) fn string<'a>(params: Json<'a>, name: &str) -> Result<Cow<'a, str>, Refusal> {
    optional_string(params, name)?
        .ok_or_else(|| Refusal::invalid_params(format!("params.{name} is missing")))
}

/// A string that may be left out.
pub(super) fn optional_string<'a>(
    params: Json<'a>,
    name: &str,
) -> Result<Option<Cow<'a, str>>, Refusal> {
    match params.get(name) {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(Refusal::invalid_params(format!(
                "params.{name} is not a string"
            ))),
        },
    }
}

/// An object that may be left out.
pub(super) fn optional_object<'a>(
    params: Json<'a>,
    name: &str,
) -> Result<Option<Json<'a>>, Refusal> {
    match params.get(name) {
        None => Ok(None),
        Some(value) if value.kind() == Kind::Object => Ok(Some(value)),
        Some(_) => Err(Refusal::invalid_params(format!(
            "params.{name} is not an object"
        ))),
    }
}
