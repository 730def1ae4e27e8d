//! The bundled data, fetched from beside the module.

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::property;

#[wasm_bindgen]
extern "C" {
    /// The address of the module, where it is a module of its own.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static MODULE_URL: JsValue;
}

/// The bytes of `data/NAME` beside the module; `progress(loaded)` is called as they come. An error is one sentence.
pub async fn fetch(name: &str, progress: &mut dyn FnMut(u32)) -> Result<Vec<u8>, String> {
    // Bundled into one file there is no address, and such a page passes the bytes itself.
    let module = MODULE_URL.with(JsValue::as_string).unwrap_or_default();
    let path = module.split(['?', '#']).next().unwrap_or_default();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let slash = if folder.is_empty() { "" } else { "/" };
    let address = format!("{folder}{slash}data/{name}");
    load(&address, progress).await.map_err(|why| format!("data/{name} could not be loaded: {why}"))
}

async fn load(address: &str, progress: &mut dyn FnMut(u32)) -> Result<Vec<u8>, String> {
    let request = property::function(&js_sys::global(), "fetch").ok_or("there is no fetch")?;
    let response = call(&request, &JsValue::UNDEFINED, &JsValue::from_str(address)).await?;
    if !property::is_truthy(&response, "ok") {
        let status = property::get(&response, "status").as_f64().unwrap_or_default() as u32;
        return Err(format!("the server answered {status} for {address}"));
    }
    let body = property::get(&response, "body");
    let reader = property::function(&body, "getReader").and_then(|get_reader| get_reader.call0(&body).ok());
    let reader = reader.ok_or("it has no body")?;
    let read = property::function(&reader, "read").ok_or("its body cannot be read")?;
    let mut bytes = Vec::new();
    loop {
        let step = call(&read, &reader, &JsValue::UNDEFINED).await?;
        if property::is_truthy(&step, "done") {
            return Ok(bytes);
        }
        if let Ok(chunk) = property::get(&step, "value").dyn_into::<Uint8Array>() {
            let start = bytes.len();
            bytes.resize(start + chunk.length() as usize, 0);
            chunk.copy_to(&mut bytes[start..]);
            progress(bytes.len() as u32);
        }
    }
}

/// The promise that a function gives, awaited; what it throws or rejects with, in words.
async fn call(function: &Function, this: &JsValue, argument: &JsValue) -> Result<JsValue, String> {
    let answer = match function.call1(this, argument) {
        Ok(promise) => JsFuture::from(Promise::resolve(&promise)).await,
        thrown => thrown,
    };
    answer.map_err(|error| property::get(&error, "message").as_string().unwrap_or_else(|| "it failed".to_owned()))
}
