//! One entry: a question with what was said to it, or a `once` with what came of it.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What an entry is the record of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EntryKind {
    /// A form or a URL put to the user.
    Elicit,
    /// A request to the client's model.
    Sample,
    /// A request for the client's roots.
    Roots,
    /// An effect done once.
    Once,
}

impl EntryKind {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Elicit => 0,
            Self::Sample => 1,
            Self::Roots => 2,
            Self::Once => 3,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Elicit,
            1 => Self::Sample,
            2 => Self::Roots,
            3 => Self::Once,
            _ => return None,
        })
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elicit => "elicit",
            Self::Sample => "sample",
            Self::Roots => "roots",
            Self::Once => "once",
        })
    }
}

/// What an entry holds.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Told<'a> {
    /// Asked so many times, and not answered.
    Open {
        asks: u32,
    },
    /// The user accepted; the content as JSON text, empty for a URL.
    Accepted(Cow<'a, str>),
    Declined,
    Cancelled,
    /// The client's result of sampling or of listing roots, as JSON text.
    Result(Cow<'a, str>),
    /// A `once` that came out well, as JSON text.
    Done(Cow<'a, str>),
    /// A `once` that came out badly, as JSON text.
    Failed(Cow<'a, str>),
}

/// What an entry holds, without its text.
#[derive(Clone, Copy)]
pub(super) enum ToldKind {
    Open { asks: u32 },
    Accepted,
    Declined,
    Cancelled,
    Result,
    Done,
    Failed,
}

impl ToldKind {
    pub(super) fn with(self, text: &str) -> Told<'_> {
        match self {
            Self::Open { asks } => Told::Open { asks },
            Self::Accepted => Told::Accepted(text.into()),
            Self::Declined => Told::Declined,
            Self::Cancelled => Told::Cancelled,
            Self::Result => Told::Result(text.into()),
            Self::Done => Told::Done(text.into()),
            Self::Failed => Told::Failed(text.into()),
        }
    }

    pub(super) fn has_text(self) -> bool {
        !matches!(self, Self::Open { .. } | Self::Declined | Self::Cancelled)
    }

    pub(super) fn code(self) -> u8 {
        match self {
            Self::Open { .. } => 0,
            Self::Accepted => 1,
            Self::Declined => 2,
            Self::Cancelled => 3,
            Self::Result => 4,
            Self::Done => 5,
            Self::Failed => 6,
        }
    }
}

impl Told<'_> {
    pub(super) fn kind(&self) -> ToldKind {
        match self {
            Self::Open { asks } => ToldKind::Open { asks: *asks },
            Self::Accepted(_) => ToldKind::Accepted,
            Self::Declined => ToldKind::Declined,
            Self::Cancelled => ToldKind::Cancelled,
            Self::Result(_) => ToldKind::Result,
            Self::Done(_) => ToldKind::Done,
            Self::Failed(_) => ToldKind::Failed,
        }
    }

    /// The JSON text of what was told, empty where there is none.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Open { .. } | Self::Declined | Self::Cancelled => "",
            Self::Accepted(text) | Self::Result(text) | Self::Done(text) | Self::Failed(text) => {
                text
            }
        }
    }
}

/// Answers are what the user said in confidence: `Debug` shows that one is there, not what it is.
impl fmt::Debug for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { asks } => write!(f, "Open({asks})"),
            Self::Accepted(_) => f.write_str("Accepted(..)"),
            Self::Declined => f.write_str("Declined"),
            Self::Cancelled => f.write_str("Cancelled"),
            Self::Result(_) => f.write_str("Result(..)"),
            Self::Done(_) => f.write_str("Done(..)"),
            Self::Failed(_) => f.write_str("Failed(..)"),
        }
    }
}

/// One entry of a journal, read out of it or to be written into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) kind: EntryKind,
    /// The key of the question on the wire, or the name of the `once`.
    pub(crate) key: &'a str,
    /// The exact question; zero for a `once`, which its name and place identify.
    pub(crate) print: [u8; 16],
    pub(crate) told: Told<'a>,
}

impl Entry<'_> {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.told, Told::Open { .. })
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            kind: self.kind,
            key: self.key.into(),
            fingerprint: self.print,
        }
    }
}

/// What a run asks or does at its place in the journal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<'a> {
    pub(crate) kind: EntryKind,
    pub(crate) key: &'a str,
    pub(crate) print: [u8; 16],
}

impl<'a> Attempt<'a> {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            kind: self.kind,
            key: self.key.into(),
            fingerprint: self.print,
        }
    }

    /// The entry that records it.
    pub(crate) fn told(self, told: Told<'a>) -> Entry<'a> {
        Entry {
            kind: self.kind,
            key: self.key,
            print: self.print,
            told,
        }
    }
}

/// How one side of a divergence looks: never the words of a question, only its fingerprint.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Mark {
    /// What was asked or done.
    pub kind: EntryKind,
    /// The question's key, or the name of the `once`.
    pub key: Box<str>,
    /// The fingerprint of the exact question.
    pub fingerprint: [u8; 16],
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind, self.key)?;
        if self.kind != EntryKind::Once {
            f.write_str(" #")?;
            for byte in self.fingerprint.iter().take(4) {
                write!(f, "{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mark({self})")
    }
}

/// A replay that asked something else than its journal recorded.
///
/// It is for the log; a client never sees one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Divergence {
    /// The entry's place in the journal, counted from 0.
    pub at: usize,
    /// What the journal holds at that place.
    pub recorded: Mark,
    /// What the run did there; `None` when it ended without coming so far.
    pub attempted: Option<Mark>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "at entry {}: recorded {}, attempted ",
            self.at, self.recorded
        )?;
        match &self.attempted {
            Some(attempted) if *attempted == self.recorded => {
                write!(f, "{attempted} with another type of answer")
            }
            Some(attempted) => attempted.fmt(f),
            None => f.write_str("nothing more"),
        }
    }
}
