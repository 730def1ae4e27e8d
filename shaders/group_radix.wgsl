// Grouping of a long sequence: a stable radix sort of the positions by their token, seven bits a round.
//
// The positions are cut into tiles, one a workgroup. A round is two dispatches:
//   radix_count     counts how often each of the 128 digits occurs in each tile
//   radix_scatter   writes every position to its place: after all smaller digits, after the same digit in the tiles before,
//                   and after the same digit further left in this tile
// In the second, each workgroup adds up the counts of all tiles itself: reading them again is faster than waiting for one more
// dispatch. Ranks within a tile keep the sort stable: 256 positions at a time set a bit in the mask of their digit, and count
// the bits before their own.
//
// Ids outside the vocabulary are dropped; the places left over at the end are marked. Follows common/grid.wgsl.

const DIGIT_BITS: u32 = 7u;
const DIGITS: u32 = 1u << DIGIT_BITS;
const MASK_WORDS: u32 = WORKGROUP / 32u;  // of a digit's bit mask
const HALVES: u32 = WORKGROUP / DIGITS;   // two threads share the work for each digit
const NONE: u32 = 0xffffffffu;            // no token

struct RadixParams {
    seq_len: u32,
    vocab_size: u32,
    capacity: u32,   // rows that `skips` has room for
    shift: u32,      // of this round's digit; 0 in the first round, which reads the tokens
    tiles: u32,      // a multiple of 16: those past the end have no positions
    per_thread: u32, // positions of a tile, divided by the threads of a workgroup
}

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;           // (token, position), after the first round
@group(0) @binding(2) var<storage, read_write> sorted: array<vec2<u32>>;
@group(0) @binding(3) var<uniform> params: RadixParams;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;          // tile after tile, DIGITS each

// Cleared for gradient_blocks.wgsl.
@group(0) @binding(5) var<storage, read_write> skips: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> spans: array<u32>;

fn pair(j: u32) -> vec2<u32> {
    if (j >= params.seq_len) {
        return vec2<u32>(NONE, 0u);
    }
    if (params.shift == 0u) {
        return vec2<u32>(tokens[j], j);
    }
    return pairs[j];
}

fn digit(token: u32) -> u32 {
    return (token >> params.shift) % DIGITS;
}

var<workgroup> bins: array<atomic<u32>, DIGITS>;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn radix_count(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = flat_workgroup(wid, nwg);
    for (var k = 0u; k < params.per_thread; k++) {
        let j = (tile * params.per_thread + k) * WORKGROUP + thread;
        let t = pair(j).x;
        if (t < params.vocab_size) {
            atomicAdd(&bins[digit(t)], 1u);
        }
        if (params.shift == 0u && j < params.capacity) {
            skips[j] = vec2<u32>(0u);
        }
        if (params.shift == 0u && j == 0u) {
            spans[0] = 0u;
        }
    }
    workgroupBarrier();
    if (thread < DIGITS && tile < params.tiles) {
        counts[tile * DIGITS + thread] = atomicLoad(&bins[thread]);
    }
}

var<workgroup> totals: array<vec2<u32>, WORKGROUP>;                      // over half of the tiles: (before this one, all)
var<workgroup> running: array<u32, DIGITS>;
var<workgroup> masks: array<atomic<u32>, 2u * MASK_WORDS * DIGITS>;      // two sets, used in turn
// In this kernel `bins[d]` is the place of the next position with digit d.

fn counts_of(tiles: vec4<u32>, d: u32) -> vec4<u32> {
    let at = tiles * DIGITS + d;
    return vec4<u32>(counts[at.x], counts[at.y], counts[at.z], counts[at.w]);
}

fn sum_of(x: vec4<u32>) -> u32 {
    return x.x + x.y + x.z + x.w;
}

// How often digit `d` occurs in the tiles before `tile`, and in all tiles, counting every second tile. Eight loads at a time, so that
// they are under way together.
fn count_tiles(tile: u32, d: u32, half: u32) -> vec2<u32> {
    var sum = vec2<u32>(0u);
    for (var first = half; first < params.tiles; first += 8u * HALVES) {
        let a = first + HALVES * vec4<u32>(0u, 1u, 2u, 3u);
        let b = a + HALVES * 4u;
        let in_a = counts_of(a, d);
        let in_b = counts_of(b, d);
        let none = vec4<u32>(0u);
        let before = select(none, in_a, a < vec4<u32>(tile)) + select(none, in_b, b < vec4<u32>(tile));
        sum += vec2<u32>(sum_of(before), sum_of(in_a + in_b));
    }
    return sum;
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn radix_scatter(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = flat_workgroup(wid, nwg);
    let d = thread % DIGITS;
    let half = thread / DIGITS;

    // Where this tile's first position of each digit goes.
    totals[thread] = count_tiles(tile, d, half);
    workgroupBarrier();
    let of_digit = totals[d] + totals[d + DIGITS];
    if (half == 0u) {
        running[d] = of_digit.y;
    }
    workgroupBarrier();
    for (var step = 1u; step < DIGITS; step *= 2u) {
        var left = 0u;
        if (d >= step) {
            left = running[d - step];
        }
        workgroupBarrier();
        if (half == 0u) {
            running[d] += left;
        }
        workgroupBarrier();
    }
    let inside = running[DIGITS - 1u];
    if (half == 0u) {
        atomicStore(&bins[d], running[d] - of_digit.y + of_digit.x);
    }

    let word = thread / 32u;
    let bit = 1u << (thread % 32u);
    for (var k = 0u; k < params.per_thread; k++) {
        let j = (tile * params.per_thread + k) * WORKGROUP + thread;
        let own_set = (k % 2u) * MASK_WORDS * DIGITS;
        let mine = pair(j);
        let my_digit = digit(mine.x);
        let valid = mine.x < params.vocab_size;
        if (valid) {
            atomicOr(&masks[own_set + word * DIGITS + my_digit], bit);
        }
        if (j >= inside && j < params.seq_len) {
            sorted[j] = vec2<u32>(NONE, 0u);
        }
        workgroupBarrier();
        if (valid) {
            var place = atomicLoad(&bins[my_digit]);
            for (var w = 0u; w < word; w++) {
                place += countOneBits(atomicLoad(&masks[own_set + w * DIGITS + my_digit]));
            }
            place += countOneBits(atomicLoad(&masks[own_set + word * DIGITS + my_digit]) & (bit - 1u));
            sorted[place] = mine;
        }
        workgroupBarrier();
        // Two threads a digit, half of its words each: advance the place of the next positions, and clear this set of masks for them.
        var placed = 0u;
        for (var w = half * (MASK_WORDS / HALVES); w < (half + 1u) * (MASK_WORDS / HALVES); w++) {
            placed += countOneBits(atomicExchange(&masks[own_set + w * DIGITS + d], 0u));
        }
        if (placed > 0u) {
            atomicAdd(&bins[d], placed);
        }
    }
}
