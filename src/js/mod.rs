//! The JavaScript boundary. Thin: it checks arguments, copies them before a call returns, and hands the work on. One class a
//! file; `api.d.ts` has the types and their documentation, `package.js` what is simpler in JavaScript (`init`, and what a
//! method does before `init` or on another object).
//!
//! At most four modules of JavaScript are imported from Rust: the server of `wasm-bindgen-test` answers so many connections at a
//! time on a computer with two cores, and a page that waits for a fifth module waits forever.

mod args;
mod data;
mod embedding;
mod functions;
mod gpu_array;
mod gpu_gradient;
mod gpu_tokens;
mod gradient;
mod lab;
mod shell;
mod step;
mod tokenizer;

use core::future::Future;

use js_sys::{Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::browser::futures::{Either, Signal, Work, guarded, race};
use crate::browser::reflect;
use crate::error::{Error, Result};
use crate::gpu::batch;
use crate::gpu::scope::outcome;

pub use data::use_data;
pub use embedding::JsEmbedding;
pub use functions::{embed, embed_grad};
pub use gpu_array::JsGpuArray;
pub use gpu_gradient::JsGpuGradient;
pub use gpu_tokens::JsGpuTokens;
pub use lab::JsLab;
pub use tokenizer::JsTokenizer;

/// Runs when the module is initialised, so that a panic, which would be a bug, prints its message.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

#[wasm_bindgen(module = "/src/js/results.js")]
extern "C" {
    #[wasm_bindgen(js_name = gommeError)]
    fn gomme_error(code: &str, message: &str) -> JsValue;
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        gomme_error(error.code(), error.message())
    }
}

/// The promise of a call. Every exported function does its checking and copying first and passes only the rest here: an
/// exported `async fn` would run its first line a microtask later, when the caller may have changed the arguments, and would
/// hold a borrow of the object across each `await`, over which `free()` would stumble. What needs no wait is done before it returns,
/// so that calls reach the device in the order in which they were made.
fn promise(work: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    // Boxed, so that the machinery behind a promise is compiled once and not for each call.
    batch::begin(guarded(Box::pin(work)))
}

/// The same, given up with the signal's reason when it says so: what was submitted runs out, nothing more is begun.
fn promise_until(signal: Result<Option<JsValue>>, work: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    match signal {
        Ok(None) => promise(work),
        Ok(Some(signal)) => abortable_promise(signal, Box::pin(work)),
        Err(error) => promise(async { Err(error) }),
    }
}

fn abortable_promise(signal: JsValue, work: Work) -> Promise {
    future_to_promise(async move {
        let reason = || reflect::get(&signal, "reason");
        if reflect::is_truthy(&signal, "aborted") {
            return Err(reason());
        }
        let aborted = Signal::default();
        let told = aborted.clone();
        let listener = Closure::wrap(Box::new(move || told.set(())) as Box<dyn Fn()>);
        let listen = |method: &str| {
            if let Some(method) = reflect::function(&signal, method) {
                drop(method.call2(&signal, &"abort".into(), listener.as_ref()));
            }
        };
        listen("addEventListener");
        let done = race(guarded(work), aborted.wait()).await;
        listen("removeEventListener");
        match done {
            Either::Left(done) => outcome(done),
            Either::Right(()) => Err(reason()),
        }
    })
}

fn set(object: &Object, key: &str, value: impl Into<JsValue>) {
    reflect::set(object, key, &value.into());
}
