//! What the crate asks of the browser, wherever it is called from: properties that may be missing, and waiting.

pub mod futures;
pub mod reflect;
pub mod webgpu;
