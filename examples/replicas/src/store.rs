//! What the replicas share: sessions, claims, and letters to each other.

use std::sync::Mutex;

use mcp_reprise::legacy::Session;
use mcp_reprise::{Timestamp, Turn};
use redis::aio::MultiplexedConnection;
use redis::{AsyncCommands, Client, Script};
use serde::Serialize;

/// What went wrong with Redis.
pub type Problem = redis::RedisError;

/// Where letters for all replicas go.
pub const EVERYBODY: &str = "mcp:everybody";

/// How long a session that nobody uses is kept, in seconds.
const KEPT: u64 = 3_600;

/// Most tries to change a session: each loses to another replica that has changed it.
const TRIES: usize = 1_000;

/// Puts a session in the place of one of this revision, or none where it has ended.
const SWAP: &str = r#"
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then return 0 end
if ARGV[3] == '' then return redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'value', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1
"#;

/// Where the letters for one replica go.
pub fn address(number: u64) -> String {
    format!("mcp:replica:{number}")
}

fn key(id: &str) -> String {
    format!("mcp:session:{id}")
}

#[derive(Clone)]
pub struct Store {
    connection: MultiplexedConnection,
    swap: Script,
}

impl Store {
    pub async fn new(client: &Client) -> Result<Self, Problem> {
        Ok(Self {
            connection: client.get_multiplexed_async_connection().await?,
            swap: Script::new(SWAP),
        })
    }

    /// A number that no replica had before.
    pub async fn number(&mut self) -> Result<u64, Problem> {
        self.connection.incr("mcp:replicas", 1).await
    }

    /// Keeps a session that was opened.
    pub async fn keep(&self, session: &Session) -> bool {
        let Ok(value) = serde_json::to_string(session) else {
            return false;
        };
        let (mut store, key) = (self.connection.clone(), key(session.id()));
        let revision = session.revision().to_string();
        let fields = [("revision", revision), ("value", value)];
        let kept: Result<(), Problem> = store.hset_multiple(&key, &fields).await;
        let expires: Result<bool, Problem> = store.expire(&key, KEPT as i64).await;
        kept.is_ok() && expires.is_ok()
    }

    /// Changes a session by compare and swap, from its newest value each time. `None` where there is
    /// no such session, or no way to change it.
    pub async fn change(&self, id: &str, change: impl Fn(&mut Session) -> Turn) -> Option<Turn> {
        let (mut store, key) = (self.connection.clone(), key(id));
        for _ in 0..TRIES {
            let value: Option<String> = store.hget(&key, "value").await.ok()?;
            let mut session: Session = serde_json::from_str(&value?).ok()?;
            let before = session.revision();
            let turn = change(&mut session);
            if session.revision() == before {
                return Some(turn);
            }
            let value = match session.is_ended() {
                true => String::new(),
                false => serde_json::to_string(&session).ok()?,
            };
            let mut swap = self.swap.prepare_invoke();
            swap.key(&key)
                .arg(before)
                .arg(session.revision())
                .arg(value)
                .arg(KEPT);
            if swap.invoke_async::<i64>(&mut store).await.ok()? == 1 {
                return Some(turn);
            }
        }
        None
    }

    /// The ids of all sessions.
    pub async fn ids(&self) -> Vec<String> {
        let (mut store, mut cursor, mut ids) = (self.connection.clone(), 0_u64, Vec::new());
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor)
                .arg("MATCH")
                .arg(key("*"))
                .arg("COUNT")
                .arg(100);
            let Ok((next, keys)) = scan.query_async::<(u64, Vec<String>)>(&mut store).await else {
                return ids;
            };
            ids.extend(
                keys.iter()
                    .filter_map(|found| Some(found.strip_prefix(&key(""))?.to_owned())),
            );
            cursor = next;
            if cursor == 0 {
                return ids;
            }
        }
    }

    /// Sends a letter. Gives whether somebody got it.
    pub async fn send(&self, to: &str, letter: &impl Serialize) -> bool {
        let Ok(letter) = serde_json::to_string(letter) else {
            return false;
        };
        let mut store = self.connection.clone();
        store
            .publish::<_, _, i64>(to, letter)
            .await
            .is_ok_and(|readers| readers > 0)
    }

    /// Takes a ticket. Gives whether nobody had.
    pub async fn take(&self, ticket: u64) -> bool {
        let mut take = redis::cmd("SET");
        take.arg(format!("mcp:ticket:{ticket}"))
            .arg(1)
            .arg("NX")
            .arg("EX")
            .arg(60);
        let mut store = self.connection.clone();
        let taken = take.query_async::<Option<String>>(&mut store).await;
        matches!(taken, Ok(Some(_)))
    }

    /// Claims states of single-use tools where all replicas see it.
    pub fn claims(
        &self,
        client: &Client,
    ) -> Result<impl Fn([u8; 16], Timestamp) -> bool + Send + Sync + use<>, Problem> {
        let connection = Mutex::new(client.get_connection()?);
        Ok(move |id: [u8; 16], until: Timestamp| {
            let Ok(mut connection) = connection.lock() else {
                return false;
            };
            let id = format!("mcp:claim:{}", u128::from_be_bytes(id));
            let mut claim = redis::cmd("SET");
            claim
                .arg(id)
                .arg(1)
                .arg("NX")
                .arg("PXAT")
                .arg(until.as_millis());
            matches!(claim.query::<Option<String>>(&mut connection), Ok(Some(_)))
        })
    }
}
