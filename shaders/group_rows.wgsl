// Grouping, second half: the sorted positions become rows, and the rows segments for gradient_sorted.wgsl.
//
//   rows_find    where each row's positions begin and end, and how many rows of each 256 are used
//   rows_emit    numbers the used rows in ascending order, and cuts each into its segments
//
// Segments may stand in any order: each knows its row and its addends, and those are what fixes the bits of the sum. So
// the full ones stand in front, where they are begun first, and the others behind a gap: a long segment begun last would
// keep the whole device waiting.
//
// Follows common/grid.wgsl, common/scan.wgsl and common/segment.wgsl.

const ROWS_GROUP: u32 = 256u; // vocabulary rows of one workgroup of `rows_emit`, and of one counter in `used_rows`
const LEVELS: u32 = 3u;

struct RowsParams {
    seq_len: u32,
    vocab_size: u32,
    segment_length: u32, // positions at most
    fan_in: u32,         // partial sums that one segment of a further level takes at most
}

struct Level {
    segments: atomic<u32>, // how many; `SumParams` of the pass that sums them (in the first level: full ones so far)
    first: u32,            // where they begin in `segments`
    partial: u32,          // first partial sum of this level
    taken: atomic<u32>,    // partial sums given out so far
    short: atomic<u32>,    // first level: segments that are not full, so far
    first_short: u32,      // ... and where they begin
    padding: array<u32, 58>, // a uniform must begin at a multiple of 256 bytes
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;               // N, sorted; V for ids outside
@group(0) @binding(1) var<storage, read_write> spans: array<vec2<u32>>;  // V: [begin, end) of each row
@group(0) @binding(2) var<storage, read_write> used_rows: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> params: RowsParams;
@group(0) @binding(4) var<storage, read_write> segments: array<Segment>;
@group(0) @binding(5) var<storage, read_write> levels: array<Level, LEVELS>;
@group(0) @binding(6) var<storage, read_write> skips: array<vec2<u32>>;  // U, zeroed here
@group(0) @binding(7) var<storage, read_write> rows: array<vec2<u32>>;   // U: (id, hits)

@compute @workgroup_size(WORKGROUP, 1, 1)
fn rows_find(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let j = flat_id(gid, nwg);
    if (j < LEVELS) {
        atomicStore(&levels[j].segments, 0u);
        atomicStore(&levels[j].taken, 0u);
        atomicStore(&levels[j].short, 0u);
    }
    if (j >= params.seq_len) {
        return;
    }
    let t = keys[j];
    if (t >= params.vocab_size) {
        return;
    }
    var begins = j == 0u;
    if (!begins) {
        begins = keys[j - 1u] != t;
    }
    if (begins) {
        spans[t].x = j;
        atomicAdd(&used_rows[t / ROWS_GROUP], 1u);
    }
    var ends = j + 1u == params.seq_len;
    if (!ends) {
        ends = keys[j + 1u] != t;
    }
    if (ends) {
        spans[t].y = j + 1u;
    }
}

var<workgroup> before: atomic<u32>;
// For each level, what this workgroup needs and then where its share begins.
var<workgroup> segment_share: array<atomic<u32>, LEVELS>;
var<workgroup> short_share: atomic<u32>;
var<workgroup> short_base: u32;
var<workgroup> partial_share: array<atomic<u32>, LEVELS>;
var<workgroup> segment_base: array<u32, LEVELS>;
var<workgroup> partial_base: array<u32, LEVELS>;

// A run of segments to write: `count` of at most `length` addends over [first, last), to partial sums from `dst` on. Few
// are written at once; of many the whole workgroup takes its share later, so that a row of a million hits is not one
// thread's work here either.
struct Run {
    at: u32,
    count: u32,
    first: u32,
    last: u32,
    length: u32,
    dst: u32,
    row: u32,
}

const FEW: u32 = 8u;

var<workgroup> runs: array<Run, 2u * ROWS_GROUP>; // a row has at most two long runs
var<workgroup> runs_left: atomic<u32>;

fn write_segment(run: Run, k: u32) {
    let begin = run.first + k * run.length;
    segments[run.at + k] = Segment(begin, min(run.last, begin + run.length), run.dst + k, run.row);
}

fn cut(run: Run) {
    if (run.count > FEW) {
        runs[atomicAdd(&runs_left, 1u)] = run;
        return;
    }
    for (var k = 0u; k < run.count; k++) {
        write_segment(run, k);
    }
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn rows_emit(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) thread: u32, @builtin(num_workgroups) nwg: vec3<u32>) {
    let group = flat_workgroup(wid, nwg);
    let t = group * ROWS_GROUP + thread;
    var span = vec2<u32>(0u);
    if (t < params.vocab_size) {
        span = spans[t];
    }
    let hits = span.y - span.x;

    // Used rows in front of this workgroup, then in front of this row.
    var rows_before = 0u;
    for (var g = thread; g < group; g += WORKGROUP) {
        rows_before += atomicLoad(&used_rows[g]);
    }
    if (rows_before > 0u) {
        atomicAdd(&before, rows_before);
    }
    let local = sum_before(thread, select(0u, 1u, hits > 0u));
    let row = atomicLoad(&before) + local;

    // Segments of each level: positions into segments, segments into partial sums, and once more for enormous rows.
    let length = params.segment_length;
    let fan_in = params.fan_in;
    let full = hits / length;
    let rest = hits - full * length;
    let n0 = full + select(0u, 1u, rest > 0u);
    let n1 = select(0u, (n0 + fan_in - 1u) / fan_in, n0 > 1u);
    let n2 = select(0u, 1u, n1 > 1u);
    var at = array<u32, LEVELS>(0u, 0u, 0u);
    var partial = array<u32, LEVELS>(0u, 0u, 0u);
    if (full > 0u) {
        at[0] = atomicAdd(&segment_share[0], full);
    }
    var at_short = 0u;
    if (rest > 0u) {
        at_short = atomicAdd(&short_share, 1u);
    }
    if (n0 > 1u) {
        partial[0] = atomicAdd(&partial_share[0], n0);
        at[1] = atomicAdd(&segment_share[1], n1);
    }
    if (n1 > 1u) {
        partial[1] = atomicAdd(&partial_share[1], n1);
        at[2] = atomicAdd(&segment_share[2], n2);
    }
    workgroupBarrier();
    if (thread < LEVELS) {
        let share = atomicLoad(&segment_share[thread]);
        if (share > 0u) {
            segment_base[thread] = levels[thread].first + atomicAdd(&levels[thread].segments, share);
        }
        let rows_share = atomicLoad(&partial_share[thread]);
        if (rows_share > 0u) {
            partial_base[thread] = levels[thread].partial + atomicAdd(&levels[thread].taken, rows_share);
        }
    }
    if (thread == LEVELS) {
        let share = atomicLoad(&short_share);
        if (share > 0u) {
            short_base = levels[0].first_short + atomicAdd(&levels[0].short, share);
        }
    }
    workgroupBarrier();
    if (hits > 0u) {
        rows[row] = vec2<u32>(t, hits);
        skips[row] = vec2<u32>(0u);
        let p0 = partial_base[0] + partial[0];
        let p1 = partial_base[1] + partial[1];
        let dst = select(p0, row, n0 == 1u);
        cut(Run(segment_base[0] + at[0], full, span.x, span.y, length, dst, row));
        if (rest > 0u) {
            segments[short_base + at_short] = Segment(span.y - rest, span.y, dst + full, row);
        }
        cut(Run(segment_base[1] + at[1], n1, p0, p0 + n0, fan_in, select(p1, row, n1 == 1u), row));
        if (n2 > 0u) {
            segments[segment_base[2] + at[2]] = Segment(p1, p1 + n1, row, row);
        }
    }
    workgroupBarrier();
    let long_runs = atomicLoad(&runs_left);
    for (var r = 0u; r < long_runs; r++) {
        let run = runs[r];
        for (var k = thread; k < run.count; k += WORKGROUP) {
            write_segment(run, k);
        }
    }
}
