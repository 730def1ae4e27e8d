//! What a caller can choose, and which kernel a choice stands for.

use crate::abi;

/// Where the caller wants the work done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// The GPU, or else the CPU twin.
    Auto,
    /// The GPU or an error.
    Gpu,
    /// The CPU twin.
    Cpu,
}

/// How the table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    F32,
    F16,
}

/// A gradient kernel. The API runs `Sorted` and `Counted`; the others are for the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradientKernel {
    Plain,
    Counted,
    Sorted,
    /// `Sorted` with its grouping on the device.
    SortedOnGpu,
    Racy,
}

/// A lookup kernel. The API runs `Fast` or `W16Fast`; the others are for the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupKernel {
    Document,
    Fast,
    W16Packed,
    W16Native,
    W16Fast,
}

impl LookupKernel {
    /// The precision of the table it reads.
    pub fn precision(self) -> Precision {
        match self {
            Self::Document | Self::Fast => Precision::F32,
            Self::W16Packed | Self::W16Native | Self::W16Fast => Precision::F16,
        }
    }

    /// Its shader and entry point.
    pub fn abi(self) -> &'static abi::KernelAbi {
        match self {
            Self::Document => &abi::EMBED_LOOKUP,
            Self::Fast => &abi::EMBED_LOOKUP_FAST,
            Self::W16Packed => &abi::EMBED_LOOKUP_W16_PACKED,
            Self::W16Native => &abi::EMBED_LOOKUP_W16,
            Self::W16Fast => &abi::EMBED_LOOKUP_FAST_W16,
        }
    }
}
