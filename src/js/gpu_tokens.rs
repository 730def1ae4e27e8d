//! `GpuTokens`: token ids that are used often, or on the device already.

use std::rc::Rc;

use wasm_bindgen::prelude::wasm_bindgen;

use super::shell::{Shell, dispose_methods};
use crate::error::Result;
use crate::gpu::resident::Tokens;

#[wasm_bindgen(js_name = GpuTokens)]
pub struct JsGpuTokens(Shell<Tokens>);

impl JsGpuTokens {
    pub(super) fn new(core: Rc<Tokens>) -> Self {
        Self(Shell::new(core, "GpuTokens"))
    }
}

#[wasm_bindgen(js_class = GpuTokens)]
impl JsGpuTokens {
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> Result<u32> {
        Ok(self.0.get()?.len() as u32)
    }
}

dispose_methods!(GpuTokens, JsGpuTokens);
