//! One table on one device: lookup, gradient, and the result that a call brings home.
//!
//! A call is: check, group or not, upload the small inputs in one write, dispatch, read back in one map. Nothing of
//! size V·D is touched by a call. Without a GPU the CPU twins of `reference` do the same work.

use core::cell::{OnceCell, RefCell};
use std::rc::Rc;

use js_sys::{Float32Array, Uint8Array};

use crate::abi::{self, Dims, LaneWidth, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::buffers::{Lease, Part, Sent, Upload, bytes_of, floats_as_bytes};
use crate::error::{Error, Result};
use crate::gpu::{self, Gpu};
use crate::group::{FAN_IN, Grouper, Groups, Plan, piece_length};
use crate::kernels::Dispatch;
use crate::readback::{self, Outputs};
use crate::reference;
use crate::table::Table;
use crate::wait::pause;

/// Where the caller wants the work done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// The GPU, or else the CPU twin.
    Auto,
    /// The GPU or an error.
    Gpu,
    /// The CPU twin.
    Cpu,
}

/// How the table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    F32,
    F16,
}

/// A gradient kernel. The API runs `Sorted` and `Counted`; the others are for the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradientKernel {
    Plain,
    Counted,
    Sorted,
    /// `Sorted` with its grouping on the device.
    SortedOnGpu,
    Racy,
}

/// A lookup kernel. The API runs `Fast` or `W16Fast`; the others are for the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupKernel {
    Document,
    Fast,
    W16Packed,
    W16Native,
    W16Fast,
}

impl LookupKernel {
    /// The precision of the table it reads.
    pub fn precision(self) -> Precision {
        match self {
            Self::Document | Self::Fast => Precision::F32,
            Self::W16Packed | Self::W16Native | Self::W16Fast => Precision::F16,
        }
    }

    /// Its shader and entry point.
    pub fn abi(self) -> &'static abi::KernelAbi {
        match self {
            Self::Document => &abi::EMBED_LOOKUP,
            Self::Fast => &abi::FAST,
            Self::W16Packed => &abi::EMBED_LOOKUP_W16_PACKED,
            Self::W16Native => &abi::EMBED_LOOKUP_W16,
            Self::W16Fast => &abi::FAST_W16,
        }
    }
}

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

/// What of an embedding lives on a device.
#[derive(Debug)]
pub struct OnDevice {
    gpu: Rc<Gpu>,
    table_f32: RefCell<Option<Rc<Lease>>>,
    table_f16: RefCell<Option<Rc<Lease>>>,
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
/// Values of a table that are decoded at a time, between which the page may do something else.
const TABLE_CHUNK: usize = 1 << 19;
/// Gradients up to this size go straight into a mapped buffer; larger ones in chunks, since a browser may have no
/// such stretch of memory to map.
const MOST_MAPPED_BYTES: u64 = 256 << 20;
/// From this length on a device of its own groups tokens faster than the CPU does, uploading left aside. (Measured on an
/// NVIDIA H200 in Firefox, D = 384: bench/README.md has the figures.)
const GROUP_ON_GPU_FROM: usize = 2_048;
/// ... up to this length, and for vocabularies of at most this many rows, since each of them is looked at.
const MOST_GROUPED_ON_GPU: usize = 1 << 22;
const MOST_ROWS_ON_GPU: u32 = 1 << 20;
/// Chunk of a write that goes through wasm memory, in values.
const WRITE_CHUNK: u32 = 4 << 20;

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
            Backend::Gpu | Backend::Auto => match gpu::acquire().await {
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
        if !now.gpu.is_lost() {
            return Ok(Some(now));
        }
        let next = OnDevice::new(gpu::acquire().await?);
        next.prepare(self.d_model, self.precision, self.table.is_some());
        if let Some(table) = &self.table {
            check_table(&next.gpu, table)?;
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
            Some(on_device) => on_device.gpu.check_size("The N·D array of this call", elements * 4)?,
            None if elements * 4 > MOST_CPU_BYTES => {
                return Err(too_large_for_cpu("The N·D array of this call", elements * 4));
            }
            None => {}
        }
        Ok(count)
    }

    /// Copies dL/d(out) where the call will want it, without delay and, on a living GPU, without a stop in wasm memory.
    pub fn take(&self, grad_out: &Float32Array) -> GradOut {
        match self.device_now().filter(|on_device| !on_device.gpu.is_lost() && grad_out.length() > 0) {
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
                    readback::run(&on_device.gpu, &[&call.dispatch], &[call.out.part(u64::from(elements) * 4)]).await?;
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
        Dims { count: seq_len as u32, d_model: self.d_model, vocab_size, spare: 0 }
    }

    /// The lookup's twin, into `out` of N·D values. Does nothing on a GPU or without a table.
    pub fn twin_lookup(&self, tokens: &[u32], out: &mut [f32], kernel: LookupKernel) {
        let dims = self.dims(tokens.len(), self.vocab_size);
        let (Place::Cpu { rows, halves, .. }, Some(table)) = (&self.place, &self.table) else { return };
        match kernel.precision() {
            Precision::F32 => reference::embed_lookup(tokens, rows.get_or_init(|| table.to_vec()), out, dims),
            Precision::F16 => {
                let halves = halves.get_or_init(|| reference::cast_f32_to_f16(&table.to_vec()));
                reference::embed_lookup_w16(tokens, halves, out, dims);
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
                let plan = Plan::new(&groups, piece_length(tokens.len()));
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
        let mut outputs = readback::run(&on_device.gpu, &dispatches, &parts).await?;
        let counts = counts.unwrap_or_else(|| Counts::read(&mut outputs, kernel));
        Ok(self.finish(groups, outputs.floats(0), &counts, kernel, outputs.microseconds))
    }

    fn gradient_on_cpu(&self, tokens: &[u32], groups: Groups, grad_out: &[f32], kernel: GradientKernel) -> Gradient {
        let used_rows = groups.rows.len();
        let width = self.d_model as usize;
        let (grad, counts) = match kernel {
            GradientKernel::Sorted | GradientKernel::SortedOnGpu => {
                let plan = Plan::new(&groups, piece_length(tokens.len()));
                let mut grad = vec![0.0; (used_rows + plan.partial_rows as usize) * width];
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
                reference::embed_backward_counted(&slots, grad_out, &mut grad, &mut words, dims);
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

/// A lookup ready to run, as often as wanted. It holds its inputs: a buffer given back too early would be written over
/// by the next call.
#[derive(Debug)]
pub struct LookupCall {
    pub dispatch: Dispatch,
    /// N·D f32.
    pub out: Lease,
    _inputs: (Sent, Rc<Lease>),
}

/// A gradient ready to run; it holds its small inputs, the caller holds `grad_out`.
#[derive(Debug)]
pub struct GradientCall {
    pub dispatches: Vec<Dispatch>,
    /// U·D f32; behind them, for the sorted kernels, the partial rows.
    pub grad: Lease,
    /// `RowSkips` of U rows from the sorted kernels, `RowCount` of U + 1 from the counted one, else only zeros or nothing.
    pub counts: Lease,
    _inputs: Sent,
    _scratch: Vec<Lease>,
}

impl OnDevice {
    fn new(gpu: Rc<Gpu>) -> Self {
        Self { gpu, table_f32: RefCell::default(), table_f16: RefCell::default() }
    }

    /// The device.
    pub fn gpu(&self) -> &Rc<Gpu> {
        &self.gpu
    }

    /// Makes the pipelines that calls will want, so that no call waits for a compiler.
    fn prepare(&self, d_model: u32, precision: Precision, with_table: bool) {
        let mut wanted = vec![&abi::FILL_ZERO, &abi::COUNTED, &abi::SUM_PIECES, &abi::SUM_PARTIALS];
        if with_table {
            match precision {
                Precision::F32 => wanted.push(&abi::FAST),
                Precision::F16 => wanted.extend([&abi::FAST_W16, &abi::CAST_F32_TO_F16]),
            }
        }
        for kernel in wanted {
            self.gpu.kernel(kernel, d_model);
        }
    }

    /// The table on this device in this precision; uploaded (or cast from the f32 one) at first use.
    ///
    /// # Errors
    /// `device-lost`, if that happens during the upload.
    pub async fn table(&self, table: &Table, precision: Precision) -> Result<Rc<Lease>> {
        let place = match precision {
            Precision::F32 => &self.table_f32,
            Precision::F16 => &self.table_f16,
        };
        if let Some(there) = place.borrow().as_ref() {
            return Ok(Rc::clone(there));
        }
        let made = Rc::new(match precision {
            Precision::F32 => self.upload_table(table).await?,
            Precision::F16 => {
                let there = self.table_f32.borrow().clone();
                let master = match there {
                    Some(master) => master,
                    None => Rc::new(self.upload_table(table).await?),
                };
                self.cast(&master, table.vocab_size() * table.d_model())
            }
        });
        place.replace(Some(Rc::clone(&made)));
        Ok(made)
    }

    async fn upload_table(&self, table: &Table) -> Result<Lease> {
        let cells = table.vocab_size() as usize * table.d_model() as usize;
        let label = format!("gomme table {}", self.gpu.next_upload());
        let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some(&label),
            size: cells as u64 * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let lease = self.gpu.pool().once(buffer);
        let mut chunk = vec![0.0f32; TABLE_CHUNK.min(cells)];
        let mut first = 0;
        while first < cells {
            let count = chunk.len().min(cells - first);
            table.read(first, &mut chunk[..count]);
            self.gpu.queue().write_buffer(lease.buffer(), first as u64 * 4, floats_as_bytes(&chunk[..count]));
            first += count;
            if first < cells {
                pause(0).await; // let the page breathe
            }
            if self.gpu.is_lost() {
                return Err(self.gpu.lost().await);
            }
        }
        Ok(lease)
    }

    /// The f16 mirror of a table of `cells` f32 values.
    pub fn cast(&self, master: &Lease, cells: u32) -> Lease {
        let words = cells.div_ceil(2);
        let mirror = self.gpu.pool().once(self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("gomme f16 table"),
            size: u64::from(words) * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        }));
        let mut upload = Upload::default();
        let dims = upload.dims(Dims { count: cells, ..Dims::default() });
        let sent = self.send_upload(upload);
        let parts = [master.part(u64::from(cells) * 4), Part::whole(mirror.buffer()), sent.part(dims)];
        let cast = self.gpu.dispatch(&abi::CAST_F32_TO_F16, 1, &parts, abi::flat_grid(words));
        self.submit(&[&cast]);
        mirror
    }

    /// Submits dispatches whose results stay on the device.
    pub fn submit(&self, dispatches: &[&Dispatch]) {
        let mut encoder =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("gomme") });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            dispatches.iter().for_each(|dispatch| dispatch.record(&mut pass));
        }
        self.gpu.queue().submit([encoder.finish()]);
    }

    /// Whether tokens that nobody has grouped yet are better grouped on the device. Never on a software adapter: there the
    /// sort's barriers cost more than everything else.
    pub fn groups_better_itself(&self, seq_len: usize, vocab_size: u32) -> bool {
        let grouping = GROUP_ON_GPU_FROM..=MOST_GROUPED_ON_GPU;
        !self.gpu.facts().software && grouping.contains(&seq_len) && vocab_size <= MOST_ROWS_ON_GPU
    }

    fn send_upload(&self, upload: Upload) -> Sent {
        upload.send(self.gpu.pool(), self.gpu.device(), self.gpu.queue())
    }

    /// A buffer with the values of a JavaScript array, copied before this returns.
    pub fn send(&self, values: &Float32Array) -> Lease {
        let bytes = u64::from(values.length()) * 4;
        if bytes <= MOST_MAPPED_BYTES {
            let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("gomme grad_out"),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: true,
            });
            // The mapped range as JavaScript sees it: one copy, none in wasm memory.
            let written = buffer.get_mapped_range(..).map(|view| {
                let source =
                    Uint8Array::new_with_byte_offset_and_length(&values.buffer(), values.byte_offset(), bytes as u32);
                view.as_uint8array().set(&source, 0);
            });
            buffer.unmap();
            if written.is_ok() {
                return self.gpu.pool().once(buffer);
            }
            buffer.destroy();
        }
        let lease = self.gpu.storage("gomme grad_out", bytes);
        let mut first = 0;
        while first < values.length() {
            let last = values.length().min(first + WRITE_CHUNK);
            let chunk = values.subarray(first, last).to_vec();
            self.gpu.queue().write_buffer(lease.buffer(), u64::from(first) * 4, floats_as_bytes(&chunk));
            first = last;
        }
        lease
    }

    /// A lookup of these tokens from a table on this device.
    ///
    /// # Errors
    /// `limit-exceeded`; `invalid-argument` for a kernel that this device cannot run.
    pub fn lookup_call(
        &self,
        tokens: &[u32],
        table: &Rc<Lease>,
        (vocab_size, d_model): (u32, u32),
        kernel: LookupKernel,
    ) -> Result<LookupCall> {
        if kernel == LookupKernel::W16Native && !self.gpu.facts().shader_f16 {
            return Err(Error::InvalidArgument(
                "This device has no shader-f16, which w16_native needs; w16_packed reads the same table here."
                    .to_owned(),
            ));
        }
        let elements = tokens.len() as u32 * d_model;
        self.gpu.check_size("The N·D array of this call", u64::from(elements) * 4)?;
        let mut upload = Upload::default();
        let dims = upload.dims(Dims { count: tokens.len() as u32, d_model, vocab_size, spare: 0 });
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);
        let out = self.gpu.storage("gomme out", u64::from(elements) * 4);
        let cells = u64::from(vocab_size) * u64::from(d_model);
        let table_bytes = match kernel.precision() {
            Precision::F32 => cells * 4,
            Precision::F16 => cells.div_ceil(2) * 4,
        };
        let parts = [sent.part(ids), table.part(table_bytes), out.part(u64::from(elements) * 4), sent.part(dims)];
        let lanes = d_model / LaneWidth::of(d_model).columns();
        let grid = match kernel {
            LookupKernel::Fast => abi::fast_grid(lanes, tokens.len() as u32),
            LookupKernel::W16Fast => abi::fast_w16_grid(lanes, tokens.len() as u32),
            _ => abi::flat_grid(elements),
        };
        let dispatch = self.gpu.dispatch(kernel.abi(), d_model, &parts, grid);
        Ok(LookupCall { dispatch, out, _inputs: (sent, Rc::clone(table)) })
    }

    /// The sorted gradient of a plan.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn sorted_call(&self, groups: &Groups, plan: &Plan, grad_out: Part<'_>, d_model: u32) -> Result<GradientCall> {
        let used_rows = groups.rows.len() as u64;
        let grad_bytes = (used_rows + u64::from(plan.partial_rows)) * u64::from(d_model) * 4;
        self.gpu.check_size("The gradient of the used rows", grad_bytes)?;
        let mut upload = Upload::default();
        let mut first = 0;
        let mut dims = Vec::new();
        for &count in &plan.levels {
            dims.push(upload.dims(Dims { count, d_model: first, ..Dims::default() }));
            first += count;
        }
        let order = upload.section(&groups.order);
        let pieces = upload.structs(&plan.pieces);
        self.gpu.check_size("The positions and pieces of this call", upload.bytes())?;
        let sent = self.send_upload(upload);

        let grad_bytes = grad_bytes.max(16);
        let skip_words = (groups.rows.len() * ROW_SKIP_WORDS).max(ROW_SKIP_WORDS);
        let grad = self.gpu.storage("gomme grad", grad_bytes);
        let counts = self.gpu.storage("gomme skips", skip_words as u64 * 4);
        self.gpu.queue().write_buffer(counts.buffer(), 0, bytes_of(&vec![0; skip_words]));

        let lanes = d_model / LaneWidth::of(d_model).columns();
        let dispatches = (0..)
            .zip(plan.levels.iter().zip(&dims))
            .filter(|(_, (count, _))| **count > 0)
            .map(|(level, (&count, &dims))| {
                let grad = grad.part(grad_bytes);
                if level == 0 {
                    let grid = abi::pieces_grid(&abi::SUM_PIECES, lanes, count);
                    let skips = counts.part(skip_words as u64 * 4);
                    let parts = [sent.part(order), grad_out, grad, sent.part(dims), sent.part(pieces), skips];
                    self.gpu.dispatch(&abi::SUM_PIECES, d_model, &parts, grid)
                } else {
                    let grid = abi::pieces_grid(&abi::SUM_PARTIALS, lanes, count);
                    self.gpu.dispatch(&abi::SUM_PARTIALS, d_model, &[grad, sent.part(dims), sent.part(pieces)], grid)
                }
            })
            .collect();
        Ok(GradientCall { dispatches, grad, counts, _inputs: sent, _scratch: Vec::new() })
    }

    /// The sorted gradient from token ids alone: grouped on the device, so that the host need not know the used rows.
    /// The same sums in the same order as [`Self::sorted_call`]; its `grad` has the used rows in front.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn grouped_call(
        &self,
        tokens: &[u32],
        vocab_size: u32,
        grad_out: Part<'_>,
        d_model: u32,
    ) -> Result<GradientCall> {
        let seq_len = tokens.len() as u32;
        let length = piece_length(tokens.len());
        // Bounds that hold for any tokens: rows, pieces and partial rows of each level.
        let most_rows = seq_len.min(vocab_size);
        let full = seq_len / length;
        let most = [most_rows + full, full + full / FAN_IN + 1, full / FAN_IN + 1];
        // One row may have all positions, and its last piece need not be full.
        let levels = match seq_len.div_ceil(length) {
            0..=1 => 1,
            2..=FAN_IN => 2,
            _ => abi::MOST_LEVELS,
        };
        let most_tokens = length * FAN_IN.pow(abi::MOST_LEVELS as u32 - 1);
        if seq_len > most_tokens {
            return Err(Error::LimitExceeded(format!(
                "Grouping on the device takes up to {most_tokens} tokens, but these are {seq_len}. Take \"sorted\" instead."
            )));
        }
        let partial = [most_rows, most_rows + 2 * full + 2, 0];
        let rows_in_all = u64::from(partial[1]) + 2 * u64::from(full / FAN_IN) + 2;
        let grad_bytes = rows_in_all * u64::from(d_model) * 4;
        self.gpu.check_size("The gradient of the used rows", grad_bytes)?;
        self.gpu.check_size(
            "Grouping on the device, two words for each row of the vocabulary,",
            u64::from(vocab_size) * 8,
        )?;

        let blocks = seq_len.div_ceil(abi::SORT_BLOCK);
        let rounds = (u32::BITS - vocab_size.leading_zeros()).div_ceil(abi::SORT_BITS).max(1);
        let mut upload = Upload::default();
        let round_dims: Vec<_> = (0..rounds)
            .map(|round| {
                let shift = round * abi::SORT_BITS;
                upload.dims(Dims { count: seq_len, d_model: vocab_size, vocab_size: shift, spare: blocks })
            })
            .collect();
        let rows_dims = upload.dims(Dims { count: seq_len, d_model: vocab_size, vocab_size: length, spare: FAN_IN });
        // Every place of the first level is looked at: full pieces stand in front, the others behind a gap.
        let first_level = upload.dims(Dims { count: most[0], ..Dims::default() });
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);

        let words = |label: &str, count: u64| self.gpu.storage(label, count * 4);
        let n = u64::from(seq_len);
        let sorted =
            [[words("gomme keys", n), words("gomme places", n)], [words("gomme keys", n), words("gomme places", n)]];
        let counts = words("gomme digit counts", u64::from(abi::SORT_DIGITS * blocks));
        let totals = words("gomme digit totals", u64::from(abi::SORT_DIGITS));
        let spans = words("gomme spans", u64::from(vocab_size) * 2);
        let used_rows = words("gomme used rows", u64::from(vocab_size.div_ceil(abi::EMIT_ROWS)));
        let pieces = words("gomme pieces", most.iter().map(|&count| u64::from(count)).sum::<u64>() * 4);
        let skips = words("gomme skips", u64::from(most_rows) * ROW_SKIP_WORDS as u64);
        let rows = words("gomme rows", u64::from(most_rows) * 2);
        let grad = self.gpu.storage("gomme grad", grad_bytes);
        let control_usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let control_bytes = (abi::LEVEL_WORDS * abi::MOST_LEVELS * 4) as u64;
        let control = self.gpu.pool().lease(self.gpu.device(), "gomme levels", control_bytes, control_usage);
        let mut control_words = vec![0; abi::LEVEL_WORDS * abi::MOST_LEVELS];
        let mut first = 0;
        for (level, &count) in most.iter().enumerate() {
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_FIRST] = first;
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_PARTIAL] = partial[level];
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_FIRST_SHORT] = full;
            first += count;
        }
        self.gpu.queue().write_buffer(control.buffer(), 0, bytes_of(&control_words));

        let pieces_part = words_of(&pieces, most.iter().map(|&count| u64::from(count)).sum::<u64>() * 4);
        let counts_part = words_of(&counts, u64::from(abi::SORT_DIGITS * blocks));
        let totals_part = words_of(&totals, u64::from(abi::SORT_DIGITS));
        let spans_part = words_of(&spans, u64::from(vocab_size) * 2);
        let used_part = words_of(&used_rows, u64::from(vocab_size.div_ceil(abi::EMIT_ROWS)));
        let block_grid = abi::flat_grid(seq_len);
        let mut dispatches = Vec::new();
        let (mut keys, mut places) = (sent.part(ids), sent.part(ids));
        for (round, &dims) in round_dims.iter().enumerate() {
            let dims = sent.part(dims);
            let [next_keys, next_places] = &sorted[round % 2];
            let (next_keys, next_places) = (words_of(next_keys, n), words_of(next_places, n));
            dispatches.push(if round == 0 {
                let parts = [keys, dims, counts_part, spans_part, used_part, pieces_part];
                self.gpu.dispatch(&abi::SORT_COUNT_FIRST, 1, &parts, block_grid)
            } else {
                self.gpu.dispatch(&abi::SORT_COUNT, 1, &[keys, dims, counts_part], block_grid)
            });
            let scan = [dims, counts_part, totals_part];
            dispatches.push(self.gpu.dispatch(&abi::SORT_SCAN, 1, &scan, [abi::SORT_DIGITS, 1, 1]));
            let scatter = [keys, places, next_keys, dims, next_places, counts_part, totals_part];
            dispatches.push(self.gpu.dispatch(&abi::SORT_SCATTER, 1, &scatter, block_grid));
            (keys, places) = (next_keys, next_places);
        }
        let control_part = control.part(control_bytes);
        let rows_dims = sent.part(rows_dims);
        let skips_part = words_of(&skips, u64::from(most_rows) * ROW_SKIP_WORDS as u64);
        let find = [keys, spans_part, used_part, rows_dims, control_part];
        dispatches.push(self.gpu.dispatch(&abi::ROWS_FIND, 1, &find, block_grid));
        let rows_part = words_of(&rows, u64::from(most_rows) * 2);
        let emit = [spans_part, used_part, rows_dims, pieces_part, control_part, skips_part, rows_part];
        dispatches.push(self.gpu.dispatch(&abi::ROWS_EMIT, 1, &emit, abi::flat_grid(vocab_size)));

        let lanes = d_model / LaneWidth::of(d_model).columns();
        let grad_part = grad.part(grad_bytes);
        for (level, &count) in most.iter().enumerate().take(levels) {
            dispatches.push(if level == 0 {
                let grid = abi::pieces_grid(&abi::SUM_PIECES, lanes, count);
                let dims = sent.part(first_level);
                let parts = [places, grad_out, grad_part, dims, pieces_part, skips_part];
                self.gpu.dispatch(&abi::SUM_PIECES, d_model, &parts, grid)
            } else {
                let grid = abi::pieces_grid(&abi::SUM_PARTIALS, lanes, count);
                let offset = (level * abi::LEVEL_WORDS * 4) as u64;
                let dims = Part { buffer: control.buffer(), offset, bytes: size_of::<Dims>() as u64 };
                self.gpu.dispatch(&abi::SUM_PARTIALS, d_model, &[grad_part, dims, pieces_part], grid)
            });
        }
        let [[keys_a, places_a], [keys_b, places_b]] = sorted;
        let held = vec![keys_a, places_a, keys_b, places_b, counts, totals, spans, used_rows, pieces, rows, control];
        Ok(GradientCall { dispatches, grad, counts: skips, _inputs: sent, _scratch: held })
    }

    /// A gradient by one of the scattering kernels, its cells and counters zeroed first.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn scatter_call(
        &self,
        tokens: &[u32],
        groups: &Groups,
        grad_out: Part<'_>,
        d_model: u32,
        kernel: GradientKernel,
    ) -> Result<GradientCall> {
        let used_rows = groups.rows.len() as u32;
        let cells = used_rows * d_model;
        let count_words = (used_rows + 1) * ROW_COUNT_WORDS as u32;
        self.gpu.check_size("The gradient of the used rows", u64::from(cells) * 4)?;
        let mut upload = Upload::default();
        // For a sparse result the vocabulary is the used rows: U of them, and U for every id outside.
        let dims = upload.dims(Dims { count: tokens.len() as u32, d_model, vocab_size: used_rows, spare: 0 });
        let clear_grad = upload.dims(Dims { count: cells, ..Dims::default() });
        let clear_counts = upload.dims(Dims { count: count_words, ..Dims::default() });
        let slots = upload.section(&groups.slots(tokens.len()));
        let sent = self.send_upload(upload);

        let grad_bytes = (u64::from(cells) * 4).max(16);
        let grad = self.gpu.storage("gomme grad", grad_bytes);
        let counts = self.gpu.storage("gomme counts", u64::from(count_words) * 4);
        let grad_part = grad.part(grad_bytes);
        let counts_part = counts.part(u64::from(count_words) * 4);

        let mut dispatches =
            vec![self.gpu.dispatch(&abi::FILL_ZERO, 1, &[grad_part, sent.part(clear_grad)], abi::flat_grid(cells))];
        let mut parts = vec![sent.part(slots), grad_out, grad_part, sent.part(dims)];
        let abi = match kernel {
            GradientKernel::Counted => {
                let clear = [counts_part, sent.part(clear_counts)];
                dispatches.push(self.gpu.dispatch(&abi::FILL_ZERO, 1, &clear, abi::flat_grid(count_words)));
                parts.push(counts_part);
                &abi::COUNTED
            }
            GradientKernel::Racy => &abi::RACY,
            GradientKernel::Plain | GradientKernel::Sorted | GradientKernel::SortedOnGpu => &abi::EMBED_BACKWARD,
        };
        let elements = tokens.len() as u32 * d_model;
        dispatches.push(self.gpu.dispatch(abi, 1, &parts, abi::flat_grid(elements)));
        Ok(GradientCall { dispatches, grad, counts, _inputs: sent, _scratch: Vec::new() })
    }
}

/// The first `count` words of a leased buffer, to be bound.
fn words_of(lease: &Lease, count: u64) -> Part<'_> {
    lease.part(count * 4)
}
