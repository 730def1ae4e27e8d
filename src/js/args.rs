//! Checks arguments from JavaScript: whatever a page passes becomes a Rust value or a `GommeError`.

use js_sys::{Float32Array, Int32Array, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::browser::reflect;
use crate::embedding::Wanted;
use crate::error::{Error, Result};
use crate::options::{Backend, Precision};

fn invalid(message: String) -> Error {
    Error::InvalidArgument(message)
}

/// How a value reads in a message.
#[inline(never)]
fn describe(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        let mut short: String = text.chars().take(40).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        return format!("\"{short}\"");
    }
    // JavaScript spells its numbers itself; Rust's own float formatting would weigh 10 KB.
    if let Some(number) = value.as_f64() {
        return format_number(number);
    }
    if value.is_null() {
        return "null".to_owned();
    }
    let kind = value.js_typeof().as_string().unwrap_or_default();
    if value.is_object() {
        let class = reflect::get(&reflect::get(value, "constructor"), "name").as_string();
        return class.filter(|class| !class.is_empty() && class != "Object").unwrap_or(kind);
    }
    kind
}

/// A number as JavaScript spells it.
pub fn format_number(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(10).map(String::from).unwrap_or_default()
}

/// A whole number from 0 to 2^32-1.
fn as_u32(value: &JsValue) -> Option<u32> {
    let number = value.as_f64()?;
    let whole = number as u32; // saturates, and NaN becomes 0
    (f64::from(whole) == number).then_some(whole)
}

#[wasm_bindgen(module = "/src/js/arguments.js")]
extern "C" {
    #[wasm_bindgen(js_name = uint8Array)]
    fn uint8_array(value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = int32Array)]
    fn int32_array(value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = uint32Array)]
    fn uint32_array(value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = float32Array)]
    fn float32_array(value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = isArray)]
    fn is_array(value: &JsValue) -> bool;
    fn branded(object: &JsValue, class: &str, key: &str) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/arguments.js")]
extern "C" {
    #[wasm_bindgen(js_name = output)]
    fn glance_output(options: &JsValue) -> i32;
    #[wasm_bindgen(js_name = method)]
    fn glance_method(options: &JsValue) -> i32;
    /// Numbers: lr, eps, beta1, beta2.
    #[wasm_bindgen(js_name = rule)]
    pub fn glance_rule(options: &JsValue, numbers: &mut [f64]) -> i32;
}

/// What `arguments.js` found: an array of the class that was asked for, or none.
///
/// # Errors
/// `invalid-argument` for an array whose memory is gone.
fn found<T: JsCast>(array: JsValue, what: &str) -> Result<Option<T>> {
    if array.is_null() {
        return Err(invalid(format!(
            "The buffer of {what} was transferred away or shrunk, so its values are gone. Pass the array before that, or a copy."
        )));
    }
    Ok((!array.is_undefined()).then(|| array.unchecked_into()))
}

/// `length` values, to be copied into.
///
/// # Errors
/// `limit-exceeded` where wasm memory has no room for them.
fn try_vec<T: Copy + Default>(length: u32, what: &str) -> Result<Vec<T>> {
    let mut values = Vec::new();
    if values.try_reserve_exact(length as usize).is_err() {
        return Err(Error::LimitExceeded(format!(
            "{what} has {length} values, for which there is no room in the 4 GiB of wasm memory. Split the call into smaller batches."
        )));
    }
    values.resize(length as usize, T::default());
    Ok(values)
}

/// Token ids from a `Uint32Array`, an `Int32Array` or an array of numbers, copied.
///
/// # Errors
/// `invalid-argument`, naming the first value that is no id; `limit-exceeded` where memory cannot hold them.
pub fn tokens(value: &JsValue) -> Result<Vec<u32>> {
    whole_numbers(value, "the array of token ids", ["Token ids", ""], &|index, value| {
        invalid(format!(
            "Token {index} is {value}, but an id is a whole number from 0 to 4294967295. Ids at or above the vocabulary's \
             size are allowed; they give zeros."
        ))
    })
}

/// The offsets of `embedBag`, copied.
///
/// # Errors
/// As [`tokens`].
pub fn offsets(value: &JsValue) -> Result<Vec<u32>> {
    let hint = " Each bag of embedBag begins at its offset among the tokens; [0] makes one bag of all of them.";
    whole_numbers(value, "the array of offsets", ["Offsets", hint], &|index, value| {
        invalid(format!("Offset {index} is {value}, but an offset is a whole number from 0 to 4294967295.{hint}"))
    })
}

/// The ids of a gradient's rows, copied.
///
/// # Errors
/// As [`tokens`].
pub fn gradient_rows(value: &JsValue) -> Result<Vec<u32>> {
    let hint =
        " JSON turns arrays of this kind into plain objects: make them again by Uint32Array.from(Object.values(…)).";
    whole_numbers(value, "the gradient's array of rows", ["A gradient's rows", hint], &|index, value| {
        invalid(format!("Row {index} of the gradient is {value}, not a whole number from 0 to 4294967295."))
    })
}

/// Whole numbers, copied, from an array of this `name`. For who passes no array: what they are, and a hint; `wrong` makes the
/// error for what is no such number.
fn whole_numbers(
    value: &JsValue,
    name: &str,
    [what, hint]: [&str; 2],
    wrong: &dyn Fn(usize, String) -> Error,
) -> Result<Vec<u32>> {
    if let Some(array) = found::<Uint32Array>(uint32_array(value), name)? {
        let mut numbers = try_vec(array.length(), name)?;
        array.copy_to(&mut numbers);
        return Ok(numbers);
    }
    if let Some(array) = found::<Int32Array>(int32_array(value), name)? {
        let mut signed: Vec<i32> = try_vec(array.length(), name)?;
        array.copy_to(&mut signed);
        let unsigned =
            |(index, number): (usize, i32)| u32::try_from(number).map_err(|_| wrong(index, describe(&number.into())));
        return signed.into_iter().enumerate().map(unsigned).collect();
    }
    let length = if is_array(value) { as_u32(&reflect::get(value, "length")) } else { None };
    let Some(length) = length else {
        return Err(invalid(format!(
            "{what} come as a Uint32Array, an Int32Array or an array of whole numbers from 0 to 4294967295, not as {}.{hint}",
            describe(value)
        )));
    };
    (0..length)
        .map(|index| {
            // A getter that throws gives no id either.
            let item = Reflect::get_u32(value, index).unwrap_or(JsValue::UNDEFINED);
            as_u32(&item).ok_or_else(|| wrong(index as usize, describe(&item)))
        })
        .collect()
}

/// dL/d(out): a `Float32Array` of exactly `elements` values (not yet copied).
///
/// # Errors
/// `invalid-argument` for another type, `shape-mismatch` for another length.
pub fn grad_out(value: &JsValue, seq_len: usize, d_model: u32) -> Result<Float32Array> {
    let array = float_array(value, "gradOut", "N·D values")?;
    let expected = seq_len as u64 * u64::from(d_model);
    if u64::from(array.length()) != expected {
        return Err(Error::ShapeMismatch(format!(
            "gradOut has {} values, but {seq_len} tokens of {d_model} values need {expected}: one row for each token.",
            array.length()
        )));
    }
    Ok(array)
}

/// A `Float32Array` (not yet copied).
///
/// # Errors
/// `invalid-argument`.
pub fn float_array(value: &JsValue, name: &str, values: &str) -> Result<Float32Array> {
    found(float32_array(value), name)?
        .ok_or_else(|| invalid(format!("{name} must be a Float32Array of {values}, not {}.", describe(value))))
}

/// A `GPUBuffer` of this window with at least `bytes` that kernels may read; none for anything else.
///
/// # Errors
/// `shape-mismatch` for a smaller one; `invalid-argument` for one that is not made for it.
pub fn gpu_buffer<'a>(value: &'a JsValue, bytes: u64, what: &str) -> Result<Option<&'a JsValue>> {
    const STORAGE: u32 = 0x80;
    if !reflect::is_instance(value, "GPUBuffer") {
        return Ok(None);
    }
    let property = |key| branded(value, "GPUBuffer", key);
    let Some(size) = property("size").as_f64() else { return Ok(None) };
    if size < bytes as f64 {
        return Err(Error::ShapeMismatch(format!(
            "The GPUBuffer of {what} has {} bytes, but {bytes} are needed.",
            format_number(size)
        )));
    }
    let usage = property("usage").as_f64().unwrap_or(0.0) as u32;
    if usage & STORAGE == 0 {
        return Err(invalid(format!(
            "The GPUBuffer of {what} lacks the usage STORAGE, which kernels need to read it."
        )));
    }
    if property("mapState").as_string().is_some_and(|state| state != "unmapped") {
        return Err(invalid(format!("The GPUBuffer of {what} is mapped. Call unmap() first.")));
    }
    Ok(Some(value))
}

/// The values of an array that was checked, copied.
///
/// # Errors
/// `limit-exceeded`.
pub fn floats(array: &Float32Array, what: &str) -> Result<Vec<f32>> {
    let mut values = try_vec(array.length(), what)?;
    array.copy_to(&mut values);
    Ok(values)
}

/// Bytes from a `Uint8Array`, copied.
///
/// # Errors
/// `invalid-argument`; `limit-exceeded`.
pub fn bytes(value: &JsValue, what: &str) -> Result<Vec<u8>> {
    let Some(array) = found::<Uint8Array>(uint8_array(value), what)? else {
        return Err(invalid(format!("{what} must be a Uint8Array, not {}.", describe(value))));
    };
    let mut bytes = try_vec(array.length(), what)?;
    array.copy_to(&mut bytes);
    Ok(bytes)
}

/// A string.
///
/// # Errors
/// `invalid-argument`.
pub fn text(value: &JsValue, what: &str) -> Result<String> {
    value.as_string().ok_or_else(|| invalid(format!("{what} must be a string, not {}.", describe(value))))
}

/// One token id.
///
/// # Errors
/// `invalid-argument`.
pub fn id(value: &JsValue) -> Result<u32> {
    as_u32(value)
        .ok_or_else(|| invalid(format!("A token id is a whole number from 0 to 4294967295, not {}.", describe(value))))
}

/// The greatest number below 1, for [`Options::number`].
pub const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

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
            Err(invalid(format!("Options come as an object, not as {}.", describe(&value))))
        }
    }

    /// An option, if it is there and not `undefined`.
    ///
    /// # Errors
    /// `invalid-argument` where reading it throws.
    pub fn get(&self, key: &str) -> Result<Option<JsValue>> {
        if !self.0.is_object() {
            return Ok(None);
        }
        match Reflect::get(&self.0, &JsValue::from_str(key)) {
            Ok(value) => Ok((!value.is_undefined()).then_some(value)),
            Err(thrown) => {
                let message = reflect::get(&thrown, "message").as_string().unwrap_or_default();
                Err(invalid(format!("The option {key} could not be read; its getter threw: {message}.")))
            }
        }
    }

    /// Which of several names, the first one being the default.
    fn choice(&self, key: &str, names: &[&str]) -> Result<usize> {
        let Some(value) = self.get(key)? else { return Ok(0) };
        let given = value.as_string();
        names.iter().position(|name| Some(*name) == given.as_deref()).ok_or_else(|| {
            let names = names.join("\" or \"");
            invalid(format!("Option {key} is {}, but it may be \"{names}\".", describe(&value)))
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
        match glance_method(&self.0) {
            seen @ 0..=1 => Ok(seen == 1),
            _ => Ok(self.choice("method", &["sorted", "cas"])? == 1),
        }
    }

    /// `output`: whether it is `gpu`.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn output_gpu(&self) -> Result<bool> {
        match glance_output(&self.0) {
            seen @ 0..=1 => Ok(seen == 1),
            _ => Ok(self.choice("output", &["array", "gpu"])? == 1),
        }
    }

    /// `mode`: whether it is `sum`.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn sum(&self) -> Result<bool> {
        Ok(self.choice("mode", &["mean", "sum"])? == 1)
    }

    /// Where the work is wanted: `device`, or else `backend`.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn wanted(&self) -> Result<Wanted> {
        let backend = self.backend()?;
        let Some(device) = self.get("device")? else { return Ok(Wanted::Backend(backend)) };
        if !reflect::is_instance(&device, "GPUDevice") || !branded(&device, "GPUDevice", "queue").is_object() {
            return Err(invalid(format!("device must be a GPUDevice of this window, not {}.", describe(&device))));
        }
        if backend == Backend::Cpu {
            return Err(invalid("A device was passed, but the backend is \"cpu\": leave one of them out.".to_owned()));
        }
        Ok(Wanted::Device(device.unchecked_into()))
    }

    /// `signal`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn signal(&self) -> Result<Option<JsValue>> {
        let Some(signal) = self.get("signal")? else { return Ok(None) };
        if reflect::function(&signal, "addEventListener").is_none()
            || reflect::get(&signal, "aborted").as_bool().is_none()
        {
            return Err(invalid(format!("signal must be an AbortSignal, not {}.", describe(&signal))));
        }
        Ok(Some(signal))
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
        let value = self.get(key)?.unwrap_or(JsValue::UNDEFINED);
        match as_u32(&value) {
            Some(size) if size > 0 => Ok(size),
            _ => Err(invalid(format!("{key} must be a whole number from 1 to 4294967295, not {}.", describe(&value)))),
        }
    }

    /// `seed`: a whole number from 0 to 2^53-1; 0 by default.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn seed(&self) -> Result<u64> {
        let Some(value) = self.get("seed")? else { return Ok(0) };
        match value.as_f64() {
            Some(seed) if seed >= 0.0 && seed.fract() == 0.0 && seed < 9_007_199_254_740_992.0 => Ok(seed as u64),
            _ => Err(invalid(format!("seed must be a whole number from 0 to 2^53-1, not {}.", describe(&value)))),
        }
    }

    /// A number with a default. `most` of `f32::MAX` stands for any that f32 has room for, [`BELOW_ONE`] for any below 1.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn number(&self, key: &str, least: f64, most: f64, default: f64) -> Result<f64> {
        let Some(value) = self.get(key)? else { return Ok(default) };
        match value.as_f64() {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => {
                let top = if most == BELOW_ONE { "below 1".to_owned() } else { format_number(most) };
                let range = if most < f64::from(f32::MAX) {
                    format!("a number from {} to {top}", format_number(least))
                } else {
                    format!("a finite number{} that f32 has room for", if least < 0.0 { "" } else { ", not negative," })
                };
                Err(invalid(format!("{key} must be {range}, not {}.", describe(&value))))
            }
        }
    }

    /// `table`
    ///
    /// # Errors
    /// `invalid-argument`; `limit-exceeded`.
    pub fn table(&self) -> Result<Option<Vec<f32>>> {
        let Some(value) = self.get("table")? else { return Ok(None) };
        floats(&float_array(&value, "table", "V·D values")?, "table").map(Some)
    }

    /// `fingerprint`
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn fingerprint(&self) -> Result<Option<String>> {
        self.get("fingerprint")?.map(|value| text(&value, "fingerprint")).transpose()
    }

    /// A function.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn function(&self, key: &str) -> Result<Option<js_sys::Function>> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        match value.dyn_ref::<js_sys::Function>() {
            Some(function) => Ok(Some(function.clone())),
            None => Err(invalid(format!("{key} must be a function, not {}.", describe(&value)))),
        }
    }
}
