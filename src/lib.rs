//! Gömme: the embedding layer, on your own GPU, in your browser.
//!
//! One direction of flow: **text → tokens → kernels → arrays**. `tokenizer` makes ids of text, `table` has the rows,
//! `group` puts positions in order, `kernels` runs the shaders on the device of `gpu` (which `acquire` gets from the browser), `on_device` keeps the table there and
//! `calls` makes its calls ready, `embedding` ties them together, and `js` is the boundary that JavaScript sees. `reference` has the CPU twin of every kernel. Beside them `lab` times
//! kernels for the lesson, `abi` has what Rust and WGSL must agree on, `buffers` and `readback` move data there and back.
//!
//! Words used everywhere: `V` (`vocab_size`) is the number of rows of the table, `D` (`d_model`) their length, `N` (`seq_len`)
//! the number of tokens in a call, `U` the number of rows that these tokens use; all arrays are row-major. A *position* is an
//! index into the tokens, its row's *hits* are how many positions it has. A *lane* is one column or four neighbouring ones, a
//! *piece* a run of one row's positions that a thread adds up, a *partial row* what a piece of a longer row leaves. *The
//! document* is the Turkish lesson that the project began with: it defines `embed_lookup`, `embed_backward` and
//! `embed_lookup_w16`, and the page corrects it where measurement says otherwise.

pub mod abi;
pub mod error;
pub mod group;
pub mod reference;
mod sort;
pub mod table;
pub mod tokenizer;
mod wgsl;

#[cfg(target_arch = "wasm32")]
pub mod acquire;
#[cfg(target_arch = "wasm32")]
pub mod buffers;
#[cfg(target_arch = "wasm32")]
pub mod calls;
#[cfg(target_arch = "wasm32")]
pub mod choices;
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
pub mod on_device;
#[cfg(target_arch = "wasm32")]
pub mod property;
#[cfg(target_arch = "wasm32")]
pub mod readback;
#[cfg(target_arch = "wasm32")]
pub mod wait;
