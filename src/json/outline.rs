//! Where every value of a body stands: noted in the one pass, so that nothing is looked for twice.

use super::{Json, ReadError, ReadLimits, scan};

/// A value or a key, by its place in the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// Offset behind its last byte.
    pub(super) end: usize,
    /// How many nodes it takes, itself and all that is in it. A container's follow it in the order
    /// written: an object's are a key and a value in turn.
    pub(super) size: usize,
    /// Whether it is a string with an escape in it.
    pub(super) escaped: bool,
}

/// A body that was read, with the places of its values: what [`Outline::json`] gives finds its
/// members and elements without walking over them.
pub(crate) struct Outline<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

impl<'a> Outline<'a> {
    /// Reads a whole body: see [`Json::read`].
    pub(crate) fn read(bytes: &'a [u8], limits: &ReadLimits) -> Result<Self, ReadError> {
        let whole = match std::str::from_utf8(bytes) {
            Ok(whole) => whole,
            Err(error) => {
                return Err(ReadError::NotUtf8 {
                    at: error.valid_up_to(),
                });
            }
        };
        if whole.starts_with('\u{feff}') {
            return Err(ReadError::ByteOrderMark { at: 0 });
        }
        let (text, nodes) = scan::scan(whole, limits)?;
        Ok(Self { text, nodes })
    }

    /// The value, which is as good as what [`Json::read`] gives, and quicker.
    pub(crate) fn json(&self) -> Json<'_> {
        Json {
            text: self.text,
            nodes: &self.nodes,
        }
    }

    /// The value's text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::spell::{rewritten, values};

    /// Holds what the notes find against what walking finds.
    fn is_same(noted: Json<'_>, walked: Json<'_>) {
        assert_eq!(noted.text(), walked.text());
        assert_eq!(noted.as_str(), walked.as_str());
        let (mut ours, mut theirs) = (noted.members(), walked.members());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => break,
                (Some((our_key, ours)), Some((their_key, theirs))) => {
                    assert_eq!(our_key, their_key);
                    assert_eq!(noted.get(&our_key).unwrap().text(), theirs.text());
                    assert_eq!(walked.get(&our_key).unwrap().text(), theirs.text());
                    is_same(ours, theirs);
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(noted.get("no such key").is_none());
        assert_eq!(noted.elements().count(), walked.elements().count());
        for (ours, theirs) in noted.elements().zip(walked.elements()) {
            is_same(ours, theirs);
        }
    }

    proptest! {
        #[test]
        fn what_is_noted_is_what_is_walked((value, seed) in (values(), any::<u64>())) {
            let text = rewritten(&value, seed);
            let limits = ReadLimits::default();
            let outline = Outline::read(text.as_bytes(), &limits).unwrap();
            is_same(outline.json(), Json::read(text.as_bytes(), &limits).unwrap());
        }
    }
}
