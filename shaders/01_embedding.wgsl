// The document's two kernels: row lookup, and its gradient by a compare-exchange loop.
// One thread is one element (s, d) of the N·D output; both directions share that map.
//
//   embed_lookup     out[s, d] = table[tokens[s], d]            0 where tokens[s] >= V
//   embed_backward   grad_table[tokens[s], d] += grad_out[s, d]
//
// This is the lesson and the baseline. What the API runs by default is in lookup_fast.wgsl and
// gradient_blocks.wgsl.

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, spare)

// embed_lookup
@group(0) @binding(1) var<storage, read> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

// embed_backward. Gradients come as bits: a float comparison may be optimised away, because WGSL lets a
// compiler assume that NaN and Inf don't occur.
@group(0) @binding(1) var<storage, read> grad_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> grad_table: array<atomic<u32>>;

// A grid may have at most 65,535 workgroups in one direction; a longer one is folded into x and y.
fn flat_id(gid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return gid.y * nwg.x * 256u + gid.x;
}

fn is_finite(bits: u32) -> bool {
    return (bits & 0x7f800000u) != 0x7f800000u;
}

fn is_zero(bits: u32) -> bool {
    return (bits & 0x7fffffffu) == 0u;
}

@compute @workgroup_size(256, 1, 1)
fn embed_lookup(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
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
        out[i] = 0.0;
        return;
    }
    out[i] = table[t * d_model + d];
}

@compute @workgroup_size(256, 1, 1)
fn embed_backward(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
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
    if (is_zero(bits) || !is_finite(bits)) {
        return;
    }
    let val = bitcast<f32>(bits);
    let dst_idx = t * d_model + d;

    // WGSL has no atomic f32. Read the cell's 32 bits, add as f32, and write only if the cell still holds
    // the bits that were read; if another thread came first, take its value and try again. The comparison
    // is between u32, so a NaN in the cell (equal to nothing as f32) cannot hang the loop.
    var old_bits = atomicLoad(&grad_table[dst_idx]);
    loop {
        let new_bits = bitcast<u32>(bitcast<f32>(old_bits) + val);
        let res = atomicCompareExchangeWeak(&grad_table[dst_idx], old_bits, new_bits);
        if (res.exchanged) {
            break;
        }
        old_bits = res.old_value;
    }
}
