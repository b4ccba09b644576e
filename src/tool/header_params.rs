//! Which arguments of a tool are mirrored into HTTP headers.
//!
//! See [Custom Headers from Tool Parameters]. A client drops a tool whose
//! annotations break the rules, so they are checked where it is registered.
//!
//! [Custom Headers from Tool Parameters]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use http::HeaderName;
use serde_json::{Map, Value};

/// The annotation's name in a property's schema.
const ANNOTATION: &str = "x-mcp-header";
/// How deep a schema may be nested. It is an author's, but a walk that calls
/// itself must end.
const DEEPEST: usize = 64;

/// An argument that is mirrored into a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The header, in lower case: `mcp-param-region`.
    pub(crate) header: HeaderName,
    /// The header as the author spelled it: `Mcp-Param-Region`.
    pub(crate) display: String,
    /// The names of the properties that lead to the argument.
    pub(crate) path: Vec<String>,
    /// What the argument is.
    pub(crate) kind: HeaderParamKind,
}

/// What a mirrored argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderParamKind {
    /// A string, sent as it is.
    String,
    /// An integer within ±(2^53 − 1).
    Integer,
    /// `true` or `false`.
    Boolean,
}

/// An `x-mcp-header` annotation of a tool's input schema that breaks the
/// [rules], for which a client would drop the tool.
///
/// ```
/// fn what(error: &mcp_reprise::HeaderParamError) -> String {
///     format!("{}: {}", error.location(), error)
/// }
/// ```
///
/// [rules]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("x-mcp-header at {location:?} {rule}")]
pub struct HeaderParamError {
    location: String,
    rule: Rule,
}

impl HeaderParamError {
    /// Where in the input schema: a JSON Pointer (RFC 6901) to the schema that
    /// has the annotation, such as `/properties/region`.
    ///
    /// ```
    /// # use mcp_reprise::HeaderParamError;
    /// let location: fn(&HeaderParamError) -> &str = HeaderParamError::location;
    /// ```
    pub fn location(&self) -> &str {
        &self.location
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Rule {
    #[error("must be a string")]
    NotText,
    #[error("must not be empty")]
    Empty,
    #[error("must be a token of RFC 9110: letters, digits and !#$%&'*+-.^_`|~")]
    NotToken,
    #[error("repeats the header of {0:?}, whatever the case of its letters")]
    Repeated(String),
    #[error("must be on a property of type string, integer or boolean, and no other")]
    Kind,
    #[error("must be on a property that only `properties` lead to from the root")]
    Unreachable,
    #[error("may stand in a schema nested deeper than 64 levels, which is not read")]
    TooDeep,
}

/// The mirrored arguments of an input schema, in the order of its properties.
pub(crate) fn header_params(
    schema: &Map<String, Value>,
) -> Result<Vec<HeaderParam>, HeaderParamError> {
    let mut walk = Walk::default();
    walk.schema(schema, true, DEEPEST)?;
    let found = walk.found.into_iter();
    Ok(found.map(|(_, param)| param).collect())
}

/// A walk through a schema.
#[derive(Default)]
struct Walk {
    /// The keys from the root to where the walk is.
    keys: Vec<String>,
    /// What was found, each with its location.
    found: Vec<(String, HeaderParam)>,
}

impl Walk {
    /// Walks a schema; `reachable` when only `properties` led to it.
    fn schema(
        &mut self,
        schema: &Map<String, Value>,
        reachable: bool,
        depth: usize,
    ) -> Result<(), HeaderParamError> {
        if let Some(annotation) = schema.get(ANNOTATION) {
            if !reachable || self.keys.is_empty() {
                return Err(self.broken(Rule::Unreachable));
            }
            let param = self.param(schema, annotation)?;
            self.found.push((self.location(), param));
        }
        for (key, value) in schema {
            match key.as_str() {
                // What stands there is data.
                ANNOTATION | "default" | "const" | "enum" | "examples" => {}
                "properties" => self.named(key, value, reachable, depth)?,
                "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                | "dependencies" => self.named(key, value, false, depth)?,
                _ => self.enter(key, value, false, depth)?,
            }
        }
        Ok(())
    }

    /// Walks schemas that stand under names of the author's.
    fn named(
        &mut self,
        key: &str,
        schemas: &Value,
        reachable: bool,
        depth: usize,
    ) -> Result<(), HeaderParamError> {
        self.keys.push(key.to_owned());
        for (name, schema) in schemas.as_object().into_iter().flatten() {
            self.enter(name, schema, reachable, depth)?;
        }
        self.keys.pop();
        Ok(())
    }

    /// Walks whatever stands under a key: a schema, or schemas in an array.
    fn enter(
        &mut self,
        key: &str,
        value: &Value,
        reachable: bool,
        depth: usize,
    ) -> Result<(), HeaderParamError> {
        if !value.is_object() && !value.is_array() {
            return Ok(());
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.broken(Rule::TooDeep));
        };
        self.keys.push(key.to_owned());
        match value {
            Value::Object(schema) => self.schema(schema, reachable, depth)?,
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.enter(&index.to_string(), value, false, depth)?;
                }
            }
            _ => {}
        }
        self.keys.pop();
        Ok(())
    }

    /// Reads the annotation of the property where the walk is.
    fn param(
        &self,
        schema: &Map<String, Value>,
        annotation: &Value,
    ) -> Result<HeaderParam, HeaderParamError> {
        let Some(name) = annotation.as_str() else {
            return Err(self.broken(Rule::NotText));
        };
        if name.is_empty() {
            return Err(self.broken(Rule::Empty));
        }
        let display = format!("Mcp-Param-{name}");
        // `HeaderName` is lenient about none of the token's characters, but
        // that is not its promise, so they are checked here as well.
        let header = match HeaderName::from_bytes(display.as_bytes()) {
            Ok(header) if name.bytes().all(is_token) => header,
            _ => return Err(self.broken(Rule::NotToken)),
        };
        if let Some((other, _)) = self.found.iter().find(|(_, param)| param.header == header) {
            return Err(self.broken(Rule::Repeated(other.clone())));
        }
        let kind = match schema.get("type").and_then(Value::as_str) {
            Some("string") => HeaderParamKind::String,
            Some("integer") => HeaderParamKind::Integer,
            Some("boolean") => HeaderParamKind::Boolean,
            _ => return Err(self.broken(Rule::Kind)),
        };
        Ok(HeaderParam {
            header,
            display,
            // The keys alternate: `properties`, a name, `properties`, a name.
            path: self.keys.iter().skip(1).step_by(2).cloned().collect(),
            kind,
        })
    }

    fn broken(&self, rule: Rule) -> HeaderParamError {
        HeaderParamError {
            location: self.location(),
            rule,
        }
    }

    /// Where the walk is, as a JSON Pointer.
    fn location(&self) -> String {
        let mut pointer = String::new();
        for key in &self.keys {
            let key = key.replace('~', "~0").replace('/', "~1");
            // Writing to a `String` does not fail.
            let _ = write!(pointer, "/{key}");
        }
        pointer
    }
}

/// A `tchar` of RFC 9110.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
