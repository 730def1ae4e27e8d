// Prelude where D is no multiple of 4: a lane is one column. Twin of lane4.wgsl.

alias Lane = f32;
alias LaneBits = u32;
alias LaneHalf = u32; // two neighbouring columns as packed f16; one of them is the lane's

fn lane_max(x: LaneBits) -> u32 {
    return x;
}

fn lane_sum(x: LaneBits) -> u32 {
    return x;
}

fn lane_from_half(packed: LaneHalf, column: u32) -> Lane {
    let pair = unpack2x16float(packed);
    return select(pair.x, pair.y, (column & 1u) == 1u);
}

fn lane_half_index(k: u32) -> u32 {
    return k >> 1u;
}
