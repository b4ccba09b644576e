//! Writing server-sent events, by the WHATWG's rules for `text/event-stream`.
//!
//! Everything ends in a blank line, so pieces can be written one after
//! another, and a stream that is cut between two of them loses nothing.

/// Appends one event that carries `data`, with its id when it has one.
///
/// A JSON message holds no raw line break, but whatever does is split into
/// several `data` lines, which the reader joins again by a line feed. An id
/// with a line break or a NUL cannot be said in this format and is left out.
pub(crate) fn event(data: &str, id: Option<&str>, out: &mut Vec<u8>) {
    // 16: `id: ` and `data: `, the line ends and the blank line.
    out.reserve(data.len() + id.map_or(0, str::len) + 16);
    if let Some(id) = id.filter(|id| !id.contains(['\r', '\n', '\0'])) {
        field("id", id, out);
    }
    for line in lines(data) {
        field("data", line, out);
    }
    out.push(b'\n');
}

/// Appends a comment, which readers ignore: it keeps a silent stream open.
pub(crate) fn comment(out: &mut Vec<u8>) {
    out.extend_from_slice(b":\n\n");
}

/// Appends the time a client is to wait before it connects again, in
/// milliseconds.
pub(crate) fn retry(millis: u64, out: &mut Vec<u8>) {
    field("retry", &millis.to_string(), out);
    out.push(b'\n');
}

fn field(name: &str, value: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    out.extend_from_slice(value.as_bytes());
    out.push(b'\n');
}

/// The lines of a text, whether CR, LF or both together end them. A text
/// without line breaks, the empty one too, is one line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let breaks = |byte: u8| byte == b'\r' || byte == b'\n';
    // Nearly every text is one line, and to look for any break is quicker than to look for the first.
    let broken = text.bytes().fold(false, |any, byte| any | breaks(byte));
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = broken.then(|| text.bytes().position(breaks)).flatten() else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at_checked(end)?;
        let after = after
            .strip_prefix("\r\n")
            .or_else(|| after.strip_prefix(['\r', '\n']));
        rest = after;
        Some(line)
    })
}

/// One block of an event stream, as a test reads it.
#[cfg(test)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// The `event` field.
    pub(crate) event: Option<String>,
    /// The `data` lines, joined by line feeds.
    pub(crate) data: Option<String>,
    /// The `id` of this very block, not one remembered from before.
    pub(crate) id: Option<String>,
    /// The `retry` field, in milliseconds.
    pub(crate) retry: Option<u64>,
}

/// Reads a stream's blocks: those with at least one known field, in order. A
/// block that no blank line ends is dropped, as a browser drops it.
#[cfg(test)]
pub(crate) fn parse(stream: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mut event = Event::default();
    let text = stream.strip_prefix('\u{feff}').unwrap_or(stream);
    let mut all: Vec<&str> = lines(text).collect();
    // What follows the last line break is not a line yet.
    all.pop();
    for line in all {
        if line.is_empty() {
            if event != Event::default() {
                events.push(std::mem::take(&mut event));
            }
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => event.event = Some(value.to_owned()),
            "data" => match &mut event.data {
                None => event.data = Some(value.to_owned()),
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
            },
            "id" if !value.contains('\0') => event.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|b| b.is_ascii_digit()) => {
                event.retry = value.parse().ok()
            }
            _ => {}
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(data: &str, id: Option<&str>) -> String {
        let mut out = Vec::new();
        event(data, id, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_bytes() {
        assert_eq!(written("{}", None), "data: {}\n\n");
        assert_eq!(written("{}", Some("7")), "id: 7\ndata: {}\n\n");
        assert_eq!(written("", Some("7")), "id: 7\ndata: \n\n");
        assert_eq!(
            written("a\r\nb\rc\nd", None),
            "data: a\ndata: b\ndata: c\ndata: d\n\n"
        );
        assert_eq!(written("a\n", None), "data: a\ndata: \n\n");
        assert_eq!(written("{}", Some("7\nretry: 1")), "data: {}\n\n");
        let mut out = Vec::new();
        comment(&mut out);
        retry(1500, &mut out);
        assert_eq!(out, b":\n\nretry: 1500\n\n");
    }

    #[test]
    fn the_reader() {
        let stream = "\u{feff}: hello\r\n\r\nevent:x\rdata:  a\rdata\r\rid: 3\nretry: 1a\nnope: 1\n\ndata: cut\n";
        let events = parse(stream);
        assert_eq!(events.len(), 2);
        assert_eq!(events[0].event.as_deref(), Some("x"));
        assert_eq!(events[0].data.as_deref(), Some(" a\n"));
        assert_eq!(
            events[1],
            Event {
                id: Some("3".into()),
                ..Event::default()
            }
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            blocks in proptest::collection::vec(("[a-z \\r\\n:{}é]{0,20}", proptest::option::of("[!-~]{1,9}")), 0..6),
            millis in any::<u64>(),
        ) {
            let mut out = Vec::new();
            for (data, id) in &blocks {
                comment(&mut out);
                event(data, id.as_deref(), &mut out);
            }
            retry(millis, &mut out);
            let mut events = parse(std::str::from_utf8(&out).unwrap());
            prop_assert_eq!(events.pop().and_then(|last| last.retry), Some(millis));
            prop_assert_eq!(events.len(), blocks.len());
            for (event, (data, id)) in events.iter().zip(&blocks) {
                let joined = data.replace("\r\n", "\n").replace('\r', "\n");
                prop_assert_eq!(event.data.as_ref(), Some(&joined));
                prop_assert_eq!(&event.id, id);
            }
        }
    }
}
