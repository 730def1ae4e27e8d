//! Decisions that are the same for every caller: where the tokens of a sorted gradient are grouped by row, so that what is timed,
//! what is tested and what a page gets take the same path (the bits of the sum do not depend on it); in how many passes a table is
//! stepped; and which idle buffers are kept.

use crate::abi::ROW_CHUNKS;

/// Where tokens are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// By the counting sort of `group`.
    Cpu,
    /// By the kernels of `shaders/`.
    Gpu,
}

/// Where `seq_len` tokens are grouped when a GPU computes: on the GPU, at every length and for every vocabulary. (Measured on an
/// NVIDIA H200: bench/README.md has the figures.) On an adapter that computes on the CPU, never: there the barriers of those
/// kernels cost more than everything else.
pub fn grouping(seq_len: usize, software_adapter: bool) -> Grouping {
    if seq_len == 0 || software_adapter { Grouping::Cpu } else { Grouping::Gpu }
}

/// Whether a row of so many chunks is stepped by Adagrad in one pass, whose threads wait for each other at a barrier, instead of three.
pub fn steps_in_one_pass(chunks: u32, software_adapter: bool) -> bool {
    !software_adapter && chunks <= ROW_CHUNKS
}

/// Bytes that idle buffers may occupy.
pub const MAX_IDLE_BYTES: u64 = 256 << 20;

/// How many of the oldest idle buffers should be destroyed, given the sizes of all in bytes from the oldest to the newest. The
/// newest one stays however large it is: the next call most likely wants the same size again, and a browser fills a new buffer
/// with zeros first, which for hundreds of megabytes takes a hundred times as long as the kernel.
pub fn surplus_buffers(sizes: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator) -> usize {
    let mut total = 0;
    let count = sizes.len();
    let kept = sizes.rev().enumerate().take_while(|&(newer, size)| {
        total += size;
        newer == 0 || total <= MAX_IDLE_BYTES
    });
    count - kept.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_idle_buffer_stays_and_others_while_they_fit() {
        let surplus = |sizes: &[u64]| surplus_buffers(sizes.iter().copied());
        assert_eq!(surplus(&[]), 0);
        assert_eq!(surplus(&[1, MAX_IDLE_BYTES - 1]), 0);
        assert_eq!(surplus(&[1, MAX_IDLE_BYTES]), 1);
        assert_eq!(surplus(&[MAX_IDLE_BYTES * 2]), 0);
        assert_eq!(surplus(&[5, 7, MAX_IDLE_BYTES * 2]), 2);
        assert_eq!(surplus(&[MAX_IDLE_BYTES * 2, 5, 7]), 1);
    }

    #[test]
    fn a_gpu_groups_whatever_there_is() {
        assert_eq!(grouping(0, false), Grouping::Cpu);
        for seq_len in [1, 512, 8_192, 1 << 22] {
            assert_eq!(grouping(seq_len, false), Grouping::Gpu);
        }
    }

    #[test]
    fn a_card_steps_rows_of_usual_length_in_one_pass() {
        for (chunks, software, one) in [(1, false, true), (64, false, true), (65, false, false), (1, true, false)] {
            assert_eq!(steps_in_one_pass(chunks, software), one, "{chunks}");
        }
    }

    #[test]
    fn a_software_adapter_never_does() {
        for seq_len in [0, 1, 512, 8_192, 262_144, 1 << 22] {
            assert_eq!(grouping(seq_len, true), Grouping::Cpu);
        }
    }
}
