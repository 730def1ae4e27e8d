//! The structs that Rust and WGSL both declare: same names, same fields in the same places (a test compares them).

use bytemuck::{Pod, Zeroable};

/// `dims` of the document's kernels, which they declare as a `vec4<u32>`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Dims {
    /// N
    pub seq_len: u32,
    /// D
    pub d_model: u32,
    /// V, or U where tokens were renumbered to the used rows.
    pub vocab_size: u32,
    pub spare: u32,
}

/// Of `embed_lookup_fast` and `embed_lookup_fast_w16`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct LookupParams {
    pub seq_len: u32,
    pub vocab_size: u32,
}

/// Of `sum_segments` and `sum_partials`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct SumParams {
    /// How many this pass sums.
    pub segments: u32,
    /// Where they begin.
    pub first: u32,
}

/// Of `enumerate`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct EnumerateParams {
    pub seq_len: u32,
    pub vocab_size: u32,
    /// Rows that `skips` has room for.
    pub capacity: u32,
}

/// Of `radix_count` and `radix_scatter`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct RadixParams {
    pub seq_len: u32,
    pub vocab_size: u32,
    /// Rows that `skips` has room for.
    pub capacity: u32,
    /// Of this round's digit; 0 in the first round, which reads the tokens.
    pub shift: u32,
    /// A multiple of `RADIX_TILES`: those past the end have no positions.
    pub tiles: u32,
    /// Positions of a tile, divided by the threads of a workgroup.
    pub per_thread: u32,
}

/// Of `count_rows`, `sum_blocks` and `sum_spanning`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct BlockParams {
    pub seq_len: u32,
    pub vocab_size: u32,
    /// Positions that a thread adds up.
    pub chunk: u32,
    /// 1 where `count_rows` ran.
    pub counted: u32,
}

/// The rows of one block of sorted positions.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct BlockRows {
    /// How many begin in it.
    pub begin: u32,
    /// The one that begins in it and goes on in the next, or `u32::MAX`.
    pub tail: u32,
}

/// Of `fill_zero`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct FillParams {
    pub words: u32,
}

/// Of `cast_f32_to_f16`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct CastParams {
    pub elements: u32,
}

/// Of `cast_rows`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct CastRowsParams {
    /// Rows that there is room for.
    pub capacity: u32,
    pub d_model: u32,
    pub elements: u32,
    /// Words that a row may touch.
    pub words: u32,
}

/// Of the `step_*` kernels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct StepParams {
    /// Rows that the gradient has room for.
    pub capacity: u32,
    pub d_model: u32,
    /// Columns whose squares are added up in one go, and how many such chunks a row has.
    pub chunk: u32,
    pub chunks: u32,
    /// 0, which no compiler knows.
    pub nothing: u32,
    /// lr; for Adam lr / (1 - beta1^k).
    pub rate: f32,
    pub eps: f32,
    /// 1 / D
    pub inverse_d: f32,
    pub beta1: f32,
    /// 1 - beta1
    pub beta1_rest: f32,
    pub beta2: f32,
    /// 1 - beta2
    pub beta2_rest: f32,
    /// 1 / (1 - beta2^k)
    pub unbias: f32,
}

/// Of `embed_bag` and `embed_bag_w16`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct BagParams {
    pub bags: u32,
    pub vocab_size: u32,
    /// Positions of each bag that earlier dispatches added.
    pub done: u32,
    /// Positions that this one adds.
    pub stretch: u32,
}

/// A run of positions whose rows are added up.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Bag {
    pub first: u32,
    /// One past its last position.
    pub last: u32,
    /// 1 for the sum; for the mean 1 / (last - first).
    pub scale: f32,
}

/// Of `noise`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct NoiseParams {
    pub elements: u32,
    pub seed: u32,
}

/// Of `write_only`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct WriteParams {
    /// Blocks of columns in all.
    pub blocks: u32,
}

/// A run of addends of one row.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Segment {
    /// First addend: an index into `order` in the first level, a partial sum in the others.
    pub first: u32,
    /// One past the last addend.
    pub last: u32,
    /// Row of `grad` that takes the sum.
    pub dst: u32,
    /// Row of the gradient that it belongs to.
    pub row: u32,
}

/// What the counted backward counts for one row.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct RowCount {
    /// Positions.
    pub hits: u32,
    /// Elements skipped because they are ±0.
    pub zero: u32,
    /// Elements skipped because they are NaN or ±Inf.
    pub non_finite: u32,
    /// Failed exchanges, saturating.
    pub retries: u32,
}

/// What the sorted backward counts for one row.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct RowSkips {
    /// Elements that are ±0.
    pub zero: u32,
    /// Elements that are NaN or ±Inf.
    pub non_finite: u32,
}

/// Words of a [`RowCount`].
pub const ROW_COUNT_WORDS: usize = size_of::<RowCount>() / 4;
/// Words of a [`RowSkips`].
pub const ROW_SKIP_WORDS: usize = size_of::<RowSkips>() / 4;
