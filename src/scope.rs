//! Scopes: the names of what an access token allows.

use std::collections::{BTreeMap, BTreeSet};

/// Whether a text is one scope, as [RFC 6749, section 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)
/// has it: visible ASCII without quotes and backslashes, so that a list of them needs no escape.
pub(crate) fn is_scope(text: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    !text.is_empty() && text.bytes().all(good)
}

/// The scopes of a server: which ones methods need, and which ones others imply.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scopes {
    implied: BTreeMap<Box<str>, Vec<Box<str>>>,
    methods: BTreeMap<Box<str>, Vec<Box<str>>>,
}

impl Scopes {
    pub(crate) fn imply(&mut self, broad: Box<str>, narrow: Vec<Box<str>>) {
        self.implied.entry(broad).or_default().extend(narrow);
    }

    pub(crate) fn need(&mut self, method: Box<str>, scopes: Vec<Box<str>>) {
        self.methods.entry(method).or_default().extend(scopes);
    }

    /// The scopes that a method needs, whatever it calls.
    pub(crate) fn of_method(&self, method: &str) -> &[Box<str>] {
        self.methods.get(method).map_or(&[], Vec::as_slice)
    }

    /// The first text among all of these that is no scope.
    pub(crate) fn malformed(&self) -> Option<&str> {
        let implied = self.implied.iter();
        let implied = implied.flat_map(|(broad, narrow)| narrow.iter().chain([broad]));
        let needed = self.methods.values().flatten();
        implied
            .chain(needed)
            .map(|scope| &**scope)
            .find(|scope| !is_scope(scope))
    }

    /// Whether granted scopes allow what needs this one: by itself, or by one that implies it.
    pub(crate) fn grant(&self, granted: &BTreeSet<String>, needed: &str) -> bool {
        if granted.contains(needed) {
            return true;
        }
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = granted.iter().map(String::as_str).collect();
        while let Some(scope) = open.pop() {
            if scope == needed {
                return true;
            }
            // Two scopes may imply each other.
            if seen.insert(scope) {
                let narrow = self.implied.get(scope);
                open.extend(narrow.into_iter().flatten().map(|scope| &**scope));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_visible_and_needs_no_escape() {
        for good in ["files:read", "https://example.com/mail.read", "a", "!#[]~"] {
            assert!(is_scope(good), "{good}");
        }
        for bad in [
            "",
            "two words",
            "say\"",
            "back\\slash",
            "tab\t",
            "ü",
            "line\n",
        ] {
            assert!(!is_scope(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_broad_scope_grants_what_it_implies_and_nothing_else() {
        let mut scopes = Scopes::default();
        scopes.imply("admin".into(), vec!["write".into()]);
        scopes.imply("write".into(), vec!["read".into()]);
        scopes.imply("read".into(), vec!["write".into()]);
        let granted = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert!(scopes.grant(&granted(&["admin"]), "read"));
        assert!(scopes.grant(&granted(&["read"]), "write"), "in a circle");
        assert!(!scopes.grant(&granted(&["read", "write"]), "admin"));
        assert!(!scopes.grant(&granted(&[]), "read"));
        assert!(scopes.grant(&granted(&["other"]), "other"));
    }
}
