//! The device: adapter, limits, features, what it is able to do, its loss and its successor.
//!
//! All embeddings of a page share one device. It is asked for at first use, and anew after it was lost.

use core::cell::{Cell, RefCell};
use core::future::poll_fn;
use core::task::{Poll, Waker};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::abi::{self, KernelAbi};
use crate::buffers::{Lease, Part, Pool};
use crate::error::{Error, Result};
use crate::kernels::{Dispatch, Kernel, Kernels};
use crate::property;
use crate::readback;
use crate::wait::{Shared, pause};

/// What the browser tells of the adapter, and what was found by asking the device.
#[derive(Debug, Clone, Default)]
pub struct AdapterFacts {
    pub vendor: String,
    pub architecture: String,
    pub device: String,
    pub description: String,
    /// Computes on the CPU.
    pub software: bool,
    pub shader_f16: bool,
    pub timestamps: bool,
    /// Bytes.
    pub max_buffer: u64,
    /// Bytes.
    pub max_binding: u64,
    pub rounds_to_nearest_even: bool,
    pub flushes_subnormals: bool,
}

impl AdapterFacts {
    /// A name fit to show.
    pub fn name(&self) -> String {
        if !self.description.is_empty() {
            return self.description.clone();
        }
        let parts: Vec<&str> = [&self.vendor, &self.architecture, &self.device]
            .iter()
            .map(|s| s.as_str())
            .filter(|s| !s.is_empty())
            .collect();
        parts.join(" ")
    }
}

/// Whether the device is gone, and who waits to hear of it. Behind an `Arc` only because wgpu asks for `Send`.
#[derive(Debug, Default)]
struct Loss {
    message: Option<String>,
    waiting: Vec<Waker>,
}

/// One device with its queue, pipelines and buffers.
#[derive(Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    facts: AdapterFacts,
    loss: Arc<Mutex<Loss>>,
    pool: Rc<Pool>,
    kernels: Kernels,
    idle_queries: RefCell<Vec<wgpu::QuerySet>>,
    uploads: Cell<u64>,
}

thread_local! {
    static SHARED: &'static Shared<Rc<Gpu>, Error> = Box::leak(Box::new(Shared::default()));
}

/// The page's device.
///
/// # Errors
/// `no-webgpu` and `no-adapter`, with the reason in words.
pub async fn acquire() -> Result<Rc<Gpu>> {
    let shared = SHARED.with(|shared| *shared);
    shared.get(|gpu| !gpu.is_lost(), Gpu::request).await
}

/// How often an adapter is asked for: some browsers give null at first and the GPU at the next try.
const ADAPTER_TRIES: i32 = 4;

impl Gpu {
    async fn request() -> Result<Rc<Self>> {
        let browser_gpu = browser_gpu()?;
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
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

        let loss = Arc::new(Mutex::new(Loss::default()));
        let seen = Arc::clone(&loss);
        device.set_device_lost_callback(move |_, message| {
            let mut loss = seen.lock().unwrap_or_else(PoisonError::into_inner);
            loss.message = Some(if message.is_empty() { "no reason given".to_owned() } else { message });
            loss.waiting.drain(..).for_each(Waker::wake);
        });

        let mut facts = AdapterFacts {
            shader_f16: device.features().contains(wgpu::Features::SHADER_F16),
            timestamps: device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            max_buffer: limits.max_buffer_size,
            max_binding: limits.max_storage_buffer_binding_size,
            ..AdapterFacts::default()
        };
        describe(&browser_gpu, &mut facts).await;
        let gpu = Self {
            device,
            queue,
            facts,
            loss,
            pool: Rc::default(),
            kernels: Kernels::default(),
            idle_queries: RefCell::default(),
            uploads: Cell::new(0),
        };
        Ok(Rc::new(gpu.probed().await?))
    }

    /// Finds out how the device adds (see `probe.wgsl`).
    async fn probed(mut self) -> Result<Self> {
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
        let inputs = self.pool.lease(&self.device, "gomme probe", bytes, usage);
        let words: Vec<u32> = operands.iter().flat_map(|&(a, b, _)| [a.to_bits(), b.to_bits()]).collect();
        self.queue.write_buffer(inputs.buffer(), 0, crate::buffers::bytes_of(&words));
        let sums = self.storage("gomme probe sums", operands.len() as u64 * 4);
        let probe = self.dispatch(
            &abi::PROBE,
            1,
            &[inputs.part(words.len() as u64 * 4), sums.part(operands.len() as u64 * 4)],
            [1, 1, 1],
        );
        let mut outputs = readback::run(&self, &[&probe], &[sums.part(operands.len() as u64 * 4)]).await?;
        let found = outputs.words(0);
        let rounded = operands.iter().zip(&found).take(operands.len() - 1);
        self.facts.rounds_to_nearest_even = rounded.into_iter().all(|(&(_, _, sum), &bits)| sum.to_bits() == bits);
        self.facts.flushes_subnormals = found.last().is_none_or(|&bits| bits == 0);
        Ok(self)
    }

    /// What is known of the adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.facts
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Its buffers.
    pub fn pool(&self) -> &Rc<Pool> {
        &self.pool
    }

    /// Number of tables uploaded so far, for labels.
    pub fn next_upload(&self) -> u64 {
        self.uploads.replace(self.uploads.get() + 1)
    }

    /// A pipeline, made at first use; call it at start-up for those that a call must not wait for.
    pub fn kernel(&self, abi: &'static KernelAbi, d_model: u32) -> Rc<Kernel> {
        self.kernels.get(&self.device, abi, d_model)
    }

    /// A dispatch of a kernel over `parts`.
    pub fn dispatch(&self, abi: &'static KernelAbi, d_model: u32, parts: &[Part<'_>], grid: [u32; 3]) -> Dispatch {
        Dispatch::new(&self.device, self.kernel(abi, d_model), parts, grid)
    }

    /// A buffer that kernels write and the host may read back.
    pub fn storage(&self, label: &str, bytes: u64) -> Lease {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        self.pool.lease(&self.device, label, bytes, usage)
    }

    /// Refuses what no buffer of this device can hold.
    ///
    /// # Errors
    /// `limit-exceeded`, with both numbers.
    pub fn check_size(&self, what: &str, bytes: u64) -> Result<()> {
        let most = self.facts.max_buffer.min(self.facts.max_binding);
        if bytes > most {
            return Err(Error::LimitExceeded(format!(
                "{what} needs a buffer of {bytes} bytes, but this device allows {most}. Give less at a time."
            )));
        }
        Ok(())
    }

    /// A set of two timestamps, where the device has them.
    pub fn queries(&self) -> Option<wgpu::QuerySet> {
        if !self.facts.timestamps {
            return None;
        }
        let idle = self.idle_queries.borrow_mut().pop();
        Some(idle.unwrap_or_else(|| {
            self.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("gomme timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            })
        }))
    }

    /// Gives a set back.
    pub fn give_back_queries(&self, queries: wgpu::QuerySet) {
        self.idle_queries.borrow_mut().push(queries);
    }

    /// The device is gone; nothing more comes from it.
    pub fn is_lost(&self) -> bool {
        self.loss.lock().unwrap_or_else(PoisonError::into_inner).message.is_some()
    }

    /// Resolves when the device is lost, with the error for the calls that were under way.
    pub async fn lost(&self) -> Error {
        let message = poll_fn(|context| {
            let mut loss = self.loss.lock().unwrap_or_else(PoisonError::into_inner);
            match &loss.message {
                Some(message) => Poll::Ready(message.clone()),
                None => {
                    loss.waiting.push(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await;
        Error::DeviceLost(format!(
            "The GPU device was lost during the call ({message}). Call again: the next call makes a new device."
        ))
    }

    /// Destroys the device, as a driver reset would.
    pub fn destroy(&self) {
        self.device.destroy();
        // The browser tells it a moment later; nobody may start a call until then.
        let mut loss = self.loss.lock().unwrap_or_else(PoisonError::into_inner);
        loss.message.get_or_insert_with(|| "destroyed by the page".to_owned());
        loss.waiting.drain(..).for_each(Waker::wake);
    }
}

/// `navigator.gpu`, in a window or a worker.
fn browser_gpu() -> Result<JsValue> {
    let global = js_sys::global();
    let gpu = property::get(&property::get(&global, "navigator"), "gpu");
    if gpu.is_object() {
        return Ok(gpu);
    }
    Err(Error::NoWebgpu(if property::is_truthy(&global, "isSecureContext") {
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
    let info = property::get(&adapter, "info");
    let text = |key: &str| property::get(&info, key).as_string().unwrap_or_default();
    facts.vendor = text("vendor");
    facts.architecture = text("architecture");
    facts.device = text("device");
    facts.description = text("description");
    let fallback = [&info, &adapter].into_iter().any(|object| property::is_truthy(object, "isFallbackAdapter"));
    let words =
        format!("{} {} {} {}", facts.vendor, facts.architecture, facts.device, facts.description).to_ascii_lowercase();
    let names = ["swiftshader", "llvmpipe", "lavapipe", "softpipe", "software", "basic render", "warp"];
    facts.software =
        fallback || names.iter().any(|name| words.as_bytes().windows(name.len()).any(|word| word == name.as_bytes()));
}

async fn adapter_object(browser_gpu: &JsValue) -> Option<JsValue> {
    let request = property::function(browser_gpu, "requestAdapter")?;
    let options = js_sys::Object::new();
    property::set(&options, "powerPreference", &JsValue::from_str("high-performance"));
    let promise: js_sys::Promise = request.call1(browser_gpu, &options).ok()?.dyn_into().ok()?;
    let adapter = JsFuture::from(promise).await.ok()?;
    adapter.is_object().then_some(adapter)
}
