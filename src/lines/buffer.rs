//! Cutting a stream of bytes into lines.

/// One line, or word of one that was too long to keep.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// The bytes that are no whole line yet.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// Up to here there is no line break.
    searched: usize,
    /// The line in progress was too long, and its rest is dropped.
    skipping: bool,
    ended: bool,
}

impl Buffer {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// No more bytes will come: what is left is a line of its own.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Takes the next line that is not blank, without its line break. At most `limit` bytes of a
    /// line are kept.
    pub(super) fn next(&mut self, limit: usize) -> Option<Line> {
        loop {
            let line = match self.cut(limit)? {
                Line::Text(mut line) => {
                    if line.last() == Some(&b'\r') {
                        line.pop();
                    }
                    Line::Text(line)
                }
                Line::TooLong => Line::TooLong,
            };
            let blank =
                matches!(&line, Line::Text(line) if line.iter().all(u8::is_ascii_whitespace));
            if !blank {
                return Some(line);
            }
        }
    }

    fn cut(&mut self, limit: usize) -> Option<Line> {
        let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        let found = unsearched.iter().position(|byte| *byte == b'\n');
        let Some(found) = found else {
            return self.cut_unfinished(limit);
        };
        let end = self.searched + found;
        let rest = self.bytes.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        line.truncate(end);
        self.searched = 0;
        let too_long = std::mem::take(&mut self.skipping)
            || line.strip_suffix(b"\r").unwrap_or(&line).len() > limit;
        Some(if too_long {
            Line::TooLong
        } else {
            Line::Text(line)
        })
    }

    /// There is no line break in sight: drops what is too long, and at the end gives what is left.
    fn cut_unfinished(&mut self, limit: usize) -> Option<Line> {
        if self.skipping || self.bytes.len() > limit + 1 {
            self.skipping = true;
            self.bytes.clear();
        }
        self.searched = self.bytes.len();
        if !self.ended {
            return None;
        }
        self.searched = 0;
        if std::mem::take(&mut self.skipping) {
            return Some(Line::TooLong);
        }
        let line = std::mem::take(&mut self.bytes);
        (!line.is_empty()).then_some(Line::Text(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]], limit: usize) -> Vec<Line> {
        let mut buffer = Buffer::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            buffer.feed(chunk);
            lines.extend(std::iter::from_fn(|| buffer.next(limit)));
        }
        buffer.end();
        lines.extend(std::iter::from_fn(|| buffer.next(limit)));
        lines
    }

    fn text(text: &str) -> Line {
        Line::Text(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_cut_at_newlines_and_carriage_returns_dropped() {
        let cut = lines(&[b"one\r\ntw", b"o\n\n  \r\nthree"], 100);
        assert_eq!(cut, [text("one"), text("two"), text("three")]);
    }

    #[test]
    fn a_line_over_the_limit_is_told_of_once_and_the_next_is_whole() {
        let cut = lines(&[b"12345", b"67890", b"12345\nok\n"], 8);
        assert_eq!(cut, [Line::TooLong, text("ok")]);
        assert_eq!(lines(&[b"123456789\r\nok"], 8), [Line::TooLong, text("ok")]);
        assert_eq!(
            lines(&[b"12345678\r\nok"], 8),
            [text("12345678"), text("ok")]
        );
    }

    #[test]
    fn any_chunking_gives_the_lines_of_the_whole() {
        let whole = "{\"a\":\"é\"}\r\n\n{\"b\":2}\nlast".as_bytes();
        let expected = lines(&[whole], 100);
        for size in 1..whole.len() {
            let chunks: Vec<&[u8]> = whole.chunks(size).collect();
            assert_eq!(lines(&chunks, 100), expected, "in chunks of {size}");
        }
    }
}
