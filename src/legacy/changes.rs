//! What the client is told of changes.

use super::envelope;
use super::session::Session;
use crate::action::Turn;
use crate::change::Change;

impl Session {
    /// Notes a change, at most once a kind and once a URI. Gives whether the client can be told
    /// of something now and could not before: then call [`Session::flush`] when it can be written
    /// to.
    ///
    /// A change that comes while no stream stands is told when one does.
    pub fn notify(&mut self, change: &Change) -> bool {
        let waited = self.is_waiting();
        let noted = match change {
            Change::ToolsList => !std::mem::replace(&mut self.changed.tools, true),
            Change::PromptsList => !std::mem::replace(&mut self.changed.prompts, true),
            Change::ResourcesList => !std::mem::replace(&mut self.changed.resources, true),
            Change::Resource(uri) => match self.subscriptions.get_mut(uri.as_str()) {
                Some(pending) => !std::mem::replace(pending, true),
                None => false,
            },
        };
        if noted {
            self.revision = self.revision.saturating_add(1);
        }
        !waited && self.is_waiting()
    }

    fn is_waiting(&self) -> bool {
        self.is_pending() && self.standing().is_some()
    }

    fn is_pending(&self) -> bool {
        let changed = self.changed;
        changed.tools
            || changed.prompts
            || changed.resources
            || self.subscriptions.values().any(|pending| *pending)
    }

    /// The stream for what belongs to no request: the one that was opened first.
    fn standing(&self) -> Option<u64> {
        let mut streams = self.streams.iter();
        streams
            .find(|(_, stream)| stream.is_standing() && stream.exchange.is_some())
            .map(|(number, _)| *number)
            .filter(|_| self.initialized)
    }

    /// Tells the client of the changes it was not told of yet, if there is a stream for it.
    pub fn flush(&mut self) -> Turn {
        let mut turn = Turn::default();
        let Some(number) = self.standing().filter(|_| self.is_pending()) else {
            return turn;
        };
        let changed = std::mem::take(&mut self.changed);
        let lists = [
            (changed.tools, "notifications/tools/list_changed"),
            (changed.prompts, "notifications/prompts/list_changed"),
            (changed.resources, "notifications/resources/list_changed"),
        ];
        let mut messages: Vec<String> = lists
            .into_iter()
            .filter(|(changed, _)| *changed)
            .map(|(_, method)| envelope::notification(method, ""))
            .collect();
        for (uri, pending) in &mut self.subscriptions {
            if std::mem::take(pending) {
                let uri = serde_json::to_string(uri).unwrap_or_default();
                let params = format!(r#"{{"uri":{uri}}}"#);
                messages.push(envelope::notification(
                    "notifications/resources/updated",
                    &params,
                ));
            }
        }
        // What a client was told of changes is worth little later: a few events are kept.
        let most = messages.len().max(16);
        if let Some(stream) = self.streams.get_mut(&number) {
            for message in messages {
                turn.actions.extend(stream.say(number, message, most));
            }
        }
        self.revision = self.revision.saturating_add(1);
        turn
    }
}
