// Asks the device two things that WGSL leaves open: whether f32 addition rounds to nearest even, and whether subnormal
// sums survive. The operands come from a buffer, so that no compiler can fold the answers into constants.

@group(0) @binding(1) var<storage, read> operands: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(16, 1, 1)
fn probe(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x < arrayLength(&operands)) {
        sums[gid.x] = bitcast<u32>(operands[gid.x].x + operands[gid.x].y);
    }
}
