//! An author's function without its types.

use std::pin::Pin;
use std::sync::Arc;

use super::cx::Cx;
use super::error::ToolError;
use super::finished::Done;

pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Result<Done, ToolError>> + Send + 'a>>;
type Plain = dyn Fn(&mut Cx) -> Result<Done, ToolError> + Send + Sync;
type Async = dyn for<'a> Fn(&'a mut Cx) -> Running<'a> + Send + Sync;

/// A registered function, which reads its arguments from the `Cx`.
#[derive(Clone)]
pub(crate) enum Function {
    Plain(Arc<Plain>),
    Async(Arc<Async>),
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "Function(plain)",
            Self::Async(_) => "Function(async)",
        })
    }
}
