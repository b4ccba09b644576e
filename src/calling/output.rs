//! Whether what a tool gives is what it said it would give.

use crate::observation::FailureKind;
use crate::offering::Offering;
use crate::step::{Call, CallKind, Done, Ending, Failure};

/// The ending of a call, once the tool's whole `outputSchema` is checked where the builder asked
/// for that. A result that breaks it is the tool's fault: the client is told one plain sentence.
///
/// See [Output schema](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema).
pub(crate) fn checked(offering: &Offering, call: &Call, ending: Ending) -> Ending {
    let Ending::Done(Done::Tool(result)) = &ending else {
        return ending;
    };
    let entry = offering.catalog.tool(call.registered(), &call.caller);
    let check = entry.and_then(|entry| entry.checks.output.as_ref());
    let Some(check) = check.filter(|_| call.kind == CallKind::Tool) else {
        return ending;
    };
    let kept = match &result.structured_content {
        _ if result.is_error == Some(true) => Ok(()),
        Some(content) => check(content),
        None => Err("there is no structured content".to_owned()),
    };
    match kept {
        Ok(()) => ending,
        Err(broken) => {
            let cause = format!("the outputSchema is broken: {broken}");
            Ending::Failed(Failure::unsaid(FailureKind::Output, cause))
        }
    }
}
