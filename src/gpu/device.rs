//! The device: what it is able to do, its buffers and pipelines, its loss. `acquire` asks the browser for it.

use core::cell::{Cell, RefCell};
use core::future::poll_fn;
use core::task::{Poll, Waker};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use crate::abi::KernelAbi;
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part, Pool};
use crate::gpu::pipelines::{Dispatch, Kernel, Kernels};

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

impl Gpu {
    /// A device as the browser gave it, with empty pools; `facts` may still be amended by [`Self::knowing`].
    pub fn new(device: wgpu::Device, queue: wgpu::Queue, facts: AdapterFacts) -> Self {
        let loss = Arc::new(Mutex::new(Loss::default()));
        let seen = Arc::clone(&loss);
        device.set_device_lost_callback(move |_, message| {
            let mut loss = seen.lock().unwrap_or_else(PoisonError::into_inner);
            loss.message = Some(if message.is_empty() { "no reason given".to_owned() } else { message });
            loss.waiting.drain(..).for_each(Waker::wake);
        });
        Self {
            device,
            queue,
            facts,
            loss,
            pool: Rc::default(),
            kernels: Kernels::default(),
            idle_queries: RefCell::default(),
            uploads: Cell::new(0),
        }
    }

    /// The same device, of which more is known.
    pub fn knowing(self, facts: AdapterFacts) -> Self {
        Self { facts, ..self }
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

    /// A dispatch of a kernel, each part at its binding.
    pub fn dispatch(
        &self,
        abi: &'static KernelAbi,
        d_model: u32,
        parts: &[(u32, Part<'_>)],
        grid: [u32; 3],
    ) -> Dispatch {
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
