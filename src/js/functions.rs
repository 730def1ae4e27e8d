//! `embed` and `embedGrad` of the module itself, which share one Turkish embedding.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::args::{self, Options};
use super::embedding::{GradArguments, turkish};
use super::gradient::gradient_object;
use super::promise;
use crate::browser::futures::Shared;
use crate::embedding::{Embedding, GradOut};
use crate::error::{Error, Result};
use crate::table::TURKISH_D_MODEL;

thread_local! {
    static TURKISH: Rc<Shared<Rc<Embedding>, Error>> = Rc::default();
}

async fn shared_turkish() -> Result<Rc<Embedding>> {
    let shared = TURKISH.with(Rc::clone);
    shared.get(|_| true, || turkish(Options::new(JsValue::UNDEFINED))).await
}

/// `embed` of the shared Turkish embedding.
#[wasm_bindgen]
pub fn embed(tokens: &JsValue) -> Promise {
    let tokens = args::tokens(tokens);
    promise(async move {
        let tokens = tokens?;
        let embedding = shared_turkish().await?;
        Ok(embedding.lookup(&tokens).await?.values.into())
    })
}

/// `embedGrad` of the shared Turkish embedding.
#[wasm_bindgen(js_name = embedGrad)]
pub fn embed_grad(tokens: &JsValue, grad_out: &JsValue, options: JsValue) -> Promise {
    let checked = GradArguments::check(tokens, grad_out, options, TURKISH_D_MODEL);
    let checked = checked
        .and_then(|arguments| Ok((args::floats(&arguments.grad_out, "gradOut")?, arguments.tokens, arguments.kernel)));
    promise(async move {
        let (grad_out, tokens, kernel) = checked?;
        let embedding = shared_turkish().await?;
        Ok(gradient_object(embedding.gradient(&tokens, GradOut::Held(grad_out), kernel).await?))
    })
}
