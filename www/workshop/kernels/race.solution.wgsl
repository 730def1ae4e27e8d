const GROUP = 64u;

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> grad_table: array<atomic<u32>>;
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
    let bits = grad_out[i];
    if (is_skipped(bits)) {
        return;
    }
    let val = bitcast<f32>(bits);
    //= raceFix
    let cell = t * dims.y + d;
    var old_bits = atomicLoad(&grad_table[cell]);
    loop {
        let new_bits = bitcast<u32>(bitcast<f32>(old_bits) + val);
        let res = atomicCompareExchangeWeak(&grad_table[cell], old_bits, new_bits);
        if (res.exchanged) {
            break;
        }
        old_bits = res.old_value;
    }
}
