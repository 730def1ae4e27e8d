// Writes N·D elements and reads nothing: the floor under every lookup, measured instead of claimed.
//
// Follows a lane prelude (lane4.wgsl or lane1.wgsl).

@group(0) @binding(2) var<storage, read_write> out: array<Lane>;
@group(0) @binding(3) var<uniform> dims: vec4<u32>; // (lanes, -, -, -)

@compute @workgroup_size(256, 1, 1)
fn write_only(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = gid.y * nwg.x * 256u + gid.x;
    if (i < dims.x) {
        out[i] = Lane(1.0);
    }
}
