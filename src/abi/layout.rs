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

/// Of the sort's kernels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct SortParams {
    pub seq_len: u32,
    pub vocab_size: u32,
    /// Of this round's digit.
    pub shift: u32,
    /// Blocks of `WORKGROUP` positions.
    pub blocks: u32,
}

/// Of `rows_find` and `rows_emit`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct RowsParams {
    pub seq_len: u32,
    pub vocab_size: u32,
    /// Positions of a segment at most.
    pub segment_length: u32,
    /// Partial sums that one segment of a further level takes at most.
    pub fan_in: u32,
}

/// One level of segments that `rows_emit` makes; its first two words are the `SumParams` of the pass that sums it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct Level {
    /// How many segments; counted on the device.
    pub segments: u32,
    /// Where they begin.
    pub first: u32,
    /// First partial sum of this level.
    pub partial: u32,
    /// Partial sums given out so far; counted on the device.
    pub taken: u32,
    /// First level: segments that are not full; counted on the device.
    pub short: u32,
    /// ... and where they begin.
    pub first_short: u32,
    /// A uniform must begin at a multiple of 256 bytes.
    pub padding: [u32; 58],
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
