// The gradient of positions that were sorted on the device: the same sums as gradient_sorted.wgsl, bit for bit, but without a
// list of the rows and their lengths made beforehand.
//
// The sorted positions are cut into chunks of equal length, and several chunks make a block, whatever rows they belong to, so
// that all threads have equal work. A thread adds up one chunk for one block of columns, left to right, row after row.
// The partial sums of rows that cross the chunk's ends are then joined, chunk by chunk within a block, and block by block
// after that:
//
//   count_rows      counts the rows that begin in each block; short sequences skip it
//   sum_blocks      the rows of a block and their sums; for a row that crosses the block's ends, only the block's part
//   sum_spanning    the sums of rows that span several blocks, from those parts
//
// A row's number, and with it the place of its sum, is the number of rows that begin before it.
//
// Follows common/grid.wgsl, common/columns4.wgsl or columns1.wgsl, and common/skips.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

const CHUNKS: u32 = 8u;                     // of a block; each has
const WIDTH: u32 = WORKGROUP / CHUNKS;      // threads, one for each block of columns
override TILES: u32 = (BLOCKS + WIDTH - 1u) / WIDTH;
const NONE: u32 = 0xffffffffu;              // no position, or no row
const BEGINS: u32 = 0x80000000u;

struct BlockParams {
    seq_len: u32,
    vocab_size: u32,
    chunk: u32,   // positions that a thread adds up: a multiple of 4, at most WORKGROUP / CHUNKS
    counted: u32, // 1 where `count_rows` ran
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

// 1 where a row begins.
fn begins_row(place: u32) -> u32 {
    return select(0u, 1u, (place >= BEGINS) & (place != NONE));
}

var<workgroup> rows_before: atomic<u32>;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn count_rows(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let block = flat_workgroup(wid, nwg);
    let length = params.chunk * CHUNKS;
    if (thread < length) {
        atomicAdd(&rows_before, begins_row(place(block * length + thread)));
    }
    workgroupBarrier();
    if (thread == 0u && block < arrayLength(&blocks)) {
        blocks[block].begin = atomicLoad(&rows_before);
    }
}

// This thread's share of counting the rows that begin before a block at `start`. Four at a time, so that their loads are
// under way together.
fn count_share(block: u32, start: u32, thread: u32) -> u32 {
    var found = 0u;
    if (params.counted == 1u) {
        for (var b = thread; b < block; b += WORKGROUP) {
            found += blocks[b].begin;
        }
        return found;
    }
    for (var k = thread; k < start; k += 4u * WORKGROUP) {
        let j = k + WORKGROUP * vec4<u32>(0u, 1u, 2u, 3u);
        let p = vec4<u32>(place(j.x), place(j.y), place(j.z), place(j.w));
        let begin = vec4<u32>(begins_row(p.x), begins_row(p.y), begins_row(p.z), begins_row(p.w));
        let counted = select(vec4<u32>(0u), begin, j < vec4<u32>(start));
        found += counted.x + counted.y + counted.z + counted.w;
    }
    return found;
}

var<workgroup> places: array<u32, WORKGROUP>;          // `place` of all positions of the block
var<workgroup> begins: array<atomic<u32>, CHUNKS>;     // for each chunk a bit for each position where a row begins
var<workgroup> heads: array<Columns, WORKGROUP>;       // what each thread's chunk adds to a row that began before it

// How many rows begin in the chunks before this one.
fn rows_before_chunk(chunk: u32) -> u32 {
    var count = 0u;
    for (var c = 0u; c < chunk; c++) {
        count += countOneBits(atomicLoad(&begins[c]));
    }
    return count;
}

// Writes the rows that begin in this block, by the threads of one workgroup: their ids, where they begin and, behind the very
// last one, where all end. `id` is the token at this thread's place, `after` the place behind the block.
fn name_rows(block: u32, id: u32, after: u32, thread: u32) {
    let length = params.chunk * CHUNKS;
    let before = atomicLoad(&rows_before);
    if (thread < length && places[thread] != NONE) {
        let chunk = thread / params.chunk;
        let up_to_here = atomicLoad(&begins[chunk]) & ((2u << (thread % params.chunk)) - 1u);
        let next = before + rows_before_chunk(chunk) + countOneBits(up_to_here);
        let j = block * length + thread;
        if (places[thread] >= BEGINS) {
            rows[next - 1u] = id;
            spans[next] = j;
        }
        if (select(after, places[min(thread + 1u, length - 1u)], thread + 1u < length) == NONE) {
            spans[0] = next;
            spans[next + 1u] = j + 1u;
        }
    }
    if (thread == 0u && block < arrayLength(&blocks)) {
        let in_block = rows_before_chunk(CHUNKS);
        blocks[block].tail = select(NONE, before + in_block - 1u, after < BEGINS && in_block > 0u);
    }
}

// What this thread is adding up.
var<private> sum: Columns;
var<private> row: u32;
var<private> began: bool; // the row began in this thread's chunk

fn bits_of(place: u32, column: u32) -> ColumnsBits {
    return grad_out[min(place & ~BEGINS, params.seq_len - 1u) * BLOCKS + column];
}

// Adds the value of the position at `place` in this column; where a row begins, the one before is finished.
fn add(place: u32, bits: ColumnsBits, column: u32, thread: u32) {
    if (place >= BEGINS) {
        if (!began) {
            heads[thread] = sum;
        } else if (column < BLOCKS) {
            grad[row * BLOCKS + column] = sum;
        }
        began = true;
        row += 1u;
        sum = Columns(0.0);
    }
    sum = sum + addend(bits);
    if (columns_max(oddness(bits)) >= ODD && column < BLOCKS) {
        let zero = columns_sum(is_zero(bits));
        let non_finite = columns_sum(is_non_finite(bits));
        if (zero > 0u) {
            atomicAdd(&skips[row].zero, zero);
        }
        if (non_finite > 0u) {
            atomicAdd(&skips[row].non_finite, non_finite);
        }
    }
}

var<private> open: bool; // the row may go on in the next chunk

// `start` plus what the chunks from `chunk` on add to the same row.
fn join(start: Columns, chunk: u32, x: u32) -> Columns {
    var total = start;
    for (var k = chunk; open && k < CHUNKS; k++) {
        open = places[k * params.chunk] < BEGINS;
        if (open) {
            total = total + heads[k * WIDTH + x];
            open = atomicLoad(&begins[k]) == 0u;
        }
    }
    return total;
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn sum_blocks(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = flat_workgroup(wid, nwg);
    let block = tile / TILES;
    let x = thread % WIDTH;
    let column = tile % TILES * WIDTH + x; // past the last one: nothing to write, but the barriers must be reached
    let chunk = thread / WIDTH;
    let length = params.chunk * CHUNKS;
    let start = block * length;

    // The block's positions, the place behind them, and the rows that begin before: all loads first.
    let p = place(start + thread);
    let id = sorted[min(start + thread, params.seq_len - 1u)].x;
    let after = place(start + length);
    let found = count_share(block, start, thread);
    places[thread] = p;
    if (thread < length && begins_row(p) == 1u) {
        atomicOr(&begins[thread / params.chunk], 1u << (thread % params.chunk));
    }
    if (found > 0u) {
        atomicAdd(&rows_before, found);
    }
    workgroupBarrier();
    if (tile % TILES == 0u) {
        name_rows(block, id, after, thread);
    }

    // This thread's chunk, left to right. Four loads at a time, so that they are under way together.
    row = atomicLoad(&rows_before) + rows_before_chunk(chunk) - 1u;
    sum = Columns(0.0);
    let c = min(column, BLOCKS - 1u);
    let end = (chunk + 1u) * params.chunk;
    for (var k = chunk * params.chunk; k < end && places[k] != NONE; k += 4u) {
        let p0 = places[k];
        let p1 = places[k + 1u];
        let p2 = places[k + 2u];
        let p3 = places[k + 3u];
        let b0 = bits_of(p0, c);
        let b1 = bits_of(p1, c);
        let b2 = bits_of(p2, c);
        let b3 = bits_of(p3, c);
        let odd = max(max(oddness(b0), oddness(b1)), max(oddness(b2), oddness(b3)));
        // The usual case: no row begins here, and nothing is skipped.
        if ((p0 | p1 | p2 | p3) < BEGINS && columns_max(odd) < ODD) {
            sum = sum + bitcast<Columns>(b0);
            sum = sum + bitcast<Columns>(b1);
            sum = sum + bitcast<Columns>(b2);
            sum = sum + bitcast<Columns>(b3);
            continue;
        }
        add(p0, b0, column, thread);
        if (p1 != NONE) { add(p1, b1, column, thread); }
        if (p2 != NONE) { add(p2, b2, column, thread); }
        if (p3 != NONE) { add(p3, b3, column, thread); }
    }
    if (!began) {
        heads[thread] = sum;
    }
    workgroupBarrier();

    if (column >= BLOCKS) {
        return;
    }
    // First the part of a row that began before this block; then the last row of this chunk, which may go on in the next.
    if (chunk == 0u && places[0] < BEGINS) {
        open = atomicLoad(&begins[0]) == 0u;
        partials[2u * block * BLOCKS + column] = join(heads[x], 1u, x);
    }
    if (began) {
        open = true;
        sum = join(sum, chunk + 1u, x);
        if (open && after < BEGINS) {
            partials[(2u * block + 1u) * BLOCKS + column] = sum;
        } else {
            grad[row * BLOCKS + column] = sum;
        }
    }
}

// What `sum_blocks` wrote, bound read-only: only then may a workgroup that has no row to sum return before the barrier.
@group(0) @binding(4) var<storage, read> parts: array<Columns>;
@group(0) @binding(7) var<storage, read> ends: array<u32>;
@group(0) @binding(8) var<storage, read> finished: array<BlockRows>;

var<workgroup> shares: array<Columns, WORKGROUP>;

// What the k-th block of a row that begins in `block` adds to it: that block's tail, the others' heads.
fn part(block: u32, k: u32, column: u32) -> Columns {
    return parts[(2u * (block + k) + select(0u, 1u, k == 0u)) * BLOCKS + column];
}

// Parts [first, end) left to right. Four loads at a time, so that they are under way together; past the end the last one
// again.
fn sum_parts(block: u32, first: u32, end: u32, column: u32) -> Columns {
    var total = Columns(0.0);
    for (var k = first; k < end; k += 4u) {
        let a0 = part(block, k, column);
        let a1 = part(block, min(k + 1u, end - 1u), column);
        let a2 = part(block, min(k + 2u, end - 1u), column);
        let a3 = part(block, min(k + 3u, end - 1u), column);
        total = total + a0;
        if (k + 1u < end) { total = total + a1; }
        if (k + 2u < end) { total = total + a2; }
        if (k + 3u < end) { total = total + a3; }
    }
    return total;
}

// A few parts are added up by one thread. Many are split among the threads that shared a block, each adding a stretch left to
// right; then one thread adds those sums left to right.
@compute @workgroup_size(WORKGROUP, 1, 1)
fn sum_spanning(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = flat_workgroup(wid, nwg);
    let block = tile / TILES;
    if (block >= arrayLength(&finished)) {
        return;
    }
    let row_here = finished[block].tail;
    if (row_here == NONE) {
        return;
    }
    let x = thread % WIDTH;
    let column = tile % TILES * WIDTH + x;
    let c = min(column, BLOCKS - 1u);
    let chunk = thread / WIDTH;
    let count = (ends[row_here + 2u] - 1u) / (params.chunk * CHUNKS) - block + 1u;
    if (count <= CHUNKS) {
        if (chunk == 0u && column < BLOCKS) {
            grad[row_here * BLOCKS + column] = sum_parts(block, 0u, count, c);
        }
        return;
    }
    let share = (count + CHUNKS - 1u) / CHUNKS;
    var total = sum_parts(block, chunk * share, min(count, (chunk + 1u) * share), c);
    shares[thread] = total;
    workgroupBarrier();
    if (chunk == 0u && column < BLOCKS) {
        for (var k = 1u; k < CHUNKS && k * share < count; k++) {
            total = total + shares[k * WIDTH + x];
        }
        grad[row_here * BLOCKS + column] = total;
    }
}
