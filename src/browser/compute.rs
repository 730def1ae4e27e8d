//! Pipelines, bind groups, commands, batches, maps and scopes: what `compute.js` does with WebGPU's objects. Offsets and sizes in bytes,
//! times in milliseconds.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::browser::webgpu::{Buffer, Device, Queue};

#[wasm_bindgen(module = "/src/browser/compute.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeKernel)]
    pub fn make_kernel(device: &Device, label: &str, code: &str, entry: &str, slots: &[u32], blocks: u32) -> JsValue;

    #[wasm_bindgen(js_name = prepareKernel)]
    pub fn prepare_kernel(device: &Device, label: &str, code: &str, entry: &str, slots: &[u32], blocks: u32)
    -> Promise;

    #[wasm_bindgen(js_name = makeBuffer)]
    pub fn make_buffer(device: &Device, label: &str, size: f64, usage: u32) -> Buffer;

    pub fn destroy(buffer: Option<&Buffer>);

    pub fn bind(binding: u32, buffer: Option<&Buffer>, offset: f64, size: f64);

    #[wasm_bindgen(js_name = makeBindGroup)]
    pub fn make_bind_group(device: &Device, kernel: &JsValue) -> JsValue;

    #[wasm_bindgen(js_name = makeTimestamps)]
    pub fn make_timestamps(device: &Device, count: u32) -> JsValue;

    #[wasm_bindgen(js_name = beginCommands)]
    pub fn begin_commands(device: &Device);

    pub fn join(device: &Device, queue: &Queue, over: &JsValue);

    #[wasm_bindgen(js_name = markWhole)]
    pub fn mark_whole(whole: bool);

    pub fn stage(buffer: Option<&Buffer>, offset: f64, ids: &[u32]);

    pub fn flush();

    /// A promise of an error or of undefined; undefined where nothing was recorded.
    #[wasm_bindgen(js_name = takeJoined)]
    pub fn take_joined() -> JsValue;

    #[wasm_bindgen(js_name = afterSubmission)]
    pub fn after_submission(waiting: &JsValue, value: &JsValue) -> Promise;

    #[wasm_bindgen(js_name = beginPass)]
    pub fn begin_pass(label: Option<&str>, timestamps: &JsValue, first: u32);

    pub fn dispatch(kernel: &JsValue, group: &JsValue, x: u32, y: u32, z: u32);

    pub fn copy(from: Option<&Buffer>, from_offset: f64, to: Option<&Buffer>, to_offset: f64, size: f64);

    pub fn resolve(timestamps: &JsValue, count: u32, to: Option<&Buffer>);

    pub fn submit(queue: &Queue);

    /// A promise of a boolean.
    pub fn map(queue: &Queue, buffer: Option<&Buffer>, size: f64, eager: f64) -> Promise;

    /// A promise for the next turn of the event loop.
    pub fn turn() -> Promise;

    #[wasm_bindgen(js_name = pushScopes)]
    pub fn push_scopes(device: &Device);

    /// A promise of an error or of undefined.
    #[wasm_bindgen(js_name = popScopes)]
    pub fn pop_scopes() -> Promise;

    pub fn abandon();
}
