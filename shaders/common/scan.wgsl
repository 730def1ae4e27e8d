// Prefix sums over a workgroup. Follows grid.wgsl.

var<workgroup> sums: array<u32, WORKGROUP>;

// Sum of `value` over the threads before this one. All threads of the workgroup call it together.
fn sum_before(thread: u32, value: u32) -> u32 {
    sums[thread] = value;
    workgroupBarrier();
    for (var step = 1u; step < WORKGROUP; step *= 2u) {
        var left = 0u;
        if (thread >= step) {
            left = sums[thread - step];
        }
        workgroupBarrier();
        sums[thread] += left;
        workgroupBarrier();
    }
    return sums[thread] - value;
}
