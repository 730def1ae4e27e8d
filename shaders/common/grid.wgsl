// The number of this workgroup and of this thread in a grid that may be folded: at most 65,535 workgroups fit in one direction,
// so a longer row of them continues in the next.

const MAX_WORKGROUPS: u32 = 65535u;
const WORKGROUP: u32 = 256u; // threads of a workgroup, in kernels that have one thread per element

fn flat_workgroup(wid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return wid.y * nwg.x + wid.x;
}

fn flat_id(gid: vec3<u32>, nwg: vec3<u32>) -> u32 {
    return gid.y * nwg.x * WORKGROUP + gid.x;
}

// Of rows in blocks of columns, which tile: columns go along x and rows fold into y and z. Only where a row is wider than a
// whole direction of the grid (D above a million) the columns fold, into x and y; then there are few rows.
fn tile_of(wid: vec3<u32>, nwg: vec3<u32>, wide: bool) -> vec2<u32> {
    return select(vec2(wid.x, wid.z * nwg.y + wid.y), vec2(wid.y * nwg.x + wid.x, wid.z), wide);
}
