// The gradient without atomics on floats: the sum of embed_backward, in a fixed order, the same bits on every run.
//
// Positions come grouped by row (`order`, ascending within a row). A row's positions are cut into pieces of a
// length that the token ids alone decide; one thread adds up one lane of one piece, left to right. A row of one
// piece is finished then. A longer row leaves its pieces as partial rows behind the U rows of the gradient, and
// `sum_partials` adds those up in the same way, level by level, so that no thread ever walks a long row.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

override LANES: u32 = 96u; // D / columns of a lane

const WIDE: u32 = 32u; // threads of a workgroup along the lanes
const TALL: u32 = 8u;  // ... and along the pieces

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

fn piece_index(wid: vec3<u32>, lid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return (wid.z * nwg.y + wid.y) * TALL + lid.y;
}

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

@compute @workgroup_size(32, 8, 1)
fn sum_pieces(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * WIDE + lid.x;
    let p = piece_index(wid, lid, nwg);
    if (lane >= LANES || p >= dims.x) {
        return;
    }
    let piece = pieces[dims.y + p];
    var sum = Lane(0.0);
    var zero = 0u;
    var non_finite = 0u;
    var j = piece.first;
    // Four at a time: the loads first, so that they are under way together, then the additions in order.
    for (; j + 4u <= piece.last; j += 4u) {
        let b0 = grad_out[order[j] * LANES + lane];
        let b1 = grad_out[order[j + 1u] * LANES + lane];
        let b2 = grad_out[order[j + 2u] * LANES + lane];
        let b3 = grad_out[order[j + 3u] * LANES + lane];
        let odd = max(max(oddness(b0), oddness(b1)), max(oddness(b2), oddness(b3)));
        if (lane_max(odd) < ODD) {
            sum = sum + bitcast<Lane>(b0);
            sum = sum + bitcast<Lane>(b1);
            sum = sum + bitcast<Lane>(b2);
            sum = sum + bitcast<Lane>(b3);
        } else {
            sum = sum + addend(b0);
            sum = sum + addend(b1);
            sum = sum + addend(b2);
            sum = sum + addend(b3);
            zero += lane_sum(is_zero(b0) + is_zero(b1) + is_zero(b2) + is_zero(b3));
            non_finite += lane_sum(is_non_finite(b0) + is_non_finite(b1) + is_non_finite(b2) + is_non_finite(b3));
        }
    }
    for (; j < piece.last; j++) {
        let b = grad_out[order[j] * LANES + lane];
        sum = sum + addend(b);
        zero += lane_sum(is_zero(b));
        non_finite += lane_sum(is_non_finite(b));
    }
    grad[piece.dst * LANES + lane] = sum;
    if (zero > 0u) {
        atomicAdd(&skips[piece.row].zero, zero);
    }
    if (non_finite > 0u) {
        atomicAdd(&skips[piece.row].non_finite, non_finite);
    }
}

@compute @workgroup_size(32, 8, 1)
fn sum_partials(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * WIDE + lid.x;
    let p = piece_index(wid, lid, nwg);
    if (lane >= LANES || p >= dims.x) {
        return;
    }
    let piece = pieces[dims.y + p];
    var sum = Lane(0.0);
    var j = piece.first;
    for (; j + 4u <= piece.last; j += 4u) {
        let a0 = grad[j * LANES + lane];
        let a1 = grad[(j + 1u) * LANES + lane];
        let a2 = grad[(j + 2u) * LANES + lane];
        let a3 = grad[(j + 3u) * LANES + lane];
        sum = sum + a0;
        sum = sum + a1;
        sum = sum + a2;
        sum = sum + a3;
    }
    for (; j < piece.last; j++) {
        sum = sum + grad[j * LANES + lane];
    }
    grad[piece.dst * LANES + lane] = sum;
}
