// The gradient without atomics on floats: the sum of embed_backward, in a fixed order, the same bits on every run.
//
// Positions come grouped by row (`order`, ascending within a row). A row's positions are cut into segments of a
// length that depends on the token ids alone; one thread adds up one block of columns of one segment, left to right. A row
// of one segment is finished then. A longer row leaves a partial sum for each segment, behind the U rows of the gradient,
// and `sum_partials` adds those up in the same way, level by level, so that no thread ever walks a long row.
//
// Follows common/columns4.wgsl or columns1.wgsl, common/skips.wgsl and common/segment.wgsl.

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

// Columns along x (each workgroup takes more of them where x cannot hold them all), segments fold into y and z.
@compute @workgroup_size(SEGMENTS_X, SEGMENTS_Y, 1)
fn sum_segments(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let p = (wid.z * nwg.y + wid.y) * SEGMENTS_Y + lid.y;
    if (p >= params.segments) {
        return;
    }
    let segment = segments[params.first + p];
    if (segment.first == segment.last) {
        return; // an entry that the grouping left empty
    }
    for (var block = wid.x * SEGMENTS_X + lid.x; block < BLOCKS; block += nwg.x * SEGMENTS_X) {
        sum_positions(segment, block);
    }
}

fn sum_positions(segment: Segment, block: u32) {
    var sum = Columns(0.0);
    var zero = 0u;
    var non_finite = 0u;
    let end = segment.last - 1u;
    // Four at a time: the loads first, so that they are under way together, then the additions in order. The last
    // four may be fewer: the missing ones read the last position again, and are not added.
    for (var j = segment.first; j < segment.last; j += 4u) {
        let b0 = grad_out[order[j] * BLOCKS + block];
        let b1 = grad_out[order[min(j + 1u, end)] * BLOCKS + block];
        let b2 = grad_out[order[min(j + 2u, end)] * BLOCKS + block];
        let b3 = grad_out[order[min(j + 3u, end)] * BLOCKS + block];
        let odd = max(max(oddness(b0), oddness(b1)), max(oddness(b2), oddness(b3)));
        if (columns_max(odd) < ODD) {
            sum = sum + bitcast<Columns>(b0);
            if (j + 1u <= end) { sum = sum + bitcast<Columns>(b1); }
            if (j + 2u <= end) { sum = sum + bitcast<Columns>(b2); }
            if (j + 3u <= end) { sum = sum + bitcast<Columns>(b3); }
            continue;
        }
        for (var k = j; k <= min(j + 3u, end); k++) {
            let b = grad_out[order[k] * BLOCKS + block];
            sum = sum + addend(b);
            zero += columns_sum(is_zero(b));
            non_finite += columns_sum(is_non_finite(b));
        }
    }
    grad[segment.dst * BLOCKS + block] = sum;
    if (zero > 0u) {
        atomicAdd(&skips[segment.row].zero, zero);
    }
    if (non_finite > 0u) {
        atomicAdd(&skips[segment.row].non_finite, non_finite);
    }
}

// Four partial sums at once, from `j` on; past `end` the last one again.
struct Four {
    a: Columns,
    b: Columns,
    c: Columns,
    d: Columns,
}

fn load(j: u32, end: u32, block: u32) -> Four {
    return Four(
        grad[min(j, end) * BLOCKS + block],
        grad[min(j + 1u, end) * BLOCKS + block],
        grad[min(j + 2u, end) * BLOCKS + block],
        grad[min(j + 3u, end) * BLOCKS + block],
    );
}

// The sum plus those of the four that are not past `end`.
fn plus(sum: Columns, four: Four, j: u32, end: u32) -> Columns {
    var total = sum;
    if (j <= end) { total = total + four.a; }
    if (j + 1u <= end) { total = total + four.b; }
    if (j + 2u <= end) { total = total + four.c; }
    if (j + 3u <= end) { total = total + four.d; }
    return total;
}

@compute @workgroup_size(PARTIALS_X, 1, 1)
fn sum_partials(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let p = wid.z * nwg.y + wid.y;
    if (p >= params.segments) {
        return;
    }
    let segment = segments[params.first + p];
    let end = segment.last - 1u;
    for (var block = wid.x * PARTIALS_X + lid.x; block < BLOCKS; block += nwg.x * PARTIALS_X) {
        var sum = Columns(0.0);
        // Few threads and long rows: waiting for memory takes most of the time, so 24 loads are under way together.
        for (var j = segment.first; j < segment.last; j += 24u) {
            let f0 = load(j, end, block);
            let f1 = load(j + 4u, end, block);
            let f2 = load(j + 8u, end, block);
            let f3 = load(j + 12u, end, block);
            let f4 = load(j + 16u, end, block);
            let f5 = load(j + 20u, end, block);
            sum = plus(sum, f0, j, end);
            sum = plus(sum, f1, j + 4u, end);
            sum = plus(sum, f2, j + 8u, end);
            sum = plus(sum, f3, j + 12u, end);
            sum = plus(sum, f4, j + 16u, end);
            sum = plus(sum, f5, j + 20u, end);
        }
        grad[segment.dst * BLOCKS + block] = sum;
    }
}
