//! A `GPUDevice` or a `GPUBuffer` of JavaScript's as one of wgpu's.
//!
//! wgpu 30 hands such objects out but takes none in. It does read `navigator.gpu` at once when an instance is made, and calls
//! `createBuffer` at once when a buffer is; so for the length of that one call an own property stands in the way that leads
//! to the object wanted, and what was there before comes back. Tied to the wgpu that Cargo.toml pins: look
//! here first when that changes, and drop this file when wgpu has a way in (gfx-rs/wgpu#4067, #9530).

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::browser::{reflect, webgpu};
use crate::error::{Error, Result};
use crate::gpu::scope::words;

/// A device that wgpu works on, and the object that it is in JavaScript.
#[derive(Debug)]
pub struct Adopted {
    pub device: wgpu::Device,
    pub handle: webgpu::Device,
}

/// wgpu's device over a `GPUDevice`, whoever made it.
///
/// # Errors
/// `no-adapter`, in an environment that can't be prepared for it.
pub async fn adopt_device(handle: &webgpu::Device) -> Result<Adopted> {
    let refused = |why: &str| {
        Error::NoAdapter(format!("This GPU device can't be used here: {why}. Use another device or backend \"cpu\"."))
    };
    let adapter = Object::new();
    for key in ["features", "limits"] {
        reflect::set(&adapter, key, &reflect::get(handle, key));
    }
    let info = reflect::get(handle, "adapterInfo");
    reflect::set(&adapter, "info", if info.is_object() { &info } else { adapter.as_ref() });
    reflect::set(&adapter, "requestDevice", &resolving(handle));
    let gpu = Object::new();
    reflect::set(&gpu, "requestAdapter", &resolving(&adapter));

    let navigator = reflect::get(&js_sys::global(), "navigator");
    let make = || wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let instance = during(&navigator, "gpu", &gpu, make).map_err(|error| refused(&words(&error)))?;
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await;
    let adapter = adapter.map_err(|error| refused(&error.to_string()))?;
    let device = adapter.request_device(&wgpu::DeviceDescriptor::default()).await;
    let (device, _) = device.map_err(|error| refused(&error.to_string()))?;
    if device.as_webgpu().is_none_or(|made| JsValue::from(made.clone()) != **handle) {
        return Err(refused("the browser gave another one"));
    }
    Ok(Adopted { device, handle: handle.clone() })
}

/// wgpu's buffer over a `GPUBuffer`. It is not ours: never to be destroyed.
///
/// # Errors
/// `invalid-argument`, where the device does not let itself be prepared for it.
pub fn adopt_buffer(device: &wgpu::Device, handle: &webgpu::Device, buffer: &JsValue) -> Result<wgpu::Buffer> {
    let number = |key: &str| reflect::get(buffer, key).as_f64().unwrap_or(0.0);
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size: number("size") as u64,
        usage: wgpu::BufferUsages::from_bits_truncate(number("usage") as u32),
        mapped_at_creation: false,
    };
    // `Object(buffer)` is the buffer itself, whatever arguments come after.
    let make = reflect::function(&js_sys::global(), "Object").map(|object| object.bind1(&JsValue::UNDEFINED, buffer));
    let made = make
        .ok_or(JsValue::UNDEFINED)
        .and_then(|make| during(handle, "createBuffer", &make, || device.create_buffer(&descriptor)));
    made.map_err(|error| Error::InvalidArgument(format!("This GPUBuffer can't be used here: {}.", words(&error))))
}

/// A function of no use for its arguments that gives a promise of `value`.
fn resolving(value: &JsValue) -> JsValue {
    let promise = reflect::get(&js_sys::global(), "Promise");
    let resolve = reflect::function(&promise, "resolve");
    resolve.map_or(JsValue::UNDEFINED, |resolve| resolve.bind1(&promise, value).into())
}

/// What `work` gives while `object[key]` is `value`.
fn during<T>(
    object: &JsValue,
    key: &str,
    value: &JsValue,
    work: impl FnOnce() -> T,
) -> core::result::Result<T, JsValue> {
    let target: &Object = object.unchecked_ref();
    let name = JsValue::from_str(key);
    let before = Reflect::get_own_property_descriptor(target, &name)?;
    let property = Object::new();
    for flag in ["configurable", "enumerable", "writable"] {
        reflect::set(&property, flag, &JsValue::TRUE);
    }
    reflect::set(&property, "value", value);
    if !Reflect::define_property(target, &name, &property)? {
        return Err(JsValue::from_str("its page does not allow it"));
    }
    let made = work();
    if before.is_object() {
        Reflect::define_property(target, &name, before.unchecked_ref())?;
    } else {
        Reflect::delete_property(target, &name)?;
    }
    Ok(made)
}
