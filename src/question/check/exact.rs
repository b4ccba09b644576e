//! Numbers compared by their exact decimal value.
//!
//! A float would take 9007199254740993 for its even neighbour, so a client
//! could pass a bound by a digit that the float drops.

use std::cmp::Ordering;

use crate::json::{Json, Number, ReadLimits};

/// A number that others are compared with; an author's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exact {
    negative: bool,
    /// The digits after `0.`, without a zero at either end; none for zero.
    digits: Box<str>,
    /// The power of ten that `0.digits` is multiplied by.
    scale: i128,
}

impl Exact {
    /// `None` for what is not a JSON number, which does not occur.
    pub(crate) fn of(number: &serde_json::Number) -> Option<Self> {
        let text = number.to_string();
        let json = Json::read(text.as_bytes(), &ReadLimits::default()).ok()?;
        let number = json.as_number()?;
        let decimal = number.decimal();
        Some(Exact {
            negative: decimal.negative,
            digits: format!("{}{}", decimal.head, decimal.tail).into(),
            scale: scale(number),
        })
    }

    /// Where `number` lies as seen from this one: `Less` is below it. Linear
    /// in the number's text, whatever its exponent says; allocates nothing.
    pub(crate) fn place(&self, number: Number<'_>) -> Ordering {
        let decimal = number.decimal();
        let zero = decimal.head.is_empty() && decimal.tail.is_empty();
        let other = sign(zero, decimal.negative);
        let mine = sign(self.digits.is_empty(), self.negative);
        if other != mine || other == 0 {
            return other.cmp(&mine);
        }
        let digits = decimal.head.bytes().chain(decimal.tail.bytes());
        let size = scale(number)
            .cmp(&self.scale)
            .then_with(|| digits.cmp(self.digits.bytes()));
        if other < 0 { size.reverse() } else { size }
    }
}

/// Whether a number's value is an integer, of any size.
pub(crate) fn is_integer(number: Number<'_>) -> bool {
    match number.decimal().exponent {
        Some(exponent) => exponent >= 0,
        None => !is_tiny(number),
    }
}

fn sign(zero: bool, negative: bool) -> i8 {
    match (zero, negative) {
        (true, _) => 0,
        (false, true) => -1,
        (false, false) => 1,
    }
}

/// The power of ten that `0.digits` is multiplied by. An exponent that fits no
/// `i64` outweighs all the digits that a body can hold.
fn scale(number: Number<'_>) -> i128 {
    let decimal = number.decimal();
    let digits = decimal.head.len() + decimal.tail.len();
    match decimal.exponent {
        Some(exponent) => exponent.saturating_add(i128::try_from(digits).unwrap_or(i128::MAX)),
        None if is_tiny(number) => i128::MIN,
        None => i128::MAX,
    }
}

/// Whether an exponent that fits no `i64` is below zero.
fn is_tiny(number: Number<'_>) -> bool {
    number.text().contains("e-") || number.text().contains("E-")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Number<'_> {
        let json = Json::read(text.as_bytes(), &ReadLimits::default());
        json.unwrap().as_number().unwrap()
    }

    fn exact(number: impl Into<serde_json::Number>) -> Exact {
        Exact::of(&number.into()).unwrap()
    }

    #[test]
    fn whatever_the_exponent() {
        for (number, place) in [
            ("1e99999999999999999999", Ordering::Greater),
            ("-1e99999999999999999999", Ordering::Less),
            ("1e-99999999999999999999", Ordering::Less),
            ("0e99999999999999999999", Ordering::Less),
            ("100e-2", Ordering::Equal),
            ("0.001e3", Ordering::Equal),
            ("1.0000000000000000000000001", Ordering::Greater),
            ("0.9999999999999999999999999", Ordering::Less),
        ] {
            assert_eq!(exact(1).place(read(number)), place, "{number}");
        }
        let zero = exact(0);
        assert_eq!(
            zero.place(read("1e-99999999999999999999")),
            Ordering::Greater
        );
        assert_eq!(zero.place(read("-1e-99999999999999999999")), Ordering::Less);
        assert_eq!(
            zero.place(read("-0.0e99999999999999999999")),
            Ordering::Equal
        );
        assert!(is_integer(read("0e-99999999999999999999")));
        assert!(is_integer(read("1e99999999999999999999")));
        assert!(!is_integer(read("1e-99999999999999999999")));
        assert!(!is_integer(read("10.5e0")));
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_integers(a: i64, b: i64, zeros in 0usize..3) {
            let zeros_after = format!("{b}.{}", "0".repeat(zeros + 1));
            prop_assert_eq!(exact(a).place(read(&zeros_after)), b.cmp(&a));
            let shifted = format!("{b}{}e-{zeros}", "0".repeat(zeros));
            prop_assert_eq!(exact(a).place(read(&shifted)), b.cmp(&a));
            prop_assert!(is_integer(read(&shifted)));
        }

        #[test]
        fn the_order_is_that_of_floats(a: f64, b: f64) {
            prop_assume!(a.is_finite() && b.is_finite());
            let a_exact = exact(serde_json::Number::from_f64(a).unwrap());
            let b_text = serde_json::Value::from(b).to_string();
            prop_assert_eq!(Some(a_exact.place(read(&b_text))), b.partial_cmp(&a));
        }
    }
}
