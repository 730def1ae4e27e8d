//! One embedding: checks a call, chooses the backend that works on it, shapes the result.
//!
//! A call is: check, group or not, upload the small inputs in one write, dispatch, read back in one map. Nothing of
//! size V·D is touched by a call.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::Float32Array;

use crate::abi::{ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::browser::futures::Shared;
use crate::counts::{Counts, Tally, count_skips};
use crate::cpu::{self, CpuBackend};
use crate::error::{Error, Result};
use crate::gpu::buffers::Lease;
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback;
use crate::gpu::request::acquire;
use crate::gpu::scope::Verdict;
use crate::gpu::tables::OnDevice;
use crate::group::{BlockShape, Grouper, Groups, Plan};
use crate::options::{Backend, GradientKernel, LookupKernel, Precision, Scatter};
use crate::policy::{self, Grouping};
use crate::shape::Shape;
use crate::table::Table;

/// A table (or only its shape, which is all that gradients need) and the backend that works on it.
#[derive(Debug)]
pub struct Embedding {
    source: Source,
    place: RefCell<Place>,
    next_place: Shared<Place, Error>,
    grouper: RefCell<Grouper>,
}

/// What a backend is made of, at first and again after a device was lost.
#[derive(Debug, Clone)]
struct Source {
    shape: Shape,
    table: Option<Rc<Table>>,
    backend: Backend,
    precision: Precision,
}

/// The backend of the moment.
#[derive(Debug, Clone)]
pub enum Place {
    Cpu(Rc<CpuBackend>),
    Gpu(Rc<OnDevice>),
}

/// dL/d(out) of one call, already copied from the caller's array.
#[derive(Debug)]
pub enum GradOut {
    /// On the device that it was sent to before the call returned.
    Sent(Sent),
    /// In wasm memory.
    Held(Vec<f32>),
}

/// An array on a device, with what is still to be heard about its making.
#[derive(Debug)]
pub struct Sent {
    lease: Lease,
    on_device: Rc<OnDevice>,
    unsettled: Vec<Verdict>,
}

/// N·D values and the time that it took on the GPU, where it has timestamps.
#[derive(Debug)]
pub struct Lookup {
    pub values: Float32Array,
    pub microseconds: Option<f64>,
}

/// A gradient for the U used rows.
#[derive(Debug)]
pub struct Gradient {
    pub shape: Shape,
    pub tally: Tally,
    /// U·D values, row-major.
    pub grad: Float32Array,
    /// On the GPU, where it has timestamps.
    pub microseconds: Option<f64>,
}

impl Source {
    async fn place(self) -> Result<Place> {
        let cpu = |reason| Ok(Place::Cpu(Rc::new(CpuBackend::new(self.shape, self.table.clone(), reason)?)));
        if self.backend == Backend::Cpu {
            return cpu(None);
        }
        let made = match acquire().await {
            Ok(gpu) => self.on_gpu(gpu).await,
            Err(error) => Err(error),
        };
        match made {
            Ok(on_device) => Ok(Place::Gpu(Rc::new(on_device))),
            Err(reason @ (Error::NoWebgpu(_) | Error::NoAdapter(_) | Error::LimitExceeded(_)))
                if self.backend == Backend::Auto =>
            {
                cpu(Some(reason))
            }
            Err(error) => Err(error),
        }
    }

    async fn on_gpu(&self, gpu: Rc<Gpu>) -> Result<OnDevice> {
        let on_device = OnDevice::new(gpu);
        // The pipelines are made while the table goes up.
        let prepared = on_device.prepare(self.shape.d_model, self.precision, self.table.is_some());
        if let Some(table) = &self.table {
            on_device.table(table, self.precision).await?;
        }
        if let Some(prepared) = prepared {
            on_device.gpu().judge(prepared).await?;
        }
        Ok(on_device)
    }
}

impl Embedding {
    /// An embedding of `table`, or with `None` one of that shape that only has gradients.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter` (unless `Auto`), `limit-exceeded`, `gpu-error`.
    pub async fn new(shape: Shape, table: Option<Table>, backend: Backend, precision: Precision) -> Result<Rc<Self>> {
        if table.is_some() && shape.cells() > u64::from(u32::MAX) {
            return Err(Error::LimitExceeded(format!(
                "A table of {} rows of {} has {} values, but kernels count them in a u32, up to {}.",
                shape.vocab_size,
                shape.d_model,
                shape.cells(),
                u32::MAX
            )));
        }
        let source = Source { shape, table: table.map(Rc::new), backend, precision };
        let place = RefCell::new(source.clone().place().await?);
        let grouper = RefCell::new(Grouper::new(shape.vocab_size));
        Ok(Rc::new(Self { source, place, next_place: Shared::default(), grouper }))
    }

    /// V and D.
    pub fn shape(&self) -> Shape {
        self.source.shape
    }

    /// The table, if there is one.
    pub fn table(&self) -> Option<&Rc<Table>> {
        self.source.table.as_ref()
    }

    /// The table, or `invalid-argument` if this lab has none.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub fn table_for(&self, what: &str) -> Result<&Rc<Table>> {
        self.table().ok_or_else(|| {
            Error::InvalidArgument(format!(
                "This lab has no table, only the shape of one. For {what} take Lab.of(embedding)."
            ))
        })
    }

    /// The device at this moment; none on the CPU.
    pub fn device_now(&self) -> Option<Rc<OnDevice>> {
        match &*self.place.borrow() {
            Place::Cpu(_) => None,
            Place::Gpu(on_device) => Some(Rc::clone(on_device)),
        }
    }

    /// Why the CPU twin runs, where the GPU was preferred.
    pub fn fallback_reason(&self) -> Option<Error> {
        match &*self.place.borrow() {
            Place::Cpu(cpu) => cpu.reason().cloned(),
            Place::Gpu(_) => None,
        }
    }

    /// The backend to work on: where the device was lost a new one with the table on it, or the CPU's where there is none
    /// any more and the caller left the choice.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter`, `limit-exceeded`, `gpu-error`, `device-lost`.
    pub async fn place(&self) -> Result<Place> {
        let now = self.place.borrow().clone();
        if now.is_there() {
            return Ok(now);
        }
        let next = self.next_place.get(Place::is_there, || self.source.clone().place()).await?;
        self.place.replace(next.clone());
        Ok(next)
    }

    /// Number of elements of a call, N·D.
    ///
    /// # Errors
    /// `limit-exceeded` where a u32 or a buffer cannot hold them.
    pub fn elements(&self, seq_len: usize) -> Result<u32> {
        let d_model = self.shape().d_model;
        let elements = seq_len as u64 * u64::from(d_model);
        let Ok(count) = u32::try_from(elements) else {
            return Err(Error::LimitExceeded(format!(
                "{seq_len} tokens of {d_model} values are {elements} elements, but kernels count them in a u32, up to {}. \
                 Give fewer tokens at a time.",
                u32::MAX
            )));
        };
        match self.device_now() {
            Some(on_device) => on_device.gpu().check_size("The N·D array of this call", elements * 4)?,
            None => cpu::check_size("The N·D array of this call", elements * 4)?,
        }
        Ok(count)
    }

    /// Copies dL/d(out) where the call will want it, without delay and, on a living GPU, without a stop in wasm memory.
    ///
    /// # Errors
    /// `gpu-error`.
    pub fn stage_gradient(&self, grad_out: &Float32Array) -> Result<GradOut> {
        match self.device_now().filter(|on_device| !on_device.gpu().is_lost() && grad_out.length() > 0) {
            Some(on_device) => {
                let lease = on_device.send(grad_out)?;
                let unsettled = on_device.gpu().take_unsettled();
                Ok(GradOut::Sent(Sent { lease, on_device, unsettled }))
            }
            None => Ok(GradOut::Held(grad_out.to_vec())),
        }
    }

    /// The rows of these tokens, by the kernel that suits the table's precision.
    ///
    /// # Errors
    /// `limit-exceeded`, `device-lost`, `gpu-error`; `invalid-argument` without a table.
    pub async fn lookup(&self, tokens: &[u32]) -> Result<Lookup> {
        self.lookup_by(tokens, LookupKernel::for_table(self.source.precision)).await
    }

    /// The same by the kernel named.
    ///
    /// # Errors
    /// As [`Self::lookup`].
    pub async fn lookup_by(&self, tokens: &[u32], kernel: LookupKernel) -> Result<Lookup> {
        let table = self.table_for("lookups")?;
        let elements = self.elements(tokens.len())?;
        if elements == 0 {
            return Ok(Lookup { values: Float32Array::new_with_length(0), microseconds: None });
        }
        match self.place().await? {
            Place::Gpu(on_device) => {
                let table = on_device.table(table, kernel.precision()).await?;
                let gpu = on_device.gpu();
                let scope = gpu.open();
                let call = on_device.lookup_call(tokens, &table, self.shape(), kernel)?;
                let out = call.out.part(u64::from(elements) * 4);
                let outputs = readback::start(gpu, scope, &[&call.dispatch], &[out])?.finish().await?;
                Ok(Lookup { values: outputs.floats(0), microseconds: outputs.microseconds })
            }
            Place::Cpu(cpu) => {
                let mut out = vec![0.0; elements as usize];
                cpu.lookup(tokens, &mut out, kernel);
                Ok(Lookup { values: Float32Array::from(out.as_slice()), microseconds: None })
            }
        }
    }

    /// Groups tokens by row with this embedding's scratch.
    pub fn group(&self, tokens: &[u32]) -> Groups {
        self.grouper.borrow_mut().group(tokens)
    }

    /// The gradient of the table for these tokens. `grad_out` has N·D values (the boundary checked that).
    ///
    /// # Errors
    /// `limit-exceeded`, `device-lost`, `gpu-error`.
    pub async fn gradient(&self, tokens: &[u32], grad_out: GradOut, kernel: GradientKernel) -> Result<Gradient> {
        self.elements(tokens.len())?;
        if tokens.is_empty() {
            let counts = match kernel {
                GradientKernel::Scatter(Scatter::Counted) => Counts::Rows(vec![0; ROW_COUNT_WORDS]),
                _ => Counts::Skips(Vec::new()),
            };
            return Ok(self.shaped(self.group(tokens), &counts, Float32Array::new_with_length(0), None));
        }
        // Arguments that were sent to a device stay with it: if it is lost, so is this call.
        let values = match grad_out {
            GradOut::Sent(sent) => return self.gradient_on_gpu(tokens, sent, None, kernel).await,
            GradOut::Held(values) => values,
        };
        match self.place().await? {
            Place::Cpu(cpu) => {
                let groups = self.group(tokens);
                let (grad, counts) = cpu.gradient(&groups, &values, kernel);
                Ok(self.shaped(groups, &counts, Float32Array::from(grad.as_slice()), None))
            }
            Place::Gpu(on_device) => {
                let lease = on_device.send(&Float32Array::from(values.as_slice()))?;
                let unsettled = on_device.gpu().take_unsettled();
                self.gradient_on_gpu(tokens, Sent { lease, on_device, unsettled }, Some(&values), kernel).await
            }
        }
    }

    /// `values` are those that were sent, for kernels that don't count what they skip.
    async fn gradient_on_gpu(
        &self,
        tokens: &[u32],
        sent: Sent,
        values: Option<&[f32]>,
        kernel: GradientKernel,
    ) -> Result<Gradient> {
        let Sent { lease: grad_out, on_device, unsettled } = sent;
        let gpu = on_device.gpu();
        let grouping = self.grouping_for(&on_device, kernel, tokens.len());
        let groups = match grouping {
            Grouping::Cpu => self.group(tokens),
            Grouping::Gpu => self.grouper.borrow_mut().count(tokens),
        };
        let Shape { vocab_size, d_model } = self.shape();
        let used_rows = groups.rows.len() as u64;
        let part = grad_out.part(tokens.len() as u64 * u64::from(d_model) * 4);
        let scope = gpu.open();
        let call = match (kernel, grouping) {
            (GradientKernel::Scatter(scatter), _) => on_device.scatter_call(tokens, &groups, part, d_model, scatter)?,
            (GradientKernel::Sorted(_), Grouping::Gpu) => on_device.grouped_call(tokens, vocab_size, part, d_model)?,
            (GradientKernel::Sorted(_), Grouping::Cpu) => {
                let plan = Plan::new(&groups, BlockShape::of(tokens.len()));
                on_device.sorted_call(&groups, &plan, part, d_model)?
            }
        };
        let count_words = match kernel {
            GradientKernel::Sorted(_) => used_rows * ROW_SKIP_WORDS as u64,
            GradientKernel::Scatter(Scatter::Counted) => (used_rows + 1) * ROW_COUNT_WORDS as u64,
            GradientKernel::Scatter(Scatter::Plain | Scatter::Racy) => 0,
        };
        let dispatches: Vec<&Dispatch> = call.dispatches.iter().collect();
        let parts = [call.grad.part(used_rows * u64::from(d_model) * 4), call.counts.part(count_words * 4)];
        let mut outputs = readback::start(gpu, scope, &dispatches, &parts)?.finish().await?;
        gpu.settle(unsettled).await?;
        let counts = match kernel {
            GradientKernel::Sorted(_) => Counts::Skips(outputs.words(1)),
            GradientKernel::Scatter(Scatter::Counted) => Counts::Rows(outputs.words(1)),
            // These two count nothing; the lesson still wants to know what was skipped.
            GradientKernel::Scatter(_) => match values {
                Some(values) => count_skips(&groups, values, d_model as usize),
                None => Counts::Skips(vec![0; groups.rows.len() * ROW_SKIP_WORDS]),
            },
        };
        Ok(self.shaped(groups, &counts, outputs.floats(0), outputs.microseconds))
    }

    /// Where the tokens of this call are grouped.
    pub fn grouping_for(&self, on_device: &OnDevice, kernel: GradientKernel, seq_len: usize) -> Grouping {
        match kernel {
            GradientKernel::Scatter(_) => Grouping::Cpu,
            GradientKernel::Sorted(Some(grouping)) => grouping,
            GradientKernel::Sorted(None) => policy::grouping(seq_len, on_device.gpu().facts().software),
        }
    }

    fn shaped(&self, groups: Groups, counts: &Counts, grad: Float32Array, microseconds: Option<f64>) -> Gradient {
        let shape = self.shape();
        Gradient { shape, tally: Tally::new(groups, counts, shape.d_model), grad, microseconds }
    }
}

impl Place {
    /// Whether it can be worked on: a lost device can't.
    fn is_there(&self) -> bool {
        match self {
            Self::Cpu(_) => true,
            Self::Gpu(on_device) => !on_device.gpu().is_lost(),
        }
    }
}
