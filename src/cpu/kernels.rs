//! The CPU twin of each kernel, one function each, written to be read beside its shader rather than as idiomatic Rust.
//!
//! The twins are the fallback where there is no GPU and, in f64, the oracle that the kernels are tested against.
//! `dims` and the names of the arguments are those of the WGSL.

use crate::abi::{Dims, NoiseParams, ROW_COUNT_WORDS, ROW_SKIP_WORDS, Segment};

fn is_finite(bits: u32) -> bool {
    (bits & 0x7f80_0000) != 0x7f80_0000
}

fn is_zero(bits: u32) -> bool {
    (bits & 0x7fff_ffff) == 0
}

/// `01_embedding.wgsl`: `out[s, d] = table[tokens[s], d]`, 0 where `tokens[s] >= V`. `table` V·D, `out` N·D.
pub fn embed_lookup(tokens: &[u32], table: &[f32], out: &mut [f32], dims: Dims) {
    let d_model = dims.d_model as usize;
    for (s, &t) in tokens.iter().enumerate() {
        let row = &mut out[s * d_model..(s + 1) * d_model];
        if t >= dims.vocab_size {
            row.fill(0.0);
            continue;
        }
        row.copy_from_slice(&table[t as usize * d_model..(t as usize + 1) * d_model]);
    }
}

/// `01_embedding_w16*.wgsl`: the same from a table of f16 bits.
pub fn embed_lookup_w16(tokens_w16: &[u32], table_w16: &[u16], out_w16: &mut [f32], dims_w16: Dims) {
    let d_model = dims_w16.d_model as usize;
    for (s, &t) in tokens_w16.iter().enumerate() {
        let row = &mut out_w16[s * d_model..(s + 1) * d_model];
        if t >= dims_w16.vocab_size {
            row.fill(0.0);
            continue;
        }
        for (value, &half) in row.iter_mut().zip(&table_w16[t as usize * d_model..]) {
            *value = half::f16::from_bits(half).to_f32();
        }
    }
}

/// `01_embedding.wgsl`: `grad_table[tokens[s], d] += grad_out[s, d]`, skipping ids `>= V`, ±0, NaN and Inf.
/// There is one thread, so no exchange ever fails; positions are added in ascending order.
pub fn embed_backward(tokens: &[u32], grad_out: &[f32], grad_table: &mut [f32], dims: Dims) {
    let d_model = dims.d_model as usize;
    for (s, &t) in tokens.iter().enumerate() {
        if t >= dims.vocab_size {
            continue;
        }
        for d in 0..d_model {
            let val = grad_out[s * d_model + d];
            let bits = val.to_bits();
            if is_zero(bits) || !is_finite(bits) {
                continue;
            }
            grad_table[t as usize * d_model + d] += val;
        }
    }
}

/// `gradient_counted.wgsl`: as `embed_backward`, and (V + 1) rows of (hits, zero, non-finite, retries) in `counts`;
/// row V gathers the ids `>= V`.
pub fn embed_backward_counted(
    tokens: &[u32],
    grad_out: &[f32],
    grad_table: &mut [f32],
    counts: &mut [u32],
    dims: Dims,
) {
    let d_model = dims.d_model as usize;
    for (s, &token) in tokens.iter().enumerate() {
        let t = token.min(dims.vocab_size) as usize;
        let count = &mut counts[t * ROW_COUNT_WORDS..(t + 1) * ROW_COUNT_WORDS];
        count[0] += 1;
        if t == dims.vocab_size as usize {
            continue;
        }
        for d in 0..d_model {
            let val = grad_out[s * d_model + d];
            let bits = val.to_bits();
            if is_zero(bits) {
                count[1] += 1;
                continue;
            }
            if !is_finite(bits) {
                count[2] += 1;
                continue;
            }
            grad_table[t * d_model + d] += val;
        }
    }
}

/// `gradient_sorted.wgsl`, first level (`gradient_blocks.wgsl` gives the same sums without a list of segments): each segment's
/// positions summed left to right into its row of `grad`. `skips` has (zero, non-finite) for each of the U rows.
pub fn sum_segments(
    order: &[u32],
    grad_out: &[f32],
    grad: &mut [f32],
    segments: &[Segment],
    skips: &mut [u32],
    d_model: usize,
) {
    for segment in segments {
        let sum = &mut grad[segment.dst as usize * d_model..(segment.dst as usize + 1) * d_model];
        let skip = &mut skips[segment.row as usize * ROW_SKIP_WORDS..(segment.row as usize + 1) * ROW_SKIP_WORDS];
        sum.fill(0.0);
        for &s in &order[segment.first as usize..segment.last as usize] {
            let row = &grad_out[s as usize * d_model..(s as usize + 1) * d_model];
            for (sum, &val) in sum.iter_mut().zip(row) {
                let bits = val.to_bits();
                if is_zero(bits) {
                    skip[0] += 1;
                } else if !is_finite(bits) {
                    skip[1] += 1;
                } else {
                    *sum += val;
                }
            }
        }
    }
}

/// `gradient_sorted.wgsl`, every further level: each segment's partial sums summed left to right.
pub fn sum_partials(grad: &mut [f32], segments: &[Segment], d_model: usize) {
    for segment in segments {
        for d in 0..d_model {
            let mut sum = 0.0f32;
            for j in segment.first as usize..segment.last as usize {
                sum += grad[j * d_model + d];
            }
            grad[segment.dst as usize * d_model + d] = sum;
        }
    }
}

/// `cast_f16.wgsl`: f32 to f16 bits, round to nearest even, overflow to ±Inf, NaN kept.
pub fn cast_f32_to_f16(source: &[f32]) -> Vec<u16> {
    source.iter().map(|&value| half::f16::from_f32(value).to_bits()).collect()
}

/// `lab_noise.wgsl`: a hash of each index and the seed, in (-1, 1) and never 0.
pub fn noise(cells: &mut [f32], params: NoiseParams) {
    for (i, cell) in (0..params.elements).zip(cells) {
        let state = (i ^ params.seed).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
        let hash = (word >> 22) ^ word;
        *cell = ((hash >> 9) as f32 + 0.5) * (2.0 / 8_388_608.0) - 1.0;
    }
}

/// What a gradient must be: the exact sum of every element in f64, and Σ|g| for the error bound. Both have a value for each
/// element of the gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Oracle {
    /// Σ g over the positions of the row.
    pub sum: Vec<f64>,
    /// Σ |g| over the same.
    pub magnitude: Vec<f64>,
}

/// The gradient of `vocab_size` rows in f64, skipping what the kernels skip.
pub fn oracle(tokens: &[u32], grad_out: &[f32], vocab_size: usize, d_model: usize) -> Oracle {
    let mut oracle = Oracle { sum: vec![0.0; vocab_size * d_model], magnitude: vec![0.0; vocab_size * d_model] };
    for (s, &t) in tokens.iter().enumerate() {
        if t as usize >= vocab_size {
            continue;
        }
        for d in 0..d_model {
            let val = f64::from(grad_out[s * d_model + d]);
            if val.is_finite() {
                oracle.sum[t as usize * d_model + d] += val;
                oracle.magnitude[t as usize * d_model + d] += val.abs();
            }
        }
    }
    oracle
}

/// How far an element of a gradient may be from the exact sum: `hits · (2^-24 · Σ|g| + 2^-126)`. For each addition, one
/// rounding, or one subnormal that the device flushes to zero.
pub fn bound(hits: u32, magnitude: f64) -> f64 {
    f64::from(hits) * (magnitude * 2f64.powi(-24) + 2f64.powi(-126))
}
