// The gradient without atomics on floats: the sum of embed_backward, in a fixed order, the same bits on every run.
//
// Positions come grouped by row (`order`, ascending within a row). A row's positions are cut into segments of a
// length that depends on the token ids alone; one thread adds up one block of columns of one segment, left to right. A row
// of one segment is finished then. A longer row leaves a partial sum for each segment, behind the U rows of the gradient,
// and `sum_partials` adds those up in the same way, level by level, so that no thread ever walks a long row.
//
// Loops are plain, one addend at a time: this is the way of adapters that compute on the CPU, where loading several at
// once, some of them in vain, costs more than a wait. (Graphics cards have gradient_blocks.wgsl.)
//
// Follows common/grid.wgsl, common/columns4.wgsl or columns1.wgsl, common/skips.wgsl and common/segment.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

const SEGMENTS_X: u32 = 16u;
const SEGMENTS_Y: u32 = 8u;
const PARTIALS_X: u32 = 32u;

struct SumParams {
    segments: u32, // how many this pass sums
    first: u32,    // ... and where they begin
}

@group(0) @binding(0) var<storage, read> order: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<ColumnsBits>;
@group(0) @binding(2) var<storage, read_write> grad: array<Columns>; // U rows, then the partial sums
@group(0) @binding(3) var<uniform> params: SumParams;
@group(0) @binding(4) var<storage, read> segments: array<Segment>;
@group(0) @binding(5) var<storage, read_write> skips: array<RowSkips>;

@compute @workgroup_size(SEGMENTS_X, SEGMENTS_Y, 1)
fn sum_segments(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = tile_of(wid, nwg, BLOCKS > MAX_WORKGROUPS * SEGMENTS_X);
    let block = tile.x * SEGMENTS_X + lid.x;
    let p = tile.y * SEGMENTS_Y + lid.y;
    if (block >= BLOCKS || p >= params.segments) {
        return;
    }
    let segment = segments[params.first + p];
    var sum = Columns(0.0);
    var zero = 0u;
    var non_finite = 0u;
    for (var j = segment.first; j < segment.last; j++) {
        let bits = grad_out[order[j] * BLOCKS + block];
        sum = sum + addend(bits);
        zero += columns_sum(is_zero(bits));
        non_finite += columns_sum(is_non_finite(bits));
    }
    grad[segment.dst * BLOCKS + block] = sum;
    if (zero > 0u) {
        atomicAdd(&skips[segment.row].zero, zero);
    }
    if (non_finite > 0u) {
        atomicAdd(&skips[segment.row].non_finite, non_finite);
    }
}

@compute @workgroup_size(PARTIALS_X, 1, 1)
fn sum_partials(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = tile_of(wid, nwg, BLOCKS > MAX_WORKGROUPS * PARTIALS_X);
    let block = tile.x * PARTIALS_X + lid.x;
    if (block >= BLOCKS || tile.y >= params.segments) {
        return;
    }
    let segment = segments[params.first + tile.y];
    var sum = Columns(0.0);
    for (var j = segment.first; j < segment.last; j++) {
        sum = sum + grad[j * BLOCKS + block];
    }
    grad[segment.dst * BLOCKS + block] = sum;
}
