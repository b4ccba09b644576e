//! Reading the params of one method.

use std::borrow::Cow;

use crate::json::{Json, Kind};
use crate::protocol::ErrorObject;

/// A string that must be there.
pub(crate) fn string<'a>(params: Json<'a>, name: &str) -> Result<Cow<'a, str>, ErrorObject> {
    optional_string(params, name)?
        .ok_or_else(|| ErrorObject::invalid_params(format!("params.{name} is missing")))
}

/// A string that may be left out.
pub(crate) fn optional_string<'a>(
    params: Json<'a>,
    name: &str,
) -> Result<Option<Cow<'a, str>>, ErrorObject> {
    match params.get(name) {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(ErrorObject::invalid_params(format!(
                "params.{name} is not a string"
            ))),
        },
    }
}

/// An object that may be left out.
pub(crate) fn optional_object<'a>(
    params: Json<'a>,
    name: &str,
) -> Result<Option<Json<'a>>, ErrorObject> {
    match params.get(name) {
        None => Ok(None),
        Some(value) if value.kind() == Kind::Object => Ok(Some(value)),
        Some(_) => Err(ErrorObject::invalid_params(format!(
            "params.{name} is not an object"
        ))),
    }
}
