//! A process that is started now and then, answers what has come, and ends: in between, a session
//! and whatever waits in it for its user are in SQLite. `cron DATABASE` takes the messages of the
//! table `inbox`, and puts what is said into `outbox`.

use mcp_reprise::adapters::moment;
use mcp_reprise::lines::Connection;
use mcp_reprise::{Action, Caller, Exchange, Server, Turn};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior::Immediate};
use shared::Failed;

/// An id of `inbox` names an exchange, and so none comes twice.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY AUTOINCREMENT, client, message);
    CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY, client, message);
    CREATE TABLE IF NOT EXISTS sessions (client PRIMARY KEY, session);
    CREATE TABLE IF NOT EXISTS claims (id PRIMARY KEY, until);";

/// The oldest message, with the session of its client.
const NEXT: &str = "
    DELETE FROM inbox WHERE id = (SELECT min(id) FROM inbox) RETURNING
    id, client, message, (SELECT session FROM sessions WHERE sessions.client = inbox.client)";

/// Serves one message. All that changes is one transaction: a run that dies over it has done
/// nothing, and the next begins with it.
fn serve(server: &Server, store: &Transaction) -> Result<bool, Failed> {
    let next = store.query_row(NEXT, (), |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    });
    let next: Option<(u64, String, String, Option<String>)> = next.optional()?;
    let Some((id, client, message, kept)) = next else {
        return Ok(false);
    };
    let mut connection = match kept {
        Some(kept) => Connection::resume(server.clone(), serde_json::from_str(&kept)?),
        None => Connection::new(server.clone()),
    };
    // What was due while nothing ran is done first.
    let mut out = Vec::new();
    let overdue = connection.tick(&moment()?);
    perform(&mut connection, overdue, store, &mut out)?;
    let (exchange, caller) = (Exchange(id), Caller::principal(&client));
    let turn = connection.receive(exchange, caller, message.as_bytes(), &moment()?);
    perform(&mut connection, turn, store, &mut out)?;
    for message in String::from_utf8(out)?.lines() {
        let sql = "INSERT INTO outbox (client, message) VALUES (?, ?)";
        store.execute(sql, (&client, message))?;
    }
    if let Some(session) = connection.session() {
        let sql = "INSERT OR REPLACE INTO sessions VALUES (?, ?)";
        store.execute(sql, (&client, serde_json::to_string(&session)?))?;
    }
    Ok(true)
}

/// Does what is to be done, here and now, until nothing more comes of it.
fn perform(
    connection: &mut Connection,
    mut turn: Turn,
    store: &Transaction,
    out: &mut Vec<u8>,
) -> Result<(), Failed> {
    loop {
        for action in std::mem::take(&mut turn.actions) {
            if let Some(Action::Claim(claim)) = connection.write(action, out) {
                let sql = "INSERT OR IGNORE INTO claims VALUES (?, ?)";
                match store.execute(sql, (claim.id(), claim.until().as_millis()))? {
                    0 => turn.extend(claim.refuse()),
                    _ => turn.steps.push(claim.grant()),
                }
            }
        }
        match turn.steps.pop() {
            Some(step) => {
                let sink = connection.sink(&step, || {});
                turn.extend(connection.finish(step.run(&sink), &moment()?));
            }
            None if turn.actions.is_empty() => return Ok(()),
            None => {}
        }
    }
}

fn main() -> Result<(), Failed> {
    let path = std::env::args().nth(1).ok_or("which database?")?;
    let mut store = rusqlite::Connection::open(path)?;
    store.execute_batch(TABLES)?;
    // In earnest the key comes from where secrets are kept. Every run needs the same one.
    let server = shared::live([7; 32])?.server();
    loop {
        let visit = store.transaction_with_behavior(Immediate)?;
        let served = serve(&server, &visit)?;
        visit.commit()?;
        if !served {
            return Ok(());
        }
    }
}
