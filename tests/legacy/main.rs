//! The legacy lane: sessions of revisions 2025-11-25 and earlier.

mod asking;
mod assigns;
mod eras;
mod lanes;
mod lifecycle;
mod lines;
mod shapes;
mod streams;
mod support;
mod table;
#[cfg(feature = "tower")]
mod tower;
