//! WebGPU objects of JavaScript, called without wgpu where wgpu would trap, knows less, or has no way in: error scopes, the
//! loss and the uncaptured errors of a device, writes straight from a JavaScript array.

use js_sys::{ArrayBuffer, Float32Array, Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A `GPUDevice`.
    #[derive(Debug, Clone)]
    pub type Device;

    #[wasm_bindgen(method, getter)]
    pub fn lost(this: &Device) -> Promise;

    #[wasm_bindgen(method, getter)]
    pub fn queue(this: &Device) -> Queue;

    #[wasm_bindgen(method, catch, js_name = addEventListener)]
    pub fn add_event_listener(this: &Device, name: &str, listener: &Function) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = removeEventListener)]
    pub fn remove_event_listener(this: &Device, name: &str, listener: &Function) -> Result<(), JsValue>;

    /// A `GPUBuffer`.
    #[derive(Debug, Clone)]
    pub type Buffer;

    #[wasm_bindgen(method, catch, js_name = getMappedRange)]
    pub fn get_mapped_part(this: &Buffer, offset: f64, size: f64) -> Result<ArrayBuffer, JsValue>;

    #[wasm_bindgen(method)]
    pub fn unmap(this: &Buffer);

    /// A `GPUQueue`.
    #[derive(Debug, Clone)]
    pub type Queue;

    #[wasm_bindgen(method, catch, js_name = writeBuffer)]
    pub fn write_floats(this: &Queue, buffer: &JsValue, offset: f64, data: &Float32Array) -> Result<(), JsValue>;

    #[wasm_bindgen(method, js_name = writeBuffer)]
    pub fn write_bytes(this: &Queue, buffer: &JsValue, offset: f64, data: &[u8]);
}
