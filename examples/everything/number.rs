//! Whole numbers as JSON Schema has them: `42`, `42.0` and `4.2e1` are one integer.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// A whole number, within what all JSON readers agree on.
pub struct Whole<T = i64>(pub T);

impl<'de, T: TryFrom<i64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let whole = integer(&Number::deserialize(from)?).and_then(|whole| T::try_from(whole).ok());
        whole
            .map(Self)
            .ok_or_else(|| D::Error::custom("not a whole number, or too large or too small"))
    }
}

fn integer(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
    })
}
