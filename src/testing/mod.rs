//! The testing kit: requests and extractors, one run in a scene, the prover of a tool's rounds,
//! and transcripts.
//!
//! A tool is played from its top each round, so whatever shapes its questions must be the same
//! each time. The kit finds out whether it is:
//!
//! ```
//! use mcp_reprise::testing::script;
//! use mcp_reprise::{Cx, Form, Outcome, protocol::CallToolResult};
//! use serde_json::{Value, json};
//!
//! async fn book(cx: &mut Cx, _: Value) -> Outcome {
//!     let day: Value = cx.elicit("day", Form::new("Which day?").text("day"))?.accepted()?;
//!     Ok(CallToolResult::text(format!("Booked: {}", day["day"])))
//! }
//!
//! let proof = script(book).accept("day", json!({ "day": "Friday" })).check().unwrap();
//! assert_eq!(proof.text(), r#"Booked: "Friday""#);
//! ```
//!
//! - [`request`], [`call_request`], [`mirrored_headers`] build what a client sends, and
//!   [`text_response`] and its like take apart what it is answered.
//! - [`run_tool`] runs a tool once in a [`context`]: to its outcome, or to the questions it stops at.
//! - [`script()`] proves its rounds for one set of answers, [`prove`] for generated ones; what they
//!   find is a [`Flaw`], whose text says what to change. [`answer_for`], [`arguments_for`] and the
//!   other strategies are for tests of your own.
//! - [`stage`] has a client in virtual time lose responses, go back, come too late, swap states and
//!   restart servers, and holds every outcome against the right one.
//! - [`Recorder`] writes down what went in and out of a server; a [`Transcript`] is read, drawn and
//!   replayed.
//!
//! Take it into your dev-dependencies with the feature `testing`. It stands on the public API alone:
//! what it does, a client and a driver can do.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what fails in a test must fail loudly: a panic is how the kit speaks to its user"
)]

mod answers;
mod breach;
mod client;
mod context;
mod differ;
mod effects;
mod flaw;
mod held;
mod judge;
mod listing;
mod mermaid;
mod moves;
mod near_miss;
mod proof;
mod prove;
mod prover;
mod redacted;
mod replay;
mod request;
mod respond;
mod response;
mod run;
mod script;
#[cfg(feature = "legacy")]
mod session_lane;
mod shapes;
mod shareable;
mod stage;
mod straight;
mod strategies;
mod tape;
mod transcript;
mod wire;

pub use breach::Breach;
pub use context::{Context, context};
pub use effects::{Effect, Effects};
pub use flaw::{Flaw, Lane};
pub use moves::{Move, moves};
pub use proof::Proof;
pub use prove::{Disproof, prove};
pub use replay::Difference;
pub use request::{
    MirrorHeaders, action_request, call_request, mirrored_headers, protocol_fields, request,
};
pub use response::{
    Answered, Contents, audio_response, error_response, image_response, json_response,
    text_response, unwrap_json, unwrap_single, unwrap_text,
};
pub use run::{Bare, IntoTool, Ran, Whole, run_tool};
pub use script::{Script, script};
pub use stage::{Expected, Played, Situation, Stage, stage};
pub use strategies::{
    answer_for, any_answer_for, arguments_for, cancel, content_for, decline, near_miss_for,
};
pub use transcript::{Body, Entry, Grade, Input, Output, Recorder, Transcript};
