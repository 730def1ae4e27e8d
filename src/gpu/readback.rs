//! Runs dispatches and brings buffers back: one submit, one map, and one copy from the mapped range into the
//! JavaScript array that the caller gets (none through wasm memory).

use core::convert::Infallible;

use js_sys::{Float32Array, Uint8Array};

use crate::browser::futures::{Either, Signal, now, pause, race};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;

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

/// Bytes of one timestamp query.
const STAMP: u64 = 8;
/// Allocations from this size on are watched for the device running out of memory.
const WATCHED_BYTES: u64 = 32 << 20;

/// Runs `steps` in order, in one pass, and reads `parts` back. The buffers that the steps use may go back to their
/// pool when this returns.
///
/// # Errors
/// `device-lost`, and `limit-exceeded` when the device has no memory for it.
pub async fn run(gpu: &Gpu, steps: &[&Dispatch], parts: &[Part<'_>]) -> Result<Outputs> {
    if gpu.is_lost() {
        return Err(gpu.lost().await);
    }
    let device = gpu.device();
    let payload: u64 = parts.iter().map(|part| part.bytes.next_multiple_of(8)).sum();
    let total = payload + 2 * STAMP;
    gpu.check_size("Reading the result back", total)?;

    let scope = (total >= WATCHED_BYTES).then(|| device.push_error_scope(wgpu::ErrorFilter::OutOfMemory));
    let queries = gpu.queries();
    let mut staging =
        gpu.pool().lease(device, "gomme readback", total, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let stamps = gpu.pool().lease(
        device,
        "gomme timestamps",
        2 * STAMP,
        wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
    );

    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("gomme call") });
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("gomme call"),
            timestamp_writes: queries.as_ref().map(|query_set| wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            }),
        });
        steps.iter().for_each(|step| step.record(&mut pass));
    }
    let mut offset = 0;
    for part in parts.iter().filter(|part| part.bytes > 0) {
        encoder.copy_buffer_to_buffer(part.buffer, part.offset, staging.buffer(), offset, part.bytes);
        offset += part.bytes.next_multiple_of(8);
    }
    if let Some(queries) = &queries {
        encoder.resolve_query_set(queries, 0..2, stamps.buffer(), 0);
        encoder.copy_buffer_to_buffer(stamps.buffer(), 0, staging.buffer(), payload, 2 * STAMP);
    }
    gpu.queue().submit([encoder.finish()]);

    let mapped = map(&staging, total);
    let out_of_memory = scope.map(wgpu::ErrorScopeGuard::pop);
    let outcome = finish(gpu, mapped, out_of_memory, total).await;
    if let Some(queries) = queries.filter(|_| outcome.is_ok()) {
        gpu.give_back_queries(queries);
    }
    if let Err(error) = outcome {
        staging.spoil();
        return Err(error);
    }
    let outputs = copy_out(&staging, parts, payload, gpu.facts().timestamps);
    staging.buffer().unmap();
    outputs.map_err(|error| {
        staging.spoil();
        Error::DeviceLost(format!("The result could not be read back ({error}). Call again."))
    })
}

/// Starts mapping; the signal tells whether it worked.
fn map(staging: &Lease, bytes: u64) -> Signal<bool> {
    let signal = Signal::default();
    let set = signal.clone();
    staging.buffer().slice(..bytes).map_async(wgpu::MapMode::Read, move |result| set.set(result.is_ok()));
    signal
}

/// Submits nothing, again and again, for as long as somebody waits. Firefox looks only every 50 to 100 ms whether a map
/// is done, and at every submission; with this an idle wait takes 0 to 4 ms there. Elsewhere it costs next to nothing.
async fn keep_awake(gpu: &Gpu) -> Infallible {
    let start = now();
    loop {
        gpu.queue().submit([]);
        // Long waits are looked at less often: the answer then comes at most an eighth later.
        pause(((now() - start) / 8.0) as i32).await;
    }
}

async fn finish(
    gpu: &Gpu,
    mapped: Signal<bool>,
    out_of_memory: Option<impl Future<Output = Option<wgpu::Error>>>,
    bytes: u64,
) -> Result<()> {
    let mapped = match race(race(mapped.wait(), gpu.lost()), keep_awake(gpu)).await {
        Either::Left(Either::Left(mapped)) => mapped,
        Either::Left(Either::Right(error)) => return Err(error),
    };
    if let Some(out_of_memory) = out_of_memory
        && out_of_memory.await.is_some()
    {
        return Err(Error::LimitExceeded(format!(
            "The device ran out of memory: this call wanted {bytes} bytes for its result alone, and the limit of \
             {} bytes for one buffer is no promise. Give fewer tokens at a time.",
            gpu.facts().max_buffer
        )));
    }
    if mapped {
        return Ok(());
    }
    // A map fails when the device is lost, and the news of that may come a moment later.
    match race(gpu.lost(), pause(500)).await {
        Either::Left(error) => Err(error),
        Either::Right(()) => Err(Error::DeviceLost(
            "The GPU gave no result, though the browser does not say that the device was lost. Call again.".to_owned(),
        )),
    }
}

fn copy_out(
    staging: &Lease,
    parts: &[Part<'_>],
    payload: u64,
    stamped: bool,
) -> core::result::Result<Outputs, wgpu::MapRangeError> {
    let mut arrays = Vec::with_capacity(parts.len());
    let mut offset = 0;
    for part in parts {
        if part.bytes == 0 {
            arrays.push(Uint8Array::new_with_length(0));
            continue;
        }
        let view = staging.buffer().get_mapped_range(offset..offset + part.bytes)?;
        // `slice` copies out of the mapped range, which is gone after `unmap`.
        arrays.push(view.as_uint8array().slice(0, part.bytes as u32));
        offset += part.bytes.next_multiple_of(8);
    }
    let microseconds = if stamped {
        let view = staging.buffer().get_mapped_range(payload..payload + 2 * STAMP)?;
        let bytes = view.as_uint8array().to_vec();
        elapsed(&bytes)
    } else {
        None
    };
    Ok(Outputs { arrays, microseconds })
}

/// Microseconds between two timestamps in nanoseconds; none where the device put them in no order.
fn elapsed(bytes: &[u8]) -> Option<f64> {
    let stamp = |at: usize| bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
    let (start, end) = (stamp(0)?, stamp(8)?);
    (end >= start).then(|| (end - start) as f64 / 1_000.0)
}
