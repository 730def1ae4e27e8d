//! The bench of the lesson: one kernel, run over and over, timed, its results left where they are.

use std::rc::Rc;

use crate::abi::{self, ColumnBlock, Dims, NoiseParams, WriteParams};
use crate::browser::futures::{now, pause};
use crate::cpu::{CpuBackend, kernels as twin, sum_plan};
use crate::embedding::{Embedding, Place};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Upload};
use crate::gpu::passes::{GradientCall, LookupCall};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback;
use crate::gpu::tables::OnDevice;
use crate::gpu::timing::{self, TimeOptions};
use crate::group::{BlockShape, Groups, Plan};
use crate::options::{GradientKernel, LookupKernel, Scatter};
use crate::policy::Grouping;
use crate::shape::Shape;

/// What can be timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timed {
    Lookup(LookupKernel),
    Gradient(GradientKernel),
    /// The sorted gradient's passes over tokens that are grouped already.
    SortedParts,
    /// Writing N·D elements, reading nothing.
    WriteOnly,
}

impl Timed {
    /// All that can be timed, by the names that JavaScript gives them.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        let lookups = LookupKernel::NAMES.iter().map(|&(name, kernel)| (name, Self::Lookup(kernel)));
        let gradients = GradientKernel::NAMES.iter().map(|&(name, kernel)| (name, Self::Gradient(kernel)));
        lookups.chain(gradients).chain([("sorted_parts", Self::SortedParts), ("write_only", Self::WriteOnly)])
    }

    /// Whether it reads the table.
    pub fn needs_table(self) -> bool {
        matches!(self, Self::Lookup(_))
    }
}

/// Where a time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    Timestamp,
    Wall,
    Cpu,
}

/// A finished timing; times of one run of the kernel in microseconds.
#[derive(Debug)]
pub struct Timing {
    pub microseconds: f64,
    pub samples: Vec<f64>,
    pub repeats: u32,
    pub clock: Clock,
    pub cpu_microseconds: f64,
    pub bytes: f64,
    pub used_rows: u32,
    pub retries: Option<f64>,
    /// The page was hidden while the wall clock ran.
    pub hidden: bool,
}

/// The CPU works this long at a stretch before the page gets its turn.
const STRETCH_MILLISECONDS: f64 = 12.0;
/// Seed of the noise gradient.
const NOISE_SEED: u32 = 0x9e37_79b9;

/// Something recorded that can be repeated, with everything it needs.
enum Work {
    Lookup(LookupCall),
    Gradient(GradientCall, #[expect(dead_code, reason = "held while the dispatches use it")] Lease),
    Single(Dispatch, #[expect(dead_code, reason = "held while the dispatch uses it")] Lease),
}

impl Work {
    /// What one run repeats; a scatter's zeroing is left out, since it is not part of the kernel.
    fn dispatches(&self, kernel: Timed) -> Vec<&Dispatch> {
        match self {
            Self::Lookup(call) => vec![&call.dispatch],
            Self::Gradient(call, _) => match kernel {
                Timed::Gradient(GradientKernel::Sorted(_)) | Timed::SortedParts => call.dispatches.iter().collect(),
                _ => call.dispatches.last().into_iter().collect(),
            },
            Self::Single(dispatch, _) => vec![dispatch],
        }
    }
}

/// Times one kernel on these tokens, gradients being noise made on the device.
///
/// # Errors
/// As the calls it times, and `invalid-argument` for a kernel that this device cannot run.
pub async fn time(embedding: &Rc<Embedding>, kernel: Timed, tokens: &[u32], options: TimeOptions) -> Result<Timing> {
    let elements = embedding.elements(tokens.len())?;
    let groups = embedding.group(tokens);
    let used_rows = groups.rows.len() as u32;
    let bytes = floor_bytes(kernel, elements, used_rows, embedding.shape().d_model);
    if elements == 0 {
        return Err(Error::InvalidArgument("There is nothing to time in an empty sequence.".to_owned()));
    }
    let on_device = match embedding.place().await? {
        Place::Gpu(on_device) => on_device,
        Place::Cpu(cpu) => return time_on_cpu(embedding, &cpu, kernel, tokens, options, bytes, used_rows).await,
    };
    let gpu = on_device.gpu();
    // Grouped where `embedGrad` would group the same tokens.
    let grouping = match kernel {
        Timed::Gradient(gradient) => embedding.grouping_for(&on_device, gradient, tokens.len()),
        _ => Grouping::Cpu,
    };
    let table = match kernel {
        Timed::Lookup(lookup) => Some(on_device.table(embedding.table_for("lookups")?, lookup.precision()).await?),
        _ => None,
    };
    let scope = gpu.open();
    let work = prepare(embedding, &on_device, kernel, grouping, tokens, &groups, table.as_ref())?;
    let verdict = scope.close();
    on_device.gpu().judge(verdict).await?;
    let sampled = timing::sample(gpu, &work.dispatches(kernel), options).await?;

    let cpu_microseconds = if matches!(kernel, Timed::Gradient(GradientKernel::Sorted(_))) && grouping == Grouping::Cpu
    {
        let stretch = (options.min_milliseconds * 20.0).clamp(20.0, 200.0);
        repeat_on_cpu(stretch, &mut || drop(Plan::new(&embedding.group(tokens), BlockShape::of(tokens.len())))).await.0
    } else {
        0.0
    };
    let retries = match kernel {
        Timed::Gradient(GradientKernel::Scatter(Scatter::Plain | Scatter::Counted)) => {
            Some(count_retries(embedding, &on_device, tokens, &groups).await?)
        }
        _ => None,
    };
    let samples: Vec<f64> = sampled.samples.iter().map(|&sample| sample + cpu_microseconds).collect();
    Ok(Timing {
        microseconds: median(&samples),
        samples,
        repeats: sampled.repeats,
        clock: if sampled.stamped { Clock::Timestamp } else { Clock::Wall },
        cpu_microseconds,
        bytes,
        used_rows,
        retries,
        hidden: sampled.hidden && !sampled.stamped,
    })
}

/// Bytes that the kernel must move at least: N·D written or read once, each used row once.
fn floor_bytes(kernel: Timed, elements: u32, used_rows: u32, d_model: u32) -> f64 {
    let row_bytes = match kernel {
        Timed::Lookup(LookupKernel::W16Packed | LookupKernel::W16Native | LookupKernel::W16Fast) => 2.0,
        Timed::WriteOnly => 0.0,
        _ => 4.0,
    };
    f64::from(elements) * 4.0 + f64::from(used_rows) * f64::from(d_model) * row_bytes
}

/// Makes the kernel's buffers and dispatches; to be called in an open scope.
fn prepare(
    embedding: &Embedding,
    on_device: &OnDevice,
    kernel: Timed,
    grouping: Grouping,
    tokens: &[u32],
    groups: &Groups,
    table: Option<&Rc<Lease>>,
) -> Result<Work> {
    let gpu = on_device.gpu();
    let Shape { vocab_size, d_model } = embedding.shape();
    let elements = tokens.len() as u32 * d_model;
    let bytes = u64::from(elements) * 4;
    let gradient = match (kernel, table) {
        (Timed::Lookup(lookup), Some(table)) => {
            return Ok(Work::Lookup(on_device.lookup_call(tokens, table, embedding.shape(), lookup)?));
        }
        (Timed::Gradient(gradient), _) => gradient,
        (Timed::SortedParts, _) => GradientKernel::Sorted(Some(Grouping::Cpu)),
        (Timed::WriteOnly | Timed::Lookup(_), _) => {
            let out = gpu.storage("gomme write only", bytes);
            let blocks = elements / ColumnBlock::of(d_model).columns();
            let mut upload = Upload::default();
            let params = upload.uniform(WriteParams { blocks });
            let sent = upload.send(gpu);
            let parts = [(2, out.part(bytes)), (3, sent.part(params))];
            let dispatch = gpu.dispatch(&abi::WRITE_ONLY, d_model, &parts, abi::write_only_grid(blocks));
            return Ok(Work::Single(dispatch, out));
        }
    };
    let grad_out = noise(on_device, elements);
    let part = grad_out.part(bytes);
    let call = match (gradient, grouping) {
        (GradientKernel::Scatter(scatter), _) => on_device.scatter_call(tokens, groups, part, d_model, scatter)?,
        (GradientKernel::Sorted(_), Grouping::Gpu) => on_device.grouped_call(tokens, vocab_size, part, d_model)?,
        (GradientKernel::Sorted(_), Grouping::Cpu) => {
            on_device.sorted_call(groups, &Plan::new(groups, BlockShape::of(tokens.len())), part, d_model)?
        }
    };
    // Zeroed once; what is timed then adds to it again and again.
    on_device.submit(&call.dispatches);
    Ok(Work::Gradient(call, grad_out))
}

/// A gradient of noise, made on the device.
fn noise(on_device: &OnDevice, elements: u32) -> Lease {
    let gpu = on_device.gpu();
    let cells = gpu.storage("gomme noise", u64::from(elements) * 4);
    let mut upload = Upload::default();
    let params = upload.uniform(NoiseParams { elements, seed: NOISE_SEED });
    let sent = upload.send(gpu);
    let parts = [(2, cells.part(u64::from(elements) * 4)), (3, sent.part(params))];
    on_device.submit(&[gpu.dispatch(&abi::NOISE, 1, &parts, abi::flat_grid(elements))]);
    cells
}

/// Failed exchanges of one run of the counted kernel on noise.
async fn count_retries(embedding: &Embedding, on_device: &OnDevice, tokens: &[u32], groups: &Groups) -> Result<f64> {
    let d_model = embedding.shape().d_model;
    let elements = tokens.len() as u32 * d_model;
    let gpu = on_device.gpu();
    let scope = gpu.open();
    let grad_out = noise(on_device, elements);
    let part = grad_out.part(u64::from(elements) * 4);
    let call = on_device.scatter_call(tokens, groups, part, d_model, Scatter::Counted)?;
    let words = (groups.rows.len() as u64 + 1) * abi::ROW_COUNT_WORDS as u64;
    let dispatches: Vec<&Dispatch> = call.dispatches.iter().collect();
    let mut outputs = readback::start(gpu, scope, &dispatches, &[call.counts.part(words * 4)])?.finish().await?;
    Ok(outputs.words(0).chunks_exact(abi::ROW_COUNT_WORDS).map(|row| f64::from(row[3])).sum())
}

async fn time_on_cpu(
    embedding: &Embedding,
    cpu: &CpuBackend,
    kernel: Timed,
    tokens: &[u32],
    options: TimeOptions,
    bytes: f64,
    used_rows: u32,
) -> Result<Timing> {
    let width = embedding.shape().width();
    let elements = tokens.len() * width;
    let mut samples = Vec::new();
    let mut repeats = 0;
    let mut grad_out = Vec::new();
    if matches!(kernel, Timed::Gradient(_) | Timed::SortedParts) {
        grad_out.resize(elements, 0.0);
        twin::noise(&mut grad_out, NoiseParams { elements: elements as u32, seed: NOISE_SEED });
    }
    let groups = embedding.group(tokens);
    let plan = Plan::new(&groups, BlockShape::of(tokens.len()));
    let slots = groups.slots(tokens.len());
    let mut grad = vec![0.0f32; (groups.rows.len() + plan.partial_sums as usize) * width];
    let mut skips = vec![0; groups.rows.len() * abi::ROW_SKIP_WORDS];
    let mut counts = vec![0; (groups.rows.len() + 1) * abi::ROW_COUNT_WORDS];
    let mut out = vec![0.0f32; elements];
    let used = Dims { seq_len: tokens.len() as u32, d_model: width as u32, vocab_size: used_rows, spare: 0 };
    for _ in 0..options.samples {
        let (microseconds, runs) = match kernel {
            Timed::Lookup(lookup) => {
                embedding.table_for("lookups")?;
                cpu.lookup(tokens, &mut out, lookup); // makes the table
                repeat_on_cpu(options.min_milliseconds, &mut || cpu.lookup(tokens, &mut out, lookup)).await
            }
            Timed::WriteOnly => repeat_on_cpu(options.min_milliseconds, &mut || out.fill(1.0)).await,
            Timed::SortedParts => {
                let mut run = || sum_plan(&plan, &groups.order, &grad_out, &mut grad, &mut skips, width);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
            Timed::Gradient(GradientKernel::Sorted(_)) => {
                let mut all = || {
                    let groups = embedding.group(tokens);
                    let plan = Plan::new(&groups, BlockShape::of(tokens.len()));
                    sum_plan(&plan, &groups.order, &grad_out, &mut grad, &mut skips, width);
                };
                repeat_on_cpu(options.min_milliseconds, &mut all).await
            }
            Timed::Gradient(GradientKernel::Scatter(Scatter::Counted)) => {
                let mut run = || twin::embed_backward_counted(&slots, &grad_out, &mut grad, &mut counts, used);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
            Timed::Gradient(GradientKernel::Scatter(Scatter::Plain | Scatter::Racy)) => {
                let mut run = || twin::embed_backward(&slots, &grad_out, &mut grad, used);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
        };
        samples.push(microseconds);
        repeats = runs;
    }
    let retries = match kernel {
        Timed::Gradient(GradientKernel::Scatter(Scatter::Plain | Scatter::Counted)) => Some(0.0), // one thread never fails
        _ => None,
    };
    Ok(Timing {
        microseconds: median(&samples),
        samples,
        repeats,
        clock: Clock::Cpu,
        cpu_microseconds: 0.0,
        bytes,
        used_rows,
        retries,
        hidden: false,
    })
}

/// Repeats some work on the CPU until it has taken this long, in short stretches with pauses for the page between
/// them; gives the mean time of one run in microseconds and the number of runs.
async fn repeat_on_cpu(milliseconds: f64, run: &mut dyn FnMut()) -> (f64, u32) {
    let mut spent = 0.0;
    let mut runs = 0u32;
    while spent < milliseconds {
        let start = now();
        let mut stretch = 0.0;
        while stretch < STRETCH_MILLISECONDS.min(milliseconds - spent) {
            run();
            runs += 1;
            stretch = now() - start;
        }
        spent += stretch;
        pause(0).await;
    }
    (spent * 1_000.0 / f64::from(runs.max(1)), runs)
}

fn median(samples: &[f64]) -> f64 {
    // Few samples: inserted in order one by one.
    let mut sorted: Vec<f64> = Vec::with_capacity(samples.len());
    for &sample in samples {
        sorted.insert(sorted.partition_point(|&other| other < sample), sample);
    }
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}
