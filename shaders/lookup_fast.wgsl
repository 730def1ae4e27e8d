// embed_lookup, fast: the same values as in 01_embedding.wgsl, at the speed of memory.
// Three changes, none to the arithmetic: a thread moves a block of columns (four of them) instead of one; D is a pipeline
// constant, so nothing is divided; and each thread serves four positions, with all loads before the first store, so
// that many reads are under way at once.
//
// The f32 kernel walks all positions for sixteen blocks before it goes on to the next sixteen: the part of the table
// that is read again and again is then small. With f16 rows, half as long, that gains nothing, and whole rows are faster.
//
// Follows common/grid.wgsl and common/columns4.wgsl or columns1.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

// Tiles of the two kernels: columns' blocks by threads' rows; a thread serves four positions, TILE_Y apart.
const TILE_X: u32 = 16u;
const TILE_Y: u32 = 16u;
const TILE_W16_X: u32 = 32u;
const TILE_W16_Y: u32 = 8u;
const PER_THREAD: u32 = 4u;

struct LookupParams {
    seq_len: u32,
    vocab_size: u32,
}

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<Columns>;
@group(0) @binding(2) var<storage, read_write> out: array<Columns>;
@group(0) @binding(3) var<uniform> params: LookupParams;

// The same table as packed f16, for `embed_lookup_fast_w16`.
@group(0) @binding(1) var<storage, read> table_w16: array<ColumnsHalf>;

// Reads first and selects afterwards: an id outside the vocabulary reads some row and gives zeros, so that no branch separates
// the loads.
fn row(s: u32, block: u32) -> Columns {
    let t = tokens[s];
    return select(table[min(t, params.vocab_size - 1u) * BLOCKS + block], Columns(0.0), t >= params.vocab_size);
}

fn row_w16(s: u32, block: u32) -> Columns {
    let t = tokens[s];
    let at = min(t, params.vocab_size - 1u) * BLOCKS + block;
    let value = columns_from_half(table_w16[columns_half_index(at)], at);
    return select(value, Columns(0.0), t >= params.vocab_size);
}

// Columns go along z, and positions fold into x and y. Only where a row is wider than a whole direction of the grid (D above
// a million) do columns fold, into y and z; then there are few positions, since no buffer has room for more.
@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn embed_lookup_fast(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let wide = BLOCKS > MAX_WORKGROUPS * TILE_X;
    let block = select(wid.z, wid.z * nwg.y + wid.y, wide) * TILE_X + lid.x;
    if (block >= BLOCKS) {
        return;
    }
    let s = select(wid.y * nwg.x + wid.x, wid.x, wide) * TILE_Y * PER_THREAD + lid.y;
    if (s + 3u * TILE_Y < params.seq_len) {
        let a = row(s, block);
        let b = row(s + TILE_Y, block);
        let c = row(s + 2u * TILE_Y, block);
        let d = row(s + 3u * TILE_Y, block);
        out[s * BLOCKS + block] = a;
        out[(s + TILE_Y) * BLOCKS + block] = b;
        out[(s + 2u * TILE_Y) * BLOCKS + block] = c;
        out[(s + 3u * TILE_Y) * BLOCKS + block] = d;
        return;
    }
    // The end of the sequence: at most three of the four.
    for (var k = s; k < params.seq_len; k += TILE_Y) {
        out[k * BLOCKS + block] = row(k, block);
    }
}

// Columns along x, positions fold into y and z; or columns into x and y, and positions along z.
@compute @workgroup_size(TILE_W16_X, TILE_W16_Y, 1)
fn embed_lookup_fast_w16(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let wide = BLOCKS > MAX_WORKGROUPS * TILE_W16_X;
    let block = select(wid.x, wid.y * nwg.x + wid.x, wide) * TILE_W16_X + lid.x;
    if (block >= BLOCKS) {
        return;
    }
    let s = select(wid.z * nwg.y + wid.y, wid.z, wide) * TILE_W16_Y * PER_THREAD + lid.y;
    if (s + 3u * TILE_W16_Y < params.seq_len) {
        let a = row_w16(s, block);
        let b = row_w16(s + TILE_W16_Y, block);
        let c = row_w16(s + 2u * TILE_W16_Y, block);
        let d = row_w16(s + 3u * TILE_W16_Y, block);
        out[s * BLOCKS + block] = a;
        out[(s + TILE_W16_Y) * BLOCKS + block] = b;
        out[(s + 2u * TILE_W16_Y) * BLOCKS + block] = c;
        out[(s + 3u * TILE_W16_Y) * BLOCKS + block] = d;
        return;
    }
    for (var k = s; k < params.seq_len; k += TILE_W16_Y) {
        out[k * BLOCKS + block] = row_w16(k, block);
    }
}
