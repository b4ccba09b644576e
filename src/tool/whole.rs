//! Whole lists, written once when the server is built.

use super::catalog::{Catalog, Offer};

/// The lists that are the same for everybody and take one page: each as the text of a JSON array.
/// `None` for a list that depends on who asks, or is too long.
#[derive(Clone, Default)]
pub(crate) struct Whole {
    pub(crate) tools: Option<Box<str>>,
    pub(crate) prompts: Option<Box<str>>,
    pub(crate) resources: Option<Box<str>>,
    pub(crate) templates: Option<Box<str>>,
}

impl Whole {
    pub(super) fn of(catalog: &Catalog, page_items: usize) -> Self {
        Self {
            tools: whole(&catalog.tools, page_items),
            prompts: whole(&catalog.prompts, page_items),
            resources: whole(&catalog.resources, page_items),
            templates: whole(&catalog.templates, page_items),
        }
    }
}

fn whole(all: &[impl Offer], page_items: usize) -> Option<Box<str>> {
    if all.iter().any(|offer| offer.listed().visible.is_some()) {
        return None;
    }
    let listed = || {
        let listed = all.iter().map(Offer::listed);
        listed.filter(|listed| !listed.unlisted)
    };
    if listed().count() > page_items {
        return None;
    }
    let items: Vec<&str> = listed().map(|listed| &*listed.json).collect();
    Some(format!("[{}]", items.join(",")).into())
}
