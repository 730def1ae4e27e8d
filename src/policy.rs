//! Where the tokens of a sorted gradient are grouped by row: one answer for every caller, so that what is timed, what is tested
//! and what a page gets are the same path. The bits of the sum do not depend on it.

/// Where tokens are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// By the counting sort of `group`.
    Cpu,
    /// By the kernels of `shaders/`.
    Gpu,
}

/// From this length on a GPU groups tokens faster than the CPU does, uploading left aside. (Measured on an NVIDIA H200 in
/// Firefox, D = 384: bench/README.md has the figures.)
const MIN_TOKENS: usize = 2_048;
/// ... up to this length, and for vocabularies of at most so many rows, since each of them is looked at.
const MAX_TOKENS: usize = 1 << 22;
const MAX_ROWS: u32 = 1 << 20;

/// Where `seq_len` tokens that nobody has grouped yet are grouped, on a GPU. Never by an adapter that computes on the CPU: the
/// sort's barriers cost more there than everything else.
pub fn grouping(seq_len: usize, vocab_size: u32, software_adapter: bool) -> Grouping {
    let pays = (MIN_TOKENS..=MAX_TOKENS).contains(&seq_len) && vocab_size <= MAX_ROWS;
    if pays && !software_adapter { Grouping::Gpu } else { Grouping::Cpu }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_groups_what_is_long_enough_and_not_too_long() {
        let on_card = |seq_len, vocab_size| grouping(seq_len, vocab_size, false);
        assert_eq!(on_card(0, 16_384), Grouping::Cpu);
        assert_eq!(on_card(2_047, 16_384), Grouping::Cpu);
        assert_eq!(on_card(2_048, 16_384), Grouping::Gpu);
        assert_eq!(on_card(1 << 22, 16_384), Grouping::Gpu);
        assert_eq!(on_card((1 << 22) + 1, 16_384), Grouping::Cpu);
        assert_eq!(on_card(8_192, 1 << 20), Grouping::Gpu);
        assert_eq!(on_card(8_192, (1 << 20) + 1), Grouping::Cpu);
    }

    #[test]
    fn a_software_adapter_never_does() {
        for seq_len in [0, 2_048, 8_192, 262_144, 1 << 22] {
            assert_eq!(grouping(seq_len, 16_384, true), Grouping::Cpu);
        }
    }
}
