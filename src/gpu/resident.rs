//! What stays on the device between calls, in a caller's hands: token ids that were sent once, arrays and gradients that
//! never came home.
//!
//! A caller's buffer is out of the pool until it is disposed of. One queue runs all work in order, so a promise resolves as
//! soon as the work is submitted.

use core::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsValue;

use crate::abi::{self, Bag, BagParams, LookupParams};
use crate::browser::compute;
use crate::browser::futures::pause;
use crate::counts::{Counts, Tally};
use crate::error::{Error, Result};
use crate::gpu::batch;
use crate::gpu::buffers::{Lease, Part, Section, Upload};
use crate::gpu::device::{Access, Gpu};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback;
use crate::gpu::scope::Verdict;
use crate::gpu::step::GradientParts;
use crate::gpu::tables::OnDevice;
use crate::group::Groups;
use crate::options::{LookupKernel, Precision};
use crate::shape::Shape;

/// An array of a caller's on a device: rows by columns of f32.
#[derive(Debug)]
pub struct GpuArray {
    gpu: Rc<Gpu>,
    buffer: Lease,
    shape: [u32; 2],
    trust: Trust,
}

/// A gradient of a caller's on a device.
#[derive(Debug)]
pub struct GpuGradient {
    gpu: Rc<Gpu>,
    shape: Shape,
    seq_len: u32,
    capacity: u32,
    /// U ids.
    rows: Lease,
    /// U·D values, and what summing them up left behind.
    grad: Lease,
    /// U, then where each row's positions begin, then where the last one's end.
    spans: Lease,
    /// (zero, non-finite) for each row.
    skips: Lease,
    trust: Trust,
}

/// Token ids of a caller's, on the device, in memory, or both.
#[derive(Debug)]
pub struct Tokens {
    length: usize,
    /// As they were given; none where they came in a buffer.
    host: Option<Vec<u32>>,
    /// Used by one call only, so they may be written together with those of others.
    for_one_call: bool,
    device: RefCell<Option<Rc<DeviceTokens>>>,
}

/// Token ids on one device.
#[derive(Debug)]
pub struct DeviceTokens {
    gpu: Rc<Gpu>,
    ids: Rc<Lease>,
    /// Where they begin, in bytes.
    offset: u64,
    length: u32,
}

/// Whether a refusal that is told later may be of this result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It had a scope, which said that nothing was refused.
    Confirmed,
    /// It had none, because nothing was refused on its device until then.
    InDoubt,
}

/// Label and usages of a buffer of token ids.
pub const TOKENS: &str = "gomme tokens";
pub const TOKENS_USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);

impl Trust {
    /// Of what was made of two things.
    pub fn and(self, other: Self) -> Self {
        if self == Self::Confirmed { other } else { self }
    }

    /// Whether a refusal may be of it.
    pub fn is_in_doubt(self) -> bool {
        self == Self::InDoubt
    }

    /// Refuses what is not to be trusted, by what is known at this moment.
    ///
    /// # Errors
    /// `gpu-error`.
    pub fn look(self, gpu: &Gpu) -> Result<()> {
        if !self.is_in_doubt() || gpu.refusals() == 0 {
            return Ok(());
        }
        Err(Error::GpuError(
            "The browser refused work on this device after the call that made this result was submitted, and does not say \
             whose, so the values can't be trusted. Make the call again."
                .to_owned(),
        ))
    }

    /// The same once something was read back that was submitted later.
    ///
    /// # Errors
    /// `gpu-error`.
    pub async fn check(self, gpu: &Gpu) -> Result<()> {
        if self.is_in_doubt() && gpu.refusals() == 0 {
            // A browser may tell of a refusal by an event that stands in line behind the map.
            pause(0).await;
        }
        self.look(gpu)
    }
}

impl GpuArray {
    /// Takes a buffer over whose first rows·columns values are, or are about to be, a result.
    pub fn new(gpu: Rc<Gpu>, buffer: Lease, shape: [u32; 2], trust: Trust) -> Self {
        Self { gpu, buffer, shape, trust }
    }

    /// Whether it had a scope.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Its `GPUBuffer`.
    pub fn buffer(&self) -> JsValue {
        handle(&self.buffer)
    }

    /// Rows and columns.
    pub fn shape(&self) -> [u32; 2] {
        self.shape
    }

    /// Bytes of all values; the buffer may be larger.
    pub fn byte_length(&self) -> u64 {
        u64::from(self.shape[0]) * u64::from(self.shape[1]) * 4
    }

    /// Its device.
    pub fn gpu(&self) -> &Rc<Gpu> {
        &self.gpu
    }

    /// All values, to be bound.
    pub fn part(&self) -> Part<'_> {
        self.buffer.part(self.byte_length())
    }

    /// Who else can reach them.
    pub fn access(&self) -> Access {
        if self.buffer.is_reachable() { Access::HandedOut } else { Access::Private }
    }

    /// Brings the values home.
    ///
    /// # Errors
    /// `device-lost`, `gpu-error`, `limit-exceeded`.
    pub async fn read(&self) -> Result<js_sys::Float32Array> {
        if self.byte_length() == 0 {
            return Ok(js_sys::Float32Array::new_with_length(0));
        }
        let read = readback::run(&self.gpu, &[], &[self.part()]).await;
        let outputs = read.map_err(|error| self.gpu.loss_of("this array").unwrap_or(error))?;
        self.trust.check(&self.gpu).await?;
        Ok(outputs.floats(0))
    }
}

/// The buffers of a [`GpuGradient`], with room for `capacity` rows.
#[derive(Debug)]
pub struct GradientBuffers {
    pub capacity: u32,
    pub rows: Lease,
    pub grad: Lease,
    pub spans: Lease,
    pub skips: Lease,
}

impl GpuGradient {
    /// Takes the buffers over that a gradient of `seq_len` tokens was, or is about to be, written to.
    pub fn new(gpu: Rc<Gpu>, shape: Shape, seq_len: u32, buffers: GradientBuffers, trust: Trust) -> Self {
        let GradientBuffers { rows, grad, spans, skips, capacity } = buffers;
        Self { gpu, shape, seq_len, capacity, rows, grad, spans, skips, trust }
    }

    /// Whether it had a scope.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Its device.
    pub fn gpu(&self) -> &Rc<Gpu> {
        &self.gpu
    }

    /// V and D.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Rows that it has room for.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Who else can reach its buffers.
    pub fn access(&self) -> Access {
        let handed_out = [&self.rows, &self.grad, &self.spans].iter().any(|lease| lease.is_reachable());
        if handed_out { Access::HandedOut } else { Access::Private }
    }

    /// The `GPUBuffer`s of ids, of values and of U.
    pub fn handles(&self) -> [JsValue; 3] {
        [handle(&self.rows), handle(&self.grad), handle(&self.spans)]
    }

    /// As a step takes it.
    pub fn parts(&self) -> GradientParts<'_> {
        let bytes = u64::from(self.capacity) * u64::from(self.shape.d_model) * 4;
        GradientParts { rows: &self.rows, grad: self.grad.part(bytes), count: &self.spans, capacity: self.capacity }
    }

    /// The values as they are now, and the verdict on that: the page may write into the buffer that it was handed before they are read.
    fn snapshot(&self) -> (Lease, Verdict) {
        let bytes = u64::from(self.capacity) * u64::from(self.shape.d_model) * 4;
        let scope = self.gpu.open();
        let snapshot = self.gpu.storage("gomme snapshot", bytes);
        compute::begin_commands(self.gpu.handle());
        compute::copy(self.grad.handle(), 0.0, snapshot.handle(), 0.0, bytes as f64);
        compute::submit(self.gpu.js_queue());
        (snapshot, scope.close())
    }

    /// Brings it home: first how many rows there are, then those.
    ///
    /// # Errors
    /// `device-lost`, `gpu-error`, `limit-exceeded`.
    pub async fn read(&self) -> Result<(Tally, js_sys::Float32Array)> {
        let capacity = u64::from(self.capacity);
        if capacity == 0 {
            let counts = Counts::Skips(Vec::new());
            let tally = Tally::new(Groups::default(), &counts, self.shape.d_model);
            return Ok((tally, js_sys::Float32Array::new_with_length(0)));
        }
        let small = [self.spans.part((capacity + 2) * 4), self.rows.part(capacity * 4), self.skips.part(capacity * 8)];
        let gone = |error| self.gpu.loss_of("this gradient").unwrap_or(error);
        let (snapshot, copied) = self.snapshot();
        let mut outputs = readback::run(&self.gpu, &[], &small).await.map_err(gone)?;
        self.gpu.judge(copied).await?;
        self.trust.check(&self.gpu).await?;
        let spans = outputs.words(0);
        let used = (spans.first().copied().unwrap_or(0) as usize).min(capacity as usize);
        let hits: Vec<u32> = spans.windows(2).skip(1).take(used).map(|span| span[1] - span[0]).collect();
        let (mut rows, mut skips) = (outputs.words(1), outputs.words(2));
        rows.truncate(used);
        skips.truncate(used * 2);
        let outside = self.seq_len - hits.iter().sum::<u32>();
        let groups = Groups { rows, hits, order: Vec::new(), outside };
        let tally = Tally::new(groups, &Counts::Skips(skips), self.shape.d_model);
        let grad = if used == 0 {
            js_sys::Float32Array::new_with_length(0)
        } else {
            let bytes = used as u64 * u64::from(self.shape.d_model) * 4;
            let outputs = readback::run(&self.gpu, &[], &[snapshot.part(bytes)]).await.map_err(gone)?;
            outputs.floats(0)
        };
        Ok((tally, grad))
    }
}

impl Tokens {
    /// Ids in memory; they go to a device at first use there, and stay.
    pub fn in_memory(ids: Vec<u32>) -> Self {
        Self { length: ids.len(), host: Some(ids), for_one_call: false, device: RefCell::default() }
    }

    /// Ids in memory for one call only.
    pub fn for_one_call(ids: Vec<u32>) -> Self {
        Self { for_one_call: true, ..Self::in_memory(ids) }
    }

    /// Ids that are on a device already.
    pub fn on_device(gpu: Rc<Gpu>, ids: Lease, length: u32) -> Self {
        let device = Some(Rc::new(DeviceTokens { gpu, ids: Rc::new(ids), offset: 0, length }));
        Self { length: length as usize, host: None, for_one_call: false, device: RefCell::new(device) }
    }

    /// N.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether N is 0.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Who else can reach them: ours are never handed out.
    pub fn access(&self) -> Access {
        if self.host.is_none() { Access::Foreign } else { Access::Private }
    }

    /// The ids in memory, if they were given there.
    pub fn host(&self) -> Option<&[u32]> {
        self.host.as_deref()
    }

    /// The ids on this device, sent if they are not there yet.
    ///
    /// # Errors
    /// `device-lost`, for ids of a device that is gone; `invalid-argument`, for those of another; `limit-exceeded`.
    pub fn on(&self, gpu: &Rc<Gpu>) -> Result<Rc<DeviceTokens>> {
        let device = self.device.borrow().clone();
        let is_fit =
            |there: &&Rc<DeviceTokens>| is_same(&there.gpu, gpu) && (there.ids.is_trusted() || self.host.is_none());
        if let Some(there) = device.as_ref().filter(is_fit) {
            return Ok(Rc::clone(there));
        }
        let Some(host) = &self.host else {
            return Err(match device.as_ref().and_then(|there| there.gpu.loss_of("these tokens")) {
                Some(lost) => lost,
                None => other_device("These tokens are"),
            });
        };
        let bytes = host.len() as u64 * 4;
        gpu.check_size("The array of token ids", bytes)?;
        let (ids, offset) = match self.for_one_call.then(|| batch::stage_ids(gpu, host)).flatten() {
            Some(place) => place,
            None => {
                let ids = gpu.lease(TOKENS, bytes, TOKENS_USAGE);
                gpu.write(ids.buffer(), 0, bytemuck::must_cast_slice(host));
                (Rc::new(ids), 0)
            }
        };
        let there = Rc::new(DeviceTokens { gpu: Rc::clone(gpu), ids, offset, length: host.len() as u32 });
        // Nothing is borrowed meanwhile: what a browser throws would leave it so.
        self.device.replace(Some(Rc::clone(&there)));
        Ok(there)
    }
}

impl OnDevice {
    /// A lookup of tokens that are on this device, into an array that stays there.
    pub fn resident_lookup(
        &self,
        tokens: &DeviceTokens,
        table: &Lease,
        shape: Shape,
        precision: Precision,
    ) -> (Lease, Dispatch) {
        let gpu = self.gpu();
        let bytes = u64::from(tokens.length) * u64::from(shape.d_model) * 4;
        let out = gpu.storage("gomme out", bytes);
        let mut upload = Upload::default();
        let uniform = upload.uniform(LookupParams { seq_len: tokens.length, vocab_size: shape.vocab_size });
        let sent = self.kept_upload(upload);
        let kernel = LookupKernel::for_table(precision);
        let (table_bytes, grid) = match precision {
            Precision::F32 => (shape.cells() * 4, abi::lookup_fast_grid(tokens.length, shape.d_model)),
            Precision::F16 => (shape.cells().div_ceil(2) * 4, abi::lookup_fast_w16_grid(tokens.length, shape.d_model)),
        };
        let parts = [(0, tokens.part()), (1, table.part(table_bytes)), (2, out.part(bytes)), (3, sent.part(uniform))];
        let dispatch = gpu.repeated_dispatch(kernel.abi(), shape.d_model, &parts, grid);
        (out, dispatch)
    }

    /// The sums of bags of tokens that are on this device, into an array that stays there.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn resident_bags(
        &self,
        tokens: &DeviceTokens,
        bags: &[Bag],
        table: &Lease,
        shape: Shape,
        precision: Precision,
    ) -> Result<(Lease, Vec<Dispatch>)> {
        let gpu = self.gpu();
        let count = bags.len() as u32;
        let bytes = u64::from(count) * u64::from(shape.d_model) * 4;
        let (kernel, table_bytes) = match precision {
            Precision::F32 => (&abi::EMBED_BAG, shape.cells() * 4),
            Precision::F16 => (&abi::EMBED_BAG_W16, shape.cells().div_ceil(2) * 4),
        };
        let stretch = abi::stretch(kernel, shape.d_model);
        let longest = bags.iter().map(|bag| bag.last - bag.first).max().unwrap_or(0);
        let mut upload = Upload::default();
        let rounds: Vec<Section> = (0..longest.div_ceil(stretch).max(1))
            .map(|round| {
                let done = round * stretch;
                upload.uniform(BagParams { bags: count, vocab_size: shape.vocab_size, done, stretch })
            })
            .collect();
        let runs = upload.structs(bags);
        gpu.check_size("The offsets of this call", upload.bytes())?;
        let sent = upload.send(gpu);
        let out = gpu.storage("gomme bags", bytes);
        let grid = abi::sum_grid(kernel, count, shape.d_model);
        let dispatch = |params| {
            let parts = [
                (0, tokens.part()),
                (1, table.part(table_bytes)),
                (2, out.part(bytes)),
                (3, sent.part(params)),
                (4, sent.part(runs)),
            ];
            gpu.dispatch(kernel, shape.d_model, &parts, grid)
        };
        let dispatches = rounds.into_iter().map(dispatch).collect();
        Ok((out, dispatches))
    }
}

impl DeviceTokens {
    /// The ids, to be bound.
    pub fn part(&self) -> Part<'_> {
        Part { offset: self.offset, ..self.ids.part(u64::from(self.length) * 4) }
    }
}

/// `invalid-argument`, for something of one device that was passed to another.
pub fn other_device(what: &str) -> Error {
    Error::InvalidArgument(format!(
        "{what} on another GPU device than this embedding. Make both on the same one: pass `device` to both."
    ))
}

/// Refuses what is not on `gpu`.
///
/// # Errors
/// `device-lost`, `invalid-argument`.
pub fn check_device(gpu: &Rc<Gpu>, of: &Rc<Gpu>, what: &str) -> Result<()> {
    match of.loss_of(what) {
        Some(lost) => Err(lost),
        None if is_same(gpu, of) => Ok(()),
        None => Err(other_device(&format!("The buffers of {what} are"))),
    }
}

/// Whether they are one device, which several embeddings may have been lent.
fn is_same(gpu: &Gpu, other: &Gpu) -> bool {
    core::ptr::eq(gpu, other) || **gpu.handle() == **other.handle()
}

fn handle(lease: &Lease) -> JsValue {
    // What was recorded with it comes before whatever the page does to it.
    batch::flush();
    lease.hand_out().map_or(JsValue::UNDEFINED, |buffer| buffer.into())
}
