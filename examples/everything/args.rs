//! The command line.

use std::net::SocketAddr;

use crate::tokens::Tokens;

pub const USAGE: &str = "\
Usage: everything [--listen ADDR] [--state-key HEX]... [--require-token WHOSE]...
       everything --stdio [--state-key HEX]...

  --listen ADDR     serve http://ADDR/mcp; 127.0.0.1:8000 without it. Port 0 picks a free one
  --stdio           serve standard input and output, a message a line
  --state-key HEX   64 or 128 digits that seal request state; without it a key of this process.
                    Of several keys the first seals, and all open
  --require-token PRINCIPAL:TOKEN[:SCOPE,SCOPE]
                    serve only who sends this token, or another one given so";

/// What the command line asks for.
pub struct Args {
    pub transport: Transport,
    pub state_keys: Vec<String>,
    pub tokens: Tokens,
}

pub enum Transport {
    Http(SocketAddr),
    Stdio,
    Help,
}

impl Args {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self {
            transport: Transport::Http(SocketAddr::from(([127, 0, 0, 1], 8000))),
            state_keys: Vec::new(),
            tokens: Tokens::default(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--listen" => {
                    let address = value()?;
                    let parsed = address
                        .parse()
                        .map_err(|_| format!("{address:?} is not an address such as 127.0.0.1:0"));
                    args.transport = Transport::Http(parsed?);
                }
                "--state-key" => args.state_keys.push(value()?),
                "--require-token" => args.tokens.add(&value()?)?,
                "--stdio" => args.transport = Transport::Stdio,
                "--help" | "-h" => args.transport = Transport::Help,
                _ => return Err(format!("{word:?} is not an option")),
            }
        }
        Ok(args)
    }
}
