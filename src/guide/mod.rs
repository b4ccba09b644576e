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

/// What an exchange, a round and an idle listener cost, and how that grows.
pub mod costs {
    #![doc = include_str!("costs.md")]
    #![doc = ""]
    #![doc = include_str!("growth.md")]
    #![doc = ""]
    #![doc = include_str!("growth.svg")]
}

/// For those who know `Wymcp.Context` and `Wymcp.Testing` from Elixir.
pub mod from_elixir {
    #![doc = include_str!("from_elixir.md")]
}

/// What the wire refuses, and which test holds it to that.
pub mod what_the_wire_refuses {
    #![doc = include_str!("what_the_wire_refuses.md")]
}
