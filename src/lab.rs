//! The bench of the lesson: one kernel, run over and over on the device, timed, its results left there.
//!
//! An idle GPU lowers its clock, browsers round timestamps, and Firefox answers a wait only every 50 to 100 ms. So a
//! sample repeats the kernel until it is long enough, each sample is one submission with the warm-up in front of it,
//! and all samples are waited for together.

use std::rc::Rc;

use crate::abi::{self, ColumnBlock, Dims, NoiseParams, WriteParams};
use crate::browser::futures::{now, pause};
use crate::cpu::kernels as twin;
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Upload};
use crate::gpu::passes::{GradientCall, LookupCall};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback;
use crate::gpu::tables::OnDevice;
use crate::group::{Groups, Plan, segment_length};
use crate::options::{GradientKernel, LookupKernel};

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
    /// The kernels by the names that JavaScript gives them.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("embed_lookup", Self::Lookup(LookupKernel::Document)),
        ("fast", Self::Lookup(LookupKernel::Fast)),
        ("w16_packed", Self::Lookup(LookupKernel::W16Packed)),
        ("w16_native", Self::Lookup(LookupKernel::W16Native)),
        ("w16_fast", Self::Lookup(LookupKernel::W16Fast)),
        ("embed_backward", Self::Gradient(GradientKernel::Plain)),
        ("counted", Self::Gradient(GradientKernel::Counted)),
        ("sorted", Self::Gradient(GradientKernel::Sorted)),
        ("sorted_on_gpu", Self::Gradient(GradientKernel::SortedOnGpu)),
        ("racy", Self::Gradient(GradientKernel::Racy)),
        ("sorted_parts", Self::SortedParts),
        ("write_only", Self::WriteOnly),
    ];

    /// Whether it reads the table.
    pub fn needs_table(self) -> bool {
        matches!(self, Self::Lookup(_))
    }
}

/// How to time.
#[derive(Debug, Clone, Copy)]
pub struct TimeOptions {
    pub min_milliseconds: f64,
    pub samples: u32,
    pub warm_milliseconds: f64,
    /// Leave timestamps aside: the method that every other library must be measured by.
    pub wall_clock: bool,
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
}

/// Most runs of a kernel in one sample, so that a browser need not record hundreds of thousands of dispatches.
const MOST_REPEATS: f64 = 4_096.0;
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
    /// What one run repeats; a scatter's zeroing is left out, since it is no part of the kernel.
    fn dispatches(&self, kernel: Timed) -> Vec<&Dispatch> {
        match self {
            Self::Lookup(call) => vec![&call.dispatch],
            Self::Gradient(call, _) => match kernel {
                Timed::Gradient(GradientKernel::Sorted | GradientKernel::SortedOnGpu) | Timed::SortedParts => {
                    call.dispatches.iter().collect()
                }
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
    let bytes = floor_bytes(kernel, elements, used_rows, embedding.d_model());
    if elements == 0 {
        return Err(Error::InvalidArgument("There is nothing to time in an empty sequence.".to_owned()));
    }
    let Some(on_device) = embedding.on_device().await? else {
        return time_on_cpu(embedding, kernel, tokens, options, bytes, used_rows).await;
    };
    // Which of the two groupings is faster is no concern of whoever asks for the sorted gradient.
    let kernel = match kernel {
        Timed::Gradient(GradientKernel::Sorted)
            if on_device.groups_better_itself(tokens.len(), embedding.vocab_size()) =>
        {
            Timed::Gradient(GradientKernel::SortedOnGpu)
        }
        other => other,
    };
    let work = prepare(embedding, &on_device, kernel, tokens, &groups).await?;
    let dispatches = work.dispatches(kernel);
    let sampled = sample(&on_device, &dispatches, options).await?;

    let cpu_microseconds = if kernel == Timed::Gradient(GradientKernel::Sorted) {
        let stretch = (options.min_milliseconds * 20.0).clamp(20.0, 200.0);
        repeat_on_cpu(stretch, &mut || drop(Plan::new(&embedding.group(tokens), segment_length(tokens.len())))).await.0
    } else {
        0.0
    };
    let retries = match kernel {
        Timed::Gradient(GradientKernel::Plain | GradientKernel::Counted) => {
            Some(count_retries(embedding, &on_device, tokens, &groups).await?)
        }
        _ => None,
    };
    let samples: Vec<f64> = sampled.samples.iter().map(|&sample| sample + cpu_microseconds).collect();
    Ok(Timing {
        microseconds: median(&samples),
        samples,
        repeats: sampled.repeats,
        clock: sampled.clock,
        cpu_microseconds,
        bytes,
        used_rows,
        retries,
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

async fn prepare(
    embedding: &Embedding,
    on_device: &OnDevice,
    kernel: Timed,
    tokens: &[u32],
    groups: &Groups,
) -> Result<Work> {
    let gpu = on_device.gpu();
    let d_model = embedding.d_model();
    let elements = tokens.len() as u32 * d_model;
    let bytes = u64::from(elements) * 4;
    match kernel {
        Timed::Lookup(lookup) => {
            let table = on_device.table(embedding.table_for("lookups")?, lookup.precision()).await?;
            let shape = (embedding.vocab_size(), d_model);
            Ok(Work::Lookup(on_device.lookup_call(tokens, &table, shape, lookup)?))
        }
        Timed::WriteOnly => {
            let out = gpu.storage("gomme write only", bytes);
            let blocks = elements / ColumnBlock::of(d_model).columns();
            let mut upload = Upload::default();
            let params = upload.uniform(WriteParams { blocks });
            let sent = upload.send(gpu.pool(), gpu.device(), gpu.queue());
            let parts = [(2, out.part(bytes)), (3, sent.part(params))];
            let dispatch = gpu.dispatch(&abi::WRITE_ONLY, d_model, &parts, abi::write_only_grid(blocks));
            Ok(Work::Single(dispatch, out))
        }
        Timed::Gradient(_) | Timed::SortedParts => {
            let grad_out = noise(on_device, elements);
            let part = grad_out.part(bytes);
            let call = match kernel {
                Timed::Gradient(GradientKernel::SortedOnGpu) => {
                    on_device.grouped_call(tokens, embedding.vocab_size(), part, d_model)?
                }
                Timed::Gradient(scatter) if scatter != GradientKernel::Sorted => {
                    on_device.scatter_call(tokens, groups, part, d_model, scatter)?
                }
                _ => on_device.sorted_call(groups, &Plan::new(groups, segment_length(tokens.len())), part, d_model)?,
            };
            // Zeroed once; what is timed then adds to it again and again.
            on_device.submit(&call.dispatches.iter().collect::<Vec<_>>());
            Ok(Work::Gradient(call, grad_out))
        }
    }
}

/// A gradient of noise, made on the device.
fn noise(on_device: &OnDevice, elements: u32) -> Lease {
    let gpu = on_device.gpu();
    let cells = gpu.storage("gomme noise", u64::from(elements) * 4);
    let mut upload = Upload::default();
    let params = upload.uniform(NoiseParams { elements, seed: NOISE_SEED });
    let sent = upload.send(gpu.pool(), gpu.device(), gpu.queue());
    let parts = [(2, cells.part(u64::from(elements) * 4)), (3, sent.part(params))];
    on_device.submit(&[&gpu.dispatch(&abi::NOISE, 1, &parts, abi::flat_grid(elements))]);
    cells
}

/// Failed exchanges of one run of the counted kernel on noise.
async fn count_retries(embedding: &Embedding, on_device: &OnDevice, tokens: &[u32], groups: &Groups) -> Result<f64> {
    let elements = tokens.len() as u32 * embedding.d_model();
    let grad_out = noise(on_device, elements);
    let part = grad_out.part(u64::from(elements) * 4);
    let call = on_device.scatter_call(tokens, groups, part, embedding.d_model(), GradientKernel::Counted)?;
    let words = (groups.rows.len() as u64 + 1) * abi::ROW_COUNT_WORDS as u64;
    let dispatches: Vec<&Dispatch> = call.dispatches.iter().collect();
    let mut outputs = readback::run(on_device.gpu(), &dispatches, &[call.counts.part(words * 4)]).await?;
    Ok(outputs.words(0).chunks_exact(abi::ROW_COUNT_WORDS).map(|row| f64::from(row[3])).sum())
}

struct Sampled {
    samples: Vec<f64>,
    repeats: u32,
    clock: Clock,
}

/// Runs the dispatches for the samples wanted. One run first tells how often they must be repeated.
async fn sample(on_device: &OnDevice, dispatches: &[&Dispatch], options: TimeOptions) -> Result<Sampled> {
    let run = |samples, repeats, warm| run_samples(on_device, dispatches, samples, repeats, warm, options.wall_clock);
    let first = run(1, 1, 0).await?;
    // The first run pays for compilers and cold caches; the second is nearer to the truth.
    let second = run(1, 4, 1).await?;
    let once = second.samples[0].min(first.samples[0]).max(1.0);
    let repeats = |milliseconds: f64| (milliseconds * 1_000.0 / once).ceil().clamp(1.0, MOST_REPEATS) as u32;
    let warm = if options.warm_milliseconds > 0.0 { repeats(options.warm_milliseconds) } else { 0 };
    run(options.samples, repeats(options.min_milliseconds), warm).await
}

async fn run_samples(
    on_device: &OnDevice,
    dispatches: &[&Dispatch],
    samples: u32,
    repeats: u32,
    warm: u32,
    wall_clock: bool,
) -> Result<Sampled> {
    let gpu = on_device.gpu();
    let device = gpu.device();
    if gpu.is_lost() {
        return Err(gpu.lost().await);
    }
    let queries = (gpu.facts().timestamps && !wall_clock).then(|| {
        device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("gomme samples"),
            ty: wgpu::QueryType::Timestamp,
            count: samples * 2,
        })
    });
    let bytes = u64::from(samples) * 16;
    let stamps = gpu.pool().lease(
        device,
        "gomme samples",
        bytes,
        wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
    );
    let start = now();
    for sample in 0..samples {
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("gomme sample") });
        if warm > 0 {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            (0..warm).for_each(|_| dispatches.iter().for_each(|dispatch| dispatch.record(&mut pass)));
        }
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("gomme sample"),
                timestamp_writes: queries.as_ref().map(|query_set| wgpu::ComputePassTimestampWrites {
                    query_set,
                    beginning_of_pass_write_index: Some(sample * 2),
                    end_of_pass_write_index: Some(sample * 2 + 1),
                }),
            });
            (0..repeats).for_each(|_| dispatches.iter().for_each(|dispatch| dispatch.record(&mut pass)));
        }
        gpu.queue().submit([encoder.finish()]);
        // Recording thousands of dispatches is work too: let the page have its turn between samples.
        if sample + 1 < samples {
            pause(0).await;
        }
    }
    if let Some(queries) = &queries {
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("gomme samples") });
        encoder.resolve_query_set(queries, 0..samples * 2, stamps.buffer(), 0);
        gpu.queue().submit([encoder.finish()]);
    }
    let part = if queries.is_some() { stamps.part(bytes) } else { stamps.part(0) };
    let mut outputs = readback::run(gpu, &[], &[part]).await?;
    let wall = (now() - start) * 1_000.0 / f64::from(samples * (repeats + warm));
    let words = outputs.words(0);
    let stamp = |index: usize| u64::from(words[index * 2]) | u64::from(words[index * 2 + 1]) << 32;
    let stamped: Vec<f64> = if queries.is_some() {
        (0..samples as usize)
            .map(|sample| stamp(sample * 2 + 1).saturating_sub(stamp(sample * 2)) as f64 / 1_000.0 / f64::from(repeats))
            .collect()
    } else {
        Vec::new()
    };
    // Timestamps rounded to nothing say nothing; the wall clock, coarse as it is, says more.
    if stamped.iter().any(|&sample| sample > 0.0) {
        Ok(Sampled { samples: stamped, repeats, clock: Clock::Timestamp })
    } else {
        Ok(Sampled { samples: vec![wall], repeats: repeats * samples, clock: Clock::Wall })
    }
}

async fn time_on_cpu(
    embedding: &Embedding,
    kernel: Timed,
    tokens: &[u32],
    options: TimeOptions,
    bytes: f64,
    used_rows: u32,
) -> Result<Timing> {
    let width = embedding.d_model() as usize;
    let elements = tokens.len() * width;
    let mut samples = Vec::new();
    let mut repeats = 0;
    let mut grad_out = Vec::new();
    if matches!(kernel, Timed::Gradient(_) | Timed::SortedParts) {
        grad_out.resize(elements, 0.0);
        twin::noise(&mut grad_out, NoiseParams { elements: elements as u32, seed: NOISE_SEED });
    }
    let groups = embedding.group(tokens);
    let plan = Plan::new(&groups, segment_length(tokens.len()));
    let slots = groups.slots(tokens.len());
    let mut grad = vec![0.0f32; (groups.rows.len() + plan.partial_sums as usize) * width];
    let mut skips = vec![0; groups.rows.len() * abi::ROW_SKIP_WORDS];
    let mut counts = vec![0; (groups.rows.len() + 1) * abi::ROW_COUNT_WORDS];
    let mut out = vec![0.0f32; elements];
    let used = Dims { seq_len: tokens.len() as u32, d_model: width as u32, vocab_size: used_rows, spare: 0 };
    for _ in 0..options.samples {
        let (microseconds, runs) = match kernel {
            Timed::Lookup(lookup) => {
                embedding.lookup_by(&tokens[..1], lookup).await?; // makes the table, or says why not
                repeat_on_cpu(options.min_milliseconds, &mut || embedding.twin_lookup(tokens, &mut out, lookup)).await
            }
            Timed::WriteOnly => repeat_on_cpu(options.min_milliseconds, &mut || out.fill(1.0)).await,
            Timed::SortedParts => {
                let mut run = || plan.sum(&groups.order, &grad_out, &mut grad, &mut skips, width);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
            Timed::Gradient(GradientKernel::Sorted | GradientKernel::SortedOnGpu) => {
                let mut all = || {
                    let groups = embedding.group(tokens);
                    let plan = Plan::new(&groups, segment_length(tokens.len()));
                    plan.sum(&groups.order, &grad_out, &mut grad, &mut skips, width);
                };
                repeat_on_cpu(options.min_milliseconds, &mut all).await
            }
            Timed::Gradient(GradientKernel::Counted) => {
                let mut run = || twin::embed_backward_counted(&slots, &grad_out, &mut grad, &mut counts, used);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
            Timed::Gradient(GradientKernel::Plain | GradientKernel::Racy) => {
                let mut run = || twin::embed_backward(&slots, &grad_out, &mut grad, used);
                repeat_on_cpu(options.min_milliseconds, &mut run).await
            }
        };
        samples.push(microseconds);
        repeats = runs;
    }
    let retries = match kernel {
        Timed::Gradient(GradientKernel::Plain | GradientKernel::Counted) => Some(0.0), // one thread never fails
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
