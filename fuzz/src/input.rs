//! Cutting the fuzzer's bytes into pieces.

/// Bytes that are taken from the front. When they run out, everything is zero or empty.
#[derive(Debug)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }

    /// A number below `below`, which is not zero.
    pub fn pick(&mut self, below: usize) -> usize {
        usize::from(self.byte()) % below
    }

    pub fn of<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        &choices[self.pick(choices.len())]
    }

    /// Up to 255 bytes, their number first.
    pub fn bytes(&mut self) -> &'a [u8] {
        let count = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
