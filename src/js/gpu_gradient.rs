//! `GpuGradient`: a gradient that stays on the device.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::gradient::gradient_object;
use super::promise;
use super::shell::{Shell, dispose_methods, warn_undisposed};
use crate::embedding::Gradient;
use crate::error::Result;
use crate::gpu::resident::GpuGradient;

#[wasm_bindgen(js_name = GpuGradient)]
pub struct JsGpuGradient(Shell<GpuGradient>);

impl JsGpuGradient {
    pub(super) fn new(core: GpuGradient) -> Self {
        Self(Shell::new(Rc::new(core), "GpuGradient"))
    }
}

#[wasm_bindgen(js_class = GpuGradient)]
impl JsGpuGradient {
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> Result<JsValue> {
        let [rows, _, _] = self.0.get()?.handles();
        Ok(rows)
    }

    #[wasm_bindgen(getter)]
    pub fn grad(&self) -> Result<JsValue> {
        let [_, grad, _] = self.0.get()?.handles();
        Ok(grad)
    }

    #[wasm_bindgen(getter)]
    pub fn count(&self) -> Result<JsValue> {
        let [_, _, count] = self.0.get()?.handles();
        Ok(count)
    }

    #[wasm_bindgen(getter)]
    pub fn capacity(&self) -> Result<u32> {
        Ok(self.0.get()?.capacity())
    }

    #[wasm_bindgen(getter, js_name = dModel)]
    pub fn d_model(&self) -> Result<u32> {
        Ok(self.0.get()?.shape().d_model)
    }

    pub fn read(&self) -> Promise {
        let core = self.0.get();
        promise(async move {
            let core = core?;
            let (tally, grad) = core.read().await?;
            Ok(gradient_object(Gradient { shape: core.shape(), tally, grad, microseconds: None }))
        })
    }
}

dispose_methods!(GpuGradient, JsGpuGradient);

impl Drop for JsGpuGradient {
    fn drop(&mut self) {
        warn_undisposed(&self.0);
    }
}
