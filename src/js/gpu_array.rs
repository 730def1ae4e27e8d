//! `GpuArray`: a result that stays on the device.

use std::rc::Rc;

use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::promise;
use super::shell::{Shell, dispose_methods, warn_undisposed};
use crate::error::Result;
use crate::gpu::resident::GpuArray;

#[wasm_bindgen(js_name = GpuArray)]
pub struct JsGpuArray(Shell<GpuArray>);

impl JsGpuArray {
    pub(super) fn new(core: GpuArray) -> Self {
        Self(Shell::new(Rc::new(core), "GpuArray"))
    }
}

#[wasm_bindgen(js_class = GpuArray)]
impl JsGpuArray {
    #[wasm_bindgen(getter)]
    pub fn buffer(&self) -> Result<JsValue> {
        Ok(self.0.get()?.buffer())
    }

    #[wasm_bindgen(getter, js_name = byteLength)]
    pub fn byte_length(&self) -> Result<f64> {
        Ok(self.0.get()?.byte_length() as f64)
    }

    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Result<Array> {
        Ok(self.0.get()?.shape().into_iter().map(JsValue::from).collect())
    }

    #[wasm_bindgen(getter)]
    pub fn dtype(&self) -> Result<String> {
        self.0.get().map(|_| "float32".to_owned())
    }

    pub fn read(&self) -> Promise {
        let core = self.0.get();
        promise(async move { Ok(core?.read().await?.into()) })
    }
}

dispose_methods!(GpuArray, JsGpuArray);

impl Drop for JsGpuArray {
    fn drop(&mut self) {
        warn_undisposed(&self.0);
    }
}
