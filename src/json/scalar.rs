//! The scalars of the one pass: strings with their escapes, numbers, words.

use super::bytes::string_stop;
use super::error::ReadError;
use super::scan::Scanner;
use super::text::{hex_value, pair};

impl Scanner<'_, '_> {
    /// Reads a string, whose opening quote stands here. True when it has an
    /// escape. Nearly all have none, so that case alone is worth inlining.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<bool, ReadError> {
        let quote = self.at;
        let stop = string_stop(self.bytes, quote + 1);
        if self.bytes.get(stop) == Some(&b'"') && stop - quote - 1 <= self.limits.string {
            self.at = stop + 1;
            return Ok(false);
        }
        self.at = self.long_string(quote, stop)?;
        Ok(true)
    }

    /// Where the string of that quote ends, given that it has an escape at
    /// `stop` or is long or wrong.
    fn long_string(&self, quote: usize, stop: usize) -> Result<usize, ReadError> {
        let mut at = stop;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = self.escape(at)?,
                Some(_) => return Err(ReadError::ControlCharacter { at }),
                None => return Err(ReadError::UnexpectedEnd { at }),
            }
            at = string_stop(self.bytes, at);
        }
        if at - quote - 1 > self.limits.string {
            return Err(ReadError::StringTooLong { at: quote });
        }
        Ok(at + 1)
    }

    /// Checks the escape whose backslash stands at `at`; where it ends.
    fn escape(&self, at: usize) -> Result<usize, ReadError> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => self.unicode_escape(at),
            Some(_) => Err(ReadError::BadEscape { at }),
            None => Err(ReadError::UnexpectedEnd { at: at + 1 }),
        }
    }

    fn unicode_escape(&self, at: usize) -> Result<usize, ReadError> {
        let unit = |at: usize| self.bytes.get(at..at + 4).and_then(hex_value);
        let Some(high) = unit(at + 2) else {
            // Cut short by the end of the body, or simply wrong.
            let digits = self.bytes.get(at + 2..).unwrap_or_default();
            let cut = digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit);
            return Err(match cut {
                true => ReadError::UnexpectedEnd {
                    at: self.bytes.len(),
                },
                false => ReadError::BadEscape { at },
            });
        };
        if char::from_u32(high).is_some() {
            return Ok(at + 6);
        }
        let second = self.bytes.get(at + 6..at + 8) == Some(b"\\u");
        match unit(at + 8).filter(|_| second) {
            Some(low) if pair(high, low).is_some() => Ok(at + 12),
            _ => Err(ReadError::LoneSurrogate { at }),
        }
    }

    pub(super) fn number(&mut self) -> Result<(), ReadError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// One digit or more.
    #[inline]
    fn digits(&mut self) -> Result<(), ReadError> {
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > first {
            return Ok(());
        }
        Err(match self.peek() {
            Some(_) => ReadError::BadNumber { at: self.at },
            None => ReadError::UnexpectedEnd { at: self.at },
        })
    }

    /// One of the three words.
    pub(super) fn word(&mut self, word: &[u8]) -> Result<(), ReadError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        Err(if word.starts_with(rest) {
            ReadError::UnexpectedEnd {
                at: self.bytes.len(),
            }
        } else {
            ReadError::UnexpectedByte { at: self.at }
        })
    }
}
