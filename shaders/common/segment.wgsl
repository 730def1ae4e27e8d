// A run of addends of one row: what one thread of the sorted gradient adds up.

struct Segment {
    first: u32, // its addends are [first, last): indices into `order`, or partial sums
    last: u32,
    dst: u32,   // the row of `grad` that takes the sum
    row: u32,   // the row whose counters it adds to
}
