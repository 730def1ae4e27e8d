// What a gradient skips: ±0, NaN and Inf, recognised by their bits, since a float comparison may be optimised away.
// Follows columns4.wgsl or columns1.wgsl.

struct RowSkips {
    zero: atomic<u32>,
    non_finite: atomic<u32>,
}

// Twice the bits, less one, which drops the sign: 2^32-1 for a zero, at least 0xfeffffff for a NaN or an Inf, and less
// for everything that is added. So the maximum over many elements needs only one comparison.
fn oddness(bits: ColumnsBits) -> ColumnsBits {
    return bits + bits - ColumnsBits(1u);
}

const ODD: u32 = 0xfeffffffu;

fn is_zero(bits: ColumnsBits) -> ColumnsBits {
    return select(ColumnsBits(0u), ColumnsBits(1u), (bits & ColumnsBits(0x7fffffffu)) == ColumnsBits(0u));
}

fn is_non_finite(bits: ColumnsBits) -> ColumnsBits {
    return select(ColumnsBits(0u), ColumnsBits(1u), (bits & ColumnsBits(0x7f800000u)) == ColumnsBits(0x7f800000u));
}

// What is added: the value, or zero in place of NaN and Inf. (Adding a zero changes nothing: the sum starts at +0, and no
// sum rounded to nearest is -0 after that.)
fn addend(bits: ColumnsBits) -> Columns {
    let non_finite = (bits & ColumnsBits(0x7f800000u)) == ColumnsBits(0x7f800000u);
    return bitcast<Columns>(select(bits, ColumnsBits(0u), non_finite));
}
