//! What a page forgets to dispose of. In a page of its own: the warning is printed once for each.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{ask, call, embedding, get, good, ids, object};
use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Collected without `dispose`, a result gives its buffer back, and one warning is printed.
#[wasm_bindgen_test]
async fn what_is_collected_without_dispose_is_told_once() {
    let console = get(&js_sys::global(), "console");
    let real = get(&console, "warn");
    let seen = Array::new();
    let listen =
        Function::new_with_args("seen", "return text => seen.push(text)").call1(&JsValue::UNDEFINED, &seen).unwrap();
    js_sys::Reflect::set(&console, &"warn".into(), &listen).unwrap();
    let embedding = embedding(&[1.0; 12], 3, 4).await;
    let collect = Function::new_with_args(
        "exports, object",
        "exports.__wbg_gpuarray_free(object.__wbg_ptr, 1); object.__wbg_ptr = 0",
    );
    for disposed in [true, false, false] {
        let array = good(ask(&embedding, "embed", &[ids(&[1]), object(&[("output", "gpu".into())])]).await);
        if disposed {
            good(call(&array, "dispose", &[]));
        }
        // What wasm-bindgen's FinalizationRegistry does.
        collect.call2(&JsValue::UNDEFINED, &wasm_bindgen::exports(), &array).unwrap();
        assert_eq!(seen.length(), u32::from(!disposed));
    }
    js_sys::Reflect::set(&console, &"warn".into(), &real).unwrap();
    let message = seen.get(0).as_string().unwrap();
    assert!(message.contains("GpuArray") && message.contains("dispose()"), "{message}");
}
