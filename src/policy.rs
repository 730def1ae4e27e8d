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

/// Where `seq_len` tokens are grouped, on a GPU: there, at every length and for every vocabulary. (Measured on an NVIDIA H200:
/// bench/README.md has the figures.) Never by an adapter that computes on the CPU: the barriers of those kernels cost more
/// there than everything else.
pub fn grouping(seq_len: usize, software_adapter: bool) -> Grouping {
    if seq_len == 0 || software_adapter { Grouping::Cpu } else { Grouping::Gpu }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_groups_whatever_there_is() {
        assert_eq!(grouping(0, false), Grouping::Cpu);
        for seq_len in [1, 512, 8_192, 1 << 22] {
            assert_eq!(grouping(seq_len, false), Grouping::Gpu);
        }
    }

    #[test]
    fn a_software_adapter_never_does() {
        for seq_len in [0, 1, 512, 8_192, 262_144, 1 << 22] {
            assert_eq!(grouping(seq_len, true), Grouping::Cpu);
        }
    }
}
