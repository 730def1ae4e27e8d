//! How a device adds floats: a kernel tries it.

use crate::abi;
use crate::error::Result;
use crate::gpu::device::{Adds, Gpu};
use crate::gpu::readback;

/// Runs the kernel of `probe.wgsl`.
///
/// # Errors
/// `gpu-error`, `limit-exceeded`, `device-lost`.
pub async fn probe(gpu: &Gpu) -> Result<Adds> {
    // Each pair with its sum rounded to nearest, ties to even; the last one is a sum of subnormals.
    let ulp = f32::EPSILON;
    let operands: [(f32, f32, f32); 7] = [
        (1.0, ulp / 2.0, 1.0),
        (1.0 + ulp, ulp / 2.0, 1.0 + 2.0 * ulp),
        (1.0, ulp * 0.75, 1.0 + ulp),
        (-1.0, ulp * -0.75, -1.0 - ulp),
        (-1.0, ulp / -4.0, -1.0),
        (16_777_216.0, 1.0, 16_777_216.0),
        (f32::MIN_POSITIVE / 2.0, f32::MIN_POSITIVE / 4.0, f32::MIN_POSITIVE * 0.75),
    ];
    let bytes = size_of_val(&operands) as u64;
    let scope = gpu.open();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let inputs = gpu.lease("gomme probe", bytes, usage);
    let words: Vec<u32> = operands.iter().flat_map(|&(a, b, _)| [a.to_bits(), b.to_bits()]).collect();
    gpu.write(inputs.buffer(), 0, bytemuck::must_cast_slice(&words));
    let sums = gpu.storage("gomme probe sums", operands.len() as u64 * 4);
    let probe = gpu.dispatch(
        &abi::PROBE,
        1,
        &[(1, inputs.part(words.len() as u64 * 4)), (2, sums.part(operands.len() as u64 * 4))],
        [1, 1, 1],
    );
    let mut outputs = readback::start(gpu, scope, &[&probe], &[sums.part(operands.len() as u64 * 4)])?.finish().await?;
    let found = outputs.words(0);
    let rounded = operands.iter().zip(&found).take(operands.len() - 1);
    Ok(Adds {
        rounds_to_nearest_even: rounded.into_iter().all(|(&(_, _, sum), &bits)| sum.to_bits() == bits),
        flushes_subnormals: found.last().is_none_or(|&bits| bits == 0),
    })
}
