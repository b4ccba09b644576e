//! One page of a list: the caller's own part of it, in the order of registration.

use std::time::Duration;

use super::{cursor, optional_string};
use crate::caller::Caller;
use crate::json::Json;
use crate::offering::Offering;
use crate::protocol::ErrorObject;
use crate::tool::Offer;

/// One page of a list.
pub(crate) struct Page {
    /// The member of the result that holds the list.
    pub(crate) member: &'static str,
    /// The items as the text of a JSON array.
    pub(crate) items: String,
    pub(crate) next_cursor: Option<String>,
    /// Whether anything in the whole list depends on the caller: every page is private then.
    pub(crate) private: bool,
}

/// The page that a request of one of the four listing methods asks for; `None` for other methods.
pub(crate) fn page(
    offering: &Offering,
    caller: &Caller,
    method: &str,
    params: Json<'_>,
) -> Option<Result<Page, ErrorObject>> {
    let catalog = &offering.catalog;
    let asked = Asked {
        offering,
        caller,
        method,
        params,
    };
    Some(match method {
        "tools/list" => asked.page("tools", &catalog.tools),
        "prompts/list" => asked.page("prompts", &catalog.prompts),
        "resources/list" => asked.page("resources", &catalog.resources),
        "resources/templates/list" => asked.page("resourceTemplates", &catalog.templates),
        _ => return None,
    })
}

struct Asked<'a> {
    offering: &'a Offering,
    caller: &'a Caller,
    method: &'a str,
    params: Json<'a>,
}

impl Asked<'_> {
    fn page(&self, member: &'static str, all: &[impl Offer]) -> Result<Page, ErrorObject> {
        let mut shown = all
            .iter()
            .skip(self.start(all)?)
            .map(Offer::listed)
            .filter(|listed| !listed.unlisted && listed.is_visible(self.caller));
        let mut items = String::from("[");
        let mut last = None;
        let most = self.offering.limits().page_items;
        for (count, listed) in shown.by_ref().take(most).enumerate() {
            if count > 0 {
                items.push(',');
            }
            items.push_str(&listed.json);
            last = Some(&*listed.name);
        }
        items.push(']');
        let next_cursor = match (last, shown.next()) {
            (Some(last), Some(_)) => {
                let principal = self.caller.principal.as_deref();
                Some(cursor::after(self.offering, self.method, principal, last))
            }
            _ => None,
        };
        Ok(Page {
            member,
            items,
            next_cursor,
            private: all.iter().any(|offer| offer.listed().visible.is_some()),
        })
    }

    /// Where the page begins.
    fn start(&self, all: &[impl Offer]) -> Result<usize, ErrorObject> {
        let Some(text) = optional_string(self.params, "cursor")? else {
            return Ok(0);
        };
        let principal = self.caller.principal.as_deref();
        cursor::read(self.offering, self.method, principal, &text)
            .and_then(|name| all.iter().position(|offer| *offer.listed().name == *name))
            .map(|place| place + 1)
            .ok_or_else(|| ErrorObject::invalid_params("The cursor is not one of this list"))
    }
}

/// Whole milliseconds, as many as the wire can hold.
pub(crate) fn millis(duration: Duration) -> u64 {
    const MOST: u64 = (1 << 53) - 1;
    u64::try_from(duration.as_millis()).map_or(MOST, |millis| millis.min(MOST))
}
