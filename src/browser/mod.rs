//! What the crate asks of the browser, wherever it is called from: properties that may be missing, waiting, the bundled files.

pub mod fetch;
pub mod futures;
pub mod reflect;
