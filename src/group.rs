//! Positions grouped by row: what the sorted gradient adds up, and in which order.
//!
//! A stable counting sort on the CPU ([`Grouper`]), and the cut of each row into segments ([`Plan`]). The result, and with it
//! the order of every addition, depends on the token ids alone: rows ascend, a row's positions ascend, segments have the
//! length of [`segment_length`]. The shaders `group_*.wgsl` do both on the device, to the same sums.

use crate::abi::Segment;
use crate::cpu::kernels as twin;
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
    /// The used row of every position, 0..U; U for a token outside the vocabulary. This is what `embed_backward`
    /// gets as `tokens` for a sparse result.
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

/// The counting sort with its scratch: a counter and a bit for each vocabulary row, all zero between calls, so that a
/// short call touches only the counters of the rows it uses. Above `MAX_COUNTERS` rows it has no scratch and sorts.
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

    /// The used rows and their hits alone, `order` left empty: for tokens whose positions the device groups itself.
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

    /// Rows and hits; the counters of the used rows are left at the place of the row's first position.
    fn count_rows(&mut self, tokens: &[u32]) -> Groups {
        // Slices and indices, not `Vec` and `push`: the wasm is compiled for size, where those remain calls.
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
    // By token, then by position: as stable as the counting sort.
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

/// Longest segment of a row, in positions, for a sequence of `seq_len` tokens: N / 1,024 rounded up to
/// a power of two, from 32 to 128.
/// A segment is one thread's work from end to end, so a short sequence wants short ones; a long sequence has threads
/// enough, and wants few partial sums.
pub fn segment_length(seq_len: usize) -> u32 {
    (seq_len as u32 / 1_024).next_power_of_two().clamp(32, 128)
}

/// Most partial sums that one thread adds up. Every level of them is a pass of its own, a few microseconds however small;
/// but a thread that walks 1,024 of them alone takes longer than one pass more.
pub const FAN_IN: u32 = 256;

/// The passes of a sorted gradient: the segments of every row, then level by level the sums of their partial sums.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// All segments, level after level.
    pub segments: Vec<Segment>,
    /// Number of segments in each level; the first reads positions, the others partial sums.
    pub levels: Vec<u32>,
    /// Partial rows, behind the U rows of the gradient.
    pub partial_sums: u32,
}

impl Plan {
    /// Cuts the rows of `groups` into segments of at most `length` positions. Where a segment stands in the list changes nothing
    /// in any sum; where there are many, the longest stand in front.
    pub fn new(groups: &Groups, length: u32) -> Self {
        let used_rows = groups.rows.len() as u32;
        let mut plan = Self { segments: Vec::with_capacity(groups.rows.len() * 2), ..Self::default() };
        let mut next_partial = used_rows;

        // What is still to be added up: (row, its first addend, how many). At first positions, then partial sums.
        let mut first = 0u32;
        let mut open: Vec<(u32, u32, u32)> = Vec::new();
        for (row, &hits) in (0u32..).zip(&groups.hits) {
            if hits <= length {
                plan.segments.push(Segment { first, last: first + hits, dst: row, row });
            } else {
                let partial = next_partial;
                next_partial = plan.cut(row, first, hits, length, partial);
                open.push((row, partial, next_partial - partial));
            }
            first += hits;
        }
        if plan.segments.len() >= WORTH_ORDERING {
            plan.segments = longest_first(&plan.segments, length);
        }
        plan.levels.push(plan.segments.len() as u32);

        while !open.is_empty() {
            let before = plan.segments.len();
            let mut still_open = Vec::new();
            for (row, first, count) in open {
                if count <= FAN_IN {
                    plan.segments.push(Segment { first, last: first + count, dst: row, row });
                } else {
                    let partial = next_partial;
                    next_partial = plan.cut(row, first, count, FAN_IN, partial);
                    still_open.push((row, partial, next_partial - partial));
                }
            }
            plan.levels.push((plan.segments.len() - before) as u32);
            open = still_open;
        }
        plan.partial_sums = next_partial - used_rows;
        plan
    }

    /// All passes on the CPU, by the kernels' twins, left to right: `grad_out` is N·D, `grad` (U + partial sums)·D with the U
    /// rows in front, `skips` (zero, non-finite) for each of the U rows.
    pub fn sum(&self, order: &[u32], grad_out: &[f32], grad: &mut [f32], skips: &mut [u32], d_model: usize) {
        let mut rest = self.segments.as_slice();
        for (level, &count) in self.levels.iter().enumerate() {
            let (segments, others) = rest.split_at(count as usize);
            rest = others;
            match level {
                0 => twin::sum_segments(order, grad_out, grad, segments, skips, d_model),
                _ => twin::sum_partials(grad, segments, d_model),
            }
        }
    }

    /// Segments of at most `length` over `count` addends from `first` on, into partial sums from `partial` on; gives
    /// the partial sum after the last.
    fn cut(&mut self, row: u32, first: u32, count: u32, length: u32, mut partial: u32) -> u32 {
        let end = first + count;
        let mut at = first;
        while at < end {
            let last = end.min(at + length);
            self.segments.push(Segment { first: at, last, dst: partial, row });
            partial += 1;
            at = last;
        }
        partial
    }
}

/// From this number on the order of the segments matters to a GPU, and the time to order them does not to the CPU.
const WORTH_ORDERING: usize = 4_096;

/// The segments by falling length: neighbouring threads then walk equally far, and no long segment is begun last, when it would
/// keep the whole device waiting. A counting sort, since no segment is longer than `length`.
fn longest_first(segments: &[Segment], length: u32) -> Vec<Segment> {
    let shorter_by = |segment: &Segment| (length - (segment.last - segment.first)) as usize;
    let mut places = vec![0usize; length as usize + 1];
    for segment in segments {
        places[shorter_by(segment)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        next += core::mem::replace(place, next);
    }
    let mut ordered = vec![Segment::default(); segments.len()];
    for segment in segments {
        let place = &mut places[shorter_by(segment)];
        ordered[*place] = *segment;
        *place += 1;
    }
    ordered
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

    #[test]
    fn many_segments_stand_longest_first() {
        let tokens: Vec<u32> =
            (0..60_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) % (1 + i % 6_000)).collect();
        let plan = Plan::new(&Grouper::new(6_000).group(&tokens), 32);
        let lengths: Vec<u32> =
            plan.segments[..plan.levels[0] as usize].iter().map(|segment| segment.last - segment.first).collect();
        assert!(lengths.len() > WORTH_ORDERING);
        assert!(lengths.is_sorted_by(|a, b| a >= b));
        assert_eq!(lengths.iter().sum::<u32>(), 60_000);
    }

    #[test]
    fn a_plan_covers_every_position_once() {
        for (seq_len, length) in [(0u32, 32u32), (1, 32), (32, 32), (33, 32), (600_000, 32), (70_000, 3)] {
            let tokens: Vec<u32> = (0..seq_len).map(|i| u32::from(i % 7 == 0) * (i % 5)).collect();
            let groups = Grouper::new(8).group(&tokens);
            let plan = Plan::new(&groups, length);
            let used = groups.rows.len() as u32;
            let mut weight = vec![0u64; (used + plan.partial_sums) as usize];
            let mut segments = plan.segments.iter();
            for (level, &count) in plan.levels.iter().enumerate() {
                for segment in segments.by_ref().take(count as usize) {
                    assert!(segment.last - segment.first <= if level == 0 { length } else { FAN_IN });
                    assert_eq!(weight[segment.dst as usize], 0);
                    weight[segment.dst as usize] = if level == 0 {
                        u64::from(segment.last - segment.first)
                    } else {
                        weight[segment.first as usize..segment.last as usize].iter().sum()
                    };
                }
            }
            let hits: Vec<u64> = groups.hits.iter().map(|&h| u64::from(h)).collect();
            assert_eq!(weight[..used as usize], hits);
            assert_eq!(plan.levels.iter().sum::<u32>() as usize, plan.segments.len());
        }
    }
}
