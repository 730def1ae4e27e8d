//! The order of the sorted gradient's additions.
//!
//! The grouped positions are cut into chunks of equal length, whatever rows they belong to, and several chunks make a block. A
//! row's sum is made of the sums of its chunks, left to right, and where it spans several blocks, of the blocks' sums. So a
//! device can give every thread equal work before the rows are known, and a row of a million positions is shared by many
//! threads. `gradient_blocks.wgsl` follows this order without a list; a [`Plan`] is the list, for the CPU and for devices whose
//! tokens are grouped on the CPU.

use super::Groups;
use crate::abi::{BLOCK_CHUNKS, Segment};

/// How the grouped positions of a sequence are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    /// Positions of a chunk, which one thread adds up: a power of two from 4 to 32.
    pub chunk: u32,
    /// Chunks of a block, and of the stretches in which a row's blocks are added up.
    pub chunks: u32,
}

impl BlockShape {
    /// The shape for `seq_len` positions.
    pub fn of(seq_len: usize) -> Self {
        // In a short sequence, short chunks keep more threads busy; in a long one they only leave more to join.
        let chunk = (seq_len as u32 / 1_024).next_power_of_two().clamp(8, 32);
        Self { chunk, chunks: BLOCK_CHUNKS }
    }

    /// Positions of a block.
    pub fn positions(self) -> u32 {
        self.chunk * self.chunks
    }
}

/// The passes of a sorted gradient: first the segments of every row, then, level by level, sums of their partial sums.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// All segments, level after level.
    pub segments: Vec<Segment>,
    /// Number of segments in each level; the first reads positions, the others partial sums.
    pub levels: Vec<u32>,
    /// How many partial sums there are, behind the U rows of the gradient.
    pub partial_sums: u32,
}

/// Addends of one row that have yet to be added up.
#[derive(Debug, Clone, Copy)]
struct Run {
    row: u32,
    /// Their numbers, [from, to): of positions, chunks or blocks.
    from: u32,
    to: u32,
    /// Where the first of them is.
    first: u32,
}

impl Plan {
    /// The additions for `groups`. The order of the segments in the list changes no sum; in a long list the longest come
    /// first.
    pub fn new(groups: &Groups, shape: BlockShape) -> Self {
        let used_rows = groups.rows.len() as u32;
        let mut plan = Self { segments: Vec::with_capacity(groups.rows.len() * 2), ..Self::default() };
        let mut next_partial = used_rows;
        let mut open = Vec::new();
        let mut first = 0;
        for (row, &hits) in (0..).zip(&groups.hits) {
            let positions = Run { row, from: first, to: first + hits, first };
            open.extend(plan.cut(positions, shape.chunk, &mut next_partial));
            first += hits;
        }
        if plan.segments.len() >= WORTH_ORDERING {
            plan.segments = longest_first(&plan.segments, shape.chunk);
        }
        plan.levels.push(plan.segments.len() as u32);

        for level in 1.. {
            if open.is_empty() {
                break;
            }
            let before = plan.segments.len();
            let mut still_open = Vec::new();
            for run in open {
                let (run, length) = match level {
                    1 => (run, shape.chunks),
                    // Blocks count from the row's first one. A few are added up at once, many first in `chunks` stretches.
                    _ if run.to - run.from <= shape.chunks || level > 2 => (run, u32::MAX),
                    _ => (Run { from: 0, to: run.to - run.from, ..run }, (run.to - run.from).div_ceil(shape.chunks)),
                };
                still_open.extend(plan.cut(run, length, &mut next_partial));
            }
            plan.levels.push((plan.segments.len() - before) as u32);
            open = still_open;
        }
        plan.partial_sums = next_partial - used_rows;
        plan
    }

    /// Cuts a run at the multiples of `length`. A single segment is the row's sum; several leave partial sums, which then make
    /// a run of their own.
    fn cut(&mut self, run: Run, length: u32, next_partial: &mut u32) -> Option<Run> {
        let (row, from, to) = (run.row, run.from / length, (run.to - 1) / length);
        if from == to {
            self.segments.push(Segment { first: run.first, last: run.first + run.to - run.from, dst: row, row });
            return None;
        }
        let first = *next_partial;
        for part in from..=to {
            let begin = run.first + run.from.max(part * length) - run.from;
            let end = run.first + run.to.min((part + 1) * length) - run.from;
            self.segments.push(Segment { first: begin, last: end, dst: *next_partial, row });
            *next_partial += 1;
        }
        Some(Run { row, from, to: to + 1, first })
    }
}

/// From this many segments on, their order matters to a GPU, and the CPU has time to put them in order.
const WORTH_ORDERING: usize = 4_096;

/// The segments, longest first: neighbouring threads then have equal work, and no long segment starts last and keeps the
/// whole device waiting. A counting sort, since no segment is longer than `length`.
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
    use crate::group::Grouper;

    #[test]
    fn many_segments_are_ordered_longest_first() {
        let tokens: Vec<u32> =
            (0..60_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) % (1 + i % 6_000)).collect();
        let plan = Plan::new(&Grouper::new(6_000).group(&tokens), BlockShape { chunk: 32, chunks: 8 });
        let lengths: Vec<u32> =
            plan.segments[..plan.levels[0] as usize].iter().map(|segment| segment.last - segment.first).collect();
        assert!(lengths.len() > WORTH_ORDERING);
        assert!(lengths.is_sorted_by(|a, b| a >= b));
        assert_eq!(lengths.iter().sum::<u32>(), 60_000);
    }

    #[test]
    fn a_plan_covers_every_position_once() {
        for (seq_len, chunk, chunks) in [
            (0u32, 16u32, 16u32),
            (1, 16, 16),
            (16, 16, 16),
            (17, 16, 32),
            (600_000, 16, 16),
            (70_000, 3, 2),
            (900, 1, 1),
        ] {
            let tokens: Vec<u32> = (0..seq_len).map(|i| u32::from(i % 7 == 0) * (i % 5)).collect();
            let groups = Grouper::new(8).group(&tokens);
            let plan = Plan::new(&groups, BlockShape { chunk, chunks });
            let used = groups.rows.len() as u32;
            let mut weight = vec![0u64; (used + plan.partial_sums) as usize];
            let mut segments = plan.segments.iter();
            for (level, &count) in plan.levels.iter().enumerate() {
                for segment in segments.by_ref().take(count as usize) {
                    let longest = [chunk, chunks, chunks.max((seq_len / chunk / chunks).div_ceil(chunks) + 1), chunks];
                    assert!(segment.last - segment.first <= longest[level]);
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
