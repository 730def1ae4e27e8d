// Where D is not a multiple of 4, a kernel moves one column at a time. Twin of columns4.wgsl.

alias Columns = f32;
alias ColumnsBits = u32;
alias ColumnsHalf = u32; // a word of packed f16, of which one half is the column
const COLUMNS: u32 = 1u;

fn columns_max(x: ColumnsBits) -> u32 {
    return x;
}

fn columns_sum(x: ColumnsBits) -> u32 {
    return x;
}

fn columns_added(sum: f32, x: Columns) -> f32 {
    return sum + x;
}

fn columns_from_half(packed: ColumnsHalf, k: u32) -> Columns {
    let pair = unpack2x16float(packed);
    return select(pair.x, pair.y, (k & 1u) == 1u);
}

fn columns_half_index(k: u32) -> u32 {
    return k >> 1u;
}
