// Grouping of a short sequence: a stable sort of the positions by their token, in one dispatch.
//
// A position's place in the order is the number of positions that come before it: those with a smaller token, and
// those with the same token further left. So every position is compared with every other, N² comparisons. Up to a few
// thousand positions that is faster than a radix sort (group_radix.wgsl), whose dispatches wait for each other.
//
// Ids outside the vocabulary count as V and so come last. Follows common/grid.wgsl.

const POSITIONS: u32 = 8u; // positions that a workgroup places
const SHARES: u32 = 32u;   // threads that share the comparisons of each

struct EnumerateParams {
    seq_len: u32,
    vocab_size: u32,
    capacity: u32, // rows that `skips` has room for
}

@group(0) @binding(0) var<storage, read> tokens: array<vec4<u32>>; // N, padded to a multiple of four
@group(0) @binding(1) var<storage, read_write> sorted: array<vec2<u32>>; // N: (token, position)
@group(0) @binding(3) var<uniform> params: EnumerateParams;

// Cleared for gradient_blocks.wgsl.
@group(0) @binding(5) var<storage, read_write> skips: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> spans: array<u32>;

var<workgroup> earlier: array<array<u32, POSITIONS>, SHARES>;

@compute @workgroup_size(POSITIONS, SHARES, 1)
fn enumerate(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let s = flat_workgroup(wid, nwg) * POSITIONS + lid.x;
    let last = min(s, params.seq_len - 1u);
    let t = min(tokens[last / 4u][last % 4u], params.vocab_size);
    let ones = vec4<u32>(1u);
    var count = vec4<u32>(0u);
    for (var four = lid.y; four * 4u < params.seq_len; four += SHARES) {
        let k = four * 4u + vec4<u32>(0u, 1u, 2u, 3u);
        let others = min(tokens[four], vec4<u32>(params.vocab_size));
        // An equal token further left comes before this one too.
        let before = others < t + select(vec4<u32>(0u), ones, k < vec4<u32>(s));
        count += select(vec4<u32>(0u), ones, before & (k < vec4<u32>(params.seq_len)));
    }
    earlier[lid.y][lid.x] = count.x + count.y + count.z + count.w;
    workgroupBarrier();
    if (lid.y == 0u && s < params.seq_len) {
        var place = 0u;
        for (var share = 0u; share < SHARES; share++) {
            place += earlier[share][lid.x];
        }
        sorted[place] = vec2<u32>(t, s);
        if (s < params.capacity) {
            skips[s] = vec2<u32>(0u);
        }
        if (s == 0u) {
            spans[0] = 0u;
        }
    }
}
