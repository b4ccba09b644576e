//! A tape of choices. What is generated is a tape; what is made of it follows from what is asked.
//! A shorter tape with smaller cells makes something simpler, so shrinking the tape shrinks what
//! is made of it.

use proptest::collection::vec;
use proptest::strategy::Strategy;

/// The most cells of one answer or one set of arguments.
const CELLS: usize = 24;

/// A tape being read. After its end it holds zeros: the simplest of everything.
#[derive(Debug, Clone)]
pub(super) struct Tape<'a> {
    cells: &'a [u32],
}

impl<'a> Tape<'a> {
    pub(super) fn new(cells: &'a [u32]) -> Self {
        Self { cells }
    }

    pub(super) fn next(&mut self) -> u32 {
        match self.cells.split_first() {
            Some((cell, rest)) => {
                self.cells = rest;
                *cell
            }
            None => 0,
        }
    }

    /// One of so many; the first for a zero.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count.max(1)
    }

    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        let at = self.below(from.len());
        from.get(at)
    }

    /// A whole number between the two, both included; the one nearest to zero for a zero.
    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        let near = 0.clamp(least, most.max(least));
        let (cell, up) = (i64::from(self.next()), most.saturating_sub(near));
        let down = near.saturating_sub(least);
        match cell {
            0 => near,
            // The edges are where mistakes are.
            1 => most,
            2 => least,
            cell if cell % 2 == 1 && up > 0 => near + cell % up.saturating_add(1).max(1),
            cell if down > 0 => near - cell % down.saturating_add(1).max(1),
            cell => near + cell % up.saturating_add(1).max(1),
        }
    }
}

/// Tapes: mostly small numbers, which are the many ways to choose, and some large ones.
pub(super) fn tapes() -> impl Strategy<Value = Vec<u32>> {
    let cell = proptest::prop_oneof![4 => 0u32..16, 1 => proptest::num::u32::ANY];
    vec(cell, 0..CELLS)
}
