//! Numbers by their exact decimal value, without floats.

/// The largest integer that every JSON reader holds exactly: 2^53 − 1.
const SAFE: u64 = (1 << 53) - 1;

/// A well-formed JSON number, by its text.
///
/// ```
/// use mcp_reprise::json::{Json, ReadLimits};
///
/// let json = Json::read(b"1.50", &ReadLimits::default())?;
/// let number = json.as_number().ok_or("a number")?;
/// assert_eq!(number.text(), "1.50");
/// assert_eq!(number.safe_integer(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    text: &'a str,
}

/// A number taken apart: its value is the digits `head` then `tail`, read as
/// one integer, times ten to the `exponent`. Neither leading nor trailing
/// zeros are among the digits; for zero there are no digits at all.
pub(crate) struct Decimal<'a> {
    /// Whether it is below zero (never for zero).
    pub(crate) negative: bool,
    /// The digits that stood before the point.
    pub(crate) head: &'a str,
    /// The digits that stood after the point.
    pub(crate) tail: &'a str,
    /// `None` when the exponent as written does not fit an `i64`.
    pub(crate) exponent: Option<i128>,
}

impl<'a> Number<'a> {
    /// Wraps text the reader has found to be a number.
    pub(super) fn known(text: &'a str) -> Self {
        Number { text }
    }

    /// The number exactly as the client wrote it.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"-0.0E+2", &ReadLimits::default())?;
    /// assert_eq!(json.as_number().map(|n| n.text()), Some("-0.0E+2"));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The number when its decimal value is an integer within ±(2^53 − 1),
    /// however it is written; `-0` is 0. Exact, and linear in the text
    /// whatever the exponent says.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let limits = ReadLimits::default();
    /// for same in ["42", "42.0", "4.2e1", "420e-1"] {
    ///     let json = Json::read(same.as_bytes(), &limits)?;
    ///     assert_eq!(json.as_number().and_then(|n| n.safe_integer()), Some(42));
    /// }
    /// let json = Json::read(b"9007199254740992", &limits)?;
    /// assert_eq!(json.as_number().and_then(|n| n.safe_integer()), None);
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn safe_integer(self) -> Option<i64> {
        let decimal = self.decimal();
        let digits = decimal.head.len() + decimal.tail.len();
        if digits == 0 {
            return Some(0);
        }
        // 2^53 has sixteen digits, so seventeen are too many already; this
        // also bounds the two loops below.
        let zeros = usize::try_from(decimal.exponent?).ok()?;
        if digits > 16 || zeros > 16 - digits {
            return None;
        }
        let mut value: u64 = 0;
        for digit in decimal.head.bytes().chain(decimal.tail.bytes()) {
            value = value * 10 + u64::from(digit.wrapping_sub(b'0') % 10);
        }
        for _ in 0..zeros {
            value *= 10;
        }
        let value = i64::try_from(value).ok().filter(|_| value <= SAFE)?;
        Some(if decimal.negative { -value } else { value })
    }

    /// Takes the number apart.
    pub(crate) fn decimal(self) -> Decimal<'a> {
        let (negative, rest) = match self.text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, self.text),
        };
        let (digits, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let tail = fraction.trim_end_matches('0');
        let mut scale = -wide(tail.len());
        let mut head = whole.trim_start_matches('0');
        if tail.is_empty() {
            let short = head.trim_end_matches('0');
            scale = wide(head.len() - short.len());
            head = short;
        }
        let tail = if head.is_empty() {
            tail.trim_start_matches('0')
        } else {
            tail
        };
        if head.is_empty() && tail.is_empty() {
            return Decimal {
                negative: false,
                head,
                tail,
                exponent: Some(0),
            };
        }
        let exponent = power.parse::<i64>().ok();
        Decimal {
            negative,
            head,
            tail,
            exponent: exponent.map(|power| i128::from(power) + scale),
        }
    }
}

/// A length as an `i128`, which holds every `usize` there is.
fn wide(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}
