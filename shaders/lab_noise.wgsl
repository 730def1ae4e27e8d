// Fills a gradient with noise in [-1, 1) on the device, so that a timing need not upload it.
// Each value is a hash of its index (PCG's output function), so every run and every adapter has the same noise, and
// no element is zero or non-finite. Follows common/grid.wgsl.

struct NoiseParams {
    elements: u32,
    seed: u32,
}

@group(0) @binding(2) var<storage, read_write> cells: array<f32>;
@group(0) @binding(3) var<uniform> params: NoiseParams;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn noise(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    if (i >= params.elements) {
        return;
    }
    let state = (i ^ params.seed) * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    let hash = (word >> 22u) ^ word;
    cells[i] = (f32(hash >> 9u) + 0.5) * (2.0 / 8388608.0) - 1.0;
}
