//! What a request calls: the same on both lanes.

mod access;
mod cursor;
mod failed;
mod listing;
mod output;
mod params;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(crate) use access::{Forbidden, Uncallable, permitted, readable};
pub(crate) use failed::{UNASKABLE, sentence};
pub(crate) use listing::{Page, millis, page};
pub(crate) use output::checked;
pub(crate) use params::{optional_object, optional_string, string};

use crate::caller::Caller;
use crate::json::Json;
use crate::observation::shown;
use crate::offering::Offering;
use crate::protocol::ErrorObject;
use crate::step::{ActionCall, Call, CallKind, Function};
use crate::tool::{Completing, Listed};

/// What a request calls.
pub(crate) struct Calling<'a> {
    pub(crate) kind: CallKind,
    /// The name, or for a resource the URI.
    pub(crate) name: Cow<'a, str>,
    /// What the function was registered under: see [`function`].
    registered: Cow<'a, str>,
    /// The arguments as JSON text.
    pub(crate) arguments: Cow<'a, str>,
    pub(crate) action: Option<ActionCall>,
    pub(crate) function: Function,
    pub(crate) revision: &'a str,
    pub(crate) single_use: bool,
    /// The scopes that a caller needs for it.
    scopes: &'a [Box<str>],
    /// What is wrong with the arguments, for the model.
    pub(crate) refused: Option<String>,
}

impl Calling<'_> {
    /// What the function was registered under, where that is not the name.
    pub(crate) fn registered_apart(&self) -> Option<Box<str>> {
        (self.registered != self.name).then(|| (*self.registered).into())
    }
}

/// What came of looking for what is called.
pub(crate) enum Found<'a> {
    Step(Calling<'a>),
    /// A completion of something that has none: an empty list.
    NothingToComplete,
}

/// Finds what a request of one of the four calling methods calls.
///
/// # Errors
///
/// Also where there is such a thing, and the caller's access token does not allow it.
pub(crate) fn find<'a>(
    offering: &'a Offering,
    caller: &Caller,
    kind: CallKind,
    params: Json<'a>,
) -> Result<Found<'a>, Uncallable> {
    let found = match kind {
        CallKind::Tool => tool(offering, caller, params).map(Found::Step),
        CallKind::Prompt => prompt(offering, caller, params).map(Found::Step),
        CallKind::Resource => resource(offering, caller, params).map(Found::Step),
        CallKind::Completion => completion(offering, caller, params),
    };
    let scopes = match &found {
        Ok(Found::Step(calling)) => calling.scopes,
        Ok(Found::NothingToComplete) | Err(_) => &[],
    };
    permitted(offering, caller, kind.method(), scopes)?;
    Ok(found?)
}

fn of<'a>(
    kind: CallKind,
    name: Cow<'a, str>,
    listed: &'a Listed,
    arguments: Cow<'a, str>,
) -> Calling<'a> {
    Calling {
        kind,
        name,
        registered: Cow::Borrowed(&listed.name),
        arguments,
        action: None,
        function: listed.function.clone(),
        revision: &listed.revision,
        single_use: false,
        scopes: &listed.scopes,
        refused: None,
    }
}

fn tool<'a>(
    offering: &'a Offering,
    caller: &Caller,
    params: Json<'a>,
) -> Result<Calling<'a>, ErrorObject> {
    let name = string(params, "name")?;
    let arguments = arguments(offering, params)?;
    let Some(entry) = offering.catalog.tool(&name, caller) else {
        let message = format!("Unknown tool: {}", shown(&name));
        return Err(ErrorObject::invalid_params(message));
    };
    let text = Cow::Borrowed(arguments.text());
    let mut calling = Calling {
        single_use: entry.single_use,
        ..of(CallKind::Tool, name, &entry.listed, text)
    };
    match &entry.actions {
        None => {
            let flat = entry.arguments.check(arguments);
            let whole = || {
                entry.checks.input.as_ref().map_or(Ok(()), |check| {
                    let value = arguments.parse().map_err(|error| error.to_string())?;
                    check(&value)
                })
            };
            let checked = flat
                .map_err(|error| error.to_string())
                .and_then(|()| whole());
            calling.refused = checked.err();
        }
        Some(actions) => match actions.choose(arguments) {
            Err(refused) => calling.refused = Some(refused),
            Ok(chosen) => {
                calling.function = chosen.function.clone();
                calling.action = Some(ActionCall {
                    name: chosen.name.into(),
                    data: chosen.data.into(),
                });
            }
        },
    }
    Ok(calling)
}

fn prompt<'a>(
    offering: &'a Offering,
    caller: &Caller,
    params: Json<'a>,
) -> Result<Calling<'a>, ErrorObject> {
    let name = string(params, "name")?;
    let arguments = arguments(offering, params)?;
    let Some(entry) = offering.catalog.prompt(&name, caller) else {
        let message = format!("Unknown prompt: {}", shown(&name));
        return Err(ErrorObject::invalid_params(message));
    };
    let given = strings(arguments)?;
    let missing = entry
        .arguments
        .iter()
        .find(|(argument, required)| *required && !given.contains_key(argument));
    if let Some((argument, _)) = missing {
        let message = format!("The argument {argument} is missing");
        return Err(ErrorObject::invalid_params(message));
    }
    let text = Cow::Borrowed(arguments.text());
    Ok(of(CallKind::Prompt, name, &entry.listed, text))
}

fn resource<'a>(
    offering: &'a Offering,
    caller: &Caller,
    params: Json<'a>,
) -> Result<Calling<'a>, ErrorObject> {
    let uri = string(params, "uri")?;
    if uri.len() > offering.limits().uri_bytes {
        return Err(resource_not_found(&uri));
    }
    let (listed, arguments) = match offering.catalog.resource(&uri, caller) {
        Some(entry) => (&entry.listed, Cow::Borrowed("{}")),
        None => offering
            .catalog
            .template(&uri, caller)
            .and_then(|(entry, variables)| {
                let variables = serde_json::to_string(&variables).ok()?;
                Some((&entry.listed, Cow::Owned(variables)))
            })
            .ok_or_else(|| resource_not_found(&uri))?,
    };
    Ok(of(CallKind::Resource, uri, listed, arguments))
}

/// There is no such resource, or none for this caller.
///
/// See [Resources, error handling](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling).
pub(crate) fn resource_not_found(uri: &str) -> ErrorObject {
    let data = Map::from_iter([("uri".to_owned(), Value::from(shown(uri)))]);
    ErrorObject::invalid_params("Resource not found").data(data.into())
}

/// See [Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion).
fn completion<'a>(
    offering: &'a Offering,
    caller: &Caller,
    params: Json<'a>,
) -> Result<Found<'a>, ErrorObject> {
    let missing = |name| move || ErrorObject::invalid_params(format!("params.{name} is missing"));
    let reference = optional_object(params, "ref")?.ok_or_else(missing("ref"))?;
    let argument = optional_object(params, "argument")?.ok_or_else(missing("argument"))?;
    let name = string(argument, "name")?;
    let value = string(argument, "value")?;
    let settled = match optional_object(params, "context")? {
        None => BTreeMap::new(),
        Some(context) => {
            strings(optional_object(context, "arguments")?.unwrap_or(Json::EMPTY_OBJECT))?
        }
    };
    let (of_what, listed, completions) = match &*string(reference, "type")? {
        "ref/prompt" => {
            let name = string(reference, "name")?;
            let entry = offering.catalog.prompt(&name, caller).ok_or_else(|| {
                ErrorObject::invalid_params(format!("Unknown prompt: {}", shown(&name)))
            })?;
            ("prompt", &entry.listed, &entry.completions)
        }
        "ref/resource" => {
            let uri = string(reference, "uri")?;
            let entry = offering
                .catalog
                .template_named(&uri, caller)
                .ok_or_else(|| ErrorObject::invalid_params("There is no such resource template"))?;
            ("template", &entry.listed, &entry.completions)
        }
        _ => {
            return Err(ErrorObject::invalid_params(
                "params.ref is of no known type",
            ));
        }
    };
    let Some(function) = completions.get(&*name) else {
        return Ok(Found::NothingToComplete);
    };
    let arguments = serde_json::to_string(&Completing::new(value.into_owned(), settled))
        .map_err(|_| ErrorObject::internal_error("Internal error"))?;
    let registered = format!("{of_what}\n{}\n{name}", listed.name);
    Ok(Found::Step(Calling {
        registered: Cow::Owned(registered),
        function: function.clone(),
        ..of(CallKind::Completion, name, listed, Cow::Owned(arguments))
    }))
}

/// The function a call was registered under, for a step that comes back as data.
pub(crate) fn function(offering: &Offering, call: &Call) -> Option<Function> {
    registered(offering, call).map(|(function, _)| function)
}

/// The function a call was registered under, and its revision now. `None` also where the caller's
/// access token does not allow it any more.
pub(crate) fn registered<'a>(offering: &'a Offering, call: &Call) -> Option<(Function, &'a str)> {
    let catalog = &offering.catalog;
    let caller = &call.caller;
    let registered = call.registered();
    let listed = match call.kind {
        CallKind::Tool => {
            let entry = catalog.tool(registered, caller)?;
            let function = match (&call.action, &entry.actions) {
                (None, None) => &entry.listed.function,
                (Some(action), Some(actions)) => actions.function(&action.name)?,
                _ => return None,
            };
            return Some((function.clone(), &*entry.listed.revision));
        }
        CallKind::Prompt => &catalog.prompt(registered, caller)?.listed,
        CallKind::Resource => match catalog.resource(registered, caller) {
            Some(entry) => &entry.listed,
            None => &catalog.template_named(registered, caller)?.listed,
        },
        CallKind::Completion => {
            let mut parts = registered.splitn(3, '\n');
            let (of, name, argument) = (parts.next()?, parts.next()?, parts.next()?);
            let (listed, completions) = match of {
                "prompt" => {
                    let entry = catalog.prompt(name, caller)?;
                    (&entry.listed, &entry.completions)
                }
                _ => {
                    let entry = catalog.template_named(name, caller)?;
                    (&entry.listed, &entry.completions)
                }
            };
            permitted(offering, caller, call.kind.method(), &listed.scopes).ok()?;
            return Some((completions.get(argument)?.clone(), &*listed.revision));
        }
    };
    permitted(offering, caller, call.kind.method(), &listed.scopes).ok()?;
    Some((listed.function.clone(), &*listed.revision))
}

/// The `arguments` of a call, within their limit; none are an empty object.
fn arguments<'a>(offering: &Offering, params: Json<'a>) -> Result<Json<'a>, ErrorObject> {
    let arguments = optional_object(params, "arguments")?.unwrap_or(Json::EMPTY_OBJECT);
    if arguments.text().len() > offering.limits().arguments_bytes {
        return Err(ErrorObject::invalid_params("params.arguments is too long"));
    }
    Ok(arguments)
}

/// The members of an object of strings.
fn strings(object: Json<'_>) -> Result<BTreeMap<String, String>, ErrorObject> {
    object
        .members()
        .map(|(name, value)| match value.as_str() {
            Some(value) => Ok((name.into_owned(), value.into_owned())),
            None => {
                let message = format!("The argument {} is not a string", shown(&name));
                Err(ErrorObject::invalid_params(message))
            }
        })
        .collect()
}
