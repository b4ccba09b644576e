//! JSON values for tests, and ways to spell one value differently.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Any JSON value, with hostile keys and strings, none of its numbers a float.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let text = "[a-c\"\\\\/\n\u{1}\u{7f}é\u{2028}\u{fffd}\u{1f600}]{0,10}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-20..2000i64).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 12, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((text, inner), 0..12)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The value again, spelled another way: other key order, white space,
/// escapes and zeros behind integers, as the seed has it.
pub(crate) fn rewritten(value: &Value, seed: u64) -> String {
    let mut writer = Rewriter {
        seed,
        out: String::new(),
    };
    writer.value(value);
    writer.space();
    writer.out
}

struct Rewriter {
    seed: u64,
    out: String,
}

impl Rewriter {
    fn roll(&mut self, sides: u64) -> u64 {
        // Constants of a well-known linear congruential generator.
        let step = self.seed.wrapping_mul(6364136223846793005);
        self.seed = step.wrapping_add(1442695040888963407);
        (self.seed >> 33) % sides
    }

    fn space(&mut self) {
        let space = ["", "", " ", "\r\n\t"][self.roll(4) as usize];
        self.out.push_str(space);
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            let must = c < ' ' || c == '"' || c == '\\';
            if must || self.roll(5) == 0 {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    match self.roll(2) {
                        0 => self.out.push_str(&format!("\\u{unit:04x}")),
                        _ => self.out.push_str(&format!("\\u{unit:04X}")),
                    }
                }
            } else if c == '/' && self.roll(2) == 0 {
                self.out.push_str("\\/");
            } else {
                self.out.push(c);
            }
        }
        self.out.push('"');
    }

    fn value(&mut self, value: &Value) {
        self.space();
        match value {
            Value::String(text) => self.string(text),
            Value::Array(elements) => {
                self.out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.value(element);
                    self.space();
                }
                self.out.push(']');
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                if !members.is_empty() {
                    let turn = self.roll(members.len() as u64) as usize;
                    members.rotate_left(turn);
                    members.reverse();
                }
                self.out.push('{');
                for (index, (key, member)) in members.into_iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.space();
                    self.string(key);
                    self.space();
                    self.out.push(':');
                    self.value(member);
                    self.space();
                }
                self.out.push('}');
            }
            other => self.out.push_str(&other.to_string()),
        }
    }
}
