//= sum
const GROUP = 64u;

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> grad_table: array<f32>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, -)

//= skips
fn is_skipped(bits: u32) -> bool {
    let zero = (bits & 0x7fffffffu) == 0u;
    let finite = (bits & 0x7f800000u) != 0x7f800000u;
    return zero || !finite;
}

@compute @workgroup_size(GROUP)
fn embed_backward(
    @builtin(global_invocation_id) gid: vec3<u32>,
    @builtin(num_workgroups) nwg: vec3<u32>,
) {
    let i = gid.y * nwg.x * GROUP + gid.x;
    if (i >= dims.x * dims.y) {
        return;
    }
    let s = i / dims.y;
    let d = i % dims.y;
    let t = tokens[s];
    if (t >= dims.z) {
        return;
    }
    //= sumHere
    if (s > 0u && tokens[s - 1u] == t) {
        return;
    }
    var sum = 0.0;
    for (var k = s; k < dims.x && tokens[k] == t; k += 1u) {
        let bits = grad_out[k * dims.y + d];
        if (!is_skipped(bits)) {
            sum += bitcast<f32>(bits);
        }
    }
    grad_table[t * dims.y + d] = sum;
}
