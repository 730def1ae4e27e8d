//! One embedding: checks a call, chooses the backend that computes it, shapes the result.
//!
//! The steps of a call: check, group if needed, upload the small inputs in one write, dispatch, read back in one map. A call
//! touches nothing of size V·D.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::Float32Array;
use wasm_bindgen::JsValue;

use crate::abi::{Bag, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::browser::futures::{Shared, both, caught};
use crate::browser::webgpu;
use crate::counts::{Counts, Tally, count_skips};
use crate::cpu::{self, CpuBackend};
use crate::error::{Error, Result};
use crate::gpu::adopt::adopt_buffer;
use crate::gpu::batch::Undo;
use crate::gpu::buffers::{Lease, Part};
use crate::gpu::device::{Access, Gpu, OpenScope, ResidentWork, Submitted};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback;
use crate::gpu::request::{acquire, borrow};
use crate::gpu::resident::{GpuArray, GpuGradient, GradientBuffers, Tokens, Trust, check_device};
use crate::gpu::scope::{Verdict, refused, with_given_buffer};
use crate::gpu::step::{Counted, GradientParts, Held, step_call};
use crate::gpu::tables::OnDevice;
use crate::group::{BlockShape, DevicePlan, Grouper, Groups, Plan};
use crate::optimizer::StepRule;
use crate::options::{Backend, GradientKernel, LookupKernel, Precision, Scatter};
use crate::policy::{self, Grouping};
use crate::shape::Shape;
use crate::table::Table;

/// A table (or only its shape, which is all that gradients need) and the backend that computes with it.
#[derive(Debug)]
pub struct Embedding {
    source: Source,
    place: RefCell<Place>,
    next_place: Rc<Shared<Place, Error>>,
    grouper: RefCell<Grouper>,
}

/// What a backend is made from: at first, and again after a device was lost.
#[derive(Debug, Clone)]
struct Source {
    shape: Shape,
    table: Option<Rc<Table>>,
    wanted: Wanted,
    precision: Precision,
}

/// Where the caller wants the work done.
#[derive(Debug, Clone)]
pub enum Wanted {
    Backend(Backend),
    /// On a device that the caller lends, or not at all.
    Device(webgpu::Device),
}

/// The backend of the moment.
#[derive(Debug, Clone)]
pub enum Place {
    Cpu(Rc<CpuBackend>),
    Gpu(Rc<OnDevice>),
}

/// Values of one call: dL/d(out), or those of a gradient. Copied from the caller's array, or in an array that the caller lends.
#[derive(Debug)]
pub enum Values {
    /// On the device that they were sent to before the call returned.
    Sent(Sent),
    /// In wasm memory.
    Held(Vec<f32>),
    /// In a `GpuArray` of the caller's.
    Array(Rc<GpuArray>),
}

/// Values on a device, and the verdicts on their buffer that are still to come.
#[derive(Debug)]
pub struct Sent {
    lease: Lease,
    on_device: Rc<OnDevice>,
    unsettled: Vec<Verdict>,
    access: Access,
    trust: Trust,
}

/// The gradient that a step takes.
#[derive(Debug)]
pub enum StepGradient {
    /// U ids, ascending and below V, and U·D values.
    Arrays(Vec<u32>, Values),
    OnGpu(Rc<GpuGradient>),
}

/// N·D values and, where the GPU has timestamps, the time it took.
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
    /// Time on the GPU, where it has timestamps.
    pub microseconds: Option<f64>,
}

impl Source {
    async fn place(self) -> Result<Place> {
        let cpu = |reason| Ok(Place::Cpu(Rc::new(CpuBackend::new(self.shape, self.table.clone(), reason)?)));
        let gpu = match &self.wanted {
            Wanted::Backend(Backend::Cpu) => return cpu(None),
            Wanted::Backend(_) => acquire().await,
            Wanted::Device(device) => borrow(device).await,
        };
        let made = match gpu {
            Ok(gpu) => self.on_gpu(gpu).await,
            Err(error) => Err(error),
        };
        match made {
            Ok(on_device) => Ok(Place::Gpu(Rc::new(on_device))),
            Err(reason @ (Error::NoWebgpu(_) | Error::NoAdapter(_) | Error::LimitExceeded(_)))
                if matches!(self.wanted, Wanted::Backend(Backend::Auto)) =>
            {
                cpu(Some(reason))
            }
            Err(error) => Err(error),
        }
    }

    async fn on_gpu(&self, gpu: Rc<Gpu>) -> Result<OnDevice> {
        let on_device = OnDevice::new(gpu);
        let upload = async {
            match &self.table {
                Some(table) => on_device.table(table, self.precision).await.map(drop),
                None => Ok(()),
            }
        };
        let (uploaded, probed) = both(upload, on_device.gpu().adds()).await;
        uploaded?;
        probed?;
        let kernels = on_device.likely_kernels(self.precision, self.table.is_some());
        on_device.gpu().prepare(kernels, self.shape.d_model);
        Ok(on_device)
    }
}

impl Embedding {
    /// An embedding of `table`, or with `None` one of that shape, which has gradients only.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter` (unless `Auto`), `limit-exceeded`, `gpu-error`.
    pub async fn new(shape: Shape, table: Option<Table>, wanted: Wanted, precision: Precision) -> Result<Rc<Self>> {
        if table.is_some() && shape.cells() > u64::from(u32::MAX) {
            return Err(Error::LimitExceeded(format!(
                "A table of {} rows of {} has {} values, but kernels count them in a u32, up to {}.",
                shape.vocab_size,
                shape.d_model,
                shape.cells(),
                u32::MAX
            )));
        }
        let source = Source { shape, table: table.map(Rc::new), wanted, precision };
        let place = RefCell::new(source.clone().place().await?);
        let grouper = RefCell::new(Grouper::new(shape.vocab_size));
        Ok(Rc::new(Self { source, place, next_place: Rc::default(), grouper }))
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

    /// The current device; none on the CPU.
    pub fn device_now(&self) -> Option<Rc<OnDevice>> {
        match &*self.place.borrow() {
            Place::Cpu(_) => None,
            Place::Gpu(on_device) => Some(Rc::clone(on_device)),
        }
    }

    /// Why the CPU twin runs, if the GPU was preferred.
    pub fn fallback_reason(&self) -> Option<Error> {
        match &*self.place.borrow() {
            Place::Cpu(cpu) => cpu.reason().cloned(),
            Place::Gpu(_) => None,
        }
    }

    /// The backend for a call. If the device was lost: a new one with the table on it, or the CPU's if there is no other device
    /// and the caller left the choice.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter`, `limit-exceeded`, `gpu-error`, `device-lost`.
    pub async fn place(&self) -> Result<Place> {
        let now = self.place.borrow().clone();
        if now.is_there() {
            if let Place::Gpu(on_device) = &now {
                on_device.look()?;
            }
            return Ok(now);
        }
        if let Place::Gpu(lost) = &now
            && lost.trained().is_any()
        {
            lost.trained().forget();
            let then = match self.source.wanted {
                Wanted::Device(_) => {
                    "only the device's maker can make another. Create a new embedding on that one. Keep"
                }
                Wanted::Backend(_) => "it starts again from its original values. The next call works; keep",
            };
            return Err(Error::DeviceLost(format!(
                "The GPU device was lost, and with it what `step` had changed in this table: {then} a copy by `rows()` now and \
                 then."
            )));
        }
        if let (Place::Gpu(lost), Wanted::Device(_)) = (&now, &self.source.wanted)
            && let Some(error) = lost.gpu().loss()
        {
            return Err(error);
        }
        let shared = Rc::clone(&self.next_place);
        let next = shared.get(Place::is_there, || self.source.clone().place(), refused).await?;
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

    /// Copies values at once to where the call needs them: on a GPU straight to the device, without a stop in wasm memory. A call that
    /// waits for the device anyway has a scope for that.
    ///
    /// # Errors
    /// `gpu-error`.
    pub fn stage(self: &Rc<Self>, values: &Float32Array, waits: bool) -> Result<Values> {
        let (this, values) = (Rc::clone(self), values.clone());
        let send = move || match this.device_now() {
            Some(on_device) if !on_device.gpu().is_lost() && values.length() > 0 => {
                send(&on_device, &values, waits).map(Values::Sent)
            }
            _ => Ok(Values::Held(values.to_vec())),
        };
        caught(send).unwrap_or_else(|thrown| Err(refused(&thrown)))
    }

    /// The rows of these tokens, by the kernel that suits the table's precision.
    ///
    /// # Errors
    /// `limit-exceeded`, `device-lost`, `gpu-error`; `invalid-argument` without a table.
    pub async fn lookup(&self, tokens: &[u32]) -> Result<Lookup> {
        self.lookup_by(tokens, LookupKernel::for_table(self.source.precision)).await
    }

    /// The same by a given kernel.
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
                let (trust, steps) = (on_device.trained().trust(), on_device.trained().steps());
                let scope = gpu.open();
                let call = on_device.lookup_call(tokens, &table, self.shape(), kernel)?;
                let out = call.out.part(u64::from(elements) * 4);
                let outputs = readback::start(gpu, scope, &[&call.dispatch], &[out])?.finish().await?;
                on_device.confirm(trust, steps).await?;
                Ok(Lookup { values: outputs.floats(0), microseconds: outputs.microseconds })
            }
            Place::Cpu(cpu) => {
                let mut out = vec![0.0; elements as usize];
                cpu.lookup(tokens, &mut out, kernel);
                Ok(Lookup { values: Float32Array::from(out.as_slice()), microseconds: None })
            }
        }
    }

    /// The device, for results that stay on it.
    ///
    /// # Errors
    /// On the CPU, the reason for that; otherwise as [`Self::place`].
    async fn gpu_place(&self) -> Result<Rc<OnDevice>> {
        match self.place().await? {
            Place::Gpu(on_device) => Ok(on_device),
            Place::Cpu(_) => Err(self.no_gpu()),
        }
    }

    /// Why nothing can stay on a GPU.
    fn no_gpu(&self) -> Error {
        match self.fallback_reason() {
            Some(Error::NoWebgpu(why)) => Error::NoWebgpu(why),
            Some(reason) => Error::NoAdapter(reason.message().to_owned()),
            None => Error::NoWebgpu(
                "This embedding runs on the CPU, as `backend: \"cpu\"` asks for, so nothing of it is on a GPU. Use arrays, or \
                 create it with another backend."
                    .to_owned(),
            ),
        }
    }

    /// The rows of these tokens, left on the device.
    ///
    /// # Errors
    /// As [`Self::lookup`]; `no-webgpu` or `no-adapter` on the CPU.
    pub async fn lookup_to_gpu(&self, tokens: &Tokens) -> Result<GpuArray> {
        let table = self.table_for("lookups")?;
        let shape = self.shape();
        let array = [tokens.len() as u32, shape.d_model];
        self.elements(tokens.len())?;
        let on_device = self.gpu_place().await?;
        let gpu = on_device.gpu();
        if tokens.is_empty() {
            return self.empty_array(&on_device, array).await;
        }
        let precision = self.source.precision;
        let table = on_device.table(table, precision).await?;
        let mut made = None;
        let mut make = || {
            let tokens = tokens.on(gpu)?;
            let (out, dispatch) = on_device.resident_lookup(&tokens, &table, shape, precision);
            made = Some(out);
            Ok(vec![dispatch])
        };
        let (access, elements) = (tokens.access(), u64::from(array[0]) * u64::from(array[1]));
        let submitted = gpu.submit_resident(ResidentWork { access, elements, make: &mut make, count: None })?;
        settled_array(&on_device, made, array, submitted).await.map_err(|error| explained(error, access))
    }

    /// The sum or mean of the rows of each bag: a row for each bag.
    ///
    /// # Errors
    /// As [`Self::lookup`].
    pub async fn bags(&self, tokens: &Tokens, bags: &[Bag]) -> Result<Float32Array> {
        let elements = self.elements(bags.len())?;
        if elements == 0 {
            return Ok(Float32Array::new_with_length(0));
        }
        match (self.place().await?, tokens.host()) {
            (Place::Cpu(cpu), Some(ids)) => {
                let mut out = vec![0.0; elements as usize];
                cpu.bag(ids, bags, &mut out, self.source.precision);
                Ok(Float32Array::from(out.as_slice()))
            }
            _ => self.bags_to_gpu(tokens, bags).await?.read().await,
        }
    }

    /// The same, left on the device.
    ///
    /// # Errors
    /// As [`Self::lookup_to_gpu`].
    pub async fn bags_to_gpu(&self, tokens: &Tokens, bags: &[Bag]) -> Result<GpuArray> {
        let table = self.table_for("lookups")?;
        let shape = self.shape();
        let array = [bags.len() as u32, shape.d_model];
        self.elements(bags.len())?;
        let on_device = self.gpu_place().await?;
        let gpu = on_device.gpu();
        let precision = self.source.precision;
        let table = on_device.table(table, precision).await?;
        if bags.is_empty() {
            return self.empty_array(&on_device, array).await;
        }
        let mut made = None;
        let mut make = || {
            // No binding may be empty, and empty bags read none.
            let tokens = if tokens.is_empty() { Tokens::in_memory(vec![0]).on(gpu)? } else { tokens.on(gpu)? };
            let (out, dispatches) = on_device.resident_bags(&tokens, bags, &table, shape, precision)?;
            made = Some(out);
            Ok(dispatches)
        };
        let (access, elements) = (tokens.access(), tokens.len() as u64 * u64::from(shape.d_model));
        let submitted = gpu.submit_resident(ResidentWork { access, elements, make: &mut make, count: None })?;
        settled_array(&on_device, made, array, submitted).await.map_err(|error| explained(error, access))
    }

    /// Takes a buffer that the caller lends on this device, for one call. There are none on the CPU.
    ///
    /// # Errors
    /// `no-webgpu` or `no-adapter` on the CPU; `invalid-argument`, `device-lost`.
    pub fn borrow_buffer(&self, buffer: &JsValue) -> Result<(Lease, Rc<OnDevice>)> {
        let Place::Gpu(on_device) = self.place.borrow().clone() else { return Err(self.no_gpu()) };
        let gpu = on_device.gpu();
        if let Some(lost) = gpu.loss_of("this GPUBuffer") {
            return Err(lost);
        }
        let buffer = adopt_buffer(gpu.device(), gpu.handle(), buffer)?;
        let lease = gpu.pool().foreign(buffer);
        Ok((lease, on_device))
    }

    /// An array without values.
    async fn empty_array(&self, on_device: &OnDevice, shape: [u32; 2]) -> Result<GpuArray> {
        let gpu = on_device.gpu();
        let made = Some(gpu.storage("gomme out", 4));
        let submitted = Submitted { inputs: gpu.take_unsettled(), commands: None, trust: Trust::Confirmed };
        settled_array(on_device, made, shape, submitted).await
    }

    /// The gradient of these tokens, left on the device. Only the device knows its rows, unless the host has grouped them.
    ///
    /// # Errors
    /// As [`Self::gradient`]; `no-webgpu` or `no-adapter` on the CPU.
    pub async fn gradient_to_gpu(&self, tokens: &Tokens, grad_out: Values) -> Result<GpuGradient> {
        let elements = self.elements(tokens.len())?;
        let shape = self.shape();
        let on_device = match &grad_out {
            Values::Sent(sent) => Rc::clone(&sent.on_device),
            _ => self.gpu_place().await?,
        };
        let gpu = on_device.gpu();
        if elements == 0 {
            return empty_gradient(gpu, shape).await;
        }
        let seq_len = tokens.len() as u32;
        let groups = tokens
            .host()
            .filter(|host| policy::grouping(host.len(), gpu.facts().software) == Grouping::Cpu)
            .map(|host| self.group(host))
            .filter(|groups| !groups.rows.is_empty());
        let capacity = groups.as_ref().map_or(seq_len.min(shape.vocab_size), |groups| groups.rows.len() as u32);
        let grad_out = grad_out.on(&on_device)?;
        let access = match tokens.access() {
            Access::Private => grad_out.access(),
            access => access,
        };
        let mut made = None;
        let mut make = || {
            let part = grad_out.part(u64::from(elements) * 4);
            let mut call = match &groups {
                Some(groups) => on_device.grouped_by_host(groups, seq_len, part, shape.d_model)?,
                None => {
                    let plan = DevicePlan::new(seq_len, shape.vocab_size);
                    on_device.grouped_passes(tokens.on(gpu)?.part(), &plan, part, shape.d_model)?
                }
            };
            let dispatches = core::mem::take(&mut call.dispatches);
            made = Some(call);
            Ok(dispatches)
        };
        let work = ResidentWork { access, elements: u64::from(elements), make: &mut make, count: None };
        let submitted = gpu.submit_resident(work)?;
        let trust = submitted.trust.and(grad_out.trust());
        let mut verdicts = submitted.verdicts();
        verdicts.extend(grad_out.into_unsettled());
        gpu.settle(verdicts).await.map_err(|error| explained(error, access))?;
        let call = made.ok_or_else(nothing_made)?;
        let buffers =
            GradientBuffers { capacity, rows: call.rows, grad: call.grad, spans: call.spans, skips: call.skips };
        Ok(GpuGradient::new(Rc::clone(gpu), shape, seq_len, buffers, trust))
    }

    /// Changes the rows of a gradient by one step of a rule.
    ///
    /// # Errors
    /// `invalid-argument` without a table, for another rule than before, or a gradient of another device; `shape-mismatch`;
    /// `limit-exceeded`, `device-lost`, `gpu-error`.
    pub async fn step(&self, gradient: StepGradient, rule: StepRule) -> Result<()> {
        let table = self.table_for("steps")?;
        match self.place().await? {
            Place::Cpu(cpu) => {
                let (ids, values) = match gradient {
                    StepGradient::Arrays(ids, Values::Held(values)) => (ids, values),
                    StepGradient::Arrays(ids, values) => (ids, values.bring_home().await?.to_vec()),
                    StepGradient::OnGpu(gradient) => {
                        let (tally, grad) = gradient.read().await?;
                        (tally.rows, grad.to_vec())
                    }
                };
                cpu.step(&ids, &values, rule)
            }
            Place::Gpu(on_device) => self.step_on_gpu(&on_device, table, gradient, rule).await,
        }
    }

    async fn step_on_gpu(
        &self,
        on_device: &Rc<OnDevice>,
        table: &Table,
        gradient: StepGradient,
        rule: StepRule,
    ) -> Result<()> {
        let (gpu, shape) = (on_device.gpu(), self.shape());
        let gradient = match gradient {
            StepGradient::OnGpu(gradient) => {
                check_device(gpu, gradient.gpu(), "this gradient")?;
                gradient.trust().look(gpu)?;
                GradientOnGpu::Whole(gradient)
            }
            StepGradient::Arrays(ids, values) => GradientOnGpu::Arrays(ids, values.on(on_device)?),
        };
        let (master, made) = on_device.master(table)?;
        let mirror = on_device.mirror();
        // Held until the verdict: what was refused must not be leased again.
        let mut held = Held::default();
        let mut make = || {
            gradient.bind(
                gpu,
                shape,
                &mut |parts, held| step_call(on_device, shape, (&*master, mirror.as_deref()), parts, rule, held),
                &mut held,
            )
        };
        let mut counted = None;
        let mut count = |trust: Trust| -> Undo {
            let step = Counted::new(Rc::clone(on_device), trust.and(gradient.trust()));
            counted = Some(Rc::clone(&step));
            Box::new(move || step.take_back())
        };
        let (access, elements) = (gradient.access(), u64::from(gradient.capacity()) * u64::from(shape.d_model));
        let work = ResidentWork { access, elements, make: &mut make, count: Some(&mut count) };
        let Submitted { mut inputs, commands, .. } = gpu.submit_resident(work)?;
        inputs.extend(gradient.into_unsettled());
        let is_new = !made.is_empty();
        inputs.extend(made);
        let inputs = gpu.settle(inputs).await;
        let in_scope = commands.is_some();
        let ran = gpu.settle(commands.into_iter().collect()).await;
        drop(held);
        let outcome = inputs.and(ran.clone());
        if let (Err(Error::GpuError(_) | Error::LimitExceeded(_)), Some(counted)) = (&outcome, counted) {
            counted.take_back();
            // On what was refused the step ran all the same.
            if is_new || in_scope && ran.is_ok() {
                return Err(on_device.begin_again());
            }
        }
        outcome
    }

    /// The table as it is now, V·D values, or only the rows of these ids (zeros for those outside the vocabulary).
    ///
    /// # Errors
    /// As [`Self::lookup`].
    pub async fn rows(&self, ids: Option<&[u32]>) -> Result<Float32Array> {
        let table = self.table_for("rows")?;
        let shape = self.shape();
        let changed = match self.place().await? {
            Place::Cpu(cpu) => {
                let Some(ids) = ids else { return Ok(Float32Array::from(cpu.read_rows().as_slice())) };
                let mut out = vec![0.0; self.elements(ids.len())? as usize];
                cpu.lookup(ids, &mut out, LookupKernel::Fast);
                return Ok(Float32Array::from(out.as_slice()));
            }
            Place::Gpu(on_device) => Some(on_device).filter(|on_device| on_device.trained().is_any()),
        };
        match (changed, ids) {
            (Some(_), Some(ids)) => Ok(self.lookup_by(ids, LookupKernel::Fast).await?.values),
            (Some(on_device), None) => {
                let master = on_device.table(table, Precision::F32).await?;
                let (trust, steps) = (on_device.trained().trust(), on_device.trained().steps());
                let outputs = readback::run(on_device.gpu(), &[], &[master.part(shape.cells() * 4)]).await?;
                on_device.confirm(trust, steps).await?;
                Ok(outputs.floats(0))
            }
            // Nothing has changed it, so the source has its values.
            (None, None) => {
                cpu::check_size("The table in memory", shape.cells() * 4)?;
                Ok(Float32Array::from(table.to_vec().as_slice()))
            }
            (None, Some(ids)) => {
                let mut out = vec![0.0; self.elements(ids.len())? as usize];
                for (&id, row) in ids.iter().zip(out.chunks_exact_mut(shape.width())) {
                    if id < shape.vocab_size {
                        table.read(id as usize * shape.width(), row);
                    }
                }
                Ok(Float32Array::from(out.as_slice()))
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
    pub async fn gradient(&self, tokens: &[u32], grad_out: Values, kernel: GradientKernel) -> Result<Gradient> {
        self.elements(tokens.len())?;
        if tokens.is_empty() {
            let counts = match kernel {
                GradientKernel::Scatter(Scatter::Counted) => Counts::Rows(vec![0; ROW_COUNT_WORDS]),
                _ => Counts::Skips(Vec::new()),
            };
            return Ok(self.shaped(self.group(tokens), &counts, Float32Array::new_with_length(0), None));
        }
        // Values that were sent to a device stay there: if it is lost, this call fails.
        if let Values::Sent(Sent { on_device, .. }) = &grad_out {
            let on_device = Rc::clone(on_device);
            return self.gradient_on_gpu(tokens, &on_device, grad_out, kernel).await;
        }
        match self.place().await? {
            Place::Gpu(on_device) => self.gradient_on_gpu(tokens, &on_device, grad_out, kernel).await,
            Place::Cpu(cpu) => {
                let values = match grad_out {
                    Values::Held(values) => values,
                    values => values.bring_home().await?.to_vec(),
                };
                let groups = self.group(tokens);
                let (grad, counts) = cpu.gradient(&groups, &values, kernel);
                Ok(self.shaped(groups, &counts, Float32Array::from(grad.as_slice()), None))
            }
        }
    }

    async fn gradient_on_gpu(
        &self,
        tokens: &[u32],
        on_device: &Rc<OnDevice>,
        grad_out: Values,
        kernel: GradientKernel,
    ) -> Result<Gradient> {
        let gpu = on_device.gpu();
        let grouping = self.grouping_for(on_device, kernel, tokens.len());
        let groups = match grouping {
            Grouping::Cpu => self.group(tokens),
            Grouping::Gpu => self.grouper.borrow_mut().count(tokens),
        };
        let Shape { vocab_size, d_model } = self.shape();
        // Two kernels count nothing, but the lesson shows what was skipped.
        let counted_here = match (&grad_out, kernel.counts_skips()) {
            (_, true) => None,
            (Values::Held(values), false) => Some(count_skips(&groups, values, d_model as usize)),
            (_, false) => Some(Counts::Skips(vec![0; groups.rows.len() * ROW_SKIP_WORDS])),
        };
        let grad_out = grad_out.on(on_device)?;
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
        let pending = readback::start(gpu, scope, &dispatches, &parts)?;
        let mut outputs = pending.finish().await.map_err(|error| explained(error, grad_out.access()))?;
        grad_out.trust().check(gpu).await?;
        gpu.settle(grad_out.into_unsettled()).await?;
        let counts = counted_here.unwrap_or_else(|| match kernel {
            GradientKernel::Sorted(_) => Counts::Skips(outputs.words(1)),
            GradientKernel::Scatter(_) => Counts::Rows(outputs.words(1)),
        });
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

/// The array over a buffer, once it is certain that the browser refused nothing.
async fn settled_array(
    on_device: &OnDevice,
    made: Option<Lease>,
    shape: [u32; 2],
    submitted: Submitted,
) -> Result<GpuArray> {
    let gpu = on_device.gpu();
    let trust = submitted.trust.and(on_device.trained().trust());
    let array = GpuArray::new(Rc::clone(gpu), made.ok_or_else(nothing_made)?, shape, trust);
    gpu.settle(submitted.verdicts()).await?;
    Ok(array)
}

/// Sends values to a device, in a scope where one is asked for or something was refused before.
fn send(on_device: &Rc<OnDevice>, values: &Float32Array, in_scope: bool) -> Result<Sent> {
    let gpu = on_device.gpu();
    let scope = (in_scope || gpu.is_suspect()).then(|| gpu.open());
    let lease = on_device.send(values)?;
    let mut unsettled = gpu.take_unsettled();
    let trust = if scope.is_some() { Trust::Confirmed } else { Trust::InDoubt };
    unsettled.extend(scope.map(OpenScope::close));
    Ok(Sent { lease, on_device: Rc::clone(on_device), unsettled, access: Access::Private, trust })
}

/// A gradient without rows.
async fn empty_gradient(gpu: &Rc<Gpu>, shape: Shape) -> Result<GpuGradient> {
    let spans = gpu.storage("gomme spans", 8);
    gpu.write(spans.buffer(), 0, &[0; 8]);
    let word = || gpu.storage("gomme empty gradient", 4);
    let buffers = GradientBuffers { capacity: 0, rows: word(), grad: word(), spans, skips: word() };
    let gradient = GpuGradient::new(Rc::clone(gpu), shape, 0, buffers, Trust::InDoubt);
    gpu.settle(gpu.take_unsettled()).await?;
    Ok(gradient)
}

/// The error of a call, which a foreign buffer is likely to have caused.
fn explained(error: Error, access: Access) -> Error {
    if access == Access::Foreign { with_given_buffer(error) } else { error }
}

/// A bug, should it ever happen: work was submitted that was never made.
fn nothing_made() -> Error {
    Error::GpuError("Nothing was made for this call. Call again.".to_owned())
}

impl Values {
    /// A buffer on this device that the caller lends.
    pub fn borrowed((lease, on_device): (Lease, Rc<OnDevice>)) -> Self {
        Self::Sent(Sent { lease, on_device, unsettled: Vec::new(), access: Access::Foreign, trust: Trust::Confirmed })
    }

    /// The values on this device: where they are, or sent there now.
    fn on(self, on_device: &Rc<OnDevice>) -> Result<OnGpu> {
        let gpu = on_device.gpu();
        match self {
            Self::Sent(sent) => {
                check_device(gpu, sent.on_device.gpu(), "these values")?;
                Ok(OnGpu::Sent(sent))
            }
            Self::Held(values) => Ok(OnGpu::Sent(send(on_device, &Float32Array::from(values.as_slice()), true)?)),
            Self::Array(array) => {
                check_device(gpu, array.gpu(), "this array")?;
                array.trust().look(gpu)?;
                Ok(OnGpu::Array(array))
            }
        }
    }

    /// The values in JavaScript's memory.
    async fn bring_home(self) -> Result<Float32Array> {
        match self {
            Self::Held(values) => Ok(Float32Array::from(values.as_slice())),
            Self::Array(array) => array.read().await,
            Self::Sent(sent) => Err(sent.on_device.gpu().lost().await),
        }
    }
}

/// A gradient on the device of a step.
enum GradientOnGpu {
    Whole(Rc<GpuGradient>),
    /// U ids, and their U·D values.
    Arrays(Vec<u32>, OnGpu),
}

impl GradientOnGpu {
    /// Rows that it has room for.
    fn capacity(&self) -> u32 {
        match self {
            Self::Whole(gradient) => gradient.capacity(),
            Self::Arrays(ids, _) => ids.len() as u32,
        }
    }

    fn access(&self) -> Access {
        match self {
            Self::Whole(gradient) => gradient.access(),
            Self::Arrays(_, values) => values.access(),
        }
    }

    fn trust(&self) -> Trust {
        match self {
            Self::Whole(gradient) => gradient.trust(),
            Self::Arrays(_, values) => values.trust(),
        }
    }

    /// Has `bind` make the dispatches, its ids sent to the device if they are not there yet.
    fn bind(
        &self,
        gpu: &Gpu,
        shape: Shape,
        bind: &mut dyn FnMut(GradientParts<'_>, &mut Held) -> Result<Vec<Dispatch>>,
        held: &mut Held,
    ) -> Result<Vec<Dispatch>> {
        let (ids, values) = match self {
            Self::Whole(gradient) => return bind(gradient.parts(), held),
            Self::Arrays(ids, values) => (ids, values),
        };
        let capacity = ids.len() as u32;
        let rows = gpu.storage("gomme rows", (ids.len() as u64 * 4).max(4));
        let count = gpu.storage("gomme count", 4);
        gpu.write(rows.buffer(), 0, bytemuck::must_cast_slice(ids));
        gpu.write(count.buffer(), 0, bytemuck::bytes_of(&capacity));
        let grad = values.part(u64::from(capacity) * u64::from(shape.d_model) * 4);
        let dispatches = bind(GradientParts { rows: &rows, grad, count: &count, capacity }, held)?;
        held.leases.extend([rows, count]);
        Ok(dispatches)
    }

    fn into_unsettled(self) -> Vec<Verdict> {
        match self {
            Self::Whole(_) => Vec::new(),
            Self::Arrays(_, values) => values.into_unsettled(),
        }
    }
}

/// Values on the device of a call.
#[derive(Debug)]
enum OnGpu {
    Sent(Sent),
    Array(Rc<GpuArray>),
}

impl OnGpu {
    fn part(&self, bytes: u64) -> Part<'_> {
        match self {
            Self::Sent(sent) => sent.lease.part(bytes),
            Self::Array(array) => Part { bytes, ..array.part() },
        }
    }

    fn trust(&self) -> Trust {
        match self {
            Self::Sent(sent) => sent.trust,
            Self::Array(array) => array.trust(),
        }
    }

    fn access(&self) -> Access {
        match self {
            Self::Sent(sent) => sent.access,
            Self::Array(array) => array.access(),
        }
    }

    fn into_unsettled(self) -> Vec<Verdict> {
        match self {
            Self::Sent(sent) => sent.unsettled,
            Self::Array(_) => Vec::new(),
        }
    }
}

impl Place {
    /// Whether it can still compute: a lost device cannot.
    fn is_there(&self) -> bool {
        match self {
            Self::Cpu(_) => true,
            Self::Gpu(on_device) => !on_device.gpu().is_lost(),
        }
    }
}
