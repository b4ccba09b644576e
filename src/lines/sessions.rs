//! The session of earlier revisions that a connection may have.

use super::connection::Connection;
use crate::legacy::Session;
pub(super) use crate::legacy::{Line, Lines as Sessions};
use crate::server::Server;

impl Connection {
    /// A connection whose session was kept while nothing ran in it: between two runs of a process,
    /// or between two messages that come to two machines. Calls that wait for their user's answers
    /// go on waiting, and no exchange of before may be used again.
    ///
    /// ```
    /// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp};
    /// use mcp_reprise::{legacy::Session, lines::Connection};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).legacy().build()?;
    /// let mut connection = Connection::new(server.clone());
    /// let initialize = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
    ///     "protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    /// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
    /// connection.receive(Exchange(1), Caller::anonymous(), initialize, &moment);
    ///
    /// let kept = serde_json::to_string(&connection.session())?;
    /// // ... another day, in another process ...
    /// let session: Option<Session> = serde_json::from_str(&kept)?;
    /// let connection = Connection::resume(server, session.ok_or("none was open")?);
    /// assert!(connection.session().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume(server: Server, session: Session) -> Self {
        let mut connection = Self::new(server);
        connection.open = connection.sessions.resume(session);
        connection
    }

    /// The session, if there is one, to be kept: see [`Connection::resume`].
    pub fn session(&self) -> Option<Session> {
        self.sessions.kept()
    }
}
