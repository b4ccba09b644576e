use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A JSON number, kept as it was written, so `50` doesn't turn into `50.0`.
///
/// It is made from an integer or a float. A float without a fraction is
/// written as an integer. JSON has no word for what isn't finite, so a NaN
/// becomes `0` and an infinity the largest finite number of its sign.
///
/// ```
/// use mcp_reprise::protocol::JsonNumber;
///
/// assert_eq!(JsonNumber::from(0.5).to_string(), "0.5");
/// assert_eq!(JsonNumber::from(50.0), JsonNumber::from(50));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JsonNumber(Number);

impl JsonNumber {
    /// The nearest float.
    pub fn as_f64(&self) -> Option<f64> {
        self.0.as_f64()
    }

    /// The number as an integer, if it was written as one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    /// The number as `serde_json` has it.
    pub fn as_number(&self) -> &Number {
        &self.0
    }
}

impl std::fmt::Display for JsonNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<i32> for JsonNumber {
    fn from(value: i32) -> Self {
        Self(value.into())
    }
}

impl From<u32> for JsonNumber {
    fn from(value: u32) -> Self {
        Self(value.into())
    }
}

impl From<i64> for JsonNumber {
    fn from(value: i64) -> Self {
        Self(value.into())
    }
}

impl From<u64> for JsonNumber {
    fn from(value: u64) -> Self {
        Self(value.into())
    }
}

impl From<usize> for JsonNumber {
    fn from(value: usize) -> Self {
        Self(value.into())
    }
}

impl From<f64> for JsonNumber {
    fn from(value: f64) -> Self {
        /// Every whole float up to this size is exact.
        const WHOLE: f64 = 9_007_199_254_740_992.0;
        if value.is_nan() {
            return Self(0.into());
        }
        let value = value.clamp(f64::MIN, f64::MAX);
        if value.fract() == 0.0 && value.abs() <= WHOLE {
            return Self((value as i64).into());
        }
        Self(Number::from_f64(value).unwrap_or_else(|| 0.into()))
    }
}

impl From<Number> for JsonNumber {
    fn from(value: Number) -> Self {
        Self(value)
    }
}

#[cfg(test)]
mod tests {
    use super::JsonNumber;

    #[test]
    fn floats_become_json() {
        let shown: Vec<String> = [1.0, -0.0, 0.25, f64::NAN]
            .into_iter()
            .map(|value| JsonNumber::from(value).to_string())
            .collect();
        assert_eq!(shown, ["1", "0", "0.25", "0"]);
        assert_eq!(JsonNumber::from(f64::INFINITY).as_f64(), Some(f64::MAX));
        assert_eq!(JsonNumber::from(f64::NEG_INFINITY).as_f64(), Some(f64::MIN));
    }

    #[test]
    fn the_written_form_is_kept() {
        for text in ["50", "50.0", "0.1"] {
            let number: JsonNumber = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
    }
}
