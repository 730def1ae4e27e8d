//! `embed` and `embedGrad` of the module itself, which share one Turkish embedding.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::args::{self, Options};
use super::embedding::{method, turkish};
use super::gradient::gradient_object;
use super::promise;
use crate::browser::futures::Shared;
use crate::embedding::{Embedding, Values};
use crate::error::{Error, Result};
use crate::gpu::scope::refused;
use crate::table::TURKISH_D_MODEL;

thread_local! {
    static TURKISH: Rc<Shared<Rc<Embedding>, Error>> = Rc::default();
}

async fn shared_turkish() -> Result<Rc<Embedding>> {
    let shared = TURKISH.with(Rc::clone);
    shared.get(|_| true, || turkish(Options::new(JsValue::UNDEFINED)), refused).await
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
    let checked = Options::new(options).and_then(|options| {
        let kernel = method(options.cas()?);
        let tokens = args::tokens(tokens)?;
        let grad_out = args::floats(&args::grad_out(grad_out, tokens.len(), TURKISH_D_MODEL)?, "gradOut")?;
        Ok((grad_out, tokens, kernel))
    });
    promise(async move {
        let (grad_out, tokens, kernel) = checked?;
        let embedding = shared_turkish().await?;
        Ok(gradient_object(embedding.gradient(&tokens, Values::Held(grad_out), kernel).await?))
    })
}
