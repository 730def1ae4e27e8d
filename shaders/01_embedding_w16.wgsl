// embed_lookup from an f16 table, on devices with `shader-f16`: half the bytes read, f32 written.
// `enable f16;` fails a whole module where the feature is missing, so this one stands alone;
// 01_embedding_w16_packed.wgsl reads the same buffer everywhere else.

enable f16;

@group(0) @binding(0) var<storage, read> tokens_w16: array<u32>;
@group(0) @binding(1) var<storage, read> table_w16: array<f16>;
@group(0) @binding(2) var<storage, read_write> out_w16: array<f32>;
@group(0) @binding(3) var<uniform> dims_w16: vec4<u32>; // (N, D, V, spare)

fn flat_id(gid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return gid.y * nwg.x * 256u + gid.x;
}

@compute @workgroup_size(256, 1, 1)
fn embed_lookup_w16(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    let seq_len = dims_w16.x;
    let d_model = dims_w16.y;
    let vocab_size = dims_w16.z;
    if (i >= seq_len * d_model) {
        return;
    }
    let s = i / d_model;
    let d = i % d_model;
    let t = tokens_w16[s];
    if (t >= vocab_size) {
        out_w16[i] = 0.0;
        return;
    }
    out_w16[i] = f32(table_w16[t * d_model + d]);
}
