//! One page of a list: the caller's own part of it, in the order of registration.

use std::borrow::Cow;
use std::time::Duration;

use super::{cursor, optional_string};
use crate::caller::Caller;
use crate::json::Json;
use crate::offering::Offering;
use crate::protocol::ErrorObject;
use crate::tool::Offer;

/// One page of a list.
pub(crate) struct Page<'a> {
    /// The member of the result that holds the list.
    pub(crate) member: &'static str,
    /// The items as the text of a JSON array.
    pub(crate) items: Cow<'a, str>,
    pub(crate) next_cursor: Option<String>,
    /// Whether anything in the whole list depends on the caller: every page is private then.
    pub(crate) private: bool,
}

/// The page that a request of one of the four listing methods asks for; `None` for other methods.
pub(crate) fn page<'a>(
    offering: &'a Offering,
    caller: &'a Caller,
    method: &'a str,
    params: Json<'a>,
) -> Option<Result<Page<'a>, ErrorObject>> {
    let catalog = &offering.catalog;
    let asked = Asked {
        offering,
        caller,
        method,
        params,
    };
    Some(match method {
        "tools/list" => asked.page("tools", &catalog.tools, &catalog.whole.tools),
        "prompts/list" => asked.page("prompts", &catalog.prompts, &catalog.whole.prompts),
        "resources/list" => asked.page("resources", &catalog.resources, &catalog.whole.resources),
        "resources/templates/list" => asked.page(
            "resourceTemplates",
            &catalog.templates,
            &catalog.whole.templates,
        ),
        _ => return None,
    })
}

struct Asked<'a> {
    offering: &'a Offering,
    caller: &'a Caller,
    method: &'a str,
    params: Json<'a>,
}

impl<'a> Asked<'a> {
    fn page(
        &self,
        member: &'static str,
        all: &[impl Offer],
        whole: &'a Option<Box<str>>,
    ) -> Result<Page<'a>, ErrorObject> {
        if let (Some(whole), None) = (whole, self.params.get("cursor")) {
            return Ok(Page {
                member,
                items: Cow::Borrowed(whole),
                next_cursor: None,
                private: false,
            });
        }
        self.collected(member, all)
    }

    /// The page as it is for this caller.
    fn collected(&self, member: &'static str, all: &[impl Offer]) -> Result<Page<'a>, ErrorObject> {
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
            items: items.into(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offering::Server;
    use crate::protocol::ReadResourceResult;
    use crate::step::Cx;
    use crate::tool::Resource;

    /// A list that was written beforehand is the one that would be collected, and there is none
    /// where it depends on the caller or takes two pages.
    #[test]
    fn a_whole_list_is_what_is_collected() {
        let resource = |name: &str| {
            let read = |cx: &mut Cx, _: serde_json::Value| ReadResourceResult::text(cx.name(), "");
            Resource::new(format!("test://{name}"), name).step(read)
        };
        let server = |resources: [Resource; 3], page_items| {
            let limits = crate::limits::Limits {
                page_items,
                ..Default::default()
            };
            let builder = Server::builder("test", "1").single_process([7; 32]);
            let [one, two, three] = resources;
            let builder = builder.resource(one).resource(two).resource(three);
            builder.limits(limits).build().unwrap()
        };
        let (one, two) = (resource("one"), resource("two"));
        let hidden = resource("hidden").unlisted();
        let secret = resource("secret").visible_to(|_| false);
        let open = || [one.clone(), hidden.clone(), two.clone()];
        for (server, is_whole) in [
            (server(open(), 2), true),
            (server(open(), 1), false),
            (server([one.clone(), two.clone(), secret], 3), false),
        ] {
            let offering = &server.offering;
            let whole = &offering.catalog.whole.resources;
            assert_eq!(whole.is_some(), is_whole);
            let caller = Caller::anonymous();
            let asked = Asked {
                offering,
                caller: &caller,
                method: "resources/list",
                params: Json::EMPTY_OBJECT,
            };
            let all = &offering.catalog.resources;
            let page = asked.page("resources", all, whole).unwrap();
            let collected = asked.collected("resources", all).unwrap();
            assert_eq!(page.items, collected.items);
            assert_eq!(page.next_cursor, collected.next_cursor);
            assert_eq!(page.private, collected.private);
        }
    }
}
