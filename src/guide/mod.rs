//! Pages to read beside the items.
//!
//! They are compiled into the documentation alone, and their examples are run.

/// When another crate is the better choice.
pub mod choosing {
    #![doc = include_str!("choosing.md")]
}

/// A transport of your own: from the first byte to the last test.
pub mod embedding {
    #![doc = include_str!("embedding.md")]
}

/// For those who know `Wymcp.Context` and `Wymcp.Testing` from Elixir.
pub mod from_elixir {
    #![doc = include_str!("from_elixir.md")]
}

/// What the wire refuses, and which test holds it to that.
pub mod what_the_wire_refuses {
    #![doc = include_str!("what_the_wire_refuses.md")]
}
