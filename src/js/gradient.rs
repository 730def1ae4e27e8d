//! `EmbeddingGradient`: a plain object over arrays made once.

use js_sys::{Object, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::set;
use crate::embedding::Gradient;

#[wasm_bindgen(module = "/src/js/gradient.js")]
extern "C" {
    #[wasm_bindgen(js_name = withToDense)]
    fn with_to_dense(gradient: &Object) -> JsValue;
}

/// The gradient as JavaScript sees it.
pub fn gradient_object(gradient: Gradient) -> JsValue {
    let words = |values: &[u32]| Uint32Array::from(values);
    let skipped = Object::new();
    set(&skipped, "outOfVocab", gradient.outside);
    set(&skipped, "zero", gradient.zero as f64);
    set(&skipped, "nonFinite", gradient.non_finite as f64);
    let object = Object::new();
    set(&object, "vocabSize", gradient.vocab_size);
    set(&object, "dModel", gradient.d_model);
    set(&object, "rows", words(&gradient.rows));
    set(&object, "grad", gradient.grad);
    set(&object, "hits", words(&gradient.hits));
    set(&object, "adds", words(&gradient.adds));
    set(&object, "retries", gradient.retries.as_deref().map(words));
    set(&object, "skipped", skipped);
    set(&object, "gpuMicroseconds", gradient.microseconds);
    with_to_dense(&object)
}
