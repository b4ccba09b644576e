//! The process that is started now and then: whoever writes to it writes into its table.

#[path = "../../../tests/client/mod.rs"]
mod client;

use std::path::PathBuf;
use std::process::Command;

use client::messages::{self, Peer};
use client::{check_rounds, modern};
use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

/// The tables as a client sees them. For each message that it waits for, the process is run.
struct Tables {
    path: PathBuf,
    client: &'static str,
}

impl Tables {
    fn store(&self) -> Connection {
        Connection::open(&self.path).unwrap()
    }

    fn run(&self) {
        let status = Command::new(env!("CARGO_BIN_EXE_cron"))
            .arg(&self.path)
            .status();
        assert!(status.unwrap().success());
    }
}

impl Peer for Tables {
    fn send(&mut self, message: &Value) {
        let row = (self.client, message.to_string());
        let sql = "INSERT INTO inbox (client, message) VALUES (?, ?)";
        self.store().execute(sql, row).unwrap();
    }

    fn receive(&mut self) -> Value {
        let sql = "DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox WHERE client = ?)
                   RETURNING message";
        let take = || {
            let message = self.store().query_row(sql, [self.client], |row| row.get(0));
            message.optional().unwrap()
        };
        let message: Option<String> = take().or_else(|| {
            self.run();
            take()
        });
        serde_json::from_str(&message.expect("a message after a run")).unwrap()
    }
}

#[test]
fn cron() {
    let name = format!("mcp-reprise-cron-{}.sqlite", std::process::id());
    let path = std::env::temp_dir().join(name);
    let _ = std::fs::remove_file(&path);
    let tables = |client| Tables {
        path: path.clone(),
        client,
    };
    tables("nobody").run();

    // A session lives on while nothing runs, in the midst of a call that waits for its user.
    messages::check_session(|| tables("alice"));
    let kept: u32 = tables("alice")
        .store()
        .query_row("SELECT count(*) FROM sessions", (), |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1);

    let mut bob = tables("bob");
    check_rounds(|params| {
        bob.send(&modern(1, "tools/call", params));
        bob.receive()
    });
    std::fs::remove_file(&path).unwrap();
}
