//! Whether what a tool gives is what it said it would give.

use crate::observation::FailureKind;
use crate::offering::Offering;
use crate::step::{CallKind, Done, Ending, Failure, Finished};

/// A step that has run, once the tool's whole `outputSchema` is checked where the builder asked
/// for that. A result that breaks it is the tool's fault: the client is told one plain sentence.
///
/// See [Output schema](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema).
pub(crate) fn checked(offering: &Offering, mut finished: Finished) -> Finished {
    let call = &finished.call;
    let Ending::Done(Done::Tool(result)) = &finished.ending else {
        return finished;
    };
    let entry = offering.catalog.tool(call.registered(), &call.caller);
    let check = entry.and_then(|entry| entry.checks.output.as_ref());
    let Some(check) = check.filter(|_| call.kind == CallKind::Tool) else {
        return finished;
    };
    let kept = match &result.structured_content {
        _ if result.is_error == Some(true) => Ok(()),
        Some(content) => check(content),
        None => Err("there is no structured content".to_owned()),
    };
    if let Err(broken) = kept {
        let cause = format!("the outputSchema is broken: {broken}");
        finished.ending = Ending::Failed(Failure::unsaid(FailureKind::Output, cause));
    }
    finished
}
