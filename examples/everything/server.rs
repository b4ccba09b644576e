//! Putting the server together.

use std::error::Error;
use std::time::Duration;

use mcp_reprise::adapters::{Notifier, dice};
use mcp_reprise::{BuildError, Cx, KeyRing, Limits, Server, StateKey, Tool, ToolError};

use crate::box_office::BoxOffice;
use crate::fates::Fates;
use crate::{
    changes, conformance_asks, conformance_content, conformance_forms, programme, prompts,
    resources, showpieces, tools, waiting,
};

/// What all servers of this process share.
pub struct Offer {
    keys: KeyRing,
    notifier: Notifier,
    fates: Fates,
    box_office: BoxOffice,
    more: Vec<Tool>,
}

impl Offer {
    /// Without a key, request state is sealed with a fresh one, which dies with this process.
    pub fn new(state_keys: &[String], notifier: Notifier) -> Result<Self, Box<dyn Error>> {
        let (first, others) = match state_keys {
            [first, others @ ..] => (StateKey::from_hex(first)?, others),
            [] => (StateKey::new(&dice()?)?, [].as_slice()),
        };
        let keys = others.iter().try_fold(KeyRing::new(first), |ring, hex| {
            ring.and(StateKey::from_hex(hex)?)
        })?;
        Ok(Self {
            keys,
            notifier,
            fates: Fates::default(),
            box_office: BoxOffice::default(),
            more: Vec::new(),
        })
    }

    /// Offers one more tool.
    pub fn with(mut self, tool: Tool) -> Self {
        self.more.push(tool);
        self
    }

    pub fn server(&self) -> Result<Server, BuildError> {
        self.build(Limits::default())
    }

    /// The same server, except that nobody may think longer than a second about a question.
    pub fn brief_server(&self) -> Result<Server, BuildError> {
        self.build(Limits {
            state_ttl: Duration::from_secs(1),
            ..Limits::default()
        })
    }

    fn build(&self, limits: Limits) -> Result<Server, BuildError> {
        let mut builder = Server::builder("everything", env!("CARGO_PKG_VERSION"))
            .instructions("A little of everything. Nothing here is real: try what you like.")
            .state_keys(self.keys.clone())
            .limits(limits)
            .value(self.notifier.clone())
            .value(self.fates.clone())
            .value(self.box_office.clone());
        let tools = tools::all()
            .into_iter()
            .chain(showpieces::all())
            .chain(waiting::all())
            .chain(changes::all())
            .chain(conformance_content::all())
            .chain(conformance_asks::all())
            .chain(conformance_forms::all())
            .chain(self.more.iter().cloned());
        for tool in tools {
            builder = builder.tool(tool);
        }
        builder = builder.tool(programme::tool());
        for prompt in prompts::all() {
            builder = builder.prompt(prompt);
        }
        for resource in resources::all() {
            builder = builder.resource(resource);
        }
        #[cfg(feature = "legacy")]
        let builder = builder.legacy();
        builder.resource_template(resources::template()).build()
    }
}

/// One of the values that [`Offer::build`] gave the server, for a step.
pub fn shared<T: Clone + Send + Sync + 'static>(cx: &Cx) -> Result<T, ToolError> {
    cx.extension::<T>()
        .cloned()
        .ok_or_else(|| ToolError::internal(std::any::type_name::<T>()))
}
