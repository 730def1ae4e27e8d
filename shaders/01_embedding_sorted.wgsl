// The gradient without atomics on floats: the sum of embed_backward, in a fixed order, the same bits on every run.
//
// Positions come grouped by row (`order`, ascending within a row). A row's positions are cut into pieces of a
// length that the token ids alone decide; one thread adds up one lane of one piece, left to right. A row of one
// piece is finished then. A longer row leaves its pieces as partial rows behind the U rows of the gradient, and
// `sum_partials` adds those up in the same way, level by level, so that no thread ever walks a long row.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

override LANES: u32 = 96u; // D / columns of a lane

struct Piece {
    first: u32, // its addends are [first, last): indices into `order`, or partial rows
    last: u32,
    dst: u32,   // the row of `grad` that takes the sum
    row: u32,   // the row of the gradient that it belongs to, for the counters
}

struct RowSkips {
    zero: atomic<u32>,
    non_finite: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> order: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<LaneBits>;
@group(0) @binding(2) var<storage, read_write> grad: array<Lane>; // U rows, then the partial ones
@group(0) @binding(3) var<uniform> dims: vec4<u32>;               // (number of pieces, first piece, -, -)
@group(0) @binding(4) var<storage, read> pieces: array<Piece>;
@group(0) @binding(5) var<storage, read_write> skips: array<RowSkips>;

// Twice the bits, less one, without the sign: 2^32-1 for a zero, at least 0xfeffffff for a NaN or an Inf, less
// for everything that is simply added. One comparison then answers for many elements.
fn oddness(bits: LaneBits) -> LaneBits {
    return bits + bits - LaneBits(1u);
}

const ODD: u32 = 0xfeffffffu;

fn is_zero(bits: LaneBits) -> LaneBits {
    return select(LaneBits(0u), LaneBits(1u), (bits & LaneBits(0x7fffffffu)) == LaneBits(0u));
}

fn is_non_finite(bits: LaneBits) -> LaneBits {
    return select(LaneBits(0u), LaneBits(1u), (bits & LaneBits(0x7f800000u)) == LaneBits(0x7f800000u));
}

// What is added: zero in place of NaN and Inf. (Adding a zero changes nothing: the sum starts at +0, and no
// sum rounded to nearest is -0 after that.)
fn addend(bits: LaneBits) -> Lane {
    return bitcast<Lane>(select(bits, LaneBits(0u), (bits & LaneBits(0x7f800000u)) == LaneBits(0x7f800000u)));
}

@compute @workgroup_size(16, 8, 1)
fn sum_pieces(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * 16u + lid.x;
    let p = (wid.z * nwg.y + wid.y) * 8u + lid.y;
    if (lane >= LANES || p >= dims.x) {
        return;
    }
    let piece = pieces[dims.y + p];
    if (piece.first == piece.last) {
        return; // a place that the grouping left empty
    }
    var sum = Lane(0.0);
    var zero = 0u;
    var non_finite = 0u;
    let end = piece.last - 1u;
    // Four at a time: the loads first, so that they are under way together, then the additions in order. The last
    // four may be fewer: the missing ones read the last position again, and are not added.
    for (var j = piece.first; j < piece.last; j += 4u) {
        let b0 = grad_out[order[j] * LANES + lane];
        let b1 = grad_out[order[min(j + 1u, end)] * LANES + lane];
        let b2 = grad_out[order[min(j + 2u, end)] * LANES + lane];
        let b3 = grad_out[order[min(j + 3u, end)] * LANES + lane];
        let odd = max(max(oddness(b0), oddness(b1)), max(oddness(b2), oddness(b3)));
        if (lane_max(odd) < ODD) {
            sum = sum + bitcast<Lane>(b0);
            if (j + 1u <= end) { sum = sum + bitcast<Lane>(b1); }
            if (j + 2u <= end) { sum = sum + bitcast<Lane>(b2); }
            if (j + 3u <= end) { sum = sum + bitcast<Lane>(b3); }
            continue;
        }
        for (var k = j; k <= min(j + 3u, end); k++) {
            let b = grad_out[order[k] * LANES + lane];
            sum = sum + addend(b);
            zero += lane_sum(is_zero(b));
            non_finite += lane_sum(is_non_finite(b));
        }
    }
    grad[piece.dst * LANES + lane] = sum;
    if (zero > 0u) {
        atomicAdd(&skips[piece.row].zero, zero);
    }
    if (non_finite > 0u) {
        atomicAdd(&skips[piece.row].non_finite, non_finite);
    }
}

// Four partial rows at once, from `j` on; past `end` the last one again.
struct Four {
    a: Lane,
    b: Lane,
    c: Lane,
    d: Lane,
}

fn load(j: u32, end: u32, lane: u32) -> Four {
    return Four(
        grad[min(j, end) * LANES + lane],
        grad[min(j + 1u, end) * LANES + lane],
        grad[min(j + 2u, end) * LANES + lane],
        grad[min(j + 3u, end) * LANES + lane],
    );
}

// The sum with those of the four that are not past `end`.
fn plus(sum: Lane, four: Four, j: u32, end: u32) -> Lane {
    var total = sum;
    if (j <= end) { total = total + four.a; }
    if (j + 1u <= end) { total = total + four.b; }
    if (j + 2u <= end) { total = total + four.c; }
    if (j + 3u <= end) { total = total + four.d; }
    return total;
}

@compute @workgroup_size(32, 1, 1)
fn sum_partials(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * 32u + lid.x;
    let p = wid.z * nwg.y + wid.y;
    if (lane >= LANES || p >= dims.x) {
        return;
    }
    let piece = pieces[dims.y + p];
    var sum = Lane(0.0);
    let end = piece.last - 1u;
    // Few threads, long rows: the time is that of the waits, so 24 loads share one.
    for (var j = piece.first; j < piece.last; j += 24u) {
        let f0 = load(j, end, lane);
        let f1 = load(j + 4u, end, lane);
        let f2 = load(j + 8u, end, lane);
        let f3 = load(j + 12u, end, lane);
        let f4 = load(j + 16u, end, lane);
        let f5 = load(j + 20u, end, lane);
        sum = plus(sum, f0, j, end);
        sum = plus(sum, f1, j + 4u, end);
        sum = plus(sum, f2, j + 8u, end);
        sum = plus(sum, f3, j + 12u, end);
        sum = plus(sum, f4, j + 16u, end);
        sum = plus(sum, f5, j + 20u, end);
    }
    grad[piece.dst * LANES + lane] = sum;
}
