//! One run of a tool, a prompt or a resource: handed out by the core, run by the driver.

mod ask;
mod call;
mod cx;
mod error;
mod finished;
mod function;
mod hint;
mod into_step;
mod keys;
mod observed;
mod once;
mod progress;
mod run;
mod running;
mod shared;
mod sink;
mod structured;
mod tell;

pub use call::CallKind;
pub(crate) use call::{ActionCall, Call, Reply};
pub use cx::Cx;
pub use error::{Outcome, ToolError};
pub use finished::Finished;
pub(crate) use finished::{Asked, Done, Ending, Failure};
pub(crate) use function::Function;
pub use hint::Hint;
pub use into_step::{IntoOutcome, IntoStep};
pub use once::{IdempotencyKey, OnceError};
pub use progress::Progress;
#[cfg(feature = "adapters")]
pub(crate) use run::Unpark;
pub use run::{Step, StepData};
pub(crate) use running::Running;
pub(crate) use shared::{Shared, ToolListing, ToolPages, Visible};
pub(crate) use sink::Matter;
pub use sink::{Report, Sink};
pub use structured::Structured;
