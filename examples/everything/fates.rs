//! What became of the calls of `slow`, by their tags.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many calls are remembered; the oldest are forgotten first.
const REMEMBERED: usize = 1_000;

/// What became of the latest calls.
#[derive(Clone, Default)]
pub struct Fates(Arc<Mutex<VecDeque<(String, &'static str)>>>);

impl Fates {
    /// Begins to watch a call.
    pub fn watch(&self, tag: &str) -> Watch {
        let mut calls = self.calls();
        calls.retain(|(known, _)| known != tag);
        if calls.len() == REMEMBERED {
            calls.pop_front();
        }
        calls.push_back((tag.to_owned(), "running"));
        drop(calls);
        Watch {
            fates: self.clone(),
            tag: tag.to_owned(),
            ending: "cancelled",
        }
    }

    /// `unknown`, `running`, `finished` or `cancelled`.
    pub fn of(&self, tag: &str) -> &'static str {
        let calls = self.calls();
        let found = calls.iter().find(|(known, _)| known == tag);
        found.map_or("unknown", |(_, fate)| fate)
    }

    fn calls(&self) -> MutexGuard<'_, VecDeque<(String, &'static str)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is watched. Dropped before it is finished, by whatever way, it was cancelled.
pub struct Watch {
    fates: Fates,
    tag: String,
    ending: &'static str,
}

impl Watch {
    pub fn finish(mut self) {
        self.ending = "finished";
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut calls = self.fates.calls();
        if let Some((_, fate)) = calls.iter_mut().find(|(known, _)| *known == self.tag) {
            *fate = self.ending;
        }
    }
}
