//! Arguments from JavaScript, checked: whatever a page passes becomes a Rust value or a `GommeError`.

use js_sys::{Array, Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::embedding::{Backend, Precision};
use crate::error::{Error, Result};
use crate::property;

/// The `Error` that JavaScript sees, with `name` and `code`.
pub fn to_js(error: &Error) -> JsValue {
    let object = js_sys::Error::new(error.message());
    object.set_name("GommeError");
    property::set(&object, "code", &JsValue::from_str(error.code()));
    object.into()
}

fn invalid(message: String) -> Error {
    Error::InvalidArgument(message)
}

/// How a value reads in a message.
#[inline(never)]
fn shown(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        let mut short: String = text.chars().take(40).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        return format!("\"{short}\"");
    }
    // JavaScript spells its numbers itself; Rust's own float formatting would weigh 10 KB.
    if let Some(number) = value.as_f64() {
        return spelled(number);
    }
    if value.is_null() {
        return "null".to_owned();
    }
    value.js_typeof().as_string().unwrap_or_default()
}

/// A number as JavaScript spells it.
pub fn spelled(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(10).map(String::from).unwrap_or_default()
}

/// A whole number from 0 to 2^32-1.
fn as_u32(value: &JsValue) -> Option<u32> {
    let number = value.as_f64()?;
    let whole = number as u32; // saturates, and NaN becomes 0
    (f64::from(whole) == number).then_some(whole)
}

/// Token ids from a `Uint32Array` or an array of numbers, copied.
///
/// # Errors
/// `invalid-argument`, naming the first value that is no id.
pub fn tokens(value: &JsValue) -> Result<Vec<u32>> {
    if let Some(array) = value.dyn_ref::<Uint32Array>() {
        return Ok(array.to_vec());
    }
    let Some(array) = value.dyn_ref::<Array>() else {
        return Err(invalid(format!(
            "Token ids come as a Uint32Array or an array of whole numbers from 0 to 4294967295, not as {}.",
            shown(value)
        )));
    };
    (0..array.length())
        .map(|index| {
            let item = array.get(index);
            as_u32(&item).ok_or_else(|| {
                invalid(format!(
                    "Token {index} is {}, but an id is a whole number from 0 to 4294967295. Ids at or above the vocabulary's \
                     size are allowed; they give zeros.",
                    shown(&item)
                ))
            })
        })
        .collect()
}

/// dL/d(out): a `Float32Array` of exactly `elements` values (not yet copied).
///
/// # Errors
/// `invalid-argument` for another type, `shape-mismatch` for another length.
pub fn grad_out(value: &JsValue, seq_len: usize, d_model: u32) -> Result<Float32Array> {
    let Some(array) = value.dyn_ref::<Float32Array>() else {
        return Err(invalid(format!("gradOut must be a Float32Array of N·D values, not {}.", shown(value))));
    };
    let wanted = seq_len as u64 * u64::from(d_model);
    if u64::from(array.length()) != wanted {
        return Err(Error::ShapeMismatch(format!(
            "gradOut has {} values, but {seq_len} tokens of {d_model} values want {wanted}: one row for each token.",
            array.length()
        )));
    }
    Ok(array.clone())
}

/// Bytes from a `Uint8Array`, copied.
///
/// # Errors
/// `invalid-argument`.
pub fn bytes(value: &JsValue, what: &str) -> Result<Vec<u8>> {
    match value.dyn_ref::<Uint8Array>() {
        Some(array) => Ok(array.to_vec()),
        None => Err(invalid(format!("{what} must be a Uint8Array, not {}.", shown(value)))),
    }
}

/// A string.
///
/// # Errors
/// `invalid-argument`.
pub fn text(value: &JsValue, what: &str) -> Result<String> {
    value.as_string().ok_or_else(|| invalid(format!("{what} must be a string, not {}.", shown(value))))
}

/// One token id.
///
/// # Errors
/// `invalid-argument`.
pub fn id(value: &JsValue) -> Result<u32> {
    as_u32(value)
        .ok_or_else(|| invalid(format!("A token id is a whole number from 0 to 4294967295, not {}.", shown(value))))
}

/// An options object; `undefined` and `null` stand for one without any option.
pub struct Options(JsValue);

impl Options {
    /// Checks that it is an object.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn new(value: JsValue) -> Result<Self> {
        if value.is_undefined() || value.is_null() || value.is_object() {
            Ok(Self(value))
        } else {
            Err(invalid(format!("Options come as an object, not as {}.", shown(&value))))
        }
    }

    /// An option, if it is there and not `undefined`.
    pub fn get(&self, key: &str) -> Option<JsValue> {
        Some(property::get(&self.0, key)).filter(|value| !value.is_undefined())
    }

    /// Which of several names, the first one being the default.
    fn choice(&self, key: &str, names: &[&str]) -> Result<usize> {
        let Some(value) = self.get(key) else { return Ok(0) };
        let given = value.as_string();
        names.iter().position(|name| Some(*name) == given.as_deref()).ok_or_else(|| {
            let names = names.join("\" or \"");
            invalid(format!("Option {key} is {}, but it may be \"{names}\".", shown(&value)))
        })
    }

    /// `backend`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn backend(&self) -> Result<Backend> {
        Ok(match self.choice("backend", &["auto", "gpu", "cpu"])? {
            0 => Backend::Auto,
            1 => Backend::Gpu,
            _ => Backend::Cpu,
        })
    }

    /// `precision`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn precision(&self) -> Result<Precision> {
        let f16 = self.choice("precision", &["f32", "f16"])? == 1;
        Ok(if f16 { Precision::F16 } else { Precision::F32 })
    }

    /// `method`: whether it is `cas`.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn cas(&self) -> Result<bool> {
        Ok(self.choice("method", &["sorted", "cas"])? == 1)
    }

    /// `clock`: whether it is `wall`.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn wall_clock(&self) -> Result<bool> {
        Ok(self.choice("clock", &["auto", "wall"])? == 1)
    }

    /// A size that must be there: a whole number from 1 to 2^32-1.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn size(&self, key: &str) -> Result<u32> {
        let value = self.get(key).unwrap_or(JsValue::UNDEFINED);
        match as_u32(&value) {
            Some(size) if size > 0 => Ok(size),
            _ => Err(invalid(format!("{key} must be a whole number from 1 to 4294967295, not {}.", shown(&value)))),
        }
    }

    /// `seed`: a whole number from 0 to 2^53-1; 0 by default.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn seed(&self) -> Result<u64> {
        let Some(value) = self.get("seed") else { return Ok(0) };
        match value.as_f64() {
            Some(seed) if seed >= 0.0 && seed.fract() == 0.0 && seed < 9_007_199_254_740_992.0 => Ok(seed as u64),
            _ => Err(invalid(format!("seed must be a whole number from 0 to 2^53-1, not {}.", shown(&value)))),
        }
    }

    /// A positive number with a default.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn number(&self, key: &str, least: f64, most: f64, default: f64) -> Result<f64> {
        let Some(value) = self.get(key) else { return Ok(default) };
        match value.as_f64() {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(invalid(format!(
                "{key} must be a number from {} to {}, not {}.",
                spelled(least),
                spelled(most),
                shown(&value)
            ))),
        }
    }

    /// `table`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn table(&self) -> Result<Option<Vec<f32>>> {
        let Some(value) = self.get("table") else { return Ok(None) };
        match value.dyn_ref::<Float32Array>() {
            Some(array) => Ok(Some(array.to_vec())),
            None => Err(invalid(format!("table must be a Float32Array of V·D values, not {}.", shown(&value)))),
        }
    }

    /// `fingerprint`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn fingerprint(&self) -> Result<Option<String>> {
        self.get("fingerprint").map(|value| text(&value, "fingerprint")).transpose()
    }

    /// A function.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn function(&self, key: &str) -> Result<Option<js_sys::Function>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.dyn_ref::<js_sys::Function>() {
            Some(function) => Ok(Some(function.clone())),
            None => Err(invalid(format!("{key} must be a function, not {}.", shown(&value)))),
        }
    }
}
