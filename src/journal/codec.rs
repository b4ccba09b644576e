//! The journal as bytes: compact, since it travels in every round.

use super::Journal;
use super::entry::{Entry, EntryKind, Told};

/// Writes the pieces of a sealed state.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    /// With room for so many bytes.
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
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    pub(crate) fn journal(&mut self, journal: &Journal) {
        self.number(journal.entries.len() as u64);
        for entry in &journal.entries {
            self.byte(entry.kind.code() << 4 | entry.told.code());
            self.text(&entry.key);
            if entry.kind != EntryKind::Once {
                self.bytes(&entry.print);
            }
            match &entry.told {
                Told::Open { asks } => self.number(u64::from(*asks)),
                Told::Declined | Told::Cancelled => {}
                told => self.text(told.text()),
            }
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
        let mut entries = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            entries.push(self.entry()?);
        }
        Some(Journal { entries })
    }

    fn entry(&mut self) -> Option<Entry> {
        let code = self.byte()?;
        let kind = EntryKind::from_code(code >> 4)?;
        let key = self.text()?.into();
        let print = if kind == EntryKind::Once {
            [0; 16]
        } else {
            self.array()?
        };
        let told = match code & 0x0f {
            0 => Told::Open {
                asks: u32::try_from(self.number()?).ok()?,
            },
            1 => Told::Accepted(self.text()?.into()),
            2 => Told::Declined,
            3 => Told::Cancelled,
            4 => Told::Result(self.text()?.into()),
            5 => Told::Done(self.text()?.into()),
            6 => Told::Failed(self.text()?.into()),
            _ => return None,
        };
        Some(Entry {
            kind,
            key,
            print,
            told,
        })
    }
}
