//! Any chunking of a stream of lines gives what whole lines give.

use mcp_reprise::lines::Connection;
use mcp_reprise::{Caller, Exchange, Sink};

use super::fixture;
use super::input::Input;

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let cuts = input.bytes().to_vec();
    let stream = input.rest();
    let whole = serve([stream].into_iter());
    let cut = serve(chunks(stream, &cuts));
    assert_eq!(
        String::from_utf8_lossy(&whole),
        String::from_utf8_lossy(&cut)
    );
    assert!(whole.is_empty() || whole.ends_with(b"\n"));
    for line in whole
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let message: serde_json::Value = serde_json::from_slice(line).expect("a line is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
    }
}

fn chunks<'a>(mut stream: &'a [u8], cuts: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut cuts = cuts.iter().cycle();
    std::iter::from_fn(move || {
        if stream.is_empty() {
            return None;
        }
        let count = usize::from(*cuts.next().unwrap_or(&1)).clamp(1, stream.len());
        let (chunk, rest) = stream.split_at(count);
        stream = rest;
        Some(chunk)
    })
}

fn serve<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut connection = Connection::new(fixture::server());
    let mut out = Vec::new();
    let mut exchange = 0;
    let mut drain = |connection: &mut Connection| {
        loop {
            let moment = fixture::moment();
            let turn = connection.next_turn(Exchange(exchange), Caller::anonymous(), &moment);
            let Some(mut turn) = turn else { return };
            exchange += 1;
            while let Some(step) = turn.steps.pop() {
                let finished = step.run(&Sink::default());
                turn.extend(connection.server().finish(finished));
            }
            for action in turn.actions {
                connection.write(action, &mut out);
            }
        }
    };
    for chunk in chunks {
        connection.feed(chunk);
        drain(&mut connection);
    }
    connection.end();
    drain(&mut connection);
    connection.close_listeners(&mut out);
    out
}
