// Where D is a multiple of 4, a kernel moves four neighbouring columns at once, 16 bytes.
// columns1.wgsl is its twin for every other D. The fast kernels are written once, over `Columns`.

alias Columns = vec4<f32>;
alias ColumnsBits = vec4<u32>;
alias ColumnsHalf = vec2<u32>; // four columns as packed f16
const COLUMNS: u32 = 4u;

// The largest of the columns.
fn columns_max(x: ColumnsBits) -> u32 {
    return max(max(x.x, x.y), max(x.z, x.w));
}

// How many of the columns are 1, where each is 0 or 1.
fn columns_sum(x: ColumnsBits) -> u32 {
    return x.x + x.y + x.z + x.w;
}

// `sum` with the columns added, one after the other.
fn columns_added(sum: f32, x: Columns) -> f32 {
    return ((sum + x.x) + x.y) + x.z + x.w;
}

fn columns_from_half(packed: ColumnsHalf, _k: u32) -> Columns {
    return vec4<f32>(unpack2x16float(packed.x), unpack2x16float(packed.y));
}

// The index of the ColumnsHalf that holds block `k` of the table.
fn columns_half_index(k: u32) -> u32 {
    return k;
}
