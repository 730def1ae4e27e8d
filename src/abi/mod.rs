//! What Rust and WGSL must agree on: struct layouts, constants, grid shapes, and which kernel is in which shader.
//!
//! The only place that names WGSL entry points. A test parses every shader with naga and reads all of this back out.

mod grid;
mod layout;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use grid::{
    MAX_WORKGROUPS, flat_grid, lookup_fast_grid, lookup_fast_w16_grid, stretch, sum_grid, workgroup_grid,
    write_only_grid,
};
pub use layout::*;

use crate::wgsl::shader;

/// Threads of a workgroup, in kernels with one thread an element.
pub const WORKGROUP: u32 = 256;

/// Positions that one thread of the fast lookups serves.
pub const LOOKUP_PER_THREAD: u32 = 4;
/// Blocks of columns that one thread of `WRITE_ONLY` writes.
pub const WRITE_PER_THREAD: u32 = 4;
/// Positions that one workgroup of `ENUMERATE` places.
pub const ENUMERATE_POSITIONS: u32 = 8;
/// Bits of one round of the radix sort.
pub const RADIX_DIGIT_BITS: u32 = 7;
/// Digits of one round.
pub const RADIX_DIGITS: u32 = 1 << RADIX_DIGIT_BITS;
/// The number of tiles is a multiple of this: so many have their counts read at once.
pub const RADIX_TILES: u32 = 16;
/// Chunks of a block of sorted positions, each summed by one thread for each block of columns.
pub const BLOCK_CHUNKS: u32 = 8;
/// Chunks of a row whose squares `STEP_ADAGRAD` has room for.
pub const ROW_CHUNKS: u32 = 64;

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
    /// Whether the shader declares the constant `BLOCKS`, the blocks of a row.
    pub has_blocks: bool,
}

impl KernelAbi {
    /// Whether its pipeline is made for one D.
    pub fn is_made_for_d(&self) -> bool {
        self.shader.preludes.contains(&Prelude::Columns)
    }
}

use Prelude::{Columns, Grid, Segment as SegmentStruct, Skips};
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
static LOOKUP_FAST: Shader = file!("lookup_fast.wgsl", [Grid, Columns]);
static GRADIENT_SORTED: Shader = file!("gradient_sorted.wgsl", [Grid, Columns, Skips, SegmentStruct]);
static GRADIENT_BLOCKS: Shader = file!("gradient_blocks.wgsl", [Grid, Columns, Skips]);
static GROUP_ENUMERATE: Shader = file!("group_enumerate.wgsl", [Grid]);
static GROUP_RADIX: Shader = file!("group_radix.wgsl", [Grid]);
static EMBED_BAG_SHADER: Shader = file!("embed_bag.wgsl", [Grid, Columns]);
static STEP: Shader = file!("step.wgsl", [Grid, Columns]);
static LAB_NOISE: Shader = file!("lab_noise.wgsl", [Grid]);
static LAB_WRITE_ONLY: Shader = file!("lab_write_only.wgsl", [Grid, Columns]);
static PROBE_SHADER: Shader = file!("probe.wgsl", []);

const fn kernel(shader: &'static Shader, entry: &'static str, bindings: &'static [(u32, Slot)]) -> KernelAbi {
    KernelAbi { shader, entry, bindings, workgroup: [WORKGROUP, 1, 1], has_blocks: false }
}

/// A kernel over tiles of column blocks and rows, each as large as measured to be fastest.
const fn tiled(tile: [u32; 2], kernel: KernelAbi) -> KernelAbi {
    KernelAbi { workgroup: [tile[0], tile[1], 1], ..with_blocks(kernel) }
}

const fn with_blocks(kernel: KernelAbi) -> KernelAbi {
    KernelAbi { has_blocks: true, ..kernel }
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
/// `embed_backward` without the compare-exchange, wrong on purpose.
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
/// Sorts the positions of a short sequence.
pub static ENUMERATE: KernelAbi = KernelAbi {
    workgroup: [ENUMERATE_POSITIONS, WORKGROUP / ENUMERATE_POSITIONS, 1],
    ..kernel(&GROUP_ENUMERATE, "enumerate", &[(0, Read), (1, ReadWrite), (3, Uniform), (5, ReadWrite), (7, ReadWrite)])
};
/// Counts the digits of every tile.
pub static RADIX_COUNT: KernelAbi = kernel(
    &GROUP_RADIX,
    "radix_count",
    &[(0, Read), (1, Read), (3, Uniform), (4, ReadWrite), (5, ReadWrite), (7, ReadWrite)],
);
/// Moves every position to its place.
pub static RADIX_SCATTER: KernelAbi =
    kernel(&GROUP_RADIX, "radix_scatter", &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, ReadWrite)]);
/// Counts the rows that begin in each block of sorted positions.
pub static COUNT_ROWS: KernelAbi =
    with_blocks(kernel(&GRADIENT_BLOCKS, "count_rows", &[(0, Read), (3, Uniform), (8, ReadWrite)]));
/// Sums every block of sorted positions.
pub static SUM_BLOCKS: KernelAbi = with_blocks(kernel(
    &GRADIENT_BLOCKS,
    "sum_blocks",
    &[
        (0, Read),
        (1, Read),
        (2, ReadWrite),
        (3, Uniform),
        (4, ReadWrite),
        (5, ReadWrite),
        (6, ReadWrite),
        (7, ReadWrite),
        (8, ReadWrite),
    ],
));
/// Sums the rows that span several blocks.
pub static SUM_SPANNING: KernelAbi = with_blocks(kernel(
    &GRADIENT_BLOCKS,
    "sum_spanning",
    &[(2, ReadWrite), (3, Uniform), (4, Read), (7, Read), (8, Read)],
));
/// Adds up the rows of each bag.
pub static EMBED_BAG: KernelAbi = tiled([32, 8], kernel(&EMBED_BAG_SHADER, "embed_bag", BAG_BINDINGS));
/// The same from an f16 table.
pub static EMBED_BAG_W16: KernelAbi = tiled([32, 8], kernel(&EMBED_BAG_SHADER, "embed_bag_w16", BAG_BINDINGS));
/// tokens, table, out, params, bags
const BAG_BINDINGS: &[(u32, Slot)] = &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read)];
/// Makes the f16 mirror of some rows again.
pub static CAST_ROWS: KernelAbi =
    kernel(&CAST, "cast_rows", &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read)]);
/// SGD on the rows of a gradient.
pub static STEP_SGD: KernelAbi =
    tiled([32, 8], kernel(&STEP, "step_sgd", &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read)]));
/// Row-wise Adagrad on the rows of a gradient of at most [`ROW_CHUNKS`] chunks.
pub static STEP_ADAGRAD: KernelAbi = tiled(
    [32, 8],
    kernel(&STEP, "step_adagrad", &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read), (5, ReadWrite)]),
);
/// The same in three passes, of which this is the first.
pub static STEP_SQUARES: KernelAbi =
    with_blocks(kernel(&STEP, "step_squares", &[(1, Read), (3, Uniform), (4, Read), (6, ReadWrite)]));
/// Second pass: a scale for each row.
pub static STEP_SCALES: KernelAbi = with_blocks(kernel(
    &STEP,
    "step_scales",
    &[(0, Read), (3, Uniform), (4, Read), (5, ReadWrite), (6, ReadWrite), (7, ReadWrite)],
));
/// Third pass.
pub static STEP_SCALED: KernelAbi = tiled(
    [32, 8],
    kernel(&STEP, "step_scaled", &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read), (7, ReadWrite)]),
);
/// Adam on the rows of a gradient.
pub static STEP_ADAM: KernelAbi = tiled(
    [32, 8],
    kernel(
        &STEP,
        "step_adam",
        &[(0, Read), (1, Read), (2, ReadWrite), (3, Uniform), (4, Read), (5, ReadWrite), (6, ReadWrite)],
    ),
);
/// Noise for timings.
pub static NOISE: KernelAbi = kernel(&LAB_NOISE, "noise", &[(2, ReadWrite), (3, Uniform)]);
/// The lower bound for every lookup's time.
pub static WRITE_ONLY: KernelAbi = kernel(&LAB_WRITE_ONLY, "write_only", &[(2, ReadWrite), (3, Uniform)]);
/// Asks how the device adds.
pub static PROBE: KernelAbi =
    KernelAbi { workgroup: [16, 1, 1], ..kernel(&PROBE_SHADER, "probe", &[(1, Read), (2, ReadWrite)]) };

/// Every kernel there is: what the test compares with the shaders. `options` has the names that they are called by.
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
    &ENUMERATE,
    &RADIX_COUNT,
    &RADIX_SCATTER,
    &COUNT_ROWS,
    &SUM_BLOCKS,
    &SUM_SPANNING,
    &EMBED_BAG,
    &EMBED_BAG_W16,
    &CAST_ROWS,
    &STEP_SGD,
    &STEP_ADAGRAD,
    &STEP_SQUARES,
    &STEP_SCALES,
    &STEP_SCALED,
    &STEP_ADAM,
    &NOISE,
    &WRITE_ONLY,
    &PROBE,
];
