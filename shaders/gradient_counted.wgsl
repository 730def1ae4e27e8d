// embed_backward that also counts, for each row, what the page shows beside the gradient.
// The sum is that of 01_embedding.wgsl; only the counters are new.

struct RowCount {
    hits: atomic<u32>,       // positions whose token is this row
    zero: atomic<u32>,       // elements skipped because they are +0 or -0
    non_finite: atomic<u32>, // elements skipped because they are NaN or Inf
    retries: atomic<u32>,    // failed exchanges, spurious ones too; stays at 2^32-1 once there
}

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> grad_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> grad_table: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (N, D, V, spare)
// V + 1 of them: row V gathers the positions whose token is outside the vocabulary.
@group(0) @binding(4) var<storage, read_write> counts: array<RowCount>;

fn flat_id(gid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return gid.y * nwg.x * 256u + gid.x;
}

@compute @workgroup_size(256, 1, 1)
fn embed_backward_counted(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    let seq_len = dims.x;
    let d_model = dims.y;
    let vocab_size = dims.z;
    if (i >= seq_len * d_model) {
        return;
    }
    let s = i / d_model;
    let d = i % d_model;
    let t = min(tokens[s], vocab_size);
    if (d == 0u) {
        atomicAdd(&counts[t].hits, 1u); // once a position, not once an element
    }
    if (t == vocab_size) {
        return;
    }
    // Additions are hits·D less the skipped elements, so only the rare skips are counted.
    let bits = grad_out[i];
    if ((bits & 0x7fffffffu) == 0u) {
        atomicAdd(&counts[t].zero, 1u);
        return;
    }
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        atomicAdd(&counts[t].non_finite, 1u);
        return;
    }
    let val = bitcast<f32>(bits);
    let dst_idx = t * d_model + d;

    var retries = 0u;
    var old_bits = atomicLoad(&grad_table[dst_idx]);
    loop {
        let new_bits = bitcast<u32>(bitcast<f32>(old_bits) + val);
        let res = atomicCompareExchangeWeak(&grad_table[dst_idx], old_bits, new_bits);
        if (res.exchanged) {
            break;
        }
        old_bits = res.old_value;
        retries += 1u;
    }

    if (retries > 0u) {
        // The thread that takes the counter past 2^32-1 sets it back to that; so does every later one.
        let before = atomicAdd(&counts[t].retries, retries);
        if (before > 0xffffffffu - retries) {
            atomicStore(&counts[t].retries, 0xffffffffu);
        }
    }
}
