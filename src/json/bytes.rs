//! Finding bytes quickly: the two inner loops of the reader and the walker.
//!
//! Strings are most of a body, and most of a string is plain, so both loops
//! look at eight bytes at once, and more of them in a long string.

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Eight times the byte.
const fn eight(byte: u8) -> u64 {
    ONES * byte as u64
}

/// Marks, by their top bits, the bytes of `word` that end a plain run inside a
/// string: a quote, a backslash or a control character.
///
/// Taking a bound from a byte borrows into its top bit when the byte is below
/// the bound; a byte equals another when their difference is below one. A
/// borrow runs upwards, so a mark above the lowest may be false. The lowest is
/// always true, and callers look at that one only.
#[inline(always)]
fn stops(word: u64) -> u64 {
    let low = (word ^ eight(SWAP)).wrapping_sub(eight(LOW));
    let backslash = (word ^ eight(b'\\')).wrapping_sub(ONES);
    (low | backslash) & !word & TOPS
}

/// With this bit changed, the quote trades places with the space, which is the
/// first byte after the control characters: the quote and they are the bytes
/// below `LOW` then.
const SWAP: u8 = b'"' ^ b' ';
const LOW: u8 = b' ' + 1;

/// The offset, from `at` on, of the first byte that ends a plain run inside a
/// string. The length of `bytes` when there is none.
#[inline(always)]
pub(super) fn string_stop(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    // Most strings end within that, and none that does is worth a call.
    for _ in 0..SHORT {
        let Some(marks) = marks(bytes, at) else {
            return string_stop_near_end(bytes, at);
        };
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    string_stop_far(bytes, at)
}

/// Whether a text can stand between quotes as it is.
pub(crate) fn is_plain(text: &str) -> bool {
    string_stop(text.as_bytes(), 0) == text.len()
}

/// How many words are looked at before a string is a long one.
const SHORT: usize = 6;

/// The marks of the eight bytes at `at`, if there are so many.
#[inline(always)]
fn marks(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..)?.first_chunk::<8>()?;
    Some(stops(u64::from_le_bytes(*eight)))
}

/// The same for a long string.
fn string_stop_far(bytes: &[u8], at: usize) -> usize {
    let at = past_plain::<1024>(bytes, at);
    let mut at = past_plain::<128>(bytes, at);
    while let Some(marks) = marks(bytes, at) {
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    string_stop_near_end(bytes, at)
}

/// Passes blocks of plain bytes. The compiler looks at a block with as many
/// lanes as the machine has, and puts them together at the block's end only.
#[inline(always)]
fn past_plain<const BLOCK: usize>(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        // The lowest byte, and zero where any is the backslash.
        let (mut lowest, mut least) = (u8::MAX, u8::MAX);
        for byte in block {
            lowest = lowest.min(byte ^ SWAP);
            least = least.min(byte ^ b'\\');
        }
        if lowest < LOW || least == 0 {
            break;
        }
        at += BLOCK;
    }
    at
}

/// The same for the last few bytes, one by one.
fn string_stop_near_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        if byte < b' ' || byte == b'"' || byte == b'\\' {
            break;
        }
        at += 1;
    }
    at
}

/// The offset, from `at` on, of the first byte that is not white space.
#[inline(always)]
pub(super) fn past_space(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_lane() {
        for stop in 0..=255u8 {
            // The words, a block, and the words and bytes after it.
            for lane in (0..20).chain(40..60).chain(1060..1090).chain(1190..1220) {
                // 0x80 and 0x21 sit just outside the classes looked for.
                for filler in [b'a', 0x80, 0x21, 0xff] {
                    let mut bytes = [filler; 1223];
                    bytes[lane] = stop;
                    let stops = stop < b' ' || stop == b'"' || stop == b'\\';
                    let attempted = string_stop(&bytes, 0);
                    assert_eq!(attempted, if stops { lane } else { 1223 }, "{stop} {lane}");
                    if lane >= 3 {
                        assert_eq!(string_stop(&bytes, 3), attempted);
                    }
                }
            }
        }
        assert_eq!(string_stop(b"", 0), 0);
        assert_eq!(string_stop(b"abc", 9), 9);
    }

    #[test]
    fn space_is_four_bytes() {
        assert_eq!(past_space(b" \t\r\n\x0bx", 0), 4);
        assert_eq!(past_space(b"  ", 1), 2);
        assert_eq!(past_space(b"", 5), 5);
    }
}
