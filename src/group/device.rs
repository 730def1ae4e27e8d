//! How a device groups positions and adds them up: which kernels run, how often, and over how many positions. Plain numbers,
//! tested without a device.

use super::BlockShape;
use crate::abi::{self, ColumnBlock};

/// How a device sorts the positions by their token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Every position compared with every other, in one dispatch.
    Enumerate,
    /// Seven bits a round, two dispatches each.
    Radix {
        rounds: u32,
        /// Tiles of positions, and empty ones up to a multiple of `RADIX_TILES`.
        tiles: u32,
        /// Positions of a tile, divided by the threads of a workgroup.
        per_thread: u32,
    },
}

/// A sorted gradient whose tokens are grouped on the device; only the device knows its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DevicePlan {
    /// N, at least 1.
    pub seq_len: u32,
    /// V
    pub vocab_size: u32,
    /// The most rows that there can be: as many as positions, or as rows in the vocabulary.
    pub capacity: u32,
    pub sort: Sort,
    pub shape: BlockShape,
    /// Blocks of sorted positions.
    pub blocks: u32,
    /// Whether the rows of each block are counted in a pass of their own: in a long sequence it would take too long for every
    /// block to count all rows before it.
    pub counted: bool,
}

/// The longest sequence that is sorted by enumeration, and the longest whose blocks count the rows before them themselves.
/// (Measured on an NVIDIA H200: bench/README.md has the figures.)
const MAX_ENUMERATED: u32 = 4_096;
const MAX_UNCOUNTED: u32 = 8_192;
/// Every tile reads the counts of all tiles. So from the first number of tiles on a thread takes two positions, and later as many
/// as hold the number of tiles at the second.
const FEW_TILES: u32 = 128;
const MANY_TILES: u32 = 256;

impl DevicePlan {
    /// The plan that was measured to be fastest.
    pub fn new(seq_len: u32, vocab_size: u32) -> Self {
        // Enumeration needs a number that is larger than every id.
        let enumerates = seq_len <= MAX_ENUMERATED && vocab_size < u32::MAX;
        let sort = if enumerates { Sort::Enumerate } else { Sort::radix(seq_len, vocab_size) };
        let shape = BlockShape::of(seq_len as usize);
        Self {
            seq_len,
            vocab_size,
            capacity: seq_len.min(vocab_size),
            sort,
            shape,
            blocks: seq_len.div_ceil(shape.positions()),
            counted: seq_len > MAX_UNCOUNTED,
        }
    }

    /// The grid of the sums: a workgroup for each block of positions and for as many blocks of columns as its threads cover.
    pub fn sum_grid(&self, d_model: u32) -> [u32; 3] {
        let width = abi::WORKGROUP / self.shape.chunks;
        abi::workgroup_grid(self.blocks * ColumnBlock::per_row(d_model).div_ceil(width))
    }

    /// How many rows of D values hold the partial sums of rows that cross a block's ends: a head and a tail for each block.
    pub fn partial_sums(&self) -> u32 {
        self.blocks * 2
    }
}

impl Sort {
    /// A radix sort with as many rounds as the largest id has digits.
    pub fn radix(seq_len: u32, vocab_size: u32) -> Self {
        let bits = u32::BITS - vocab_size.saturating_sub(1).leading_zeros();
        let least = if seq_len > FEW_TILES * abi::WORKGROUP { 2 } else { 1 };
        let per_thread = seq_len.div_ceil(MANY_TILES * abi::WORKGROUP).next_power_of_two().clamp(least, 16);
        Self::Radix {
            rounds: bits.div_ceil(abi::RADIX_DIGIT_BITS).max(1),
            tiles: seq_len.div_ceil(abi::WORKGROUP * per_thread).next_multiple_of(abi::RADIX_TILES),
            per_thread,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_its_digits_and_every_position_its_place() {
        for vocab_size in [1, 2, 127, 128, 129, 1_000, 16_384, 16_385, 131_072, 1 << 20, u32::MAX] {
            for seq_len in [1, 2, 255, 4_096, 4_097, 8_193, 262_144, 1 << 20, 1 << 22, 1 << 29] {
                let plan = DevicePlan::new(seq_len, vocab_size);
                let what = format!("{plan:?}");
                assert!(plan.capacity >= 1 && plan.capacity <= seq_len && plan.capacity <= vocab_size);
                let positions = plan.shape.positions();
                assert!(u64::from(plan.blocks) * u64::from(positions) >= u64::from(seq_len), "{what}");
                assert!((plan.blocks - 1) * positions < seq_len, "{what}");
                // What the kernels have room for.
                assert_eq!(plan.shape.chunks, abi::BLOCK_CHUNKS);
                assert!(plan.shape.chunk.is_multiple_of(4) && plan.shape.chunk <= 32, "{what}");
                assert!(positions <= abi::WORKGROUP, "{what}");
                let Sort::Radix { rounds, tiles, per_thread } = Sort::radix(seq_len, vocab_size) else { panic!() };
                let bits = rounds * abi::RADIX_DIGIT_BITS;
                assert!(bits >= u32::BITS || (vocab_size - 1) >> bits == 0, "{what}");
                assert!(rounds == 1 || (vocab_size - 1) >> (bits - abi::RADIX_DIGIT_BITS) > 0, "{what}");
                let tile = abi::WORKGROUP * per_thread;
                assert!(u64::from(tiles) * u64::from(tile) >= u64::from(seq_len), "{what}");
            }
        }
        // No grid passes its limit, and all blocks of positions and columns are in it.
        let near = |full: u32| [full - 1, full, full + 1];
        let sizes =
            || [1, 16, 32, 64, 256].into_iter().flat_map(|unit| near(unit * abi::MAX_WORKGROUPS)).chain([1, 7, 384]);
        for (seq_len, d_model) in sizes().flat_map(|n| sizes().map(move |d| (n, d))) {
            if u64::from(seq_len) * u64::from(d_model) > 1 << 30 {
                continue; // larger than any buffer
            }
            let plan = DevicePlan::new(seq_len, 16_384);
            let tiles = ColumnBlock::per_row(d_model).div_ceil(abi::WORKGROUP / plan.shape.chunks);
            let grid = plan.sum_grid(d_model);
            assert!(grid.iter().all(|n| (1..=abi::MAX_WORKGROUPS).contains(n)), "{plan:?} {grid:?}");
            assert!(grid[0] * grid[1] >= plan.blocks * tiles, "{plan:?} {grid:?}");
        }
        assert_eq!(DevicePlan::new(4_096, 16_384).sort, Sort::Enumerate);
        assert_eq!(DevicePlan::new(262_144, 16_384).sort, Sort::Radix { rounds: 2, tiles: 256, per_thread: 4 });
    }
}
