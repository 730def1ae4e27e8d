//! What the crate needs from the browser in any layer: properties that may be missing, and waiting.

pub mod compute;
pub mod futures;
pub mod reflect;
pub mod webgpu;
