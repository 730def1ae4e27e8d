// Grouping, first half: a stable radix sort of the positions by their token, eight bits a round.
//
// A round is three dispatches over blocks of 256 positions:
//   sort_count     how often each of the 256 digits occurs in each block
//   sort_scan      for each digit, the sum over the blocks before
//   sort_scatter   every position to its place: first of its digit, plus its rank among equals
// The rank keeps the order: a block marks in one bit mask per digit which of its 256 places have it, and counts the
// marks in front of its own. So positions stay in ascending order within a row, and the gradient's bits never change.

@group(0) @binding(0) var<storage, read> keys: array<u32>;            // tokens in the first round
@group(0) @binding(1) var<storage, read> places: array<u32>;          // positions so far; unused in the first round
@group(0) @binding(2) var<storage, read_write> next_keys: array<u32>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>;                   // (N, V, shift, blocks)
@group(0) @binding(4) var<storage, read_write> next_places: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;    // digit after digit, a word for each block
@group(0) @binding(6) var<storage, read_write> totals: array<u32>;    // 256: positions of each digit

// Cleared in the first round for the second half (01_embedding_group_rows.wgsl).
@group(0) @binding(7) var<storage, read_write> spans: array<vec2<u32>>;     // V
@group(0) @binding(8) var<storage, read_write> used_rows: array<u32>;       // one for each 256 rows
@group(0) @binding(9) var<storage, read_write> pieces: array<vec4<u32>>;    // no piece where all is zero

const DIGITS: u32 = 256u;

var<workgroup> bins: array<atomic<u32>, 256>;
var<workgroup> sums: array<u32, 256>;
var<workgroup> masks: array<atomic<u32>, 2048>; // 256 digits of 256 bits

// Ids outside the vocabulary sort behind all rows, as V.
fn digit(key: u32) -> u32 {
    return (min(key, dims.y) >> dims.z) & (DIGITS - 1u);
}

// Sum of `value` over the threads before this one. All 256 threads of the workgroup call it together.
fn sum_before(thread: u32, value: u32) -> u32 {
    sums[thread] = value;
    workgroupBarrier();
    for (var step = 1u; step < 256u; step *= 2u) {
        var left = 0u;
        if (thread >= step) {
            left = sums[thread - step];
        }
        workgroupBarrier();
        sums[thread] += left;
        workgroupBarrier();
    }
    return sums[thread] - value;
}

fn block_of(wid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return wid.y * nwg.x + wid.x;
}

// How often each digit occurs in a block. All 256 threads of the workgroup call it together.
fn count_block(block: u32, thread: u32) {
    let i = block * 256u + thread;
    if (i < dims.x) {
        atomicAdd(&bins[digit(keys[i])], 1u);
    }
    workgroupBarrier();
    if (block < dims.w) {
        counts[thread * dims.w + block] = atomicLoad(&bins[thread]);
    }
}

@compute @workgroup_size(256, 1, 1)
fn sort_count(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    count_block(block_of(wid, nwg), thread);
}

// The first round's count, which also clears what the second half adds to.
@compute @workgroup_size(256, 1, 1)
fn sort_count_first(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = block_of(wid, nwg);
    let i = block * 256u + thread;
    let threads = nwg.x * nwg.y * 256u;
    for (var t = i; t < dims.y; t += threads) {
        spans[t] = vec2<u32>(0u);
        if ((t & 255u) == 0u) {
            used_rows[t >> 8u] = 0u;
        }
    }
    for (var p = i; p < arrayLength(&pieces); p += threads) {
        pieces[p] = vec4<u32>(0u);
    }
    count_block(block, thread);
}

// One workgroup a digit.
@compute @workgroup_size(256, 1, 1)
fn sort_scan(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let each = (dims.w + 255u) / 256u; // blocks of one thread
    let first = min(thread * each, dims.w);
    let last = min(first + each, dims.w);
    let row = wid.x * dims.w;
    var sum = 0u;
    for (var b = first; b < last; b++) {
        sum += counts[row + b];
    }
    var before = sum_before(thread, sum);
    if (thread == 255u) {
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
        rank += countOneBits(atomicLoad(&masks[d * 8u + w]));
    }
    rank += countOneBits(atomicLoad(&masks[d * 8u + word]) & ((1u << (thread & 31u)) - 1u));
    return first_of_digit + counts[d * dims.w + block] + rank;
}

@compute @workgroup_size(256, 1, 1)
fn sort_scatter(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = block_of(wid, nwg);
    let i = block * 256u + thread;
    let first = sum_before(thread, totals[thread]);
    atomicStore(&bins[thread], first);
    var key = 0u;
    var d = 0u;
    if (i < dims.x) {
        key = min(keys[i], dims.y);
        d = digit(key);
        atomicOr(&masks[d * 8u + (thread >> 5u)], 1u << (thread & 31u));
    }
    workgroupBarrier();
    if (i < dims.x) {
        let to = destination(atomicLoad(&bins[d]), d, thread, block);
        next_keys[to] = key;
        // Before the first round every position is at its own place.
        if (dims.z == 0u) {
            next_places[to] = i;
        } else {
            next_places[to] = places[i];
        }
    }
}
