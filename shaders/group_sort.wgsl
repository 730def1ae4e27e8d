// Grouping, first half: a stable radix sort of the positions by their token, eight bits a round.
//
// A round is three dispatches over blocks of 256 positions:
//   sort_count     how often each of the 256 digits occurs in each block
//   sort_scan      for each digit, the sum over the blocks before
//   sort_scatter   every position to its place: first of its digit, plus its rank among equals
// The rank keeps the order: a block marks in one bit mask per digit which of its 256 places have it, and counts the
// marks in front of its own. So positions stay in ascending order within a row, and the gradient's bits never change.
//
// Follows common/grid.wgsl and common/scan.wgsl.

const DIGIT_BITS: u32 = 8u;
const DIGITS: u32 = 1u << DIGIT_BITS;   // as many as a workgroup has threads: one counts for each
const MASK_WORDS: u32 = WORKGROUP / 32u; // of one digit's bit mask
const ROWS_GROUP: u32 = 256u;           // vocabulary rows of one counter in `used_rows`

struct SortParams {
    seq_len: u32,
    vocab_size: u32,
    shift: u32,  // of this round's digit
    blocks: u32, // of WORKGROUP positions
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;            // tokens in the first round
@group(0) @binding(1) var<storage, read> places: array<u32>;          // positions so far; unused in the first round
@group(0) @binding(2) var<storage, read_write> next_keys: array<u32>;
@group(0) @binding(3) var<uniform> params: SortParams;
@group(0) @binding(4) var<storage, read_write> next_places: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;    // digit after digit, a word for each block
@group(0) @binding(6) var<storage, read_write> totals: array<u32>;    // 256: positions of each digit

// Cleared in the first round for the second half (01_embedding_group_rows.wgsl).
@group(0) @binding(7) var<storage, read_write> spans: array<vec2<u32>>;     // V
@group(0) @binding(8) var<storage, read_write> used_rows: array<u32>;       // one for each 256 rows
@group(0) @binding(9) var<storage, read_write> segments: array<vec4<u32>>;  // no segment where all is zero

var<workgroup> bins: array<atomic<u32>, DIGITS>;
var<workgroup> masks: array<atomic<u32>, DIGITS * MASK_WORDS>; // a bit a position for each digit

// Ids outside the vocabulary sort behind all rows, as V.
fn digit(key: u32) -> u32 {
    return (min(key, params.vocab_size) >> params.shift) & (DIGITS - 1u);
}

// How often each digit occurs in a block. All threads of the workgroup call it together.
fn count_block(block: u32, thread: u32) {
    let i = block * WORKGROUP + thread;
    if (i < params.seq_len) {
        atomicAdd(&bins[digit(keys[i])], 1u);
    }
    workgroupBarrier();
    if (block < params.blocks) {
        counts[thread * params.blocks + block] = atomicLoad(&bins[thread]);
    }
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn sort_count(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    count_block(flat_workgroup(wid, nwg), thread);
}

// The first round's count, which also clears what the second half adds to.
@compute @workgroup_size(WORKGROUP, 1, 1)
fn sort_count_first(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = flat_workgroup(wid, nwg);
    let i = block * WORKGROUP + thread;
    let threads = nwg.x * nwg.y * WORKGROUP;
    for (var t = i; t < params.vocab_size; t += threads) {
        spans[t] = vec2<u32>(0u);
        if (t % ROWS_GROUP == 0u) {
            used_rows[t / ROWS_GROUP] = 0u;
        }
    }
    for (var p = i; p < arrayLength(&segments); p += threads) {
        segments[p] = vec4<u32>(0u);
    }
    count_block(block, thread);
}

// One workgroup a digit.
@compute @workgroup_size(WORKGROUP, 1, 1)
fn sort_scan(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let each = (params.blocks + WORKGROUP - 1u) / WORKGROUP; // blocks of one thread
    let first = min(thread * each, params.blocks);
    let last = min(first + each, params.blocks);
    let row = wid.x * params.blocks;
    var sum = 0u;
    for (var b = first; b < last; b++) {
        sum += counts[row + b];
    }
    var before = sum_before(thread, sum);
    if (thread == WORKGROUP - 1u) {
        totals[wid.x] = before + sum;
    }
    for (var b = first; b < last; b++) {
        let count = counts[row + b];
        counts[row + b] = before;
        before += count;
    }
}

// Where this thread's position goes, given that its block's masks are set.
fn destination(first_of_digit: u32, d: u32, thread: u32, block: u32) -> u32 {
    var rank = 0u;
    let word = thread >> 5u;
    for (var w = 0u; w < word; w++) {
        rank += countOneBits(atomicLoad(&masks[d * MASK_WORDS + w]));
    }
    rank += countOneBits(atomicLoad(&masks[d * MASK_WORDS + word]) & ((1u << (thread & 31u)) - 1u));
    return first_of_digit + counts[d * params.blocks + block] + rank;
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn sort_scatter(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = flat_workgroup(wid, nwg);
    let i = block * WORKGROUP + thread;
    let first = sum_before(thread, totals[thread]);
    atomicStore(&bins[thread], first);
    var key = 0u;
    var d = 0u;
    if (i < params.seq_len) {
        key = min(keys[i], params.vocab_size);
        d = digit(key);
        atomicOr(&masks[d * MASK_WORDS + (thread >> 5u)], 1u << (thread & 31u));
    }
    workgroupBarrier();
    if (i < params.seq_len) {
        let to = destination(atomicLoad(&bins[d]), d, thread, block);
        next_keys[to] = key;
        // Before the first round every position is at its own place.
        if (params.shift == 0u) {
            next_places[to] = i;
        } else {
            next_places[to] = places[i];
        }
    }
}
