//! One table on one device: lookup, gradient, and the result that a call brings home.
//!
//! A call is: check, group or not, upload the small inputs in one write, dispatch, read back in one map. Nothing of
//! size V·D is touched by a call. Without a GPU the CPU twins of `reference` do the same work.

use core::cell::{OnceCell, RefCell};
use std::rc::Rc;

use js_sys::Float32Array;

use crate::abi::{Dims, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::cpu::kernels as twin;
use crate::error::{Error, Result};
use crate::gpu::buffers::Lease;
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback::{self, Outputs};
use crate::gpu::request::acquire;
use crate::gpu::tables::OnDevice;
use crate::group::{Grouper, Groups, Plan, segment_length};
use crate::options::{Backend, GradientKernel, LookupKernel, Precision};
use crate::table::Table;

/// A table (or only its shape, which is all that gradients need) and the place where it is worked on.
#[derive(Debug)]
pub struct Embedding {
    vocab_size: u32,
    d_model: u32,
    precision: Precision,
    table: Option<Table>,
    place: Place,
    grouper: RefCell<Grouper>,
}

#[derive(Debug)]
enum Place {
    /// The CPU twin, its table in memory, and why it is not the GPU.
    Cpu { rows: OnceCell<Vec<f32>>, halves: OnceCell<Vec<u16>>, reason: Option<Error> },
    /// The device of the moment; another one after it was lost.
    Gpu(RefCell<Rc<OnDevice>>),
}

/// dL/d(out) of one call, already copied from the caller's array.
#[derive(Debug)]
pub enum GradOut {
    /// On the device that it was sent to before the call returned.
    Sent(Lease, Rc<OnDevice>),
    /// In wasm memory.
    Held(Vec<f32>),
}

/// A gradient and its counts, for the U used rows.
#[derive(Debug)]
pub struct Gradient {
    pub vocab_size: u32,
    pub d_model: u32,
    /// U ids, ascending.
    pub rows: Vec<u32>,
    /// U·D values, row-major.
    pub grad: Float32Array,
    /// U: positions of each row.
    pub hits: Vec<u32>,
    /// U: additions, at most `hits`·D.
    pub adds: Vec<u32>,
    /// U: failed exchanges; the counted kernel's only.
    pub retries: Option<Vec<u32>>,
    /// Positions whose token is outside the vocabulary.
    pub outside: u32,
    /// Elements skipped because they are ±0.
    pub zero: u64,
    /// Elements skipped because they are NaN or ±Inf.
    pub non_finite: u64,
    /// On the GPU, where it has timestamps.
    pub microseconds: Option<f64>,
}

/// Most bytes of one array on the CPU: past that a wasm memory of 4 GiB is not enough for a call.
const MOST_CPU_BYTES: u64 = 1 << 30;

impl Embedding {
    /// An embedding of `table`, or with `None` one of that shape that only has gradients.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter` (unless `Auto`), `limit-exceeded`.
    pub async fn new(
        (vocab_size, d_model): (u32, u32),
        table: Option<Table>,
        backend: Backend,
        precision: Precision,
    ) -> Result<Rc<Self>> {
        let cells = u64::from(vocab_size) * u64::from(d_model);
        if table.is_some() && cells > u64::from(u32::MAX) {
            return Err(Error::LimitExceeded(format!(
                "A table of {vocab_size} rows of {d_model} has {cells} values, but kernels count them in a u32, up to {}.",
                u32::MAX
            )));
        }
        let cpu = |reason| {
            if table.is_some() && cells * 4 > MOST_CPU_BYTES {
                return Err(too_large_for_cpu("This table", cells * 4));
            }
            Ok(Place::Cpu { rows: OnceCell::new(), halves: OnceCell::new(), reason })
        };
        let place = match backend {
            Backend::Cpu => cpu(None)?,
            Backend::Gpu | Backend::Auto => match acquire().await {
                Ok(gpu) => {
                    if let Some(table) = &table {
                        check_table(&gpu, table)?;
                    }
                    let on_device = OnDevice::new(gpu);
                    on_device.prepare(d_model, precision, table.is_some());
                    if let Some(table) = &table {
                        on_device.table(table, precision).await?;
                    }
                    Place::Gpu(RefCell::new(Rc::new(on_device)))
                }
                Err(reason @ (Error::NoWebgpu(_) | Error::NoAdapter(_))) if backend == Backend::Auto => {
                    cpu(Some(reason))?
                }
                Err(error) => return Err(error),
            },
        };
        let grouper = RefCell::new(Grouper::new(vocab_size));
        Ok(Rc::new(Self { vocab_size, d_model, precision, table, place, grouper }))
    }

    /// V.
    pub fn vocab_size(&self) -> u32 {
        self.vocab_size
    }

    /// D.
    pub fn d_model(&self) -> u32 {
        self.d_model
    }

    /// The table, if there is one.
    pub fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The table, for those who can't do without.
    ///
    /// # Errors
    /// `invalid-argument` where there is none.
    pub fn table_for(&self, what: &str) -> Result<&Table> {
        self.table().ok_or_else(|| {
            Error::InvalidArgument(format!(
                "This lab has no table, only the shape of one. For {what} take Lab.of(embedding)."
            ))
        })
    }

    /// The device at this moment; none on the CPU.
    pub fn device_now(&self) -> Option<Rc<OnDevice>> {
        match &self.place {
            Place::Cpu { .. } => None,
            Place::Gpu(on_device) => Some(Rc::clone(&on_device.borrow())),
        }
    }

    /// Why the CPU twin runs, where the GPU was preferred.
    pub fn fallback_reason(&self) -> Option<&Error> {
        match &self.place {
            Place::Cpu { reason, .. } => reason.as_ref(),
            Place::Gpu(_) => None,
        }
    }

    /// The device to work on: a new one with the table on it, where the last one was lost. None on the CPU.
    ///
    /// # Errors
    /// `no-webgpu`, `no-adapter`, `limit-exceeded`, `device-lost`.
    pub async fn on_device(&self) -> Result<Option<Rc<OnDevice>>> {
        let Some(now) = self.device_now() else { return Ok(None) };
        if !now.gpu().is_lost() {
            return Ok(Some(now));
        }
        let next = OnDevice::new(acquire().await?);
        next.prepare(self.d_model, self.precision, self.table.is_some());
        if let Some(table) = &self.table {
            check_table(next.gpu(), table)?;
            next.table(table, self.precision).await?;
        }
        let next = Rc::new(next);
        if let Place::Gpu(place) = &self.place {
            place.replace(Rc::clone(&next));
        }
        Ok(Some(next))
    }

    /// Number of elements of a call, N·D.
    ///
    /// # Errors
    /// `limit-exceeded` where a u32 or a buffer cannot hold them.
    pub fn elements(&self, seq_len: usize) -> Result<u32> {
        let elements = seq_len as u64 * u64::from(self.d_model);
        let Ok(count) = u32::try_from(elements) else {
            return Err(Error::LimitExceeded(format!(
                "{seq_len} tokens of {} values are {elements} elements, but kernels count them in a u32, up to {}. \
                 Give fewer tokens at a time.",
                self.d_model,
                u32::MAX
            )));
        };
        match self.device_now() {
            Some(on_device) => on_device.gpu().check_size("The N·D array of this call", elements * 4)?,
            None if elements * 4 > MOST_CPU_BYTES => {
                return Err(too_large_for_cpu("The N·D array of this call", elements * 4));
            }
            None => {}
        }
        Ok(count)
    }

    /// Copies dL/d(out) where the call will want it, without delay and, on a living GPU, without a stop in wasm memory.
    pub fn take(&self, grad_out: &Float32Array) -> GradOut {
        match self.device_now().filter(|on_device| !on_device.gpu().is_lost() && grad_out.length() > 0) {
            Some(on_device) => GradOut::Sent(on_device.send(grad_out), on_device),
            None => GradOut::Held(grad_out.to_vec()),
        }
    }

    /// N·D values: the rows of these tokens, by the kernel that suits the table's precision.
    ///
    /// # Errors
    /// `limit-exceeded`, `device-lost`; `invalid-argument` without a table.
    pub async fn lookup(&self, tokens: &[u32]) -> Result<(Float32Array, Option<f64>)> {
        let kernel = match self.precision {
            Precision::F32 => LookupKernel::Fast,
            Precision::F16 => LookupKernel::W16Fast,
        };
        self.lookup_by(tokens, kernel).await
    }

    /// The same by the kernel named.
    ///
    /// # Errors
    /// As [`Self::lookup`].
    pub async fn lookup_by(&self, tokens: &[u32], kernel: LookupKernel) -> Result<(Float32Array, Option<f64>)> {
        let table = self.table_for("lookups")?;
        let elements = self.elements(tokens.len())?;
        if elements == 0 {
            return Ok((Float32Array::new_with_length(0), None));
        }
        match self.on_device().await? {
            Some(on_device) => {
                let table = on_device.table(table, kernel.precision()).await?;
                let call = on_device.lookup_call(tokens, &table, self.shape(), kernel)?;
                let outputs =
                    readback::run(on_device.gpu(), &[&call.dispatch], &[call.out.part(u64::from(elements) * 4)])
                        .await?;
                Ok((outputs.floats(0), outputs.microseconds))
            }
            None => {
                let mut out = vec![0.0; elements as usize];
                self.twin_lookup(tokens, &mut out, kernel);
                Ok((Float32Array::from(out.as_slice()), None))
            }
        }
    }

    fn shape(&self) -> (u32, u32) {
        (self.vocab_size, self.d_model)
    }

    fn dims(&self, seq_len: usize, vocab_size: u32) -> Dims {
        Dims { seq_len: seq_len as u32, d_model: self.d_model, vocab_size, spare: 0 }
    }

    /// The lookup's twin, into `out` of N·D values. Does nothing on a GPU or without a table.
    pub fn twin_lookup(&self, tokens: &[u32], out: &mut [f32], kernel: LookupKernel) {
        let dims = self.dims(tokens.len(), self.vocab_size);
        let (Place::Cpu { rows, halves, .. }, Some(table)) = (&self.place, &self.table) else { return };
        match kernel.precision() {
            Precision::F32 => twin::embed_lookup(tokens, rows.get_or_init(|| table.to_vec()), out, dims),
            Precision::F16 => {
                let halves = halves.get_or_init(|| twin::cast_f32_to_f16(&table.to_vec()));
                twin::embed_lookup_w16(tokens, halves, out, dims);
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
    /// `limit-exceeded`, `device-lost`.
    pub async fn gradient(&self, tokens: &[u32], grad_out: GradOut, kernel: GradientKernel) -> Result<Gradient> {
        self.elements(tokens.len())?;
        let groups = self.group(tokens);
        if tokens.is_empty() {
            return Ok(self.finish(groups, Float32Array::new_with_length(0), &Counts::default(), kernel, None));
        }
        // Arguments that were sent to a device stay with it: if it is lost, so is this call.
        let values = match grad_out {
            GradOut::Sent(sent, on_device) => {
                return self.gradient_on_gpu(&on_device, tokens, groups, sent, None, kernel).await;
            }
            GradOut::Held(values) => values,
        };
        let Some(on_device) = self.on_device().await? else {
            return Ok(self.gradient_on_cpu(tokens, groups, &values, kernel));
        };
        // These two kernels count nothing; the lesson still wants to know what was skipped.
        let uncounted = matches!(kernel, GradientKernel::Plain | GradientKernel::Racy);
        let counts = uncounted.then(|| count_skips(&groups, &values, self.d_model));
        let sent = on_device.send(&Float32Array::from(values.as_slice()));
        self.gradient_on_gpu(&on_device, tokens, groups, sent, counts, kernel).await
    }

    /// `counts` is what the host counted, where the kernel does not.
    async fn gradient_on_gpu(
        &self,
        on_device: &OnDevice,
        tokens: &[u32],
        groups: Groups,
        sent: Lease,
        counts: Option<Counts>,
        kernel: GradientKernel,
    ) -> Result<Gradient> {
        let used_rows = groups.rows.len() as u64;
        let grad_bytes = used_rows * u64::from(self.d_model) * 4;
        let elements = tokens.len() as u64 * u64::from(self.d_model);
        let call = match kernel {
            GradientKernel::Sorted => {
                let plan = Plan::new(&groups, segment_length(tokens.len()));
                on_device.sorted_call(&groups, &plan, sent.part(elements * 4), self.d_model)?
            }
            GradientKernel::SortedOnGpu => {
                on_device.grouped_call(tokens, self.vocab_size, sent.part(elements * 4), self.d_model)?
            }
            other => on_device.scatter_call(tokens, &groups, sent.part(elements * 4), self.d_model, other)?,
        };
        let dispatches: Vec<&Dispatch> = call.dispatches.iter().collect();
        let count_bytes = match kernel {
            GradientKernel::Sorted | GradientKernel::SortedOnGpu => used_rows * ROW_SKIP_WORDS as u64 * 4,
            GradientKernel::Counted => (used_rows + 1) * ROW_COUNT_WORDS as u64 * 4,
            GradientKernel::Plain | GradientKernel::Racy => 0,
        };
        let parts = [call.grad.part(grad_bytes), call.counts.part(count_bytes)];
        let mut outputs = readback::run(on_device.gpu(), &dispatches, &parts).await?;
        let counts = counts.unwrap_or_else(|| Counts::read(&mut outputs, kernel));
        Ok(self.finish(groups, outputs.floats(0), &counts, kernel, outputs.microseconds))
    }

    fn gradient_on_cpu(&self, tokens: &[u32], groups: Groups, grad_out: &[f32], kernel: GradientKernel) -> Gradient {
        let used_rows = groups.rows.len();
        let width = self.d_model as usize;
        let (grad, counts) = match kernel {
            GradientKernel::Sorted | GradientKernel::SortedOnGpu => {
                let plan = Plan::new(&groups, segment_length(tokens.len()));
                let mut grad = vec![0.0; (used_rows + plan.partial_sums as usize) * width];
                let mut skips = vec![0; used_rows * ROW_SKIP_WORDS];
                plan.sum(&groups.order, grad_out, &mut grad, &mut skips, width);
                grad.truncate(used_rows * width);
                (grad, Counts { skips, ..Counts::default() })
            }
            GradientKernel::Plain | GradientKernel::Counted | GradientKernel::Racy => {
                let slots = groups.slots(tokens.len());
                let mut grad = vec![0.0; used_rows * width];
                let mut words = vec![0; (used_rows + 1) * ROW_COUNT_WORDS];
                let dims = self.dims(tokens.len(), used_rows as u32);
                twin::embed_backward_counted(&slots, grad_out, &mut grad, &mut words, dims);
                (grad, Counts::from_row_counts(&words))
            }
        };
        self.finish(groups, Float32Array::from(grad.as_slice()), &counts, kernel, None)
    }

    fn finish(
        &self,
        groups: Groups,
        grad: Float32Array,
        counts: &Counts,
        kernel: GradientKernel,
        microseconds: Option<f64>,
    ) -> Gradient {
        let counted = kernel == GradientKernel::Counted;
        let skips = |row: usize| match counts.skips.get(row * ROW_SKIP_WORDS..(row + 1) * ROW_SKIP_WORDS) {
            Some(&[zero, non_finite]) => (zero, non_finite),
            _ => (0, 0),
        };
        // The counted kernel's own counts of positions are what the caller sees: they can be checked against the ids.
        let hits = if counted && !counts.hits.is_empty() { counts.hits.clone() } else { groups.hits };
        let adds =
            (0..).zip(&hits).map(|(row, &hits)| (hits * self.d_model).saturating_sub(skips(row).0 + skips(row).1));
        let total = |pick: fn((u32, u32)) -> u32| (0..groups.rows.len()).map(|row| u64::from(pick(skips(row)))).sum();
        Gradient {
            vocab_size: self.vocab_size,
            d_model: self.d_model,
            adds: adds.collect(),
            retries: counted
                .then(|| if counts.retries.is_empty() { vec![0; hits.len()] } else { counts.retries.clone() }),
            outside: counts.outside.unwrap_or(groups.outside),
            zero: total(|skips| skips.0),
            non_finite: total(|skips| skips.1),
            rows: groups.rows,
            grad,
            hits,
            microseconds,
        }
    }
}

/// What a gradient kernel counted.
#[derive(Debug, Default)]
struct Counts {
    /// (zero, non-finite) per row.
    skips: Vec<u32>,
    /// Empty unless the kernel counts them.
    hits: Vec<u32>,
    retries: Vec<u32>,
    outside: Option<u32>,
}

impl Counts {
    fn read(outputs: &mut Outputs, kernel: GradientKernel) -> Self {
        let words = outputs.words(1);
        if kernel == GradientKernel::Counted {
            Self::from_row_counts(&words)
        } else {
            Self { skips: words, ..Self::default() }
        }
    }

    /// From rows of (hits, zero, non-finite, retries), the last row being that of the ids outside the vocabulary.
    fn from_row_counts(words: &[u32]) -> Self {
        let mut counts = Self::default();
        let mut rows: Vec<&[u32]> = words.chunks_exact(ROW_COUNT_WORDS).collect();
        counts.outside = rows.pop().map(|row| row[0]);
        for row in rows {
            counts.hits.push(row[0]);
            counts.skips.extend([row[1], row[2]]);
            counts.retries.push(row[3]);
        }
        counts
    }
}

fn count_skips(groups: &Groups, grad_out: &[f32], d_model: u32) -> Counts {
    let width = d_model as usize;
    let mut skips = Vec::with_capacity(groups.rows.len() * ROW_SKIP_WORDS);
    let mut order = groups.order.iter();
    for &hits in &groups.hits {
        let (mut zero, mut non_finite) = (0, 0);
        for &s in order.by_ref().take(hits as usize) {
            for value in &grad_out[s as usize * width..(s as usize + 1) * width] {
                zero += u32::from(*value == 0.0);
                non_finite += u32::from(!value.is_finite());
            }
        }
        skips.extend([zero, non_finite]);
    }
    Counts { skips, ..Counts::default() }
}

fn too_large_for_cpu(what: &str, bytes: u64) -> Error {
    Error::LimitExceeded(format!(
        "{what} takes {bytes} bytes, but the CPU twin allows {MOST_CPU_BYTES}. Give less at a time."
    ))
}

fn check_table(gpu: &Gpu, table: &Table) -> Result<()> {
    let bytes = u64::from(table.vocab_size()) * u64::from(table.d_model()) * 4;
    gpu.check_size("This table", bytes)
}
