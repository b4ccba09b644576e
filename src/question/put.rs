//! A question without its type: what is sent, what may come back, whether it may be put at all.

use std::sync::Arc;

use super::form::{Form, UrlPrompt};
use crate::journal::{Attempt, EntryKind, Told};
use crate::json::Json;
use crate::protocol::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ElicitationCapability,
    ListRootsResult, RootsCapability, SamplingCapability,
};

/// A question as the run of a step sees it.
pub(crate) struct Put {
    /// Its key on the wire; the author's name for it, if any, until a run has given it a key.
    key: Option<Arc<str>>,
    /// Its fingerprint, once a run has taken it.
    print: [u8; 16],
    matter: Matter,
    /// The request's params as JSON text; a form's are written when a run takes it.
    params: String,
    fault: Option<String>,
}

enum Matter {
    Form(Form),
    Url(UrlPrompt),
    Sample { tools: bool, context: bool },
    Roots,
}

impl Put {
    pub(super) fn form(name: Option<Arc<str>>, form: Form) -> Self {
        Self {
            key: name,
            print: [0; 16],
            params: String::new(),
            fault: form.fault().map(ToOwned::to_owned),
            matter: Matter::Form(form),
        }
    }

    pub(super) fn url(name: Option<Arc<str>>, prompt: UrlPrompt) -> Self {
        Self {
            key: name,
            print: [0; 16],
            params: String::new(),
            fault: prompt.fault().map(ToOwned::to_owned),
            matter: Matter::Url(prompt),
        }
    }

    pub(super) fn sample(name: Option<Arc<str>>, request: &CreateMessageRequestParams) -> Self {
        let (params, fault) = match serde_json::to_string(request) {
            Ok(params) => (params, None),
            Err(error) => (String::new(), Some(error.to_string())),
        };
        Self {
            key: name,
            print: [0; 16],
            matter: Matter::Sample {
                tools: request.tools.is_some() || request.tool_choice.is_some(),
                context: request.wants_context(),
            },
            params,
            fault,
        }
    }

    pub(super) fn roots(name: Option<Arc<str>>) -> Self {
        Self {
            key: name,
            print: [0; 16],
            matter: Matter::Roots,
            params: "{}".to_owned(),
            fault: None,
        }
    }

    /// The author's name for it, or its key.
    pub(crate) fn key(&self) -> Option<&Arc<str>> {
        self.key.as_ref()
    }

    /// Writes its params, into a text that is at hand.
    pub(crate) fn write(&mut self, spare: String) {
        match &self.matter {
            Matter::Form(form) => self.params = form.params_json(spare),
            Matter::Url(prompt) => self.params = prompt.params_json(),
            Matter::Sample { .. } | Matter::Roots => {}
        }
    }

    /// Gives the text of its params away, when they are needed no more.
    pub(crate) fn spare(&mut self) -> String {
        std::mem::take(&mut self.params)
    }

    /// Takes the place that a run gives it.
    pub(crate) fn place(&mut self, key: Arc<str>, print: [u8; 16]) {
        self.key = Some(key);
        self.print = print;
    }

    /// The question at its place in a run.
    pub(crate) fn attempt(&self) -> Attempt<'_> {
        Attempt {
            kind: self.kind(),
            key: self.key.as_deref().unwrap_or_default(),
            print: self.print,
        }
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
    pub(crate) fn take(&self, answer: Json<'_>) -> Result<Told<'static>, String> {
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
                Ok(_) => Ok(Told::Result(answer.text().to_owned().into())),
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
                    Ok(Told::Result(answer.text().to_owned().into()))
                } else {
                    Err("a root is not at a file URI".to_owned())
                }
            }
        }
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
