//! Gömme: the embedding layer, on your own GPU, in your browser.
//!
//! One direction of flow: **text → tokens → kernels → arrays**. A call comes in through `js`, the boundary that JavaScript
//! sees; `embedding` checks it and chooses a backend; `gpu` or `cpu` computes; the arrays go back the same way.
//!
//! - `tokenizer` turns text into token ids, `table` has the rows, `group` puts positions in order;
//! - `abi` is what Rust and WGSL must agree on;
//! - `lab` times kernels for the lesson; `browser` is what the crate asks of the browser.
//!
//! Words used everywhere: `V` (`vocab_size`) is the number of rows of the table, `D` (`d_model`) their length, `N` (`seq_len`)
//! the number of tokens in a call, `U` the number of rows that these tokens use; all arrays are row-major. A *position* is an
//! index into the tokens; the *hits* of a row are its positions. Positions grouped by row are cut into *chunks* of equal length,
//! and several chunks make a *block*; a *segment* is one row's part of a chunk, a *partial sum* its sum, if the row is longer. *The
//! document* is the Turkish lesson that the project began with: it defines `embed_lookup`, `embed_backward` and
//! `embed_lookup_w16`, and the page corrects it where measurement says otherwise.

#![forbid(unsafe_code)]

pub mod abi;
pub mod bags;
pub mod counts;
pub mod cpu;
pub mod error;
pub mod group;
mod normal;
pub mod optimizer;
pub mod options;
pub mod policy;
pub mod shape;
mod sort;
pub mod table;
pub mod tokenizer;
mod wgsl;

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(target_arch = "wasm32")]
pub mod embedding;
#[cfg(target_arch = "wasm32")]
pub mod gpu;
#[cfg(target_arch = "wasm32")]
pub mod js;
#[cfg(target_arch = "wasm32")]
pub mod lab;
