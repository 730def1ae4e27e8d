// embed_backward without the compare-exchange: WRONG on purpose, for the lesson.
// Two threads that add to one cell may both read the old value, add their own, and write: the later write erases
// the earlier one. Exact only where no cell has two writers. Reachable only through `Lab`.

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> grad_table: array<f32>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, spare)

fn flat_id(gid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return gid.y * nwg.x * 256u + gid.x;
}

@compute @workgroup_size(256, 1, 1)
fn embed_backward_racy(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    let seq_len = dims.x;
    let d_model = dims.y;
    let vocab_size = dims.z;
    if (i >= seq_len * d_model) {
        return;
    }
    let s = i / d_model;
    let d = i % d_model;
    let t = tokens[s];
    if (t >= vocab_size) {
        return;
    }
    let bits = grad_out[i];
    if ((bits & 0x7fffffffu) == 0u || (bits & 0x7f800000u) == 0x7f800000u) {
        return;
    }
    let dst_idx = t * d_model + d;
    grad_table[dst_idx] = grad_table[dst_idx] + bitcast<f32>(bits); // read, add, write: three steps, no lock
}
