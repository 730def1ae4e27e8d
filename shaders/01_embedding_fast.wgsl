// embed_lookup, fast: the same values as in 01_embedding.wgsl, at the speed of the memory.
// Three changes, none of arithmetic: a thread moves a lane (four columns) instead of one; D is a constant of
// the pipeline, so nothing is divided; and each thread serves four positions, all loads before the first store, so
// that many reads are under way at once.
//
// The f32 kernel walks all positions for sixteen lanes before it goes on to the next sixteen: the part of the table
// that is read again and again is then small. From f16 rows, half as long, that gains nothing and whole rows are better.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

override LANES: u32 = 96u; // D / columns of a lane

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<Lane>;
@group(0) @binding(2) var<storage, read_write> out: array<Lane>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, spare)

// The same table as packed f16, for `embed_lookup_fast_w16`.
@group(0) @binding(1) var<storage, read> table_w16: array<LaneHalf>;

// Read first, choose after: an id outside the vocabulary reads some row and takes zeros instead, so no branch stands
// between the loads.
fn row(s: u32, lane: u32) -> Lane {
    let t = tokens[s];
    return select(table[min(t, dims.z - 1u) * LANES + lane], Lane(0.0), t >= dims.z);
}

fn row_w16(s: u32, lane: u32) -> Lane {
    let t = tokens[s];
    let at = min(t, dims.z - 1u) * LANES + lane;
    return select(lane_from_half(table_w16[lane_half_index(at)], at), Lane(0.0), t >= dims.z);
}

@compute @workgroup_size(16, 16, 1)
fn embed_lookup_fast(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.z * 16u + lid.x;
    if (lane >= LANES) {
        return;
    }
    let s = (wid.y * nwg.x + wid.x) * 64u + lid.y;
    if (s + 48u < dims.x) {
        let a = row(s, lane);
        let b = row(s + 16u, lane);
        let c = row(s + 32u, lane);
        let d = row(s + 48u, lane);
        out[s * LANES + lane] = a;
        out[(s + 16u) * LANES + lane] = b;
        out[(s + 32u) * LANES + lane] = c;
        out[(s + 48u) * LANES + lane] = d;
        return;
    }
    // The end of the sequence: at most three of the four.
    for (var k = s; k < dims.x; k += 16u) {
        out[k * LANES + lane] = row(k, lane);
    }
}

@compute @workgroup_size(32, 8, 1)
fn embed_lookup_fast_w16(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = wid.x * 32u + lid.x;
    if (lane >= LANES) {
        return;
    }
    let s = (wid.z * nwg.y + wid.y) * 32u + lid.y;
    if (s + 24u < dims.x) {
        let a = row_w16(s, lane);
        let b = row_w16(s + 8u, lane);
        let c = row_w16(s + 16u, lane);
        let d = row_w16(s + 24u, lane);
        out[s * LANES + lane] = a;
        out[(s + 8u) * LANES + lane] = b;
        out[(s + 16u) * LANES + lane] = c;
        out[(s + 24u) * LANES + lane] = d;
        return;
    }
    for (var k = s; k < dims.x; k += 8u) {
        out[k * LANES + lane] = row_w16(k, lane);
    }
}
