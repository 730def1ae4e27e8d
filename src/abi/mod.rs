//! What Rust and WGSL must agree on: struct layouts, constants, grid shapes, and which kernel is in which shader.
//!
//! The only place that names WGSL entry points. A test parses every shader with naga and reads all of this back out.

mod grid;
mod layout;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use grid::{MAX_WORKGROUPS, flat_grid, lookup_fast_grid, lookup_fast_w16_grid, sum_grid, write_only_grid};
pub use layout::*;

use crate::wgsl::shader;

/// Threads of a workgroup, in kernels with one thread an element.
pub const WORKGROUP: u32 = 256;

/// Positions that one thread of the fast lookups serves.
pub const LOOKUP_PER_THREAD: u32 = 4;
/// Blocks of columns that one thread of `WRITE_ONLY` writes.
pub const WRITE_PER_THREAD: u32 = 4;
/// Bits of one round of the sort.
pub const SORT_DIGIT_BITS: u32 = 8;
/// Digits of one round: workgroups of `SORT_SCAN`.
pub const SORT_DIGITS: u32 = 1 << SORT_DIGIT_BITS;
/// Vocabulary rows of one workgroup of `ROWS_EMIT`, and of one counter of used rows.
pub const ROWS_GROUP: u32 = 256;
/// Levels of segments that `ROWS_EMIT` makes.
pub const MAX_LEVELS: usize = 3;

/// Neighbouring columns that the fast kernels move at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnBlock {
    /// One column, for any D.
    One,
    /// Four columns, where D is a multiple of 4.
    Four,
}

impl ColumnBlock {
    /// The widest block that divides `d_model`.
    pub fn of(d_model: u32) -> Self {
        if d_model.is_multiple_of(4) { Self::Four } else { Self::One }
    }

    /// Columns of a block.
    pub fn columns(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }

    /// Blocks in a row of `d_model` columns.
    pub fn per_row(d_model: u32) -> u32 {
        d_model / Self::of(d_model).columns()
    }
}

/// A part of `shaders/common/` in front of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prelude {
    /// Folded grids.
    Grid,
    /// Prefix sums over a workgroup.
    Scan,
    /// `Columns`, as wide as D allows. Kernels that have it are made for one D, which they get as the constant `BLOCKS`
    /// if they declare it.
    Columns,
    /// What a gradient leaves out.
    Skips,
    /// The struct `Segment`.
    Segment,
}

impl Prelude {
    /// Its text, for rows of `d_model` columns.
    pub fn source(self, d_model: u32) -> &'static str {
        match self {
            Self::Grid => shader!("common/grid.wgsl"),
            Self::Scan => shader!("common/scan.wgsl"),
            Self::Columns => match ColumnBlock::of(d_model) {
                ColumnBlock::One => shader!("common/columns1.wgsl"),
                ColumnBlock::Four => shader!("common/columns4.wgsl"),
            },
            Self::Skips => shader!("common/skips.wgsl"),
            Self::Segment => shader!("common/segment.wgsl"),
        }
    }
}

/// What a binding is to its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// `var<storage, read>`
    Read,
    /// `var<storage, read_write>`
    ReadWrite,
    /// `var<uniform>`
    Uniform,
}

/// One shader file: what stands in front of it, and its text.
#[derive(Debug)]
pub struct Shader {
    /// Its name, for labels and messages.
    pub file: &'static str,
    pub preludes: &'static [Prelude],
    source: &'static str,
}

impl Shader {
    /// The whole module, without comments, for rows of `d_model` columns.
    pub fn module(&self, d_model: u32) -> String {
        let mut text: String = self.preludes.iter().map(|prelude| prelude.source(d_model)).collect();
        text.push_str(self.source);
        text
    }
}

/// One kernel: where it is, what it binds, how large its workgroup is.
#[derive(Debug)]
pub struct KernelAbi {
    pub shader: &'static Shader,
    /// Its entry point.
    pub entry: &'static str,
    /// Bindings of group 0, ascending.
    pub bindings: &'static [(u32, Slot)],
    /// `@workgroup_size`
    pub workgroup: [u32; 3],
    /// The shader wants the blocks of a row as its constant `BLOCKS`.
    pub has_blocks: bool,
}

impl KernelAbi {
    /// The kernel is made anew for each D.
    pub fn is_made_for_d(&self) -> bool {
        self.shader.preludes.contains(&Prelude::Columns)
    }
}

use Prelude::{Columns, Grid, Scan, Segment as SegmentStruct, Skips};
use Slot::{Read, ReadWrite, Uniform};

macro_rules! file {
    ($file:literal, [$($prelude:ident),*]) => {
        Shader { file: $file, preludes: &[$($prelude),*], source: shader!($file) }
    };
}

static DOCUMENT: Shader = file!("01_embedding.wgsl", []);
static DOCUMENT_W16: Shader = file!("01_embedding_w16.wgsl", []);
static DOCUMENT_W16_PACKED: Shader = file!("01_embedding_w16_packed.wgsl", []);
static GRADIENT_COUNTED: Shader = file!("gradient_counted.wgsl", []);
static GRADIENT_RACY: Shader = file!("gradient_racy.wgsl", []);
static FILL: Shader = file!("fill_zero.wgsl", [Grid]);
static CAST: Shader = file!("cast_f16.wgsl", [Grid]);
static LOOKUP_FAST: Shader = file!("lookup_fast.wgsl", [Columns]);
static GRADIENT_SORTED: Shader = file!("gradient_sorted.wgsl", [Columns, Skips, SegmentStruct]);
static GROUP_SORT: Shader = file!("group_sort.wgsl", [Grid, Scan]);
static GROUP_ROWS: Shader = file!("group_rows.wgsl", [Grid, Scan, SegmentStruct]);
static LAB_NOISE: Shader = file!("lab_noise.wgsl", [Grid]);
static LAB_WRITE_ONLY: Shader = file!("lab_write_only.wgsl", [Grid, Columns]);
static PROBE_SHADER: Shader = file!("probe.wgsl", []);

const fn kernel(shader: &'static Shader, entry: &'static str, bindings: &'static [(u32, Slot)]) -> KernelAbi {
    KernelAbi { shader, entry, bindings, workgroup: [WORKGROUP, 1, 1], has_blocks: false }
}

/// A kernel over tiles of column blocks and rows, each as large as measured to be fastest.
const fn tiled(tile: [u32; 2], kernel: KernelAbi) -> KernelAbi {
    KernelAbi { workgroup: [tile[0], tile[1], 1], has_blocks: true, ..kernel }
}

/// tokens, table or `grad_out`, out or `grad_table`, dims
const DOCUMENT_BINDINGS: &[(u32, Slot)] = &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform)];

/// The document's lookup.
pub static EMBED_LOOKUP: KernelAbi = kernel(&DOCUMENT, "embed_lookup", DOCUMENT_BINDINGS);
/// The document's gradient, by compare-exchange.
pub static EMBED_BACKWARD: KernelAbi = kernel(&DOCUMENT, "embed_backward", DOCUMENT_BINDINGS);
/// The document's f16 lookup, for `shader-f16`.
pub static EMBED_LOOKUP_W16: KernelAbi = kernel(&DOCUMENT_W16, "embed_lookup_w16", DOCUMENT_BINDINGS);
/// The document's f16 lookup, for every other device.
pub static EMBED_LOOKUP_W16_PACKED: KernelAbi = kernel(&DOCUMENT_W16_PACKED, "embed_lookup_w16", DOCUMENT_BINDINGS);
/// `embed_backward` with counters.
pub static COUNTED: KernelAbi = kernel(
    &GRADIENT_COUNTED,
    "embed_backward_counted",
    &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, ReadWrite)],
);
/// `embed_backward` gone wrong.
pub static RACY: KernelAbi = kernel(&GRADIENT_RACY, "embed_backward_racy", DOCUMENT_BINDINGS);
/// Zeroes words.
pub static FILL_ZERO: KernelAbi = kernel(&FILL, "fill_zero", &[(2, ReadWrite), (3, Uniform)]);
/// Makes the f16 mirror.
pub static CAST_F32_TO_F16: KernelAbi = kernel(&CAST, "cast_f32_to_f16", &[(1, Read), (2, ReadWrite), (3, Uniform)]);
/// The lookup that `embed` runs.
pub static EMBED_LOOKUP_FAST: KernelAbi = tiled([16, 16], kernel(&LOOKUP_FAST, "embed_lookup_fast", DOCUMENT_BINDINGS));
/// The lookup that `embed` runs on an f16 table.
pub static EMBED_LOOKUP_FAST_W16: KernelAbi =
    tiled([32, 8], kernel(&LOOKUP_FAST, "embed_lookup_fast_w16", DOCUMENT_BINDINGS));
/// First pass of the sorted gradient.
pub static SUM_SEGMENTS: KernelAbi = tiled(
    [16, 8],
    kernel(
        &GRADIENT_SORTED,
        "sum_segments",
        &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read), (5, ReadWrite)],
    ),
);
/// Every further pass of the sorted gradient.
pub static SUM_PARTIALS: KernelAbi =
    tiled([32, 1], kernel(&GRADIENT_SORTED, "sum_partials", &[(2, ReadWrite), (3, Uniform), (4, Read)]));
/// Counts digits, in every round but the first.
pub static SORT_COUNT: KernelAbi = kernel(&GROUP_SORT, "sort_count", &[(0, Read), (3, Uniform), (5, ReadWrite)]);
/// Counts digits in the first round, and clears for the second half.
pub static SORT_COUNT_FIRST: KernelAbi = kernel(
    &GROUP_SORT,
    "sort_count_first",
    &[(0, Read), (3, Uniform), (5, ReadWrite), (7, ReadWrite), (8, ReadWrite), (9, ReadWrite)],
);
/// Sums the digits' counts over the blocks before.
pub static SORT_SCAN: KernelAbi = kernel(&GROUP_SORT, "sort_scan", &[(3, Uniform), (5, ReadWrite), (6, ReadWrite)]);
/// Moves every position to its place.
pub static SORT_SCATTER: KernelAbi = kernel(
    &GROUP_SORT,
    "sort_scatter",
    &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, ReadWrite), (5, ReadWrite), (6, ReadWrite)],
);
/// Finds where rows begin and end.
pub static ROWS_FIND: KernelAbi =
    kernel(&GROUP_ROWS, "rows_find", &[(0, Read), (1, ReadWrite), (2, ReadWrite), (3, Uniform), (5, ReadWrite)]);
/// Numbers the used rows and cuts them into segments.
pub static ROWS_EMIT: KernelAbi = kernel(
    &GROUP_ROWS,
    "rows_emit",
    &[(1, ReadWrite), (2, ReadWrite), (3, Uniform), (4, ReadWrite), (5, ReadWrite), (6, ReadWrite), (7, ReadWrite)],
);
/// Noise for timings.
pub static NOISE: KernelAbi = kernel(&LAB_NOISE, "noise", &[(2, ReadWrite), (3, Uniform)]);
/// The floor under every lookup.
pub static WRITE_ONLY: KernelAbi = kernel(&LAB_WRITE_ONLY, "write_only", &[(2, ReadWrite), (3, Uniform)]);
/// Asks how the device adds.
pub static PROBE: KernelAbi =
    KernelAbi { workgroup: [16, 1, 1], ..kernel(&PROBE_SHADER, "probe", &[(1, Read), (2, ReadWrite)]) };

/// Every kernel there is.
pub static KERNELS: &[&KernelAbi] = &[
    &EMBED_LOOKUP,
    &EMBED_BACKWARD,
    &EMBED_LOOKUP_W16,
    &EMBED_LOOKUP_W16_PACKED,
    &COUNTED,
    &RACY,
    &FILL_ZERO,
    &CAST_F32_TO_F16,
    &EMBED_LOOKUP_FAST,
    &EMBED_LOOKUP_FAST_W16,
    &SUM_SEGMENTS,
    &SUM_PARTIALS,
    &SORT_COUNT,
    &SORT_COUNT_FIRST,
    &SORT_SCAN,
    &SORT_SCATTER,
    &ROWS_FIND,
    &ROWS_EMIT,
    &NOISE,
    &WRITE_ONLY,
    &PROBE,
];
