//! How far a step has come.

/// How far a step has come.
///
/// See [Progress](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress).
///
/// ```
/// use mcp_reprise::Progress;
///
/// let progress = Progress::new(3).of(10).message("Counting the seats");
/// assert_eq!(progress.total, Some(10.0));
/// assert_eq!(Progress::from(3), Progress::new(3));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How far, in units of the author's choosing. It must grow from one report to the next.
    pub progress: f64,
    /// How far it will go, where that is known.
    pub total: Option<f64>,
    /// A word for people.
    pub message: Option<String>,
}

impl Progress {
    /// Progress without a total.
    ///
    /// ```
    /// assert_eq!(mcp_reprise::Progress::new(0.5).progress, 0.5);
    /// ```
    pub fn new(progress: impl Into<f64>) -> Self {
        Self {
            progress: progress.into(),
            total: None,
            message: None,
        }
    }

    /// Adds how far it will go.
    #[must_use]
    pub fn of(mut self, total: impl Into<f64>) -> Self {
        self.total = Some(total.into());
        self
    }

    /// Adds a word for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

impl From<f64> for Progress {
    fn from(progress: f64) -> Self {
        Self::new(progress)
    }
}

impl From<i32> for Progress {
    fn from(progress: i32) -> Self {
        Self::new(progress)
    }
}

impl From<u32> for Progress {
    fn from(progress: u32) -> Self {
        Self::new(progress)
    }
}
