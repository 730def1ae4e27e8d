//! Positions grouped by row: what the sorted gradient adds up, and in which order.
//!
//! This module has a stable counting sort for the CPU ([`Grouper`]), `plan` the order of every addition, and `device` what a
//! device does to sort and add without the CPU, to the same sums. All of it depends on the token ids alone: rows ascend, a row's
//! positions ascend, and where a sum is cut into parts depends on how many positions there are.

mod device;
mod plan;

pub use device::{DevicePlan, Sort};
pub use plan::{BlockShape, Plan};

use crate::sort::sort_by;

/// Positions of one call, grouped by row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Groups {
    /// U ids with at least one position, ascending.
    pub rows: Vec<u32>,
    /// U counts: positions per row.
    pub hits: Vec<u32>,
    /// The positions inside the vocabulary, row after row, ascending within a row.
    pub order: Vec<u32>,
    /// Positions whose token is outside the vocabulary.
    pub outside: u32,
}

impl Groups {
    /// For every position, the index of its row among the used ones, 0..U; U for a token outside the vocabulary.
    /// `embed_backward` takes them as `tokens` for a sparse result.
    pub fn slots(&self, seq_len: usize) -> Vec<u32> {
        let mut slots = vec![self.rows.len() as u32; seq_len];
        let mut order = self.order.iter();
        for (slot, &hits) in (0u32..).zip(&self.hits) {
            for &position in order.by_ref().take(hits as usize) {
                slots[position as usize] = slot;
            }
        }
        slots
    }
}

/// Above this vocabulary size a counter per row costs more than sorting the positions.
const MAX_COUNTERS: u32 = 1 << 22;

/// The counting sort with its scratch memory: a counter and a bit for each vocabulary row, all zero between calls, so that a
/// short call touches only the counters of the rows it uses. Above `MAX_COUNTERS` rows there is no scratch, and it sorts.
#[derive(Debug)]
pub struct Grouper {
    vocab_size: u32,
    counters: Vec<u32>,
    used: Vec<u64>, // one bit a row
}

impl Grouper {
    /// A grouper for ids below `vocab_size`; others count as outside.
    pub fn new(vocab_size: u32) -> Self {
        let rows = if vocab_size <= MAX_COUNTERS { vocab_size as usize } else { 0 };
        Self { vocab_size, counters: vec![0; rows], used: vec![0; rows.div_ceil(64)] }
    }

    /// Groups these tokens. O(N + V/64) time, or O(N log N) for a vocabulary above `MAX_COUNTERS`; no allocation of size V.
    pub fn group(&mut self, tokens: &[u32]) -> Groups {
        if self.vocab_size > MAX_COUNTERS {
            return group_by_sorting(tokens, self.vocab_size);
        }
        let groups = self.count_rows(tokens);
        let counters = self.counters.as_mut_slice();
        let positions = tokens.len() - groups.outside as usize;
        let mut order = vec![0u32; positions];
        let cells = order.as_mut_slice();
        for (position, &t) in tokens.iter().enumerate() {
            if let Some(counter) = counters.get_mut(t as usize) {
                cells[*counter as usize] = position as u32;
                *counter += 1;
            }
        }
        for &t in &groups.rows {
            counters[t as usize] = 0;
        }
        Groups { order, ..groups }
    }

    /// Only the used rows and their hits; `order` stays empty. For tokens whose positions are grouped on the device.
    pub fn count(&mut self, tokens: &[u32]) -> Groups {
        if self.vocab_size > MAX_COUNTERS {
            return Groups { order: Vec::new(), ..group_by_sorting(tokens, self.vocab_size) };
        }
        let groups = self.count_rows(tokens);
        for &t in &groups.rows {
            self.counters[t as usize] = 0;
        }
        groups
    }

    /// Rows and hits; the counter of each used row is left at the place of its first position.
    fn count_rows(&mut self, tokens: &[u32]) -> Groups {
        // Slices and indices, not `Vec` and `push`: compiled for size, those would not be inlined.
        let (counters, used) = (self.counters.as_mut_slice(), self.used.as_mut_slice());
        let (mut outside, mut used_rows) = (0u32, 0);
        for &t in tokens {
            match counters.get_mut(t as usize) {
                Some(counter) => {
                    if *counter == 0 {
                        used[(t / 64) as usize] |= 1 << (t % 64);
                        used_rows += 1;
                    }
                    *counter += 1;
                }
                None => outside += 1,
            }
        }

        // Rows in ascending order, from the bits; each counter becomes the place of its row's next position.
        let (mut rows, mut hits) = (vec![0u32; used_rows], vec![0u32; used_rows]);
        let (mut row, mut next) = (0, 0u32);
        for (word, bits) in used.iter_mut().enumerate() {
            while *bits != 0 {
                let t = word as u32 * 64 + bits.trailing_zeros();
                *bits &= *bits - 1;
                let counter = &mut counters[t as usize];
                rows[row] = t;
                hits[row] = *counter;
                row += 1;
                next += *counter;
                *counter = next - *counter;
            }
        }
        Groups { rows, hits, order: Vec::new(), outside }
    }
}

fn group_by_sorting(tokens: &[u32], vocab_size: u32) -> Groups {
    let token = |position: u32| tokens[position as usize];
    let mut order: Vec<u32> = (0..tokens.len() as u32).filter(|&position| token(position) < vocab_size).collect();
    // By token, then by position: stable, as the counting sort is.
    sort_by(&mut order, &|a, b| (token(a), a).cmp(&(token(b), b)));
    let mut groups = Groups { outside: (tokens.len() - order.len()) as u32, ..Groups::default() };
    for &position in &order {
        let t = token(position);
        if groups.rows.last() != Some(&t) {
            groups.rows.push(t);
            groups.hits.push(0);
        }
        if let Some(hits) = groups.hits.last_mut() {
            *hits += 1;
        }
    }
    Groups { order, ..groups }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_positions_ascend() {
        let mut grouper = Grouper::new(10);
        for _ in 0..2 {
            let groups = grouper.group(&[7, 3, 7, 10, u32::MAX, 0, 3, 7]);
            assert_eq!(groups.rows, [0, 3, 7]);
            assert_eq!(groups.hits, [1, 2, 3]);
            assert_eq!(groups.order, [5, 1, 6, 0, 2, 7]);
            assert_eq!(groups.outside, 2);
            assert_eq!(groups.slots(8), [2, 1, 2, 3, 3, 0, 1, 2]);
            let counted = grouper.count(&[7, 3, 7, 10, u32::MAX, 0, 3, 7]);
            assert_eq!(counted, Groups { order: vec![], ..groups });
        }
    }

    #[test]
    fn sorting_gives_what_counting_gives() {
        let tokens: Vec<u32> = (0..5_000u32).map(|i| i.wrapping_mul(2_654_435_761) % 700).collect();
        assert_eq!(Grouper::new(600).group(&tokens), group_by_sorting(&tokens, 600));
        let wide = Grouper::new(u32::MAX).group(&tokens);
        assert_eq!(wide.outside, 0);
        assert_eq!(wide.hits.iter().sum::<u32>(), 5_000);
    }
}
