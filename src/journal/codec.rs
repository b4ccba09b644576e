//! The journal as bytes: compact, since it travels in every round.

use std::ops::Range;

use super::entry::{EntryKind, ToldKind};
use super::{Journal, Slot};

/// Writes the pieces of a sealed state.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    /// With room for so many bytes. The room saves growing; what is written is the same without.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// A number in groups of seven bits, lowest first.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            // The bits are disjoint, so that a sum or an exclusive or would be the same byte.
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// The entries, and behind them all their texts, which are read in one go.
    pub(crate) fn journal(&mut self, journal: &Journal) {
        self.number(journal.slots.len() as u64);
        for slot in &journal.slots {
            // The codes take four bits each: here, too, an exclusive or would be the same.
            self.byte(slot.kind.code() << 4 | slot.told.code());
            if slot.kind != EntryKind::Once {
                self.bytes(&slot.print);
            }
            self.number(slot.key.len() as u64);
            match slot.told {
                ToldKind::Open { asks } => self.number(u64::from(asks)),
                told if told.has_text() => self.number(slot.text.len() as u64),
                _ => {}
            }
        }
        for entry in journal.entries() {
            self.bytes(entry.key.as_bytes());
            self.bytes(entry.told.text().as_bytes());
        }
    }
}

/// Reads the pieces of an opened state. Every read fails softly: the seal vouches for the bytes,
/// and they may still come from another version of this crate.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let count = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.bytes(count)?).ok()
    }

    pub(crate) fn journal(&mut self) -> Option<Journal> {
        let count = usize::try_from(self.number()?).ok()?;
        // The count is not to be believed before the entries are seen.
        let mut slots = Vec::with_capacity(count.min(64));
        let mut end = 0;
        for _ in 0..count {
            slots.push(self.slot(&mut end)?);
        }
        let texts = std::str::from_utf8(self.bytes(end)?).ok()?;
        let is_text = |range: &Range<usize>| texts.get(range.clone()).is_some();
        let whole = |slot: &Slot| is_text(&slot.key) && is_text(&slot.text);
        slots.iter().all(whole).then(|| Journal {
            texts: texts.to_owned(),
            slots,
        })
    }

    /// An entry whose texts begin where those of the one before ended.
    fn slot(&mut self, end: &mut usize) -> Option<Slot> {
        let code = self.byte()?;
        let kind = EntryKind::from_code(code >> 4)?;
        let print = match kind {
            EntryKind::Once => [0; 16],
            _ => self.array()?,
        };
        let key = self.range(end)?;
        let told = match code & 0x0f {
            0 => ToldKind::Open {
                asks: u32::try_from(self.number()?).ok()?,
            },
            1 => ToldKind::Accepted,
            2 => ToldKind::Declined,
            3 => ToldKind::Cancelled,
            4 => ToldKind::Result,
            5 => ToldKind::Done,
            6 => ToldKind::Failed,
            _ => return None,
        };
        let text = match told.has_text() {
            true => self.range(end)?,
            false => *end..*end,
        };
        Some(Slot {
            kind,
            key,
            print,
            told,
            text,
        })
    }

    /// A text whose length is given, and which stands where the one before ended.
    fn range(&mut self, end: &mut usize) -> Option<Range<usize>> {
        let start = *end;
        *end = start.checked_add(usize::try_from(self.number()?).ok()?)?;
        Some(start..*end)
    }
}
