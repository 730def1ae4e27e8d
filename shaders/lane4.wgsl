// Prelude where D is a multiple of 4: a lane is four neighbouring columns, read and written as 16 bytes.
// lane1.wgsl is its twin for every other D. The fast kernels are written once over `Lane`.

alias Lane = vec4<f32>;
alias LaneBits = vec4<u32>;
alias LaneHalf = vec2<u32>; // the lane's columns as packed f16

// The largest of the lane's columns.
fn lane_max(x: LaneBits) -> u32 {
    return max(max(x.x, x.y), max(x.z, x.w));
}

// How many of the lane's columns are 1, where each is 0 or 1.
fn lane_sum(x: LaneBits) -> u32 {
    return x.x + x.y + x.z + x.w;
}

fn lane_from_half(packed: LaneHalf, _column: u32) -> Lane {
    return vec4<f32>(unpack2x16float(packed.x), unpack2x16float(packed.y));
}

// Which LaneHalf holds lane `k` of the table.
fn lane_half_index(k: u32) -> u32 {
    return k;
}
