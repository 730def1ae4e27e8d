//! Asks the browser for the device: adapter, limits, features, and how it adds.
//!
//! All embeddings of a page share one device. It is asked for at first use, and anew after it was lost.

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::abi;
use crate::browser::futures::{Shared, pause};
use crate::browser::reflect;
use crate::error::{Error, Result};
use crate::gpu::device::{AdapterFacts, Gpu};
use crate::gpu::readback;

thread_local! {
    static SHARED: Rc<Shared<Rc<Gpu>, Error>> = Rc::default();
}

/// The page's device.
///
/// # Errors
/// `no-webgpu` and `no-adapter`, with the reason in words.
pub async fn acquire() -> Result<Rc<Gpu>> {
    let shared = SHARED.with(Rc::clone);
    shared.get(|gpu| !gpu.is_lost(), request).await
}

/// How often an adapter is asked for: some browsers give null at first and the GPU at the next try.
const ADAPTER_TRIES: i32 = 4;

async fn request() -> Result<Rc<Gpu>> {
    let browser_gpu = browser_gpu()?;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let options =
        wgpu::RequestAdapterOptions { power_preference: wgpu::PowerPreference::HighPerformance, ..Default::default() };
    let mut found = None;
    for attempt in 1..=ADAPTER_TRIES {
        if let Ok(adapter) = instance.request_adapter(&options).await {
            found = Some(adapter);
            break;
        }
        if attempt < ADAPTER_TRIES {
            pause(50 * attempt).await;
        }
    }
    let Some(adapter) = found else {
        return Err(Error::NoAdapter(format!(
            "The browser has WebGPU but gave no adapter in {ADAPTER_TRIES} tries: the graphics card or its driver may be \
             blocked, or hardware acceleration may be off. See chrome://gpu or about:support, or use backend \"cpu\"."
        )));
    };

    let wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_F16;
    let limits = adapter.limits();
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            label: Some("gomme"),
            required_features: adapter.features() & wanted,
            required_limits: limits.clone(),
            ..Default::default()
        })
        .await
        .map_err(|error| Error::NoAdapter(format!("The adapter gave no device ({error}). Use backend \"cpu\".")))?;

    let mut facts = AdapterFacts {
        shader_f16: device.features().contains(wgpu::Features::SHADER_F16),
        timestamps: device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        max_buffer: limits.max_buffer_size,
        max_binding: limits.max_storage_buffer_binding_size,
        ..AdapterFacts::default()
    };
    describe(&browser_gpu, &mut facts).await;
    Ok(Rc::new(probed(Gpu::new(device, queue, facts)).await?))
}

/// Finds out how the device adds (see `probe.wgsl`).
async fn probed(gpu: Gpu) -> Result<Gpu> {
    // Each pair with its sum rounded to nearest, ties to even; the last one is a sum of subnormals.
    let ulp = f32::EPSILON;
    let operands: [(f32, f32, f32); 7] = [
        (1.0, ulp / 2.0, 1.0),
        (1.0 + ulp, ulp / 2.0, 1.0 + 2.0 * ulp),
        (1.0, ulp * 0.75, 1.0 + ulp),
        (-1.0, ulp * -0.75, -1.0 - ulp),
        (-1.0, ulp / -4.0, -1.0),
        (16_777_216.0, 1.0, 16_777_216.0),
        (f32::MIN_POSITIVE / 2.0, f32::MIN_POSITIVE / 4.0, f32::MIN_POSITIVE * 0.75),
    ];
    let bytes = size_of_val(&operands) as u64;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let inputs = gpu.pool().lease(gpu.device(), "gomme probe", bytes, usage);
    let words: Vec<u32> = operands.iter().flat_map(|&(a, b, _)| [a.to_bits(), b.to_bits()]).collect();
    gpu.queue().write_buffer(inputs.buffer(), 0, bytemuck::must_cast_slice(&words));
    let sums = gpu.storage("gomme probe sums", operands.len() as u64 * 4);
    let probe = gpu.dispatch(
        &abi::PROBE,
        1,
        &[(1, inputs.part(words.len() as u64 * 4)), (2, sums.part(operands.len() as u64 * 4))],
        [1, 1, 1],
    );
    let mut outputs = readback::run(&gpu, &[&probe], &[sums.part(operands.len() as u64 * 4)]).await?;
    let found = outputs.words(0);
    let rounded = operands.iter().zip(&found).take(operands.len() - 1);
    let mut facts = gpu.facts().clone();
    facts.rounds_to_nearest_even = rounded.into_iter().all(|(&(_, _, sum), &bits)| sum.to_bits() == bits);
    facts.flushes_subnormals = found.last().is_none_or(|&bits| bits == 0);
    Ok(gpu.knowing(facts))
}

/// `navigator.gpu`, in a window or a worker.
fn browser_gpu() -> Result<JsValue> {
    let global = js_sys::global();
    let gpu = reflect::get(&reflect::get(&global, "navigator"), "gpu");
    if gpu.is_object() {
        return Ok(gpu);
    }
    Err(Error::NoWebgpu(if reflect::is_truthy(&global, "isSecureContext") {
        "This browser has no WebGPU (navigator.gpu is missing). Use a current Chrome, Edge, Firefox or Safari, or use \
         backend \"cpu\"."
            .to_owned()
    } else {
        "This page comes from an insecure origin, where browsers hide WebGPU. Serve it over HTTPS or from localhost, or \
         use backend \"cpu\"."
            .to_owned()
    }))
}

/// Asks the browser for the adapter's own words: wgpu passes only the description on.
async fn describe(browser_gpu: &JsValue, facts: &mut AdapterFacts) {
    let Some(adapter) = adapter_object(browser_gpu).await else { return };
    let info = reflect::get(&adapter, "info");
    let text = |key: &str| reflect::get(&info, key).as_string().unwrap_or_default();
    facts.vendor = text("vendor");
    facts.architecture = text("architecture");
    facts.device = text("device");
    facts.description = text("description");
    let fallback = [&info, &adapter].into_iter().any(|object| reflect::is_truthy(object, "isFallbackAdapter"));
    let words =
        format!("{} {} {} {}", facts.vendor, facts.architecture, facts.device, facts.description).to_ascii_lowercase();
    let names = ["swiftshader", "llvmpipe", "lavapipe", "softpipe", "software", "basic render", "warp"];
    facts.software =
        fallback || names.iter().any(|name| words.as_bytes().windows(name.len()).any(|word| word == name.as_bytes()));
}

async fn adapter_object(browser_gpu: &JsValue) -> Option<JsValue> {
    let request = reflect::function(browser_gpu, "requestAdapter")?;
    let options = js_sys::Object::new();
    reflect::set(&options, "powerPreference", &JsValue::from_str("high-performance"));
    let promise: js_sys::Promise = request.call1(browser_gpu, &options).ok()?.dyn_into().ok()?;
    let adapter = JsFuture::from(promise).await.ok()?;
    adapter.is_object().then_some(adapter)
}
