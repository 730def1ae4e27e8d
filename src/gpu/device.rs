//! The device: what it is able to do, its buffers and pipelines, its loss. `acquire` asks the browser for it.

use core::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use js_sys::Float32Array;
use wasm_bindgen::JsValue;

use crate::abi::KernelAbi;
use crate::browser::futures::{Either, Shared, pause, race, thrown};
use crate::browser::{compute, webgpu};
use crate::error::{Error, Result};
use crate::gpu::adopt::{Adopted, adopt_buffer};
use crate::gpu::batch::{self, Undo};
use crate::gpu::buffers::{Lease, Part, Pool};
use crate::gpu::pipelines::{Dispatch, Kernel, Kernels};
use crate::gpu::prepare::Idle;
use crate::gpu::probe::probe;
use crate::gpu::resident::Trust;
use crate::gpu::scope::{Scope, Verdict, refused};
use crate::gpu::watch::Watch;

/// What the browser tells of the adapter.
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
}

/// How a device adds floats.
#[derive(Debug, Clone, Copy, Default)]
pub struct Adds {
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

/// Who else can reach the buffers that a call reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No one: the call may share its submission with others.
    Private,
    /// The page, which was handed one: the call is submitted before it returns, since the page may write into the buffer next.
    HandedOut,
    /// They were made by the page or another library, so the browser may refuse them, too.
    Foreign,
}

/// Work whose result stays on the device.
pub struct ResidentWork<'a> {
    pub access: Access,
    /// N·D, or what corresponds to it.
    pub elements: u64,
    /// Leases the buffers and binds them.
    pub make: &'a mut dyn FnMut() -> Result<Vec<Dispatch>>,
    /// Told that the work is as good as submitted, and how far that is to be trusted; gives what is to be done should it fail after
    /// all.
    pub count: Option<&'a mut dyn FnMut(Trust) -> Undo>,
}

/// What became of it.
#[derive(Debug)]
pub struct Submitted {
    /// On what was made and written for it; to be waited for while that is held.
    pub inputs: Vec<Verdict>,
    /// On the commands themselves, where they had a scope: they ran unless it says otherwise, whatever became of the inputs.
    pub commands: Option<Verdict>,
    pub trust: Trust,
}

impl Submitted {
    /// All verdicts.
    pub fn verdicts(self) -> Vec<Verdict> {
        self.inputs.into_iter().chain(self.commands).collect()
    }
}

/// One device with its queue, pipelines and buffers.
#[derive(Debug)]
pub struct Gpu {
    device: wgpu::Device,
    handle: webgpu::Device,
    js_queue: webgpu::Queue,
    facts: AdapterFacts,
    watch: Watch,
    pool: Rc<Pool>,
    kernels: Kernels,
    idle_queries: RefCell<Vec<JsValue>>,
    uploads: Cell<u64>,
    /// Something was refused.
    suspect: Cell<bool>,
    /// Set between the opening and the closing of a call's scope, to what [`thrown`] says then: what is thrown closes it too.
    scoped: Cell<Option<u32>>,
    /// What was seen of [`thrown`] and of refusals that no scope saw.
    seen: Cell<(u32, u32)>,
    /// Verdicts on what was made for calls that have no scope of their own.
    unsettled: RefCell<Vec<Verdict>>,
    /// The page lent it: it is not ours to destroy, or to replace.
    lent: bool,
    /// How it adds, once that was found out.
    adds: OnceCell<Adds>,
    probing: Rc<Shared<Adds, Error>>,
    idle: Idle,
}

impl Gpu {
    /// A device as the browser or the page gave it, with empty pools.
    pub fn new(adopted: Adopted, facts: AdapterFacts, lent: bool) -> Self {
        let Adopted { device, handle } = adopted;
        Self {
            device,
            js_queue: handle.queue(),
            watch: Watch::new(&handle),
            pool: Pool::of(&handle),
            handle,
            facts,
            kernels: Kernels::default(),
            idle_queries: RefCell::default(),
            uploads: Cell::new(0),
            suspect: Cell::new(false),
            scoped: Cell::new(None),
            seen: Cell::new((thrown(), 0)),
            unsettled: RefCell::default(),
            lent,
            adds: OnceCell::new(),
            probing: Rc::default(),
            idle: Idle::default(),
        }
    }

    /// How it adds, found out by a kernel when this is first asked.
    ///
    /// # Errors
    /// `gpu-error`, where the device refuses its first work; `device-lost`.
    pub async fn adds(self: &Rc<Self>) -> Result<Adds> {
        let gpu = Rc::clone(self);
        let probing = Rc::clone(&self.probing);
        let found = probing.get(|_| true, || async move { probe(&gpu).await }, refused).await?;
        Ok(*self.adds.get_or_init(|| found))
    }

    /// The same, once it was found out.
    pub fn known_adds(&self) -> Option<Adds> {
        self.adds.get().copied()
    }

    /// Who waits for it, and what it makes meanwhile.
    pub fn idle(&self) -> &Idle {
        &self.idle
    }

    /// Its pipelines.
    pub fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// The `GPUDevice`, to hand to another library.
    pub fn handle(&self) -> &webgpu::Device {
        &self.handle
    }

    /// Opens a scope for all that a call makes and submits; closed by [`Self::close`], in the same turn.
    pub fn open(&self) -> OpenScope<'_> {
        // Calls that were recorded must not fall into this call's scope.
        batch::flush();
        self.look_around();
        self.scoped.set(Some(thrown()));
        OpenScope { scope: Scope::open(&self.handle), _mark: Scoped(self) }
    }

    /// How often something was refused that no scope saw.
    pub fn refusals(&self) -> u32 {
        self.watch.uncaptured.get()
    }

    /// The count of that, for whoever learns of one otherwise.
    pub fn refusal_count(&self) -> Rc<Cell<u32>> {
        Rc::clone(&self.watch.uncaptured)
    }

    /// Whether anything was refused so far. From then on every call has a scope: of what one call is refused, some may be told
    /// of after the next one was submitted.
    pub fn is_suspect(&self) -> bool {
        self.suspect.get() || self.refusals() > 0
    }

    /// Makes work whose result stays on the device, and has it submitted: in a scope of its own where a buffer is foreign or something
    /// was refused before; otherwise together with other calls and without a scope, which costs more than such a call. What had to
    /// be made for it was made in a scope of its own.
    ///
    /// # Errors
    /// `device-lost`; what `make` fails with.
    pub fn submit_resident(self: &Rc<Self>, work: ResidentWork<'_>) -> Result<Submitted> {
        let ResidentWork { access, elements, make, count } = work;
        if let Some(error) = self.loss() {
            return Err(error);
        }
        self.look_around();
        self.hear_the_rest();
        let scope = (access == Access::Foreign || self.is_suspect()).then(|| self.open());
        let Some(scope) = scope else {
            batch::join(self);
            let dispatches = make()?;
            batch::record(&dispatches, elements, count.map(|count| count(Trust::InDoubt)));
            if access == Access::HandedOut {
                batch::flush();
            }
            return Ok(Submitted { inputs: self.take_unsettled(), commands: None, trust: Trust::InDoubt });
        };
        let dispatches = make()?;
        let mut inputs = self.take_unsettled();
        inputs.push(scope.close());
        let scope = self.open();
        self.submit(&dispatches);
        // What a scope says is heard by the call itself.
        drop(count.map(|count| count(Trust::Confirmed)));
        Ok(Submitted { inputs, commands: Some(scope.close()), trust: Trust::Confirmed })
    }

    /// Hears verdicts that a call has left behind which failed otherwise.
    fn hear_the_rest(self: &Rc<Self>) {
        let left = self.take_unsettled();
        if !left.is_empty() {
            let gpu = Rc::clone(self);
            wasm_bindgen_futures::spawn_local(async move { drop(gpu.settle(left).await) });
        }
    }

    /// Submits dispatches whose results stay on the device, in one pass.
    pub fn submit<'a>(&self, dispatches: impl IntoIterator<Item = &'a Dispatch>) {
        compute::begin_commands(&self.handle);
        compute::begin_pass(None, &JsValue::UNDEFINED, 0);
        dispatches.into_iter().for_each(Dispatch::record);
        compute::submit(&self.js_queue);
    }

    /// Starts afresh if something was refused that no scope saw, or thrown.
    fn look_around(&self) {
        let seen = (thrown(), self.refusals());
        if self.seen.replace(seen) != seen {
            self.start_afresh();
        }
    }

    /// After a refusal nothing that was made is trusted: buffers and pipelines are made anew.
    pub fn start_afresh(&self) {
        self.suspect.set(true);
        self.pool.renew();
        self.kernels.clear();
        self.idle_queries.borrow_mut().clear();
    }

    /// Makes something, in a scope of its own unless the call has one.
    fn make<T>(&self, make: impl FnOnce() -> T) -> T {
        if self.scoped.get() == Some(thrown()) {
            return make();
        }
        let scope = Scope::open(&self.handle);
        let made = make();
        self.unsettled.borrow_mut().push(scope.close());
        made
    }

    /// What is still to be heard about things made outside any scope since this was last asked.
    pub fn take_unsettled(&self) -> Vec<Verdict> {
        self.unsettled.take()
    }

    /// Waits for these verdicts; what they are about is not used again if one is a refusal.
    ///
    /// # Errors
    /// `gpu-error`, `limit-exceeded`.
    pub async fn settle(&self, verdicts: Vec<Verdict>) -> Result<()> {
        for verdict in verdicts {
            self.judge(verdict).await?;
        }
        Ok(())
    }

    /// Waits for a verdict.
    ///
    /// # Errors
    /// `gpu-error`, `limit-exceeded`; `device-lost`, should the device be lost meanwhile.
    pub async fn judge(&self, verdict: Verdict) -> Result<()> {
        match race(verdict.wait(), self.lost()).await {
            Either::Left(Ok(())) => Ok(()),
            Either::Left(Err(error)) => {
                self.start_afresh();
                // Of a device that is lost, too, and the news of that may come a moment later.
                match race(self.lost(), pause(LOSS_MILLISECONDS)).await {
                    Either::Left(lost) => Err(lost),
                    Either::Right(()) => Err(error),
                }
            }
            Either::Right(lost) => Err(lost),
        }
    }

    /// What is known of the adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.facts
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its `GPUQueue`.
    pub fn js_queue(&self) -> &webgpu::Queue {
        &self.js_queue
    }

    /// Its buffers.
    pub fn pool(&self) -> &Rc<Pool> {
        &self.pool
    }

    /// Writes bytes, before this returns. Not by wgpu, which traps where the browser throws.
    pub fn write(&self, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        if let Some(buffer) = buffer.as_webgpu() {
            self.js_queue.write_bytes(buffer.as_ref(), offset as f64, bytes);
        }
    }

    /// Writes values straight from a JavaScript array, without a stop in wasm memory.
    ///
    /// # Errors
    /// `gpu-error`, should the browser throw.
    pub fn write_floats(&self, buffer: &wgpu::Buffer, values: &Float32Array) -> Result<()> {
        let (queue, Some(buffer)) = (&self.js_queue, buffer.as_webgpu()) else { return Ok(()) };
        if queue.write_floats(buffer.as_ref(), 0.0, values).is_ok() {
            return Ok(());
        }
        // Chromium throws for a view of memory that can be resized, whatever its size is now; a copy in memory of its own goes.
        let copy = Float32Array::new_with_length(values.length());
        copy.set(values, 0);
        queue.write_floats(buffer.as_ref(), 0.0, &copy).map_err(|error| refused(&error))
    }

    /// Number of tables uploaded so far, for labels.
    pub fn next_upload(&self) -> u64 {
        self.uploads.replace(self.uploads.get() + 1)
    }

    /// A pipeline, made at first use unless it was prepared.
    pub fn kernel(&self, abi: &'static KernelAbi, d_model: u32) -> Rc<Kernel> {
        self.kernels.find(abi, d_model).unwrap_or_else(|| self.make(|| self.kernels.get(&self.handle, abi, d_model)))
    }

    /// A dispatch of a kernel, each part at its binding.
    pub fn dispatch(
        &self,
        abi: &'static KernelAbi,
        d_model: u32,
        parts: &[(u32, Part<'_>)],
        grid: [u32; 3],
    ) -> Dispatch {
        Dispatch::new(&self.handle, self.kernel(abi, d_model), parts, grid)
    }

    /// The same with a bind group that is kept: for calls that come again and again with the same buffers.
    pub fn repeated_dispatch(
        &self,
        abi: &'static KernelAbi,
        d_model: u32,
        parts: &[(u32, Part<'_>)],
        grid: [u32; 3],
    ) -> Dispatch {
        let kernel = self.kernel(abi, d_model);
        let make = |kernel| self.make(|| Dispatch::new(&self.handle, kernel, parts, grid));
        self.kernels.kept(kernel, parts, grid, make)
    }

    /// A buffer that kernels write and the host may read back.
    pub fn storage(&self, label: &'static str, bytes: u64) -> Lease {
        self.lease(
            label,
            bytes,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        )
    }

    /// A buffer of at least `bytes` for these usages, used again or made. The caller has checked the limits.
    pub fn lease(&self, label: &'static str, bytes: u64, usage: wgpu::BufferUsages) -> Lease {
        let size = self.pool.size_for(bytes, self.facts.max_buffer);
        self.pool
            .reuse(label, bytes, size, usage)
            .unwrap_or_else(|| self.pool.keep(label, Rc::new(self.make_buffer(label, size, usage))))
    }

    /// A buffer of its own, destroyed at the end of the loan: tables, and whatever else is too large to be kept idle.
    pub fn unpooled(&self, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> Lease {
        self.pool.unpooled(self.make_buffer(label, bytes.next_multiple_of(4), usage))
    }

    fn make_buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        // Not by wgpu at first, which traps where the browser throws.
        self.make(|| {
            let made = compute::make_buffer(&self.handle, label, size as f64, usage.bits());
            adopt_buffer(&self.device, &self.handle, &made).unwrap_or_else(|_| self.device.create_buffer(&descriptor))
        })
    }

    /// Refuses what no binding of this device can hold.
    ///
    /// # Errors
    /// `limit-exceeded`, with both numbers.
    pub fn check_size(&self, what: &str, bytes: u64) -> Result<()> {
        check_limit(what, bytes, self.facts.max_buffer.min(self.facts.max_binding))
    }

    /// Refuses what no buffer of this device can hold, bound or not.
    ///
    /// # Errors
    /// `limit-exceeded`, with both numbers.
    pub fn check_buffer(&self, what: &str, bytes: u64) -> Result<()> {
        check_limit(what, bytes, self.facts.max_buffer)
    }

    /// A set of two timestamps, where the device has them.
    pub fn queries(&self) -> Option<JsValue> {
        if !self.facts.timestamps {
            return None;
        }
        let idle = self.idle_queries.borrow_mut().pop();
        Some(idle.unwrap_or_else(|| self.make(|| compute::make_timestamps(&self.handle, 2))))
    }

    /// Gives a set back.
    pub fn give_back_queries(&self, queries: JsValue) {
        self.idle_queries.borrow_mut().push(queries);
    }

    /// The device is gone; nothing more comes from it.
    pub fn is_lost(&self) -> bool {
        self.watch.loss.is_set()
    }

    /// Resolves when the device is lost, with the error for the calls that were under way.
    pub async fn lost(&self) -> Error {
        self.lost_error(&self.watch.loss.wait().await)
    }

    /// The error for a call on a device that is lost.
    pub fn loss(&self) -> Option<Error> {
        self.watch.loss.get().as_deref().map(|message| self.lost_error(message))
    }

    fn lost_error(&self, message: &str) -> Error {
        Error::DeviceLost(if self.lent {
            format!(
                "The GPU device that was passed to this embedding is lost ({message}), and only its maker can make another. \
                 Create a new embedding on that one."
            )
        } else {
            format!(
                "The GPU device was lost during the call ({message}). Call again: the next call makes a new device."
            )
        })
    }

    /// The error for something that was on this device, if that is lost: calling again brings nothing back.
    pub fn loss_of(&self, what: &str) -> Option<Error> {
        let message = self.watch.loss.get()?;
        let again = if self.lent { "on an embedding of another device" } else { "by a new call" };
        Some(Error::DeviceLost(format!(
            "The GPU device that held {what} is lost ({message}), and the values with it. Make them again {again}."
        )))
    }

    /// Calls that wait for the device's loss: those under way.
    pub fn waiting(&self) -> usize {
        self.watch.loss.waiting()
    }

    /// Destroys the device, as a driver reset would. One that the page lent is left alone.
    pub fn destroy(&self) {
        if !self.lent {
            self.device.destroy();
            // The browser tells it a moment later; nobody may start a call until then.
            self.watch.loss.set("destroyed by the page".to_owned());
        }
    }
}

/// How long the loss of a device may take to be told after a refusal that it is the reason for.
const LOSS_MILLISECONDS: i32 = 50;

fn check_limit(what: &str, bytes: u64, limit: u64) -> Result<()> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Error::LimitExceeded(format!(
        "{what} needs a buffer of {bytes} bytes, but this device allows {limit}. Split the call into smaller batches."
    )))
}

/// The scope of one call, open until it is closed or dropped.
#[derive(Debug)]
#[must_use]
pub struct OpenScope<'a> {
    scope: Scope,
    _mark: Scoped<'a>,
}

impl OpenScope<'_> {
    /// Closes it: the verdict on everything that was made and submitted since.
    pub fn close(self) -> Verdict {
        self.scope.close()
    }
}

/// Marks a device whose call has a scope.
#[derive(Debug)]
struct Scoped<'a>(&'a Gpu);

impl Drop for Scoped<'_> {
    fn drop(&mut self) {
        self.0.scoped.set(None);
    }
}
