//! `EmbeddingGradient`: a plain object over arrays made once.

use js_sys::{Object, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::set;
use crate::embedding::Gradient;

#[wasm_bindgen(module = "/src/js/results.js")]
extern "C" {
    #[wasm_bindgen(js_name = withToDense)]
    fn with_to_dense(gradient: &Object) -> JsValue;
}

/// The gradient as JavaScript sees it.
pub fn gradient_object(gradient: Gradient) -> JsValue {
    let tally = gradient.tally;
    let words = |values: &[u32]| Uint32Array::from(values);
    let skipped = Object::new();
    set(&skipped, "outOfVocab", tally.outside);
    set(&skipped, "zero", tally.zero as f64);
    set(&skipped, "nonFinite", tally.non_finite as f64);
    let object = Object::new();
    set(&object, "vocabSize", gradient.shape.vocab_size);
    set(&object, "dModel", gradient.shape.d_model);
    set(&object, "rows", words(&tally.rows));
    set(&object, "grad", gradient.grad);
    set(&object, "hits", words(&tally.hits));
    set(&object, "adds", words(&tally.adds));
    set(&object, "retries", tally.retries.as_deref().map(words));
    set(&object, "skipped", skipped);
    set(&object, "gpuMicroseconds", gradient.microseconds);
    with_to_dense(&object)
}
