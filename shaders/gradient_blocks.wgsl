// The gradient of positions that were sorted on the device: the sums of gradient_sorted.wgsl, bit for bit, but nobody has
// to know beforehand which rows there are and how long.
//
// The sorted positions are cut into chunks of equal length, and the chunks into blocks, whatever rows they belong to, so
// that all threads have equal work. A thread adds up one chunk for one block of columns, left to right, row after row.
// What it found of rows that reach over the chunk's ends is then joined, chunk by chunk within a block, block by block
// between them:
//
//   count_rows      how many rows begin in each block; short sequences do without it
//   sum_blocks      the rows and sums of a block; of rows that reach over its ends, only its part
//   sum_spanning    the rows that reach over several blocks, from those parts
//
// Where a row begins also says its number, and so where its sum goes: it is the number of rows that began before.
//
// Follows common/grid.wgsl, common/columns4.wgsl or columns1.wgsl, and common/skips.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

const MAX_CHUNKS: u32 = 64u;   // of a block
const MAX_BLOCK: u32 = 512u;   // positions of a block
const NONE: u32 = 0xffffffffu; // no position, or no row
const BEGINS: u32 = 0x80000000u;

struct BlockParams {
    seq_len: u32,
    vocab_size: u32,
    chunk: u32,     // positions that a thread adds up: a multiple of 4, at most 32
    chunks: u32,    // ... and how many such threads share a block, each for WORKGROUP / chunks blocks of columns
    counted: u32,   // 1 where `count_rows` ran
}

struct BlockRows {
    begin: u32, // how many rows begin in this block
    tail: u32,  // the row that begins in this block and goes on in the next, or NONE
}

@group(0) @binding(0) var<storage, read> sorted: array<vec2<u32>>;        // N: (token, position)
@group(0) @binding(1) var<storage, read> grad_out: array<ColumnsBits>;
@group(0) @binding(2) var<storage, read_write> grad: array<Columns>;      // U rows
@group(0) @binding(3) var<uniform> params: BlockParams;
@group(0) @binding(4) var<storage, read_write> partials: array<Columns>;  // for each block: its head, its tail
@group(0) @binding(5) var<storage, read_write> skips: array<RowSkips>;    // U, zeroed by the sort
@group(0) @binding(6) var<storage, read_write> rows: array<u32>;          // U ids
@group(0) @binding(7) var<storage, read_write> spans: array<u32>;         // U, then where each row begins in `sorted`, then where all end
@group(0) @binding(8) var<storage, read_write> blocks: array<BlockRows>;

// The position at place `j` of the order, with BEGINS where a row begins there; NONE past the last.
fn place(j: u32) -> u32 {
    let last = params.seq_len - 1u;
    let here = sorted[min(j, last)];
    let before = sorted[min(max(j, 1u) - 1u, last)];
    let begins = (j == 0u) | (before.x != here.x);
    return select(NONE, select(here.y, here.y | BEGINS, begins), (j <= last) & (here.x < params.vocab_size));
}

fn begins_row(j: u32) -> u32 {
    let p = place(j);
    return select(0u, 1u, (p >= BEGINS) & (p != NONE));
}

// How many rows begin at this thread's share of the places from `first` up to `end`. Four at a time, so that their loads
// are under way together.
fn count_share(first: u32, end: u32, thread: u32) -> u32 {
    var found = 0u;
    for (var k = first + thread; k < end; k += 4u * WORKGROUP) {
        let j = k + WORKGROUP * vec4<u32>(0u, 1u, 2u, 3u);
        let begin = vec4<u32>(begins_row(j.x), begins_row(j.y), begins_row(j.z), begins_row(j.w));
        let counted = select(vec4<u32>(0u), begin, j < vec4<u32>(end));
        found += counted.x + counted.y + counted.z + counted.w;
    }
    return found;
}

var<workgroup> rows_before: atomic<u32>;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn count_rows(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = flat_workgroup(wid, nwg);
    let length = params.chunk * params.chunks;
    let found = count_share(block * length, (block + 1u) * length, thread);
    if (found > 0u) {
        atomicAdd(&rows_before, found);
    }
    workgroupBarrier();
    if (thread == 0u && block < arrayLength(&blocks)) {
        blocks[block].begin = atomicLoad(&rows_before);
    }
}

var<workgroup> places: array<u32, MAX_BLOCK>;               // `place` of all positions of the block
var<workgroup> begins: array<atomic<u32>, MAX_CHUNKS>;      // for each chunk a bit for each position where a row begins
var<workgroup> heads: array<Columns, WORKGROUP>;            // what each thread's chunk adds to a row that began before it

// What this thread is adding up.
var<private> sum: Columns;
var<private> row: u32;
var<private> began: bool; // the row began in this thread's chunk
var<private> zero: u32;
var<private> non_finite: u32;

fn rows_of_chunk(chunk: u32) -> u32 {
    return countOneBits(atomicLoad(&begins[chunk]));
}

fn bits_of(place: u32, column: u32) -> ColumnsBits {
    return grad_out[min(place & ~BEGINS, params.seq_len - 1u) * BLOCKS + column];
}

fn count_skips() {
    if (zero > 0u) {
        atomicAdd(&skips[row].zero, zero);
        zero = 0u;
    }
    if (non_finite > 0u) {
        atomicAdd(&skips[row].non_finite, non_finite);
        non_finite = 0u;
    }
}

// Adds what the position at place `k` of the block has in this column; where a row begins, the one before is done.
fn add(k: u32, bits: ColumnsBits, column: u32, thread: u32) {
    if (places[k] >= BEGINS) {
        count_skips();
        if (began && column < BLOCKS) {
            grad[row * BLOCKS + column] = sum;
        }
        if (!began) {
            heads[thread] = sum;
        }
        began = true;
        row += 1u;
        sum = Columns(0.0);
    }
    sum = sum + addend(bits);
    if (columns_max(oddness(bits)) >= ODD && column < BLOCKS) {
        zero += columns_sum(is_zero(bits));
        non_finite += columns_sum(is_non_finite(bits));
    }
}

var<private> open: bool; // the row may go on in the next chunk

// `total` with what the chunks from `chunk` on add to its row.
fn join(start: Columns, chunk: u32, x: u32) -> Columns {
    var total = start;
    for (var k = chunk; open && k < params.chunks; k++) {
        open = places[k * params.chunk] < BEGINS;
        if (open) {
            total = total + heads[k * (WORKGROUP / params.chunks) + x];
            open = atomicLoad(&begins[k]) == 0u;
        }
    }
    return total;
}

// The rows that begin in this block, by the threads of one workgroup: who they are, where they begin, and behind the last
// one where all end.
fn name_rows(block: u32, before: u32, goes_on: bool, thread: u32) {
    let length = params.chunk * params.chunks;
    for (var k = thread; k < length && places[k] != NONE; k += WORKGROUP) {
        var next = before + countOneBits(atomicLoad(&begins[k / params.chunk]) & ((2u << (k % params.chunk)) - 1u));
        for (var c = 0u; c < k / params.chunk; c++) {
            next += rows_of_chunk(c);
        }
        let j = block * length + k;
        if (places[k] >= BEGINS) {
            rows[next - 1u] = sorted[j].x;
            spans[next] = j;
        }
        let followed = select(place(j + 1u), places[min(k + 1u, length - 1u)], k + 1u < length);
        if (followed == NONE) {
            spans[0] = next;
            spans[next + 1u] = j + 1u;
        }
    }
    if (thread == 0u && block < arrayLength(&blocks)) {
        var in_block = 0u;
        for (var c = 0u; c < params.chunks; c++) {
            in_block += rows_of_chunk(c);
        }
        blocks[block].tail = select(NONE, before + in_block - 1u, goes_on && in_block > 0u);
    }
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn sum_blocks(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let width = WORKGROUP / params.chunks;
    let tiles = (BLOCKS + width - 1u) / width;
    let tile = flat_workgroup(wid, nwg);
    let block = tile / tiles;
    let x = thread % width;
    let column = tile % tiles * width + x; // past the last one there is nothing to write, but barriers to meet
    let chunk = thread / width;
    let length = params.chunk * params.chunks;
    let start = block * length;

    // The block's positions, and the rows that begin before it.
    for (var k = thread; k < length; k += WORKGROUP) {
        let p = place(start + k);
        if (p >= BEGINS && p != NONE) {
            atomicOr(&begins[k / params.chunk], 1u << (k % params.chunk));
        }
        places[k] = p;
    }
    let goes_on = place(start + length) < BEGINS; // the last row, in the next block
    var found = 0u;
    if (params.counted == 1u) {
        for (var b = thread; b < block; b += WORKGROUP) {
            found += blocks[b].begin;
        }
    } else {
        found = count_share(0u, start, thread);
    }
    if (found > 0u) {
        atomicAdd(&rows_before, found);
    }
    workgroupBarrier();
    let before = atomicLoad(&rows_before);
    if (tile % tiles == 0u) {
        name_rows(block, before, goes_on, thread);
    }

    // This thread's chunk, left to right. Four loads at a time, so that they are under way together.
    row = before - 1u;
    for (var c = 0u; c < chunk; c++) {
        row += rows_of_chunk(c);
    }
    sum = Columns(0.0);
    let c = min(column, BLOCKS - 1u);
    let first = chunk * params.chunk;
    let end = first + params.chunk;
    for (var k = first; k < end && places[k] != NONE; k += 4u) {
        let b0 = bits_of(places[k], c);
        let b1 = bits_of(places[k + 1u], c);
        let b2 = bits_of(places[k + 2u], c);
        let b3 = bits_of(places[k + 3u], c);
        let odd = max(max(oddness(b0), oddness(b1)), max(oddness(b2), oddness(b3)));
        // No row begins here, and all are simply added.
        if ((places[k] | places[k + 1u] | places[k + 2u] | places[k + 3u]) < BEGINS && columns_max(odd) < ODD) {
            sum = sum + bitcast<Columns>(b0);
            sum = sum + bitcast<Columns>(b1);
            sum = sum + bitcast<Columns>(b2);
            sum = sum + bitcast<Columns>(b3);
            continue;
        }
        add(k, b0, column, thread);
        if (places[k + 1u] != NONE) { add(k + 1u, b1, column, thread); }
        if (places[k + 2u] != NONE) { add(k + 2u, b2, column, thread); }
        if (places[k + 3u] != NONE) { add(k + 3u, b3, column, thread); }
    }
    if (places[first] != NONE) {
        count_skips();
    }
    if (!began) {
        heads[thread] = sum;
    }
    workgroupBarrier();

    if (column >= BLOCKS) {
        return;
    }
    // The part of a row that began before this block; then, by whoever began it, a row that goes on.
    if (chunk == 0u && places[0] < BEGINS) {
        open = atomicLoad(&begins[0]) == 0u;
        partials[2u * block * BLOCKS + column] = join(heads[x], 1u, x);
    }
    if (began) {
        open = true;
        sum = join(sum, chunk + 1u, x);
        if (open && goes_on) {
            partials[(2u * block + 1u) * BLOCKS + column] = sum;
        } else {
            grad[row * BLOCKS + column] = sum;
        }
    }
}

var<workgroup> shares: array<Columns, WORKGROUP>;

// What the k-th block of a row that begins in `block` adds to it.
fn part(block: u32, k: u32, column: u32) -> Columns {
    return partials[(2u * (block + k) + select(0u, 1u, k == 0u)) * BLOCKS + column];
}

// The threads that shared a block share the blocks' parts of a row in the same way: a stretch each, left to right, and then
// those sums left to right.
@compute @workgroup_size(WORKGROUP, 1, 1)
fn sum_spanning(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let width = WORKGROUP / params.chunks;
    let tiles = (BLOCKS + width - 1u) / width;
    let tile = flat_workgroup(wid, nwg);
    let block = tile / tiles;
    let x = thread % width;
    let column = tile % tiles * width + x;
    let chunk = thread / width;
    let c = min(column, BLOCKS - 1u);

    var tail = NONE;
    if (block < arrayLength(&blocks)) {
        tail = blocks[block].tail;
    }
    var parts = 0u; // the tail of this block, and the heads of the next ones
    if (tail != NONE) {
        parts = (spans[tail + 2u] - 1u) / (params.chunk * params.chunks) - block + 1u;
    }
    let share = (parts + params.chunks - 1u) / params.chunks;
    let end = min(parts, (chunk + 1u) * share);
    var total = Columns(0.0);
    for (var k = chunk * share; k < end; k += 4u) {
        let a0 = part(block, k, c);
        let a1 = part(block, min(k + 1u, end - 1u), c);
        let a2 = part(block, min(k + 2u, end - 1u), c);
        let a3 = part(block, min(k + 3u, end - 1u), c);
        total = total + a0;
        if (k + 1u < end) { total = total + a1; }
        if (k + 2u < end) { total = total + a2; }
        if (k + 3u < end) { total = total + a3; }
    }
    shares[thread] = total;
    workgroupBarrier();
    if (chunk == 0u && parts > 0u && column < BLOCKS) {
        for (var k = 1u; k < params.chunks && k * share < parts; k++) {
            total = total + shares[k * width + x];
        }
        grad[tail * BLOCKS + column] = total;
    }
}
