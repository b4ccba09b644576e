//! Counting what a tool does to the world.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// One effect: its name, and the idempotency key it was done under, if any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Effect {
    /// What was done.
    pub name: String,
    /// The key of the `once` it was done in.
    pub key: Option<String>,
}

/// Where a tool under test notes what it does to the world.
///
/// Clone it into the tool, and hand it to the [`Script`](crate::testing::Script): the prover then
/// sees work that repeats. Note each effect where it happens, so that a test that moves the work
/// moves the note with it.
///
/// ```
/// use mcp_reprise::testing::Effects;
///
/// let effects = Effects::new();
/// effects.tick("write");
/// effects.tick("write");
/// assert_eq!(effects.count("write"), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Effects(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    log: Vec<Effect>,
    /// What the stand-in service gave, by name and key.
    given: BTreeMap<(String, String), Value>,
}

impl Effects {
    /// Nothing was done yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes that an effect happened, outside any `once`. The same name in two rounds of one call
    /// is a repetition; in a loop, name each turn of it.
    pub fn tick(&self, name: &str) {
        self.inner().log.push(Effect {
            name: name.to_owned(),
            key: None,
        });
    }

    /// Notes that an effect happened under an idempotency key.
    ///
    /// ```
    /// use mcp_reprise::testing::Effects;
    ///
    /// let effects = Effects::new();
    /// effects.tick_under("order", "4f1c");
    /// assert_eq!(effects.log()[0].key.as_deref(), Some("4f1c"));
    /// ```
    pub fn tick_under(&self, name: &str, key: &str) {
        self.inner().log.push(Effect {
            name: name.to_owned(),
            key: Some(key.to_owned()),
        });
    }

    /// Stands in for a service that honours idempotency keys: each request is noted, as by
    /// [`tick_under`](Self::tick_under), and a key that was seen before is given what it was given
    /// then.
    ///
    /// ```
    /// use mcp_reprise::testing::Effects;
    /// use serde_json::json;
    ///
    /// let effects = Effects::new();
    /// assert_eq!(effects.perform("seat", "key", || json!(17)), 17);
    /// assert_eq!(effects.perform("seat", "key", || json!(18)), 17);
    /// assert_eq!(effects.count("seat"), 2);
    /// ```
    pub fn perform(&self, name: &str, key: &str, make: impl FnOnce() -> Value) -> Value {
        self.tick_under(name, key);
        let place = (name.to_owned(), key.to_owned());
        if let Some(given) = self.inner().given.get(&place) {
            return given.clone();
        }
        let made = make();
        self.inner().given.entry(place).or_insert(made).clone()
    }

    /// How often an effect of this name happened, over all runs.
    pub fn count(&self, name: &str) -> usize {
        let inner = self.inner();
        inner
            .log
            .iter()
            .filter(|effect| effect.name == name)
            .count()
    }

    /// Everything that happened, in order.
    pub fn log(&self) -> Vec<Effect> {
        self.inner().log.clone()
    }

    /// How many effects there are.
    pub(super) fn mark(&self) -> usize {
        self.inner().log.len()
    }

    /// What happened since there were so many effects; it is no longer noted.
    pub(super) fn take_since(&self, mark: usize) -> Vec<Effect> {
        let mut inner = self.inner();
        let mark = mark.min(inner.log.len());
        inner.log.split_off(mark)
    }

    /// What happened since there were so many effects; it stays noted.
    pub(super) fn since(&self, mark: usize) -> Vec<Effect> {
        self.inner().log.get(mark..).unwrap_or_default().to_vec()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
