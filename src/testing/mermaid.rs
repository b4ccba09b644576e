//! A transcript for people: as text, and as a Mermaid sequence diagram.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde_json::Value;

use super::shareable::Names;
use super::transcript::{Body, Grade, Input, Output, Transcript};
use super::wire::{brief_ended, shorten};

/// The transcript as text, sealed states as `state-1` and so on: what a snapshot holds.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Names::default();
        let grade = match self.grade {
            Grade::Full => "full",
            Grade::Shareable => "shareable",
        };
        write!(f, "transcript ({grade})")?;
        for entry in &self.entries {
            f.write_char('\n')?;
            match &entry.input {
                Input::Received {
                    exchange,
                    caller,
                    body,
                    now,
                    ..
                } => {
                    let who = caller.principal.as_deref().unwrap_or("nobody");
                    write!(f, "\n→ {} at {} from {who}", exchange.0, now.as_millis())?;
                    write!(f, "\n    {}", tidy_body(body, &mut names))?;
                }
                Input::Finished { exchange, .. } => write!(f, "\n→ {} finished", exchange.0)?,
                Input::Reported { exchange, .. } => write!(f, "\n→ {} reported", exchange.0)?,
            }
            for output in &entry.outputs {
                write!(f, "\n← {}", tidy(&output.to_string(), &mut names))?;
            }
        }
        Ok(())
    }
}

fn tidy_body(body: &Body, names: &mut Names) -> String {
    match body {
        Body::Text(text) => tidy(text, names),
        Body::Bytes { base64 } => format!("bytes {base64}"),
    }
}

/// A text on one line, with its sealed state named.
fn tidy(text: &str, names: &mut Names) -> String {
    const MEMBER: &str = r#""requestState":""#;
    let text = text.replace(['\n', '\r'], " ");
    let Some(start) = text.find(MEMBER).map(|at| at + MEMBER.len()) else {
        return text;
    };
    let Some(length) = text[start..].find('"') else {
        return text;
    };
    let state = &text[start..start + length];
    if state.starts_with("state-") {
        return text;
    }
    let name = names.name("state", state);
    format!("{}{name}{}", &text[..start], &text[start + length..])
}

impl Transcript {
    /// The transcript as a [Mermaid](https://mermaid.js.org) sequence diagram.
    ///
    /// ```
    /// # use mcp_reprise::testing::{Grade, Recorder};
    /// # let server = mcp_reprise::Server::builder("s", "1").single_process([1; 32]).build().unwrap();
    /// let drawn = Recorder::new(server).transcript(Grade::Full).mermaid();
    /// assert!(drawn.starts_with("sequenceDiagram\n"));
    /// ```
    pub fn mermaid(&self) -> String {
        let mut lines = vec![
            "sequenceDiagram".to_owned(),
            "    participant C as Client".to_owned(),
        ];
        lines.push("    participant S as Server".to_owned());
        let outputs = || self.entries.iter().flat_map(|entry| &entry.outputs);
        let runs =
            outputs().any(|output| matches!(output, Output::Step { .. } | Output::Claim { .. }));
        if runs {
            lines.push("    participant T as Tool".to_owned());
        }
        let mut asked = BTreeSet::new();
        for entry in &self.entries {
            lines.push(match &entry.input {
                Input::Received { body, .. } => format!("    C->>S: {}", title(&body.json())),
                Input::Finished { .. } => "    T-->>S: finished".to_owned(),
                Input::Reported { .. } => "    T-->>S: reports".to_owned(),
            });
            for output in &entry.outputs {
                lines.extend(drawn(output, &mut asked));
            }
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

fn title(message: &Value) -> String {
    let method = message["method"].as_str().unwrap_or("no request");
    let mut title = method.to_owned();
    if let Some(name) = message["params"]["name"].as_str() {
        let _ = write!(title, " {name}");
    }
    if let Some(answers) = message["params"]["inputResponses"].as_object() {
        let said: Vec<String> = answers
            .iter()
            .map(|(key, answer)| match answer["action"].as_str() {
                Some(action) => format!("{key}: {action}"),
                None => key.clone(),
            })
            .collect();
        let _ = write!(title, " with {}", said.join(", "));
    }
    label(&title)
}

fn drawn(output: &Output, asked: &mut BTreeSet<String>) -> Option<String> {
    let json = |message: &Option<String>| -> Value {
        serde_json::from_str(message.as_deref().unwrap_or("null")).unwrap_or_default()
    };
    Some(match output {
        Output::Respond { message, .. } => {
            format!("    S-->>C: {}", label(&answer(&json(message))))
        }
        Output::Ask { message, .. } => {
            let message = json(message);
            let questions = message["result"]["inputRequests"].as_object();
            let keys: Vec<String> = questions
                .into_iter()
                .flatten()
                .map(|(key, _)| key.clone())
                .collect();
            let again = if keys.iter().all(|key| asked.contains(key)) {
                "asks again"
            } else {
                "asks"
            };
            let line = format!(
                "    S-->>C: {}",
                label(&format!("{again} {}", keys.join(", ")))
            );
            asked.extend(keys);
            line
        }
        Output::Push { message, .. } => {
            format!(
                "    S-->>C: {}",
                label(&title(&json(&Some(message.clone()))))
            )
        }
        Output::Step { name, .. } => format!("    S->>T: {}", label(&format!("run {name}"))),
        Output::Claim { .. } => "    S->>T: claim, then run".to_owned(),
        Output::Other { action } => {
            let word = action.split([' ', '(']).next().unwrap_or_default();
            format!("    Note over S: {}", label(word))
        }
    })
}

fn answer(message: &Value) -> String {
    match message {
        Value::Null => "accepted".to_owned(),
        // A shape has a code for an error, and types for content.
        message if message["error"].is_number() => format!("error {}", message["error"]),
        message if message.get("error").is_some() => brief_ended(message),
        message if message["result"]["content"][0].is_object() => brief_ended(message),
        message if message["result"]["isError"] == true => "isError".to_owned(),
        _ => "result".to_owned(),
    }
}

/// Text that Mermaid takes as text.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in shorten(text).chars() {
        match c {
            '#' => label.push_str("#35;"),
            ';' => label.push_str("#59;"),
            '<' => label.push_str("#lt;"),
            '>' => label.push_str("#gt;"),
            c if c.is_control() => label.push(' '),
            c => label.push(c),
        }
    }
    label
}
