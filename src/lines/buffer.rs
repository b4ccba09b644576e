//! Cutting a stream of bytes into lines.

/// One line, or word of one that was too long to keep.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// The room an idle buffer keeps, in bytes.
const IDLE: usize = 64 << 10;

/// The bytes that were not given out yet.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// What stands before this was given out.
    start: usize,
    /// From the start up to here there is no line break.
    searched: usize,
    /// The line in progress was too long, and its rest is dropped.
    skipping: bool,
    ended: bool,
}

/// `Debug` shows how much there is, and not what.
impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes)", self.bytes.len())
    }
}

impl Buffer {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        // Only when most of it was given out: then what moves was paid for by what goes.
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.searched = self.searched.saturating_sub(self.start);
            self.start = 0;
        }
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
        let line = self.bytes.get(self.start..end).unwrap_or_default();
        let too_long = std::mem::take(&mut self.skipping)
            || line.strip_suffix(b"\r").unwrap_or(line).len() > limit;
        let line = if too_long {
            Line::TooLong
        } else {
            Line::Text(line.to_vec())
        };
        self.start = end + 1;
        self.searched = self.start;
        Some(line)
    }

    /// There is no line break in sight: drops what is too long, and at the end gives what is left.
    fn cut_unfinished(&mut self, limit: usize) -> Option<Line> {
        let left = self.bytes.len() - self.start;
        if left == 0 {
            // An idle connection does not keep the room of its longest line.
            self.bytes.clear();
            self.bytes.shrink_to(IDLE);
            self.start = 0;
        }
        // One byte more, since it may be the first of a line break's two.
        if self.skipping || left > limit.saturating_add(1) {
            self.skipping = true;
            self.bytes.clear();
            self.start = 0;
        }
        self.searched = self.bytes.len();
        if !self.ended {
            return None;
        }
        let line = self.bytes.split_off(self.start);
        self.searched = self.start;
        if std::mem::take(&mut self.skipping) {
            return Some(Line::TooLong);
        }
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

    /// A client may send very many short lines at once, or one piece at a time while many wait.
    #[test]
    fn many_lines_at_once_are_cut_one_after_the_other() {
        let whole = "a\n".repeat(200_000);
        assert_eq!(lines(&[whole.as_bytes()], 10).len(), 200_000);

        let mut buffer = Buffer::default();
        let mut count = 0;
        buffer.feed(whole.as_bytes());
        for _ in 0..200_000 {
            buffer.feed(b"b\n");
            count += usize::from(buffer.next(10).is_some());
        }
        count += std::iter::from_fn(|| buffer.next(10)).count();
        assert_eq!(count, 400_000);
    }

    #[test]
    fn a_limit_of_all_numbers_is_no_limit() {
        assert_eq!(lines(&[b"on", b"e\n"], usize::MAX), [text("one")]);
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
