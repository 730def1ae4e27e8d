// fill_zero: clears the gradient. Zero has the same 32 bits as f32 and as u32, so one kernel serves floats, counters and
// atomics. Follows common/grid.wgsl.

struct FillParams {
    words: u32,
}

@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@group(0) @binding(3) var<uniform> params: FillParams;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn fill_zero(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    if (i < params.words) {
        cells[i] = 0u;
    }
}
