//! A server that offers a little of everything.
//!
//! ```text
//! cargo run --example everything                        serves http://127.0.0.1:8000/mcp
//! cargo run --example everything -- --listen ADDR       serves another address; port 0 picks one
//! cargo run --example everything -- --stdio             serves standard input and output
//! cargo run --example everything -- --state-key HEX     shares a key with other processes; it may stand several times
//! cargo run --example everything -- --require-token alice:alices-token:profile
//!                                                       serves only who has an access token
//! ```
//!
//! Start reading at `showpieces.rs`, which has tools that ask. `serve.rs` has the whole of the
//! networking, and `tokens.rs` the check of access tokens. The `conformance_*` files offer what the official conformance suite calls.

#![allow(
    clippy::disallowed_methods,
    reason = "an example is a driver: it reads the clock, the arguments, and waits"
)]

mod args;
mod box_office;
mod changes;
mod conformance_asks;
mod conformance_content;
mod conformance_forms;
mod fates;
mod media;
mod number;
mod programme;
mod prompts;
mod resources;
mod serve;
mod server;
mod showpieces;
mod tokens;
mod tools;
mod waiting;

use std::error::Error;
use std::process::ExitCode;

use mcp_reprise::adapters::{Live, Notifier, stdio};

use crate::args::{Args, Transport, USAGE};
use crate::server::Offer;

fn main() -> ExitCode {
    let args = match Args::read(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(problem) => {
            eprintln!("{problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args) -> Result<(), Box<dyn Error>> {
    let notifier = Notifier::default();
    let offer = Offer::new(&args.state_keys, notifier.clone())?;
    let offer = match args.tokens.is_empty() {
        true => offer,
        false => offer.with(tokens::tool()),
    };
    let live = |server| Live::new(server, notifier.clone());
    match args.transport {
        Transport::Help => println!("{USAGE}"),
        Transport::Stdio => stdio::serve(live(offer.server()?))?,
        Transport::Http(address) => {
            let (full, brief) = (live(offer.server()?), live(offer.brief_server()?));
            tokio::runtime::Runtime::new()?.block_on(serve::http(
                address,
                full,
                brief,
                args.tokens,
            ))?;
        }
    }
    Ok(())
}
