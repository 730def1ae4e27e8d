//! What a caller can choose, and which kernel a choice stands for.

use crate::abi;
use crate::policy::Grouping;

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

/// A gradient kernel. The API runs `SORTED` and `Counted`; the others are for the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradientKernel {
    /// Every element is added straight into its row, in no fixed order.
    Scatter(Scatter),
    /// Positions are grouped by row, then added up in a fixed order. `None`: grouped where `policy` decides.
    Sorted(Option<Grouping>),
}

impl GradientKernel {
    /// The sorted gradient, with its tokens grouped where that is fastest.
    pub const SORTED: Self = Self::Sorted(None);

    /// All of them, by the names that JavaScript gives them.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("embed_backward", Self::Scatter(Scatter::Plain)),
        ("counted", Self::Scatter(Scatter::Counted)),
        ("sorted", Self::SORTED),
        ("sorted_on_gpu", Self::Sorted(Some(Grouping::Gpu))),
        ("racy", Self::Scatter(Scatter::Racy)),
    ];

    /// Whether it counts the elements that it skips.
    pub fn counts_skips(self) -> bool {
        !matches!(self, Self::Scatter(Scatter::Plain | Scatter::Racy))
    }
}

/// The kernels that scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scatter {
    /// The document's.
    Plain,
    /// The document's with counters.
    Counted,
    /// Wrong on purpose.
    Racy,
}

impl Scatter {
    /// Its shader and entry point.
    pub fn abi(self) -> &'static abi::KernelAbi {
        match self {
            Self::Plain => &abi::EMBED_BACKWARD,
            Self::Counted => &abi::COUNTED,
            Self::Racy => &abi::RACY,
        }
    }
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
    /// All of them, by the names that JavaScript gives them.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("embed_lookup", Self::Document),
        ("fast", Self::Fast),
        ("w16_packed", Self::W16Packed),
        ("w16_native", Self::W16Native),
        ("w16_fast", Self::W16Fast),
    ];

    /// The one that the API runs on a table of this precision.
    pub fn for_table(precision: Precision) -> Self {
        match precision {
            Precision::F32 => Self::Fast,
            Precision::F16 => Self::W16Fast,
        }
    }

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
