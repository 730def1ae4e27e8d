//! The bundled data, fetched from beside the module.

use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The address of the module, where it is a module of its own.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static MODULE_URL: JsValue;
}

/// The bytes of `data/NAME` beside the module; `progress(loaded)` is called as they come. An error is one sentence.
pub async fn fetch(name: &str, mut progress: impl FnMut(u32)) -> Result<Vec<u8>, String> {
    let failed = |why: String| format!("data/{name} could not be loaded: {why}");
    // Bundled into one file there is no address, and such a page passes the bytes itself.
    let module = MODULE_URL.with(JsValue::as_string).unwrap_or_default();
    let folder =
        module.split(['?', '#']).next().and_then(|path| path.rfind('/').map(|end| &path[..=end])).unwrap_or("");
    let address = format!("{folder}data/{name}");
    let global = js_sys::global();
    let request: Function = property(&global, "fetch")
        .and_then(|f| f.dyn_into().ok())
        .ok_or_else(|| failed("there is no fetch".to_owned()))?;
    let response = call(&request, &JsValue::UNDEFINED, &JsValue::from_str(&address)).await.map_err(failed)?;
    if !property(&response, "ok").is_some_and(|ok| ok.is_truthy()) {
        let status = property(&response, "status").and_then(|s| s.as_f64()).unwrap_or_default() as u32;
        return Err(failed(format!("the server answered {status} for {address}")));
    }
    let body =
        property(&response, "body").filter(JsValue::is_object).ok_or_else(|| failed("it has no body".to_owned()))?;
    let reader = method(&body, "getReader")
        .and_then(|get_reader| get_reader.call0(&body).ok())
        .ok_or_else(|| failed("its body cannot be read".to_owned()))?;
    let read = method(&reader, "read").ok_or_else(|| failed("its body cannot be read".to_owned()))?;
    let mut bytes = Vec::new();
    loop {
        let step = call(&read, &reader, &JsValue::UNDEFINED).await.map_err(failed)?;
        if property(&step, "done").is_some_and(|done| done.is_truthy()) {
            return Ok(bytes);
        }
        if let Some(chunk) = property(&step, "value").and_then(|value| value.dyn_into::<Uint8Array>().ok()) {
            let start = bytes.len();
            bytes.resize(start + chunk.length() as usize, 0);
            chunk.copy_to(&mut bytes[start..]);
            progress(bytes.len() as u32);
        }
    }
}

fn property(object: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(key)).ok()
}

fn method(object: &JsValue, key: &str) -> Option<Function> {
    property(object, key)?.dyn_into().ok()
}

async fn call(function: &Function, this: &JsValue, argument: &JsValue) -> Result<JsValue, String> {
    let told = |error: JsValue| {
        property(&error, "message").and_then(|m| m.as_string()).unwrap_or_else(|| "it failed".to_owned())
    };
    let promise = function.call1(this, argument).map_err(told)?;
    JsFuture::from(js_sys::Promise::resolve(&promise)).await.map_err(told)
}
