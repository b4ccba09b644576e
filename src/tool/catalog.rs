//! Everything a server offers, checked and prepared for listing.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::action::{Actions, HELP, plain_pages};
use super::arguments::FlatSchema;
use super::completion::Completions;
use super::header_params::{HeaderParam, header_params};
use super::offered::{ActionParts, Tool};
use super::prompt::Prompt;
use super::register::RegisterError;
use super::resource::{CacheHint, Resource, ResourceTemplate};
use super::whole::Whole;
use crate::caller::Caller;
use crate::protocol;
use crate::scope::is_scope;
use crate::step::{Function, ToolPages, Visible};
use crate::template::UriTemplate;

/// What all entries have: a name, a place in a list, and who sees them.
#[derive(Clone)]
pub(crate) struct Listed {
    pub(crate) name: Box<str>,
    /// The definition as JSON text, written once.
    pub(crate) json: Box<str>,
    pub(crate) unlisted: bool,
    pub(crate) visible: Option<Visible>,
    /// What a caller's access token must allow.
    pub(crate) scopes: Vec<Box<str>>,
    pub(crate) function: Function,
    pub(crate) revision: Box<str>,
}

impl Listed {
    pub(crate) fn is_visible(&self, caller: &Caller) -> bool {
        self.visible.as_ref().is_none_or(|visible| visible(caller))
    }
}

/// An entry of any list.
pub(crate) trait Offer {
    fn listed(&self) -> &Listed;
}

#[derive(Clone)]
pub(crate) struct ToolEntry {
    pub(crate) listed: Listed,
    pub(crate) definition: protocol::Tool,
    pub(crate) arguments: FlatSchema,
    pub(crate) header_params: Vec<HeaderParam>,
    pub(crate) single_use: bool,
    pub(crate) actions: Option<Actions>,
    pub(crate) pages: ToolPages,
    pub(crate) checks: Checks,
}

/// Whether a value keeps to a whole schema; else what it breaks, in words for the model.
pub(crate) type Check = Arc<dyn Fn(&Value) -> Result<(), String> + Send + Sync>;

/// The whole schemas of a tool, where they are checked.
#[derive(Clone, Default)]
pub(crate) struct Checks {
    pub(crate) input: Option<Check>,
    pub(crate) output: Option<Check>,
}

#[derive(Clone)]
pub(crate) struct PromptEntry {
    pub(crate) listed: Listed,
    /// Each argument's name, and whether it must be given.
    pub(crate) arguments: Vec<(String, bool)>,
    pub(crate) completions: Completions,
}

#[derive(Clone)]
pub(crate) struct ResourceEntry {
    pub(crate) listed: Listed,
    pub(crate) cache: CacheHint,
}

#[derive(Clone)]
pub(crate) struct TemplateEntry {
    pub(crate) listed: Listed,
    pub(crate) template: UriTemplate,
    pub(crate) cache: CacheHint,
    pub(crate) completions: Completions,
}

impl Offer for ToolEntry {
    fn listed(&self) -> &Listed {
        &self.listed
    }
}

impl Offer for PromptEntry {
    fn listed(&self) -> &Listed {
        &self.listed
    }
}

impl Offer for ResourceEntry {
    fn listed(&self) -> &Listed {
        &self.listed
    }
}

impl Offer for TemplateEntry {
    fn listed(&self) -> &Listed {
        &self.listed
    }
}

/// Everything a server offers, in the order it was registered.
#[derive(Clone, Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Vec<ToolEntry>,
    pub(crate) prompts: Vec<PromptEntry>,
    pub(crate) resources: Vec<ResourceEntry>,
    pub(crate) templates: Vec<TemplateEntry>,
    tools_by_name: BTreeMap<Box<str>, usize>,
    prompts_by_name: BTreeMap<Box<str>, usize>,
    resources_by_uri: BTreeMap<Box<str>, usize>,
    /// What of the lists is there to be sent as it is.
    pub(crate) whole: Whole,
}

impl Catalog {
    /// Writes the lists that are the same for everybody, once nothing more is added.
    pub(crate) fn write_lists(&mut self, page_items: usize) {
        self.whole = Whole::of(self, page_items);
    }

    /// The tool of this name, if the caller sees it.
    pub(crate) fn tool(&self, name: &str, caller: &Caller) -> Option<&ToolEntry> {
        let entry = self.tools.get(*self.tools_by_name.get(name)?)?;
        entry.listed.is_visible(caller).then_some(entry)
    }

    /// The prompt of this name, if the caller sees it.
    pub(crate) fn prompt(&self, name: &str, caller: &Caller) -> Option<&PromptEntry> {
        let entry = self.prompts.get(*self.prompts_by_name.get(name)?)?;
        entry.listed.is_visible(caller).then_some(entry)
    }

    /// The resource of this URI, if the caller sees it.
    pub(crate) fn resource(&self, uri: &str, caller: &Caller) -> Option<&ResourceEntry> {
        let entry = self.resources.get(*self.resources_by_uri.get(uri)?)?;
        entry.listed.is_visible(caller).then_some(entry)
    }

    /// The first template that the caller sees and the URI fits, with its variables.
    pub(crate) fn template(
        &self,
        uri: &str,
        caller: &Caller,
    ) -> Option<(&TemplateEntry, BTreeMap<String, String>)> {
        self.templates
            .iter()
            .filter(|entry| entry.listed.is_visible(caller))
            .find_map(|entry| Some((entry, entry.template.matches(uri)?)))
    }

    /// The template that was registered as this, if the caller sees it.
    pub(crate) fn template_named(&self, name: &str, caller: &Caller) -> Option<&TemplateEntry> {
        let mut named = self
            .templates
            .iter()
            .filter(|entry| *entry.listed.name == *name);
        named.find(|entry| entry.listed.is_visible(caller))
    }

    /// What there is for the caller at a URI, as a resource of its own or by a template.
    pub(crate) fn at(&self, uri: &str, caller: &Caller) -> Option<&Listed> {
        let own = self.resource(uri, caller).map(|entry| &entry.listed);
        own.or_else(|| Some(&self.template(uri, caller)?.0.listed))
    }

    pub(crate) fn add_tool(&mut self, tool: Tool) -> Result<(), RegisterError> {
        let definition = tool.definition;
        let name = definition.name.clone();
        let parts = tool.actions.transpose();
        let parts = parts.map_err(|error| RegisterError::Action {
            tool: name.clone(),
            error,
        })?;
        let typed_object = definition.input_schema.get("type") == Some(&"object".into());
        let bad = tool.bad_schema.or((!typed_object).then_some("inputSchema"));
        if let Some(schema) = bad {
            return Err(RegisterError::Schema { tool: name, schema });
        }
        let header_params = header_params(&definition.input_schema).map_err(|error| {
            RegisterError::HeaderParam {
                tool: name.clone(),
                error,
            }
        })?;
        let (actions, pages) = match parts {
            None => (None, plain_pages(&definition)),
            Some(ActionParts { actions, pages }) => (Some(actions), pages),
        };
        let function = match &actions {
            None => tool.function,
            Some(actions) => actions.function(HELP).cloned(),
        };
        let listed = Listed {
            json: listing(&name, &definition)?,
            name: name.as_str().into(),
            unlisted: false,
            visible: tool.visible,
            scopes: scopes(&name, tool.scopes)?,
            function: step("tool", &name, function)?,
            revision: tool.revision,
        };
        index(&mut self.tools_by_name, "tool", &name, self.tools.len())?;
        self.tools.push(ToolEntry {
            arguments: FlatSchema::new(&definition.input_schema),
            header_params,
            listed,
            definition,
            single_use: tool.single_use,
            actions,
            pages,
            checks: Checks::default(),
        });
        Ok(())
    }

    pub(crate) fn add_prompt(&mut self, prompt: Prompt) -> Result<(), RegisterError> {
        let definition = prompt.definition;
        let name = definition.name.clone();
        let listed = Listed {
            json: listing(&name, &definition)?,
            name: name.as_str().into(),
            unlisted: false,
            visible: prompt.visible,
            scopes: scopes(&name, prompt.scopes)?,
            function: step("prompt", &name, prompt.function)?,
            revision: prompt.revision,
        };
        index(
            &mut self.prompts_by_name,
            "prompt",
            &name,
            self.prompts.len(),
        )?;
        let arguments: Vec<(String, bool)> = definition
            .arguments
            .into_iter()
            .flatten()
            .map(|argument| (argument.name, argument.required == Some(true)))
            .collect();
        completes(&name, &prompt.completions, |completed| {
            arguments.iter().any(|(argument, _)| argument == completed)
        })?;
        self.prompts.push(PromptEntry {
            listed,
            arguments,
            completions: prompt.completions,
        });
        Ok(())
    }

    pub(crate) fn add_resource(&mut self, resource: Resource) -> Result<(), RegisterError> {
        let definition = resource.definition;
        let uri = definition.uri.clone();
        if iri_string::types::UriStr::new(&uri).is_err() {
            return Err(RegisterError::Uri { uri });
        }
        let listed = Listed {
            json: listing(&uri, &definition)?,
            name: uri.as_str().into(),
            unlisted: resource.unlisted,
            visible: resource.visible,
            scopes: scopes(&uri, resource.scopes)?,
            function: step("resource", &uri, resource.function)?,
            revision: resource.revision,
        };
        index(
            &mut self.resources_by_uri,
            "resource",
            &uri,
            self.resources.len(),
        )?;
        self.resources.push(ResourceEntry {
            listed,
            cache: resource.cache,
        });
        Ok(())
    }

    pub(crate) fn add_template(&mut self, template: ResourceTemplate) -> Result<(), RegisterError> {
        let definition = template.definition;
        let name = definition.uri_template.clone();
        let twice = self
            .templates
            .iter()
            .any(|entry| *entry.listed.name == *name);
        if twice {
            return Err(RegisterError::Twice {
                what: "resource template",
                name,
            });
        }
        let parsed = UriTemplate::new(&name).map_err(|error| RegisterError::Template {
            template: name.clone(),
            error,
        })?;
        let variables = parsed.variables();
        completes(&name, &template.completions, |completed| {
            variables.contains(&completed)
        })?;
        self.templates.push(TemplateEntry {
            listed: Listed {
                json: listing(&name, &definition)?,
                name: name.as_str().into(),
                unlisted: false,
                visible: template.visible,
                scopes: scopes(&name, template.scopes)?,
                function: step("resource template", &name, template.function)?,
                revision: template.revision,
            },
            template: parsed,
            cache: template.cache,
            completions: template.completions,
        });
        Ok(())
    }
}

/// Every scope is one that a token can have.
fn scopes(name: &str, scopes: Vec<Box<str>>) -> Result<Vec<Box<str>>, RegisterError> {
    match scopes.iter().find(|scope| !is_scope(scope)) {
        None => Ok(scopes),
        Some(scope) => Err(RegisterError::Scope {
            name: name.to_owned(),
            scope: scope.to_string(),
        }),
    }
}

fn listing(name: &str, definition: &impl Serialize) -> Result<Box<str>, RegisterError> {
    serde_json::to_string(definition)
        .map(Into::into)
        .map_err(|error| RegisterError::Unlistable {
            name: name.to_owned(),
            error,
        })
}

/// Every completion is of something that is there.
fn completes(
    name: &str,
    completions: &Completions,
    has: impl Fn(&str) -> bool,
) -> Result<(), RegisterError> {
    match completions.keys().find(|completed| !has(completed)) {
        None => Ok(()),
        Some(completed) => Err(RegisterError::Completion {
            name: name.to_owned(),
            argument: completed.clone(),
        }),
    }
}

fn step(
    what: &'static str,
    name: &str,
    function: Option<Function>,
) -> Result<Function, RegisterError> {
    function.ok_or_else(|| RegisterError::NoStep {
        what,
        name: name.to_owned(),
    })
}

fn index(
    places: &mut BTreeMap<Box<str>, usize>,
    what: &'static str,
    name: &str,
    place: usize,
) -> Result<(), RegisterError> {
    if name.is_empty() {
        return Err(RegisterError::Nameless { what });
    }
    match places.insert(name.into(), place) {
        None => Ok(()),
        Some(_) => Err(RegisterError::Twice {
            what,
            name: name.to_owned(),
        }),
    }
}
