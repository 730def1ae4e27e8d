//! The one sort of the crate. The library's is compiled anew for every type and order, 3 KB each time; both of our uses
//! sort numbers, so they share one.

use core::cmp::Ordering;

/// Sorts in place by this order.
#[inline(never)]
pub(crate) fn sort_by(numbers: &mut [u32], order: &dyn Fn(u32, u32) -> Ordering) {
    numbers.sort_unstable_by(|&a, &b| order(a, b));
}
