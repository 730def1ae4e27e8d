//! Properties of JavaScript objects, read by name. What is not there, or not of the kind wanted, is `undefined` or none:
//! the crate asks browsers for things that some of them lack.
//!
//! Not inlined on purpose: there are dozens of uses, and each would weigh as much as these functions.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// `object[key]`; undefined for what is no object, too.
#[inline(never)]
pub fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

/// Whether `object[key]` is truthy.
#[inline(never)]
pub fn is_truthy(object: &JsValue, key: &str) -> bool {
    get(object, key).is_truthy()
}

/// `object[key]`, if that is a function.
#[inline(never)]
pub fn function(object: &JsValue, key: &str) -> Option<Function> {
    get(object, key).dyn_into().ok()
}

/// `object[key] = value`, which a plain object and a fresh error always take.
#[inline(never)]
pub fn set(object: &JsValue, key: &str, value: &JsValue) {
    drop(Reflect::set(object, &JsValue::from_str(key), value));
}

/// Whether `object` is of this class of this window; false where there is no such class.
#[inline(never)]
pub fn is_instance(object: &JsValue, class: &str) -> bool {
    let Some(class) = function(&js_sys::global(), class) else { return false };
    let Ok(check) = Reflect::get(&class, &js_sys::Symbol::has_instance()) else { return false };
    let Ok(check) = check.dyn_into::<Function>() else { return false };
    check.call1(&class, object).is_ok_and(|is| is.is_truthy())
}
