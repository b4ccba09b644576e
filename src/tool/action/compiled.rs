//! Actions as they are looked up: which one a call means, and with what data.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::check::Data;
use super::help;
use crate::json::{Json, Kind};
use crate::step::Function;

/// The actions of one tool.
#[derive(Clone)]
pub(crate) struct Actions {
    pub(super) tool: Box<str>,
    pub(super) by_name: BTreeMap<Box<str>, Compiled>,
    /// A line for each: its name and its summary.
    pub(super) summaries: Box<str>,
}

/// One action.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) summary: Box<str>,
    pub(super) data: Data,
    pub(super) function: Function,
}

/// The action that a call means.
pub(crate) struct Chosen<'a> {
    pub(crate) name: &'a str,
    pub(crate) function: &'a Function,
    /// Its data as JSON text, with the defaults put in.
    pub(crate) data: Cow<'a, str>,
}

impl Actions {
    /// The function of an action.
    pub(crate) fn function(&self, name: &str) -> Option<&Function> {
        Some(&self.by_name.get(name)?.function)
    }

    /// The action that the arguments of a call mean.
    ///
    /// # Errors
    ///
    /// What is wrong with them, as JSON text for the model.
    pub(crate) fn choose<'a>(&'a self, arguments: Json<'a>) -> Result<Chosen<'a>, String> {
        let mut action = None;
        let mut data = Json::EMPTY_OBJECT;
        for (name, value) in arguments.members() {
            match &*name {
                "action" => action = Some(value),
                "data" => data = value,
                other => return Err(help::unknown_argument(self, other)),
            }
        }
        let Some(action) = action else {
            return Err(help::no_action(self, "action: is required"));
        };
        let Some(named) = action.as_str() else {
            return Err(help::no_action(self, "action: must be a string"));
        };
        let Some((name, action)) = self.by_name.get_key_value(&*named) else {
            return Err(help::unknown_action(self, &named));
        };
        if data.kind() != Kind::Object {
            let fault = super::check::Fault::NoObject;
            return Err(help::wrong_data(self, name, &action.summary, &fault));
        }
        match action.data.take(data) {
            Ok(data) => Ok(Chosen {
                name,
                function: &action.function,
                data,
            }),
            Err(fault) => Err(help::wrong_data(self, name, &action.summary, &fault)),
        }
    }
}
