//! The bundled data, from wherever `data.js` is told to get it.

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::browser::reflect;
use crate::error::{Error, Result};

#[wasm_bindgen(module = "/src/js/data.js")]
extern "C" {
    fn load(name: &str, on_progress: Option<&Function>, before: u32, total: u32, signal: Option<&JsValue>) -> Promise;

    /// From now on `give(name)` is asked for the files.
    #[wasm_bindgen(js_name = useData)]
    pub fn use_data(give: &Function);
}

/// Told of progress: a function of JavaScript, the bytes that were there before, and the bytes of all files together.
pub type Progress<'a> = (Option<&'a Function>, u32, u32);

/// The bytes of the bundled file `name`; `signal` ends the fetching.
///
/// # Errors
/// `unreadable` where they can't be had; `invalid-argument` where `init`'s `data` gave something else than a file.
pub async fn bundled(
    name: &str,
    (on_progress, before, total): Progress<'_>,
    signal: Option<&JsValue>,
    unreadable: fn(String) -> Error,
) -> Result<Vec<u8>> {
    match JsFuture::from(load(name, on_progress, before, total, signal)).await {
        Ok(bytes) => Ok(bytes.unchecked_into::<Uint8Array>().to_vec()),
        Err(error) => {
            let message = reflect::get(&error, "message").as_string().unwrap_or_default();
            let wrong_kind = reflect::get(&error, "code") == JsValue::from_str("invalid-argument");
            Err(if wrong_kind { Error::InvalidArgument(message) } else { unreadable(message) })
        }
    }
}
