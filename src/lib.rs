//! Gömme: the embedding layer, on your own GPU, in your browser.
//!
//! One direction of flow: **text → tokens → kernels → arrays**. `tokenizer` makes ids of text, `table` has the rows,
//! `group` puts positions in order, `kernels` runs the shaders on the device of `gpu`, `embedding` ties them together,
//! and `js` is the boundary that JavaScript sees. `reference` has the CPU twin of every kernel.

pub mod abi;
pub mod error;
pub mod group;
pub mod reference;
pub mod table;
