//! A question without its type: what is sent, what may come back, whether it may be put at all.

use super::form::{Form, UrlPrompt};
use crate::journal::{EntryKind, Told};
use crate::json::Json;
use crate::protocol::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ElicitationCapability,
    ListRootsResult, RootsCapability, SamplingCapability,
};

/// A question as the run of a step sees it.
pub(crate) struct Put {
    name: Option<Box<str>>,
    matter: Matter,
    /// The request's params as JSON text.
    params: String,
    fault: Option<String>,
    decodes: fn(&Told) -> Result<(), String>,
}

enum Matter {
    Form(Form),
    Url(UrlPrompt),
    Sample { tools: bool, context: bool },
    Roots,
}

impl Put {
    pub(super) fn form(
        name: Option<Box<str>>,
        form: Form,
        decodes: fn(&Told) -> Result<(), String>,
    ) -> Self {
        Self {
            name,
            params: form.params_json(),
            fault: form.fault().map(ToOwned::to_owned),
            matter: Matter::Form(form),
            decodes,
        }
    }

    pub(super) fn url(
        name: Option<Box<str>>,
        prompt: UrlPrompt,
        decodes: fn(&Told) -> Result<(), String>,
    ) -> Self {
        Self {
            name,
            params: prompt.params_json(),
            fault: prompt.fault().map(ToOwned::to_owned),
            matter: Matter::Url(prompt),
            decodes,
        }
    }

    pub(super) fn sample(
        name: Option<Box<str>>,
        request: &CreateMessageRequestParams,
        decodes: fn(&Told) -> Result<(), String>,
    ) -> Self {
        let (params, fault) = match serde_json::to_string(request) {
            Ok(params) => (params, None),
            Err(error) => (String::new(), Some(error.to_string())),
        };
        Self {
            name,
            matter: Matter::Sample {
                tools: request.tools.is_some() || request.tool_choice.is_some(),
                context: request.wants_context(),
            },
            params,
            fault,
            decodes,
        }
    }

    pub(super) fn roots(name: Option<Box<str>>, decodes: fn(&Told) -> Result<(), String>) -> Self {
        Self {
            name,
            matter: Matter::Roots,
            params: "{}".to_owned(),
            fault: None,
            decodes,
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn kind(&self) -> EntryKind {
        match self.matter {
            Matter::Form(_) | Matter::Url(_) => EntryKind::Elicit,
            Matter::Sample { .. } => EntryKind::Sample,
            Matter::Roots => EntryKind::Roots,
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        match self.matter {
            Matter::Form(_) | Matter::Url(_) => "elicitation/create",
            Matter::Sample { .. } => "sampling/createMessage",
            Matter::Roots => "roots/list",
        }
    }

    pub(crate) fn params(&self) -> &str {
        &self.params
    }

    pub(crate) fn about(&self) -> Option<&str> {
        match &self.matter {
            Matter::Form(form) => form.about_json(),
            Matter::Url(prompt) => prompt.about_json(),
            Matter::Sample { .. } | Matter::Roots => None,
        }
    }

    /// Why the question cannot be put, where its author built it badly.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Whether a client with these capabilities may be asked this.
    ///
    /// An empty elicitation capability means form mode, as the
    /// [specification](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities)
    /// has it.
    pub(crate) fn may_be_put(&self, declared: &ClientCapabilities) -> bool {
        match self.matter {
            Matter::Form(_) => declared
                .elicitation
                .as_ref()
                .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none()),
            Matter::Url(_) => declared
                .elicitation
                .as_ref()
                .is_some_and(|elicitation| elicitation.url.is_some()),
            Matter::Sample { tools, context } => {
                declared.sampling.as_ref().is_some_and(|sampling| {
                    (!tools || sampling.tools.is_some()) && (!context || sampling.context.is_some())
                })
            }
            Matter::Roots => declared.roots.is_some(),
        }
    }

    /// Adds what a client would have to declare to be asked this.
    pub(crate) fn require(&self, missing: &mut ClientCapabilities) {
        match self.matter {
            Matter::Form(_) => {
                missing
                    .elicitation
                    .get_or_insert_with(ElicitationCapability::default)
                    .form
                    .get_or_insert_default();
            }
            Matter::Url(_) => {
                missing
                    .elicitation
                    .get_or_insert_with(ElicitationCapability::default)
                    .url
                    .get_or_insert_default();
            }
            Matter::Sample { tools, context } => {
                let sampling = missing
                    .sampling
                    .get_or_insert_with(SamplingCapability::default);
                if tools {
                    sampling.tools.get_or_insert_default();
                }
                if context {
                    sampling.context.get_or_insert_default();
                }
            }
            Matter::Roots => {
                missing.roots.get_or_insert_with(RootsCapability::default);
            }
        }
    }

    /// Takes the client's answer, or says what is wrong with it, without repeating it.
    pub(crate) fn take(&self, answer: Json<'_>) -> Result<Told, String> {
        match &self.matter {
            Matter::Form(form) => Ok(match action(answer)? {
                Action::Accept => {
                    // A form without fields is accepted by the word alone.
                    let content = answer.get("content").unwrap_or(Json::EMPTY_OBJECT);
                    let content = form.accepted_content(content);
                    Told::Accepted(content.map_err(|refused| refused.to_string())?.into())
                }
                Action::Decline => Told::Declined,
                Action::Cancel => Told::Cancelled,
            }),
            Matter::Url(_) => Ok(match action(answer)? {
                Action::Accept => Told::Accepted("".into()),
                Action::Decline => Told::Declined,
                Action::Cancel => Told::Cancelled,
            }),
            Matter::Sample { .. } => match answer.parse::<CreateMessageResult>() {
                Ok(_) => Ok(Told::Result(answer.text().into())),
                Err(_) => Err("the answer is no result of sampling".to_owned()),
            },
            Matter::Roots => {
                let Ok(result) = answer.parse::<ListRootsResult>() else {
                    return Err("the answer is no list of roots".to_owned());
                };
                let is_file = |uri: &str| {
                    let scheme = uri.get(..7).unwrap_or_default();
                    scheme.eq_ignore_ascii_case("file://")
                };
                if result.roots.iter().all(|root| is_file(&root.uri)) {
                    Ok(Told::Result(answer.text().into()))
                } else {
                    Err("a root is not at a file URI".to_owned())
                }
            }
        }
    }

    /// Whether the author's type takes what was told.
    pub(crate) fn decodes(&self, told: &Told) -> Result<(), String> {
        (self.decodes)(told)
    }
}

enum Action {
    Accept,
    Decline,
    Cancel,
}

fn action(answer: Json<'_>) -> Result<Action, String> {
    let action = answer.get("action").and_then(Json::as_str);
    match action.as_deref() {
        Some("accept") => Ok(Action::Accept),
        Some("decline") => Ok(Action::Decline),
        Some("cancel") => Ok(Action::Cancel),
        _ => Err("the action is not accept, decline or cancel".to_owned()),
    }
}
