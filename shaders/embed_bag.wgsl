// embed_bag: the sum or the mean of the rows of each bag, which is a run of positions. Added position by position, so that the
// bits depend on the ids alone; an id outside the vocabulary adds nothing, and an empty bag is zeros.
//
// Follows common/grid.wgsl and common/columns4.wgsl or columns1.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

const TILE_X: u32 = 32u;
const TILE_Y: u32 = 8u;

// Some drivers end every loop of a thread once all of them together have had 65,535 turns, so that a long bag takes several
// dispatches: each adds at most `stretch` positions of every bag to what the one before left in `out`.
struct BagParams {
    bags: u32,
    vocab_size: u32,
    done: u32,    // positions of each bag that were added before
    stretch: u32,
}

struct Bag {
    first: u32, // its positions are [first, last)
    last: u32,
    scale: f32, // 1 for the sum, 1 / (last - first) for the mean
}

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<Columns>;
@group(0) @binding(2) var<storage, read_write> out: array<Columns>;
@group(0) @binding(3) var<uniform> params: BagParams;
@group(0) @binding(4) var<storage, read> bags: array<Bag>;

// The same table as packed f16, for `embed_bag_w16`.
@group(0) @binding(1) var<storage, read> table_w16: array<ColumnsHalf>;

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn embed_bag(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = tile_of(wid, nwg, BLOCKS > MAX_WORKGROUPS * TILE_X);
    let block = tile.x * TILE_X + lid.x;
    let b = tile.y * TILE_Y + lid.y;
    if (block >= BLOCKS || b >= params.bags) {
        return;
    }
    let bag = bags[b];
    if (params.done > 0u && params.done >= bag.last - bag.first) {
        return; // an earlier dispatch had the end of it
    }
    let first = bag.first + params.done;
    let last = first + min(params.stretch, bag.last - first);
    var sum = Columns(0.0);
    if (params.done > 0u) {
        sum = out[b * BLOCKS + block];
    }
    for (var s = first; s < last; s++) {
        let t = tokens[s];
        if (t < params.vocab_size) {
            sum = sum + table[t * BLOCKS + block];
        }
    }
    if (last == bag.last) {
        sum = sum * bag.scale;
    }
    out[b * BLOCKS + block] = sum;
}

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn embed_bag_w16(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let tile = tile_of(wid, nwg, BLOCKS > MAX_WORKGROUPS * TILE_X);
    let block = tile.x * TILE_X + lid.x;
    let b = tile.y * TILE_Y + lid.y;
    if (block >= BLOCKS || b >= params.bags) {
        return;
    }
    let bag = bags[b];
    if (params.done > 0u && params.done >= bag.last - bag.first) {
        return; // an earlier dispatch had the end of it
    }
    let first = bag.first + params.done;
    let last = first + min(params.stretch, bag.last - first);
    var sum = Columns(0.0);
    if (params.done > 0u) {
        sum = out[b * BLOCKS + block];
    }
    for (var s = first; s < last; s++) {
        let t = tokens[s];
        if (t < params.vocab_size) {
            let at = t * BLOCKS + block;
            sum = sum + columns_from_half(table_w16[columns_half_index(at)], at);
        }
    }
    if (last == bag.last) {
        sum = sum * bag.scale;
    }
    out[b * BLOCKS + block] = sum;
}
