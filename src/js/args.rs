//! Arguments from JavaScript, checked: whatever a page passes becomes a Rust value or a `GommeError`.

use js_sys::{Array, Float32Array, Reflect, Symbol, Uint8Array, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::browser::reflect;
use crate::error::{Error, Result};
use crate::options::{Backend, Precision};

/// The `Error` that JavaScript sees, with `name` and `code`.
pub fn to_js(error: &Error) -> JsValue {
    let object = js_sys::Error::new(error.message());
    object.set_name("GommeError");
    reflect::set(&object, "code", &JsValue::from_str(error.code()));
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

/// Where a typed array lies: its buffer, offset in bytes and length.
struct View(JsValue, u32, u32);

/// The view that a typed array of this class is, from any window. Asked of the class, not of the object: a subclass, a proxy
/// or a property of its own may say anything there, or throw. None for everything else.
#[inline(never)]
fn view(value: &JsValue, class: &str) -> Option<View> {
    let any = reflect::get(&reflect::get(&reflect::get(&js_sys::global(), class), "prototype"), "__proto__");
    let find = reflect::function(&any, "__lookupGetter__")?;
    let ask = |key: &JsValue| find.call1(&any, key).ok()?.dyn_into::<js_sys::Function>().ok()?.call0(value).ok();
    (ask(&Symbol::to_string_tag())?.as_string()? == class).then_some(())?;
    let number = |key: &str| as_u32(&ask(&key.into())?);
    Some(View(ask(&"buffer".into())?, number("byteOffset")?, number("length")?))
}

impl View {
    /// An array is made over what is there; an empty one may have no buffer any more.
    fn made<T>(&self, of: fn(&JsValue, u32, u32) -> T, empty: fn(u32) -> T) -> T {
        if self.2 == 0 { empty(0) } else { of(&self.0, self.1, self.2) }
    }

    /// Refuses an array whose buffer was given away: it reads as empty, which its owner did not mean.
    fn check(self, what: &str) -> Result<Self> {
        if reflect::is_truthy(&self.0, "detached") {
            return Err(invalid(format!(
                "The buffer of {what} was transferred away and is empty here. Pass the array before that, or a copy."
            )));
        }
        Ok(self)
    }
}

/// `length` values, to be copied into.
///
/// # Errors
/// `limit-exceeded` where wasm memory has no room for them.
fn room<T: Copy + Default>(length: u32, what: &str) -> Result<Vec<T>> {
    let mut values = Vec::new();
    if values.try_reserve_exact(length as usize).is_err() {
        return Err(Error::LimitExceeded(format!(
            "{what} has {length} values, for which there is no room in the 4 GiB of wasm memory. Give less at a time."
        )));
    }
    values.resize(length as usize, T::default());
    Ok(values)
}

/// Token ids from a `Uint32Array` or an array of numbers, copied.
///
/// # Errors
/// `invalid-argument`, naming the first value that is no id; `limit-exceeded` where memory cannot hold them.
pub fn tokens(value: &JsValue) -> Result<Vec<u32>> {
    if let Some(view) = view(value, "Uint32Array") {
        let view = view.check("the token ids")?;
        let mut ids = room(view.2, "The array of token ids")?;
        view.made(Uint32Array::new_with_byte_offset_and_length, Uint32Array::new_with_length).copy_to(&mut ids);
        return Ok(ids);
    }
    let length = value.dyn_ref::<Array>().and_then(|_| as_u32(&reflect::get(value, "length")));
    let Some(length) = length else {
        return Err(invalid(format!(
            "Token ids come as a Uint32Array or an array of whole numbers from 0 to 4294967295, not as {}.",
            shown(value)
        )));
    };
    (0..length)
        .map(|index| {
            // What a getter throws is no id either.
            let item = Reflect::get_u32(value, index).unwrap_or(JsValue::UNDEFINED);
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
    let Some(view) = view(value, "Float32Array") else {
        return Err(invalid(format!("gradOut must be a Float32Array of N·D values, not {}.", shown(value))));
    };
    let view = view.check("gradOut")?;
    let wanted = seq_len as u64 * u64::from(d_model);
    if u64::from(view.2) != wanted {
        return Err(Error::ShapeMismatch(format!(
            "gradOut has {} values, but {seq_len} tokens of {d_model} values want {wanted}: one row for each token.",
            view.2
        )));
    }
    Ok(view.made(Float32Array::new_with_byte_offset_and_length, Float32Array::new_with_length))
}

/// The values of an array that was checked, copied.
///
/// # Errors
/// `limit-exceeded`.
pub fn floats(array: &Float32Array, what: &str) -> Result<Vec<f32>> {
    let mut values = room(array.length(), what)?;
    array.copy_to(&mut values);
    Ok(values)
}

/// Bytes from a `Uint8Array`, copied.
///
/// # Errors
/// `invalid-argument`; `limit-exceeded`.
pub fn bytes(value: &JsValue, what: &str) -> Result<Vec<u8>> {
    let Some(view) = view(value, "Uint8Array") else {
        return Err(invalid(format!("{what} must be a Uint8Array, not {}.", shown(value))));
    };
    let view = view.check(what)?;
    let mut bytes = room(view.2, what)?;
    view.made(Uint8Array::new_with_byte_offset_and_length, Uint8Array::new_with_length).copy_to(&mut bytes);
    Ok(bytes)
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
        Some(reflect::get(&self.0, key)).filter(|value| !value.is_undefined())
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
    /// `invalid-argument`; `limit-exceeded`.
    pub fn table(&self) -> Result<Option<Vec<f32>>> {
        let Some(value) = self.get("table") else { return Ok(None) };
        let Some(view) = view(&value, "Float32Array") else {
            return Err(invalid(format!("table must be a Float32Array of V·D values, not {}.", shown(&value))));
        };
        let array =
            view.check("table")?.made(Float32Array::new_with_byte_offset_and_length, Float32Array::new_with_length);
        floats(&array, "table").map(Some)
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
