//! What is said, in the shape of each revision: what a revision does not have is left out, or said
//! in what it has.
//!
//! | what | before | becomes |
//! |---|---|---|
//! | titles, metadata of parts, `lastModified` | 2025-06-18 | left out |
//! | icons, `description` and `websiteUrl` of the server | 2025-11-25 | left out |
//! | output schemas, structured content | 2025-06-18 | left out; content that would be empty gets it as text |
//! | output schemas and structured content that are no objects | any | left out likewise |
//! | tool annotations, the message of progress, the completions capability | 2025-03-26 | left out |
//! | audio | 2025-03-26 | an embedded resource |
//! | resource links | 2025-06-18 | text that names the URI |
//! | the mode of a form, defaults of text, numbers and choices | 2025-11-25 | left out |
//! | titled choices | 2025-11-25 | `enum` and `enumNames` |
//! | lists of choices | 2025-11-25 | cannot be asked |
//! | parts of a message to sample | 2025-11-25 | one message each |

mod capabilities;
mod content;
mod lists;
mod question;
mod text;

pub(super) use capabilities::{client, identity, server};
pub(super) use content::done;
pub(super) use lists::items;
pub(super) use question::{question, url_question};
pub(super) use text::progress;
