// One optimiser step on the rows that a gradient has, and on no others.
//
//   step_sgd        w -= rate·g
//   step_adagrad    row-wise Adagrad: A += mean(g²), w -= rate / (√A + eps)·g, with 32 threads a row
//   step_squares    row-wise Adagrad in three passes, for long rows and where barriers are dear: the sum of g² over each chunk of a row
//   step_scales     second pass: A += mean(g²), the row's scale = rate / (√A + eps)
//   step_scaled     third pass: w -= scale·g
//   step_adam       m, v and w by Adam, of these rows alone
//
// The bits are the same everywhere. WGSL allows division and square root an error of a few ulp, and lets a compiler fuse a
// product and a sum into one rounding. So division and root are computed here by Newton's method from a guess on the bits, and
// every product that is added to something passes through `rounded`, which no compiler can see through.
//
// Follows common/grid.wgsl and common/columns4.wgsl or columns1.wgsl.

override BLOCKS: u32 = 96u; // blocks of columns in a row

const TILE_X: u32 = 32u;
const TILE_Y: u32 = 8u;
const ROW_CHUNKS: u32 = 64u; // the most chunks of a row in step_adagrad; the host takes the three passes for more

struct StepParams {
    capacity: u32,  // rows that the gradient has room for
    d_model: u32,
    chunk: u32,     // columns whose squares one thread adds up
    chunks: u32,    // how many such threads a row has
    nothing: u32,   // 0, but no compiler knows that
    rate: f32,      // lr; for Adam lr / (1 - beta1^k)
    eps: f32,
    inverse_d: f32, // 1 / D
    beta1: f32,
    beta1_rest: f32, // 1 - beta1
    beta2: f32,
    beta2_rest: f32, // 1 - beta2
    unbias: f32,     // 1 / (1 - beta2^k)
}

@group(0) @binding(0) var<storage, read> rows: array<u32>;               // U ids
@group(0) @binding(1) var<storage, read> grad: array<Columns>;           // U·D
@group(0) @binding(2) var<storage, read_write> table: array<Columns>;    // V·D
@group(0) @binding(3) var<uniform> params: StepParams;
@group(0) @binding(4) var<storage, read> count: array<u32>;              // U, in front
@group(0) @binding(5) var<storage, read_write> first: array<Columns>;    // Adam's m, V·D
@group(0) @binding(6) var<storage, read_write> second: array<Columns>;   // Adam's v, V·D

// For Adagrad.
@group(0) @binding(1) var<storage, read> cells: array<f32>;              // the gradient, element by element
@group(0) @binding(5) var<storage, read_write> accumulators: array<f32>; // A, V
@group(0) @binding(6) var<storage, read_write> squares: array<f32>;      // capacity·chunks
@group(0) @binding(7) var<storage, read_write> scales: array<Columns>;   // capacity

fn rounded(x: Columns) -> Columns {
    return bitcast<Columns>(bitcast<ColumnsBits>(x) ^ ColumnsBits(params.nothing));
}

fn rounded_scalar(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ params.nothing);
}

// 1/x for x > 0.
fn inverse(x: Columns) -> Columns {
    var y = bitcast<Columns>(ColumnsBits(0x7ef311c7u) - bitcast<ColumnsBits>(x));
    y = rounded(y * (Columns(2.0) - rounded(x * y)));
    y = rounded(y * (Columns(2.0) - rounded(x * y)));
    y = rounded(y * (Columns(2.0) - rounded(x * y)));
    y = rounded(y * (Columns(2.0) - rounded(x * y)));
    return y;
}

// √x for x >= 0.
fn root(x: Columns) -> Columns {
    let half = rounded(Columns(0.5) * x);
    var y = bitcast<Columns>(ColumnsBits(0x5f3759dfu) - (bitcast<ColumnsBits>(x) >> ColumnsBits(1u)));
    y = rounded(y * (Columns(1.5) - rounded(rounded(half * y) * y)));
    y = rounded(y * (Columns(1.5) - rounded(rounded(half * y) * y)));
    y = rounded(y * (Columns(1.5) - rounded(rounded(half * y) * y)));
    return rounded(x * y);
}

fn used_rows() -> u32 {
    return min(count[0], params.capacity);
}

// The block of columns and the row of the gradient that this thread works on.
fn place(wid: vec3<u32>, lid: vec3<u32>, nwg: vec3<u32>) -> vec2<u32> {
    return tile_of(wid, nwg, BLOCKS > MAX_WORKGROUPS * TILE_X) * vec2(TILE_X, TILE_Y) + lid.xy;
}

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn step_sgd(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let at = place(wid, lid, nwg);
    if (at.x >= BLOCKS || at.y >= used_rows()) {
        return;
    }
    let w = rows[at.y] * BLOCKS + at.x;
    let g = grad[at.y * BLOCKS + at.x];
    table[w] = table[w] - rounded(Columns(params.rate) * g);
}

var<workgroup> parts: array<array<f32, ROW_CHUNKS>, TILE_Y>;

// What a row has gathered after this step, where its squares add up to `sum`.
fn gathered(before: f32, sum: f32) -> f32 {
    return before + rounded_scalar(sum * params.inverse_d);
}

fn scale_of(accumulated: f32) -> Columns {
    return rounded(Columns(params.rate) * inverse(root(Columns(accumulated)) + Columns(params.eps)));
}

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn step_adagrad(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let u = flat_workgroup(wid, nwg) * TILE_Y + lid.y;
    let is_used = u < used_rows(); // the others must reach the barrier
    var row = 0u;
    var before = 0.0;
    if (is_used) {
        row = rows[u];
        before = accumulators[row];
        let length = params.chunk / COLUMNS;
        for (var c = lid.x; c < min(params.chunks, ROW_CHUNKS); c += TILE_X) {
            var sum = 0.0;
            for (var k = c * length; k < min((c + 1u) * length, BLOCKS); k++) {
                let g = grad[u * BLOCKS + k];
                sum = columns_added(sum, rounded(g * g));
            }
            parts[lid.y][c] = sum;
        }
    }
    workgroupBarrier();
    if (!is_used) {
        return;
    }
    var sum = 0.0;
    for (var c = 0u; c < min(params.chunks, ROW_CHUNKS); c++) {
        sum = sum + parts[lid.y][c];
    }
    let accumulated = gathered(before, sum);
    if (lid.x == 0u) {
        accumulators[row] = accumulated;
    }
    let scale = scale_of(accumulated);
    for (var k = lid.x; k < BLOCKS; k += TILE_X) {
        let w = row * BLOCKS + k;
        table[w] = table[w] - rounded(scale * grad[u * BLOCKS + k]);
    }
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn step_squares(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    let u = i / params.chunks;
    if (u >= used_rows()) {
        return;
    }
    let begin = (i - u * params.chunks) * params.chunk;
    var sum = 0.0;
    for (var d = begin; d < min(begin + params.chunk, params.d_model); d++) {
        let g = cells[u * params.d_model + d];
        sum = sum + rounded_scalar(g * g);
    }
    squares[i] = sum;
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn step_scales(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let u = flat_id(gid, nwg);
    if (u >= used_rows()) {
        return;
    }
    var sum = 0.0;
    for (var c = 0u; c < params.chunks; c++) {
        sum = sum + squares[u * params.chunks + c];
    }
    let accumulated = gathered(accumulators[rows[u]], sum);
    accumulators[rows[u]] = accumulated;
    scales[u] = scale_of(accumulated);
}

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn step_scaled(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let at = place(wid, lid, nwg);
    if (at.x >= BLOCKS || at.y >= used_rows()) {
        return;
    }
    let w = rows[at.y] * BLOCKS + at.x;
    let g = grad[at.y * BLOCKS + at.x];
    table[w] = table[w] - rounded(scales[at.y] * g);
}

@compute @workgroup_size(TILE_X, TILE_Y, 1)
fn step_adam(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let at = place(wid, lid, nwg);
    if (at.x >= BLOCKS || at.y >= used_rows()) {
        return;
    }
    let w = rows[at.y] * BLOCKS + at.x;
    let g = grad[at.y * BLOCKS + at.x];
    let m = rounded(Columns(params.beta1) * first[w]) + rounded(Columns(params.beta1_rest) * g);
    let v = rounded(Columns(params.beta2) * second[w]) + rounded(Columns(params.beta2_rest) * rounded(g * g));
    first[w] = m;
    second[w] = v;
    let scale = inverse(root(rounded(Columns(params.unbias) * v)) + Columns(params.eps));
    table[w] = table[w] - rounded(rounded(Columns(params.rate) * m) * scale);
}
