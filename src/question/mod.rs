//! Questions to the client: forms, URLs, sampling, roots; and what is said to them.

mod answer;
mod check;
mod form;
mod name;
mod put;
mod typed;

pub use answer::Answer;
pub use check::Refused;
pub(crate) use check::{Exact, is_integer};
pub(crate) use form::quoted;
pub use form::{
    BooleanField, ChoiceField, ChoicesField, Field, Form, IntegerField, NumberField, TextField,
    UrlError, UrlPrompt,
};
pub use name::QuestionName;
pub(crate) use put::Put;
pub(crate) use typed::Asking;
pub use typed::{Question, Questions};
