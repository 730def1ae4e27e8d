//! The CPU side: the twin of every kernel.

pub mod kernels;
