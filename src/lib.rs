//! Gömme: the embedding layer, on your own GPU, in your browser.
//!
//! One direction of flow: **text → tokens → kernels → arrays**. `tokenizer` makes ids of text, `table` has the rows,
//! `group` puts positions in order, `kernels` runs the shaders on the device of `gpu`, `embedding` ties them together,
//! and `js` is the boundary that JavaScript sees. `reference` has the CPU twin of every kernel.

pub mod abi;
pub mod error;
pub mod group;
pub mod reference;
mod sort;
pub mod table;
pub mod tokenizer;
mod wgsl;

#[cfg(target_arch = "wasm32")]
pub mod buffers;
#[cfg(target_arch = "wasm32")]
pub mod embedding;
#[cfg(target_arch = "wasm32")]
pub mod gpu;
#[cfg(target_arch = "wasm32")]
pub mod js;
#[cfg(target_arch = "wasm32")]
pub mod kernels;
#[cfg(target_arch = "wasm32")]
pub mod lab;
#[cfg(target_arch = "wasm32")]
pub mod property;
#[cfg(target_arch = "wasm32")]
pub mod readback;
#[cfg(target_arch = "wasm32")]
pub mod wait;
