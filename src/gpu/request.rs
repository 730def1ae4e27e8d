//! Asks the browser for the device: adapter, limits, features.
//!
//! All embeddings of a page share one device. It is asked for at first use, and anew after it was lost.

use std::rc::Rc;

use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::browser::futures::{Shared, pause};
use crate::browser::{reflect, webgpu};
use crate::error::{Error, Result};
use crate::gpu::adopt::adopt_device;
use crate::gpu::device::{AdapterFacts, Gpu};
use crate::gpu::scope::{refused, words};

thread_local! {
    static SHARED: Rc<Shared<Rc<Gpu>, Error>> = Rc::default();
}

/// The page's device.
///
/// # Errors
/// `no-webgpu` and `no-adapter`, with the reason in words; `gpu-error` where the device refuses its first work.
pub async fn acquire() -> Result<Rc<Gpu>> {
    let shared = SHARED.with(Rc::clone);
    shared.get(|gpu| !gpu.is_lost(), request, refused).await
}

/// How often an adapter is asked for: some browsers give null at first and the GPU at the next try.
const ADAPTER_TRIES: i32 = 4;
/// Features that kernels or timings use where the adapter has them.
const FEATURES: [&str; 2] = ["timestamp-query", "shader-f16"];

async fn request() -> Result<Rc<Gpu>> {
    let browser_gpu = browser_gpu()?;
    let adapter = request_adapter(&browser_gpu).await?;
    let limits = reflect::get(&adapter, "limits");
    let features: Array =
        FEATURES.iter().map(|name| JsValue::from_str(name)).filter(|name| has(&adapter, name)).collect();
    let descriptor = Object::new();
    reflect::set(&descriptor, "label", &"gomme".into());
    reflect::set(&descriptor, "requiredFeatures", &features);
    reflect::set(&descriptor, "requiredLimits", &all_limits(&limits));
    let device = ask(&adapter, "requestDevice", &descriptor)
        .await
        .and_then(|device| if device.is_object() { Ok(device) } else { Err("it gave nothing".to_owned()) });
    let device = device.map_err(|why| {
        Error::NoAdapter(format!(
            "The browser gave an adapter, but the adapter no device: {why}. Reload the page, or use backend \"cpu\"."
        ))
    })?;
    let handle: webgpu::Device = device.unchecked_into();
    let mut facts = facts(&handle, &adapter);
    for (fact, key) in
        [(&mut facts.max_buffer, "maxBufferSize"), (&mut facts.max_binding, "maxStorageBufferBindingSize")]
    {
        *fact = (*fact).min(limit(&limits, key));
    }
    Ok(Rc::new(Gpu::new(adopt_device(&handle).await?, facts, false)))
}

/// A device that the page lends: used as it is, never destroyed and never replaced.
///
/// # Errors
/// `no-adapter`, `gpu-error`, `device-lost`.
pub async fn borrow(handle: &webgpu::Device) -> Result<Rc<Gpu>> {
    // One that is lost already takes all work and does none.
    let now = Promise::resolve(&JsValue::UNDEFINED);
    let first = JsFuture::from(Promise::race(&Array::of2(&handle.lost(), &now))).await;
    if let Some(info) = first.ok().filter(JsValue::is_object) {
        return Err(Error::DeviceLost(format!(
            "The GPU device that was passed is lost ({}). Pass another one.",
            words(&info)
        )));
    }
    let facts = facts(handle, handle);
    Ok(Rc::new(Gpu::new(adopt_device(handle).await?, facts, true)))
}

/// An adapter, at the first try or a later one.
async fn request_adapter(browser_gpu: &JsValue) -> Result<JsValue> {
    let options = Object::new();
    reflect::set(&options, "powerPreference", &"high-performance".into());
    let mut why = String::new();
    for attempt in 1..=ADAPTER_TRIES {
        match ask(browser_gpu, "requestAdapter", &options).await {
            Ok(adapter) if adapter.is_object() => return Ok(adapter),
            Ok(_) => why.clear(),
            Err(words) => why = format!(" ({words})"),
        }
        // The null was long in coming where the browser had its GPU process to start; then the next answer is there at once.
        if attempt < ADAPTER_TRIES {
            pause(50 * (attempt - 1)).await;
        }
    }
    Err(Error::NoAdapter(format!(
        "The browser has WebGPU but gave no adapter in {ADAPTER_TRIES} tries{why}: the graphics card or its driver may be \
         blocked, or hardware acceleration may be off. See chrome://gpu or about:support, or use backend \"cpu\"."
    )))
}

/// What the promise of `object[method](argument)` gives, or why it gives nothing, in words.
async fn ask(object: &JsValue, method: &str, argument: &JsValue) -> core::result::Result<JsValue, String> {
    let called = match reflect::function(object, method) {
        Some(function) => function.call1(object, argument),
        None => return Err(format!("it has no {method}")),
    };
    match called {
        Ok(promise) => JsFuture::from(Promise::resolve(&promise)).await.map_err(|error| words(&error)),
        Err(error) => Err(words(&error)),
    }
}

/// Whether `object.features` has this one.
fn has(object: &JsValue, feature: &JsValue) -> bool {
    let features = reflect::get(object, "features");
    reflect::function(&features, "has")
        .is_some_and(|has| has.call1(&features, feature).is_ok_and(|has| has.is_truthy()))
}

/// Everything that the adapter can do: another library may get this device.
fn all_limits(limits: &JsValue) -> Object {
    let wanted = Object::new();
    let prototype = Reflect::get_prototype_of(limits).unwrap_or_default();
    for key in Object::keys(&prototype).iter().chain(Object::keys(limits.unchecked_ref::<Object>()).iter()) {
        let value = Reflect::get(limits, &key).unwrap_or_default();
        if value.as_f64().is_some() {
            drop(Reflect::set(&wanted, &key, &value));
        }
    }
    wanted
}

fn limit(limits: &JsValue, key: &str) -> u64 {
    reflect::get(limits, key).as_f64().unwrap_or(0.0) as u64
}

/// What a device and the adapter it came from tell; a device alone tells the same, in `adapterInfo`.
fn facts(device: &webgpu::Device, adapter: &JsValue) -> AdapterFacts {
    let mut info = reflect::get(adapter, "info");
    if !info.is_object() {
        info = reflect::get(device, "adapterInfo");
    }
    let text = |key: &str| reflect::get(&info, key).as_string().unwrap_or_default();
    let (vendor, architecture) = (text("vendor"), text("architecture"));
    let (model, description) = (text("device"), text("description"));
    let fallback = [&info, adapter].into_iter().any(|object| reflect::is_truthy(object, "isFallbackAdapter"));
    let names = format!("{vendor} {architecture} {model} {description}").to_ascii_lowercase();
    // Not `contains`: its search weighs kilobytes.
    let is_named = |name: &&str| names.as_bytes().windows(name.len()).any(|word| word == name.as_bytes());
    let limits = reflect::get(device, "limits");
    AdapterFacts {
        vendor,
        architecture,
        device: model,
        description,
        software: fallback || SOFTWARE.iter().any(is_named),
        shader_f16: has(device, &"shader-f16".into()),
        timestamps: has(device, &"timestamp-query".into()),
        max_buffer: limit(&limits, "maxBufferSize"),
        max_binding: limit(&limits, "maxStorageBufferBindingSize"),
    }
}

/// Parts of the names of adapters that compute on the CPU.
const SOFTWARE: [&str; 7] = ["swiftshader", "llvmpipe", "lavapipe", "softpipe", "software", "basic render", "warp"];

/// `navigator.gpu`, in a window or a worker.
fn browser_gpu() -> Result<JsValue> {
    let global = js_sys::global();
    let gpu = reflect::get(&reflect::get(&global, "navigator"), "gpu");
    // wgpu looks for `navigator` in these two, and traps where neither is.
    let in_browser = ["Window", "WorkerGlobalScope"].iter().any(|scope| reflect::is_truthy(&global, scope));
    if !gpu.is_object() {
        return Err(Error::NoWebgpu(if !in_browser {
            "There is no WebGPU outside a browser. Run this in one, or use backend \"cpu\".".to_owned()
        } else if reflect::get(&global, "isSecureContext") != false {
            "This browser has no WebGPU (navigator.gpu is missing). Use a current Chrome, Edge, Firefox or Safari, or use \
             backend \"cpu\"."
                .to_owned()
        } else {
            "This page comes from an insecure origin, where browsers hide WebGPU. Serve it over HTTPS or from localhost, or \
             use backend \"cpu\"."
                .to_owned()
        }));
    }
    if in_browser {
        return Ok(gpu);
    }
    Err(Error::NoWebgpu(
        "There is a navigator.gpu, but no browser around it (neither Window nor WorkerGlobalScope), which WebGPU is used \
         through here. Use backend \"cpu\"."
            .to_owned(),
    ))
}
