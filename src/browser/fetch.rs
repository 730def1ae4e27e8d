//! The bundled data, fetched from beside the module.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

use crate::browser::reflect;

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
    // `fetch` itself by its name: a window and a worker both have it, and nothing else in common.
    let request = reflect::function(&js_sys::global(), "fetch").ok_or("there is no fetch")?;
    let answer = request.call1(&JsValue::UNDEFINED, &JsValue::from_str(address)).map_err(told)?;
    let response: Response = JsFuture::from(Promise::resolve(&answer)).await.map_err(told)?.unchecked_into();
    if !response.ok() {
        return Err(format!("the server answered {} for {address}", response.status()));
    }
    let body = response.body().ok_or("it has no body")?;
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let step = JsFuture::from(reader.read()).await.map_err(told)?;
        if reflect::is_truthy(&step, "done") {
            return Ok(bytes);
        }
        if let Ok(chunk) = reflect::get(&step, "value").dyn_into::<Uint8Array>() {
            let start = bytes.len();
            bytes.resize(start + chunk.length() as usize, 0);
            chunk.copy_to(&mut bytes[start..]);
            progress(bytes.len() as u32);
        }
    }
}

/// What was thrown, in words.
fn told(error: JsValue) -> String {
    reflect::get(&error, "message").as_string().unwrap_or_else(|| "it failed".to_owned())
}
