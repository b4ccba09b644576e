//! Pages to read beside the items.
//!
//! They are compiled into the documentation alone.

/// For those who know `Wymcp.Context` and `Wymcp.Testing` from Elixir.
pub mod from_elixir {
    #![doc = include_str!("from_elixir.md")]
}
