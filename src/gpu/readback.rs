//! Runs dispatches and brings buffers back: one submit, one map, and one copy from the mapped range into the
//! JavaScript array that the caller gets (none through wasm memory).

use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::browser::compute;
use crate::browser::futures::{Either, pause, race};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part};
use crate::gpu::device::{Gpu, OpenScope};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::prepare::Waiting;
use crate::gpu::scope::{Verdict, words};

/// What came back: one array of bytes per part asked for, each its own.
#[derive(Debug)]
pub struct Outputs {
    arrays: Vec<Uint8Array>,
    /// Time on the GPU from the first dispatch to the last; coarse where the browser rounds timestamps.
    pub microseconds: Option<f64>,
}

impl Outputs {
    /// Part `index` as f32.
    pub fn floats(&self, index: usize) -> Float32Array {
        Float32Array::new(&self.arrays[index].buffer())
    }

    /// Part `index` as words in wasm memory, for what the host works on.
    pub fn words(&mut self, index: usize) -> Vec<u32> {
        let bytes = self.arrays[index].to_vec();
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }
}

/// A graphics card answers short calls sooner than a timeout ends; a software adapter needs the processor for itself.
const EAGER_MILLISECONDS: f64 = 2.0;
/// Bytes of one timestamp query.
const STAMP: u64 = 8;

/// A call that was submitted: its buffers may go back to their pool once [`Pending::finish`] returns.
#[derive(Debug)]
#[must_use]
pub struct Pending<'a> {
    gpu: &'a Gpu,
    staging: Lease,
    /// Where each part lies in the staging buffer: offset and length in bytes.
    parts: Vec<(u64, u64)>,
    stamps: Option<u64>,
    mapped: JsFuture,
    verdict: Option<Verdict>,
    finished: bool,
    _waiting: Waiting,
    _stamps: Option<Lease>,
    queries: Option<JsValue>,
}

/// Submits `steps` in order, in one pass, and asks for `parts` back, in one map; `scope` was opened before anything of this
/// call was made, and is closed here.
///
/// # Errors
/// `device-lost`; `limit-exceeded` where no buffer can hold the parts.
pub fn start<'a>(gpu: &'a Gpu, scope: OpenScope<'_>, steps: &[&Dispatch], parts: &[Part<'_>]) -> Result<Pending<'a>> {
    if let Some(error) = gpu.loss() {
        return Err(error);
    }
    let payload: u64 = parts.iter().map(|part| part.bytes.next_multiple_of(8)).sum();
    let total = payload + 2 * STAMP;
    gpu.check_buffer("Reading the result back", total)?;

    let queries = gpu.queries();
    let staging = gpu.lease("gomme readback", total, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let resolve = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
    let stamps = queries.as_ref().map(|_| gpu.lease("gomme timestamps", 2 * STAMP, resolve));

    compute::begin_commands(gpu.handle());
    compute::begin_pass(None, queries.as_ref().unwrap_or(&JsValue::UNDEFINED), 0);
    steps.iter().for_each(|step| step.record());
    let mut offset = 0;
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        places.push((offset, part.bytes));
        if part.bytes > 0 {
            compute::copy(part.handle(), part.offset as f64, staging.handle(), offset as f64, part.bytes as f64);
            offset += part.bytes.next_multiple_of(8);
        }
    }
    if let (Some(queries), Some(stamps)) = (&queries, &stamps) {
        compute::resolve(queries, 2, stamps.handle());
        compute::copy(stamps.handle(), 0.0, staging.handle(), payload as f64, (2 * STAMP) as f64);
    }
    compute::submit(gpu.js_queue());
    let eager = if gpu.facts().software { 0.0 } else { EAGER_MILLISECONDS };
    let mapped = compute::map(gpu.js_queue(), staging.handle(), total as f64, eager);
    Ok(Pending {
        gpu,
        staging,
        parts: places,
        stamps: queries.is_some().then_some(payload),
        mapped: JsFuture::from(mapped),
        verdict: Some(scope.close()),
        finished: false,
        _waiting: gpu.idle().mark_waiting(),
        _stamps: stamps,
        queries,
    })
}

/// [`start`] and [`Pending::finish`] in one, for dispatches that were made before.
///
/// # Errors
/// As those.
pub async fn run(gpu: &Gpu, steps: &[&Dispatch], parts: &[Part<'_>]) -> Result<Outputs> {
    start(gpu, gpu.open(), steps, parts)?.finish().await
}

impl Pending<'_> {
    /// The parts, once they are there and the browser has refused nothing.
    ///
    /// # Errors
    /// `gpu-error`, `limit-exceeded` when the device has no memory for it, `device-lost`.
    pub async fn finish(mut self) -> Result<Outputs> {
        let outcome = self.wait().await.and_then(|()| self.copy_out());
        self.finished = outcome.is_ok();
        if self.finished {
            self.staging.handle().inspect(|buffer| buffer.unmap());
            if let Some(queries) = self.queries.take() {
                self.gpu.give_back_queries(queries);
            }
        }
        outcome
    }

    async fn wait(&mut self) -> Result<()> {
        let mapped = match race(&mut self.mapped, self.gpu.lost()).await {
            Either::Left(mapped) => mapped.is_ok_and(|mapped| mapped.is_truthy()),
            Either::Right(error) => return Err(error),
        };
        if let Some(verdict) = self.verdict.take() {
            self.gpu.judge(verdict).await?;
        }
        if mapped {
            return Ok(());
        }
        // A map fails when the device is lost, and the news of that may come a moment later.
        match race(self.gpu.lost(), pause(500)).await {
            Either::Left(error) => Err(error),
            Either::Right(()) => Err(Error::GpuError(
                "The browser could not map the result of this call, and does not say why. Call again.".to_owned(),
            )),
        }
    }

    fn copy_out(&self) -> Result<Outputs> {
        let unreadable = |error: JsValue| {
            Error::GpuError(format!("The result of this call could not be read ({}). Call again.", words(&error)))
        };
        let staging = self.staging.handle().ok_or(JsValue::UNDEFINED).map_err(unreadable)?;
        let bytes = |offset: u64, length: u64| {
            let range = staging.get_mapped_part(offset as f64, length as f64).map_err(unreadable)?;
            // `slice` copies out of the mapped range, which is gone after `unmap`.
            let bytes = Uint8Array::new(&range).slice(0, length as u32);
            if u64::from(bytes.length()) == length { Ok(bytes) } else { Err(unreadable("it came short".into())) }
        };
        let mut arrays = Vec::with_capacity(self.parts.len());
        for &(offset, length) in &self.parts {
            arrays.push(if length == 0 { Uint8Array::new_with_length(0) } else { bytes(offset, length)? });
        }
        let microseconds = match self.stamps {
            Some(offset) => elapsed(&bytes(offset, 2 * STAMP)?.to_vec()),
            None => None,
        };
        Ok(Outputs { arrays, microseconds })
    }
}

impl Drop for Pending<'_> {
    /// After a failure, or where a call was given up, nobody knows whether the buffer is mapped.
    fn drop(&mut self) {
        if !self.finished {
            self.staging.discard();
        }
    }
}

/// Microseconds between two timestamps in nanoseconds; none where they can't be true: in no order, hours apart, or no time at
/// all, as browsers give that round them coarsely and drivers that forget them.
pub fn microseconds(start: u64, end: u64) -> Option<f64> {
    const HOUR: u64 = 3_600_000_000_000;
    end.checked_sub(start).filter(|nanoseconds| (1..HOUR).contains(nanoseconds)).map(|time| time as f64 / 1_000.0)
}

fn elapsed(bytes: &[u8]) -> Option<f64> {
    let stamp = |at: usize| bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
    microseconds(stamp(0)?, stamp(8)?)
}
