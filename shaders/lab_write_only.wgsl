// Writes N·D elements and reads nothing: the floor under every lookup, measured instead of claimed.
// Four lanes a thread: one a thread is 20% slower on a large GPU.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

@group(0) @binding(2) var<storage, read_write> out: array<Lane>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (lanes, -, -, -)

@compute @workgroup_size(256, 1, 1)
fn write_only(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let first = (wid.y * nwg.x + wid.x) * 1024u + thread;
    for (var i = first; i < min(first + 1024u, dims.x); i += 256u) {
        out[i] = Lane(1.0);
    }
}
