// embed_lookup, fast: the same values as in 01_embedding.wgsl, at the speed of the memory.
// Three changes, none of arithmetic: a thread moves a lane (four columns) instead of one; D is a constant of
// the pipeline, so nothing is divided; and each thread serves ROWS positions, all loads before the first
// store, so that many reads are under way at once.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

override LANES: u32 = 96u; // D / columns of a lane

const ROWS: u32 = 4u;
const WIDE: u32 = 32u; // threads of a workgroup along the lanes
const TALL: u32 = 8u;  // ... and along the positions

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<Lane>;
@group(0) @binding(2) var<storage, read_write> out: array<Lane>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, spare)

// The same table as packed f16, for `embed_lookup_fast_w16`.
@group(0) @binding(1) var<storage, read> table_w16: array<LaneHalf>;

// First position of this thread; the next ones follow at a distance of TALL. A long sequence folds y into z.
fn first_position(wid: vec3<u32>, lid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return (wid.z * nwg.y + wid.y) * (TALL * ROWS) + lid.y;
}

@compute @workgroup_size(32, 8, 1)
fn embed_lookup_fast(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * WIDE + lid.x;
    let first = first_position(wid, lid, nwg);
    if (lane >= LANES) {
        return;
    }
    var rows: array<Lane, ROWS>;
    for (var k = 0u; k < ROWS; k++) {
        let s = first + k * TALL;
        rows[k] = Lane(0.0);
        if (s < dims.x) {
            let t = tokens[s];
            if (t < dims.z) {
                rows[k] = table[t * LANES + lane];
            }
        }
    }
    for (var k = 0u; k < ROWS; k++) {
        let s = first + k * TALL;
        if (s < dims.x) {
            out[s * LANES + lane] = rows[k];
        }
    }
}

@compute @workgroup_size(32, 8, 1)
fn embed_lookup_fast_w16(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * WIDE + lid.x;
    let first = first_position(wid, lid, nwg);
    if (lane >= LANES) {
        return;
    }
    var rows: array<Lane, ROWS>;
    for (var k = 0u; k < ROWS; k++) {
        let s = first + k * TALL;
        rows[k] = Lane(0.0);
        if (s < dims.x) {
            let t = tokens[s];
            if (t < dims.z) {
                let at = t * LANES + lane;
                rows[k] = lane_from_half(table_w16[lane_half_index(at)], at);
            }
        }
    }
    for (var k = 0u; k < ROWS; k++) {
        let s = first + k * TALL;
        if (s < dims.x) {
            out[s * LANES + lane] = rows[k];
        }
    }
}
