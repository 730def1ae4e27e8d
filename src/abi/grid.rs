//! How many workgroups a kernel is given: every grid stays within 65,535 in each direction, for every N, D, V and U.
//!
//! What does not fit in one direction folds into the next.

use super::{
    ColumnBlock, EMBED_LOOKUP_FAST, EMBED_LOOKUP_FAST_W16, KernelAbi, LOOKUP_PER_THREAD, WORKGROUP, WRITE_PER_THREAD,
};

/// Most workgroups in one direction of a dispatch, on every WebGPU device.
pub const MAX_WORKGROUPS: u32 = 65_535;

/// Grid of a kernel with one thread an element: `x`, and `y` where `x` does not suffice (`flat_id` in the shaders).
pub fn flat_grid(elements: u32) -> [u32; 3] {
    workgroup_grid(elements.div_ceil(WORKGROUP))
}

/// Grid of so many workgroups (`flat_workgroup` in the shaders).
pub fn workgroup_grid(workgroups: u32) -> [u32; 3] {
    let [x, y] = fold(workgroups);
    [x, y, 1]
}

/// Grid of `EMBED_LOOKUP_FAST`: the positions fold into x and y, the columns go along z, so that they are the last to
/// advance. Wider rows than z has room for fold into y and z: no buffer then has more positions than x has room for.
pub fn lookup_fast_grid(seq_len: u32, d_model: u32) -> [u32; 3] {
    let tile = EMBED_LOOKUP_FAST.workgroup;
    let (positions, columns) = (seq_len.div_ceil(tile[1] * LOOKUP_PER_THREAD), all_columns(tile[0], d_model));
    if columns > MAX_WORKGROUPS {
        let [y, z] = fold(columns);
        [positions, y, z]
    } else {
        let [x, y] = fold(positions);
        [x, y, columns]
    }
}

/// Grid of `EMBED_LOOKUP_FAST_W16`.
pub fn lookup_fast_w16_grid(seq_len: u32, d_model: u32) -> [u32; 3] {
    let tile = EMBED_LOOKUP_FAST_W16.workgroup;
    let (positions, columns) = (seq_len.div_ceil(tile[1] * LOOKUP_PER_THREAD), all_columns(tile[0], d_model));
    if columns > MAX_WORKGROUPS {
        let [x, y] = fold(columns);
        [x, y, positions]
    } else {
        let [y, z] = fold(positions);
        [columns, y, z]
    }
}

/// Grid of a kernel with one thread for each row and block of columns.
pub fn sum_grid(kernel: &KernelAbi, rows: u32, d_model: u32) -> [u32; 3] {
    tile_grid(rows.div_ceil(kernel.workgroup[1]), all_columns(kernel.workgroup[0], d_model))
}

/// The columns along x, the rows fold into y and z; or, where x has no room for all columns, the other way round (`tile_of` in
/// the shaders).
fn tile_grid(rows: u32, columns: u32) -> [u32; 3] {
    if columns > MAX_WORKGROUPS {
        let [x, y] = fold(columns);
        [x, y, rows]
    } else {
        let [y, z] = fold(rows);
        [columns, y, z]
    }
}

/// Positions that a thread of [`sum_grid`] may add up in one dispatch: Firefox on Mesa's software adapter ends all loops of a
/// thread, without a word, once they have had 65,535 turns together.
pub fn stretch(kernel: &KernelAbi, d_model: u32) -> u32 {
    const TURNS: u32 = 32_768;
    let turns = all_columns(kernel.workgroup[0], d_model).div_ceil(MAX_WORKGROUPS);
    (TURNS / turns.max(1)).max(1)
}

/// Grid of `WRITE_ONLY`, which writes this many blocks of columns.
pub fn write_only_grid(blocks: u32) -> [u32; 3] {
    flat_grid(blocks.div_ceil(WRITE_PER_THREAD))
}

/// Workgroups that all columns of a row take.
fn all_columns(tile: u32, d_model: u32) -> u32 {
    ColumnBlock::per_row(d_model).div_ceil(tile)
}

fn fold(workgroups: u32) -> [u32; 2] {
    if workgroups <= MAX_WORKGROUPS { [workgroups, 1] } else { [MAX_WORKGROUPS, workgroups.div_ceil(MAX_WORKGROUPS)] }
}
