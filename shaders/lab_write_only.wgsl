// Writes N·D elements and reads nothing: the lower bound for every lookup's time, measured instead of claimed.
// A thread writes four blocks of columns: with one it is 20% slower on a large GPU.
//
// Follows common/grid.wgsl and common/columns4.wgsl or columns1.wgsl.

const PER_THREAD: u32 = 4u;

struct WriteParams {
    blocks: u32, // of columns, in the whole output
}

@group(0) @binding(2) var<storage, read_write> out: array<Columns>;
@group(0) @binding(3) var<uniform> params: WriteParams;

@compute @workgroup_size(WORKGROUP, 1, 1)
fn write_only(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let first = flat_workgroup(wid, nwg) * WORKGROUP * PER_THREAD + thread;
    for (var i = first; i < min(first + WORKGROUP * PER_THREAD, params.blocks); i += WORKGROUP) {
        out[i] = Columns(1.0);
    }
}
