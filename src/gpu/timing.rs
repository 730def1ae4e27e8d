//! Times dispatches on the device: by timestamps, or by the wall clock around one wait for all samples.
//!
//! An idle GPU lowers its clock, browsers round timestamps, and Firefox answers a wait only every 50 to 100 ms. So a
//! sample repeats the kernel until it is long enough, each sample is one submission with the warm-up in front of it,
//! and all samples are waited for together. A time that can't be true is dropped, never shown.

use wasm_bindgen::JsValue;

use crate::browser::compute;
use crate::browser::futures::{now, pause};
use crate::browser::reflect;
use crate::error::Result;
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::readback::{self, microseconds};

/// How to time.
#[derive(Debug, Clone, Copy)]
pub struct TimeOptions {
    pub min_milliseconds: f64,
    pub samples: u32,
    pub warm_milliseconds: f64,
    /// Leave timestamps aside: the method that every other library must be measured by.
    pub wall_clock: bool,
}

/// Times of one run of the dispatches, in microseconds.
#[derive(Debug)]
pub struct Sampled {
    pub samples: Vec<f64>,
    pub repeats: u32,
    /// By timestamps, or else by the wall clock.
    pub stamped: bool,
    /// The page was hidden meanwhile, where a browser slows its timers down: a wall clock then says little.
    pub hidden: bool,
}

/// Runs of the dispatches in one sample, at most, so that a browser need not record hundreds of thousands of them.
const MAX_REPEATS: f64 = 4_096.0;
/// How often a measurement by the wall clock begins again because the page was hidden.
const HIDDEN_TRIES: u32 = 3;

/// Runs the dispatches for the samples wanted. Two short runs first tell how often they must be repeated.
///
/// # Errors
/// `gpu-error`, `limit-exceeded`, `device-lost`.
pub async fn sample(gpu: &Gpu, dispatches: &[&Dispatch], options: TimeOptions) -> Result<Sampled> {
    let run = |samples, repeats, warm| run_visible(gpu, dispatches, Run { samples, repeats, warm }, options.wall_clock);
    let first = run(1, 1, 0).await?;
    // The first run pays for compilers and cold caches; the second is nearer to the truth.
    let second = run(1, 4, 1).await?;
    let once = second.samples[0].min(first.samples[0]).max(1.0);
    let repeats = |milliseconds: f64| (milliseconds * 1_000.0 / once).ceil().clamp(1.0, MAX_REPEATS) as u32;
    let warm = if options.warm_milliseconds > 0.0 { repeats(options.warm_milliseconds) } else { 0 };
    run(options.samples, repeats(options.min_milliseconds), warm).await
}

/// So many samples of so many runs, with some runs before each that are not timed by timestamps.
#[derive(Debug, Clone, Copy)]
struct Run {
    samples: u32,
    repeats: u32,
    warm: u32,
}

/// A run, begun again where it was timed by the wall clock while the page was hidden.
async fn run_visible(gpu: &Gpu, dispatches: &[&Dispatch], run: Run, wall_clock: bool) -> Result<Sampled> {
    let mut tries = 1;
    loop {
        let sampled = run_samples(gpu, dispatches, run, wall_clock).await?;
        if sampled.stamped || !sampled.hidden || tries == HIDDEN_TRIES || is_hidden() {
            return Ok(sampled);
        }
        tries += 1;
    }
}

/// Whether the page can't be seen. A worker knows nothing of that, and its timers run on.
fn is_hidden() -> bool {
    reflect::is_truthy(&reflect::get(&js_sys::global(), "document"), "hidden")
}

async fn run_samples(gpu: &Gpu, dispatches: &[&Dispatch], run: Run, wall_clock: bool) -> Result<Sampled> {
    if let Some(error) = gpu.loss() {
        return Err(error);
    }
    let Run { samples, repeats, warm } = run;
    let scope = gpu.open();
    let device = gpu.handle();
    let queries = (gpu.facts().timestamps && !wall_clock).then(|| compute::make_timestamps(device, samples * 2));
    let bytes = u64::from(samples) * 16;
    let resolve = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
    let stamps = queries.as_ref().map(|_| gpu.lease("gomme samples", bytes, resolve));
    let mut verdicts = vec![scope.close()];
    let mut hidden = is_hidden();
    let start = now();
    for sample in 0..samples {
        let scope = gpu.open();
        compute::begin_commands(device);
        let record = || dispatches.iter().for_each(|dispatch| dispatch.record());
        if warm > 0 {
            compute::begin_pass(None, &JsValue::UNDEFINED, 0);
            (0..warm).for_each(|_| record());
        }
        compute::begin_pass(Some("gomme sample"), queries.as_ref().unwrap_or(&JsValue::UNDEFINED), sample * 2);
        (0..repeats).for_each(|_| record());
        compute::submit(gpu.js_queue());
        verdicts.push(scope.close());
        // Recording thousands of dispatches is work too: let the page have its turn between samples.
        if sample + 1 < samples {
            pause(0).await;
            hidden |= is_hidden();
        }
    }
    let scope = gpu.open();
    if let (Some(queries), Some(stamps)) = (&queries, &stamps) {
        compute::begin_commands(device);
        compute::resolve(queries, samples * 2, stamps.handle());
        compute::submit(gpu.js_queue());
    }
    let parts: Vec<_> = stamps.iter().map(|stamps| stamps.part(bytes)).collect();
    let mut outputs = readback::start(gpu, scope, &[], &parts)?.finish().await?;
    // A coarse clock may not have moved at all, and no time is no figure.
    let elapsed = (now() - start).max(SHORTEST_MILLISECONDS);
    hidden |= is_hidden();
    gpu.settle(verdicts).await?;

    let words = if queries.is_some() { outputs.words(0) } else { Vec::new() };
    let stamp = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let stamped: Vec<f64> = words
        .chunks_exact(4)
        .filter_map(|pair| microseconds(stamp(pair[0], pair[1]), stamp(pair[2], pair[3])))
        .map(|time| time / f64::from(repeats))
        .collect();
    // Timestamps that can't be true say nothing; the wall clock, coarse as it is, says more.
    if !stamped.is_empty() {
        return Ok(Sampled { samples: stamped, repeats, stamped: true, hidden });
    }
    let wall = elapsed * 1_000.0 / (f64::from(samples) * f64::from(repeats + warm));
    Ok(Sampled { samples: vec![wall], repeats: repeats * samples, stamped: false, hidden })
}

/// The finest step of any browser's clock.
const SHORTEST_MILLISECONDS: f64 = 0.005;
