//! The calls of an embedding on its device, made ready to run: inputs sent, buffers leased, dispatches bound.
//!
//! `embedding` runs each once and reads it back; `lab` runs it as often as a timing wants.

use std::rc::Rc;

use bytemuck::Zeroable;

use crate::abi::{
    self, Dims, FillParams, Level, LookupParams, ROW_COUNT_WORDS, ROW_SKIP_WORDS, RowsParams, SortParams, SumParams,
};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part, Sent, Upload};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::tables::OnDevice;
use crate::group::{FAN_IN, Groups, Plan, segment_length};
use crate::options::{LookupKernel, Precision, Scatter};
use crate::shape::Shape;

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
    /// U·D f32; behind them, for the sorted kernels, the partial sums.
    pub grad: Lease,
    /// `RowSkips` of U rows from the sorted kernels, `RowCount` of U + 1 from the counted one, else only zeros or nothing.
    pub counts: Lease,
    _inputs: Sent,
    _scratch: Vec<Lease>,
}

impl OnDevice {
    /// A lookup of these tokens from a table on this device.
    ///
    /// # Errors
    /// `limit-exceeded`; `invalid-argument` for a kernel that this device cannot run.
    pub fn lookup_call(
        &self,
        tokens: &[u32],
        table: &Rc<Lease>,
        shape: Shape,
        kernel: LookupKernel,
    ) -> Result<LookupCall> {
        if kernel == LookupKernel::W16Native && !self.gpu().facts().shader_f16 {
            return Err(Error::InvalidArgument(
                "This device has no shader-f16, which w16_native needs; w16_packed reads the same table here."
                    .to_owned(),
            ));
        }
        let Shape { vocab_size, d_model } = shape;
        let elements = tokens.len() as u32 * d_model;
        self.gpu().check_size("The N·D array of this call", u64::from(elements) * 4)?;
        let mut upload = Upload::default();
        let seq_len = tokens.len() as u32;
        let params = match kernel {
            LookupKernel::Fast | LookupKernel::W16Fast => upload.uniform(LookupParams { seq_len, vocab_size }),
            _ => upload.uniform(Dims { seq_len, d_model, vocab_size, spare: 0 }),
        };
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);
        let out = self.gpu().storage("gomme out", u64::from(elements) * 4);
        let table_bytes = match kernel.precision() {
            Precision::F32 => shape.cells() * 4,
            Precision::F16 => shape.cells().div_ceil(2) * 4,
        };
        let parts = [
            (0, sent.part(ids)),
            (1, table.part(table_bytes)),
            (2, out.part(u64::from(elements) * 4)),
            (3, sent.part(params)),
        ];
        let grid = match kernel {
            LookupKernel::Fast => abi::lookup_fast_grid(seq_len, d_model),
            LookupKernel::W16Fast => abi::lookup_fast_w16_grid(seq_len, d_model),
            _ => abi::flat_grid(elements),
        };
        let dispatch = self.gpu().dispatch(kernel.abi(), d_model, &parts, grid);
        Ok(LookupCall { dispatch, out, _inputs: (sent, Rc::clone(table)) })
    }

    /// The sorted gradient of a plan.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn sorted_call(&self, groups: &Groups, plan: &Plan, grad_out: Part<'_>, d_model: u32) -> Result<GradientCall> {
        let used_rows = groups.rows.len() as u64;
        let grad_bytes = (used_rows + u64::from(plan.partial_sums)) * u64::from(d_model) * 4;
        self.gpu().check_size("The gradient of the used rows", grad_bytes)?;
        let mut upload = Upload::default();
        let mut first = 0;
        let mut params = Vec::new();
        for &count in &plan.levels {
            params.push(upload.uniform(SumParams { segments: count, first }));
            first += count;
        }
        let order = upload.section(&groups.order);
        let segments = upload.structs(&plan.segments);
        self.gpu().check_size("The positions and segments of this call", upload.bytes())?;
        let sent = self.send_upload(upload);

        let grad_bytes = grad_bytes.max(16);
        let skip_words = (groups.rows.len() * ROW_SKIP_WORDS).max(ROW_SKIP_WORDS);
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let counts = self.gpu().storage("gomme skips", skip_words as u64 * 4);
        self.gpu().queue().write_buffer(counts.buffer(), 0, bytemuck::must_cast_slice(&vec![0u32; skip_words]));

        let passes = SumPasses {
            order: sent.part(order),
            grad_out,
            grad: grad.part(grad_bytes),
            segments: sent.part(segments),
            skips: counts.part(skip_words as u64 * 4),
        };
        let dispatches = (0..)
            .zip(plan.levels.iter().zip(&params))
            .filter(|(_, (count, _))| **count > 0)
            .map(|(level, (&count, &params))| self.sum_pass(&passes, level, sent.part(params), count, d_model))
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
        let length = segment_length(tokens.len());
        // Bounds that hold for any tokens: rows, segments and partial sums of each level.
        let most_rows = seq_len.min(vocab_size);
        let full = seq_len / length;
        let most = [most_rows + full, full + full / FAN_IN + 1, full / FAN_IN + 1];
        // One row may have all positions, and its last piece need not be full.
        let levels = match seq_len.div_ceil(length) {
            0..=1 => 1,
            2..=FAN_IN => 2,
            _ => abi::MAX_LEVELS,
        };
        let most_tokens = length * FAN_IN.pow(abi::MAX_LEVELS as u32 - 1);
        if seq_len > most_tokens {
            return Err(Error::LimitExceeded(format!(
                "Grouping on the device takes up to {most_tokens} tokens, but these are {seq_len}. Take \"sorted\" instead."
            )));
        }
        let partial = [most_rows, most_rows + 2 * full + 2, 0];
        let rows_in_all = u64::from(partial[1]) + 2 * u64::from(full / FAN_IN) + 2;
        let grad_bytes = rows_in_all * u64::from(d_model) * 4;
        self.gpu().check_size("The gradient of the used rows", grad_bytes)?;
        self.gpu().check_size(
            "Grouping on the device, two words for each row of the vocabulary,",
            u64::from(vocab_size) * 8,
        )?;

        let blocks = seq_len.div_ceil(abi::WORKGROUP);
        let rounds = (u32::BITS - vocab_size.leading_zeros()).div_ceil(abi::SORT_DIGIT_BITS).max(1);
        let mut upload = Upload::default();
        let rounds: Vec<_> = (0..rounds)
            .map(|round| {
                upload.uniform(SortParams { seq_len, vocab_size, shift: round * abi::SORT_DIGIT_BITS, blocks })
            })
            .collect();
        let rows_params = upload.uniform(RowsParams { seq_len, vocab_size, segment_length: length, fan_in: FAN_IN });
        // Every place of the first level is looked at: full segments stand in front, the others behind a gap.
        let first_level = upload.uniform(SumParams { segments: most[0], first: 0 });
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);

        let words = |label: &str, count: u64| self.gpu().storage(label, count * 4);
        let n = u64::from(seq_len);
        let sorted =
            [[words("gomme keys", n), words("gomme places", n)], [words("gomme keys", n), words("gomme places", n)]];
        let counts = words("gomme digit counts", u64::from(abi::SORT_DIGITS * blocks));
        let totals = words("gomme digit totals", u64::from(abi::SORT_DIGITS));
        let spans = words("gomme spans", u64::from(vocab_size) * 2);
        let used_rows = words("gomme used rows", u64::from(vocab_size.div_ceil(abi::ROWS_GROUP)));
        let segments = words("gomme segments", most.iter().map(|&count| u64::from(count)).sum::<u64>() * 4);
        let skips = words("gomme skips", u64::from(most_rows) * ROW_SKIP_WORDS as u64);
        let rows = words("gomme rows", u64::from(most_rows) * 2);
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let control_usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let control_bytes = size_of::<[Level; abi::MAX_LEVELS]>() as u64;
        let control = self.gpu().lease("gomme levels", control_bytes, control_usage);
        let mut levels_made = [Level::zeroed(); abi::MAX_LEVELS];
        let mut first = 0;
        for ((level, &count), &partial) in levels_made.iter_mut().zip(&most).zip(&partial) {
            (level.first, level.partial, level.first_short) = (first, partial, full);
            first += count;
        }
        self.gpu().queue().write_buffer(control.buffer(), 0, bytemuck::must_cast_slice(&levels_made));

        let segments_part = words_of(&segments, most.iter().map(|&count| u64::from(count)).sum::<u64>() * 4);
        let counts_part = words_of(&counts, u64::from(abi::SORT_DIGITS * blocks));
        let totals_part = words_of(&totals, u64::from(abi::SORT_DIGITS));
        let spans_part = words_of(&spans, u64::from(vocab_size) * 2);
        let used_part = words_of(&used_rows, u64::from(vocab_size.div_ceil(abi::ROWS_GROUP)));
        let block_grid = abi::flat_grid(seq_len);
        let mut dispatches = Vec::new();
        let (mut keys, mut places) = (sent.part(ids), sent.part(ids));
        for (round, &params) in rounds.iter().enumerate() {
            let params = sent.part(params);
            let [next_keys, next_places] = &sorted[round % 2];
            let (next_keys, next_places) = (words_of(next_keys, n), words_of(next_places, n));
            dispatches.push(if round == 0 {
                let parts =
                    [(0, keys), (3, params), (5, counts_part), (7, spans_part), (8, used_part), (9, segments_part)];
                self.gpu().dispatch(&abi::SORT_COUNT_FIRST, 1, &parts, block_grid)
            } else {
                self.gpu().dispatch(&abi::SORT_COUNT, 1, &[(0, keys), (3, params), (5, counts_part)], block_grid)
            });
            let scan = [(3, params), (5, counts_part), (6, totals_part)];
            dispatches.push(self.gpu().dispatch(&abi::SORT_SCAN, 1, &scan, [abi::SORT_DIGITS, 1, 1]));
            let scatter = [
                (0, keys),
                (1, places),
                (2, next_keys),
                (3, params),
                (4, next_places),
                (5, counts_part),
                (6, totals_part),
            ];
            dispatches.push(self.gpu().dispatch(&abi::SORT_SCATTER, 1, &scatter, block_grid));
            (keys, places) = (next_keys, next_places);
        }
        let control_part = control.part(control_bytes);
        let rows_params = sent.part(rows_params);
        let skips_part = words_of(&skips, u64::from(most_rows) * ROW_SKIP_WORDS as u64);
        let find = [(0, keys), (1, spans_part), (2, used_part), (3, rows_params), (5, control_part)];
        dispatches.push(self.gpu().dispatch(&abi::ROWS_FIND, 1, &find, block_grid));
        let emit = [
            (1, spans_part),
            (2, used_part),
            (3, rows_params),
            (4, segments_part),
            (5, control_part),
            (6, skips_part),
            (7, words_of(&rows, u64::from(most_rows) * 2)),
        ];
        dispatches.push(self.gpu().dispatch(&abi::ROWS_EMIT, 1, &emit, abi::flat_grid(vocab_size)));

        let passes = SumPasses {
            order: places,
            grad_out,
            grad: grad.part(grad_bytes),
            segments: segments_part,
            skips: skips_part,
        };
        dispatches.extend(most.iter().enumerate().take(levels).map(|(level, &count)| {
            let params = if level == 0 {
                sent.part(first_level)
            } else {
                let offset = (level * size_of::<Level>()) as u64;
                Part { buffer: control.buffer(), offset, bytes: size_of::<SumParams>() as u64 }
            };
            self.sum_pass(&passes, level, params, count, d_model)
        }));
        let [[keys_a, places_a], [keys_b, places_b]] = sorted;
        let held = vec![keys_a, places_a, keys_b, places_b, counts, totals, spans, used_rows, segments, rows, control];
        Ok(GradientCall { dispatches, grad, counts: skips, _inputs: sent, _scratch: held })
    }

    /// One level of the sorted gradient, of at most `segments` segments.
    fn sum_pass(&self, of: &SumPasses<'_>, level: usize, params: Part<'_>, segments: u32, d_model: u32) -> Dispatch {
        let (kernel, parts) = if level == 0 {
            let parts = [(0, of.order), (1, of.grad_out), (2, of.grad), (3, params), (4, of.segments), (5, of.skips)];
            (&abi::SUM_SEGMENTS, parts.to_vec())
        } else {
            (&abi::SUM_PARTIALS, vec![(2, of.grad), (3, params), (4, of.segments)])
        };
        self.gpu().dispatch(kernel, d_model, &parts, abi::sum_grid(kernel, segments, d_model))
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
        scatter: Scatter,
    ) -> Result<GradientCall> {
        let used_rows = groups.rows.len() as u32;
        let cells = used_rows * d_model;
        let count_words = (used_rows + 1) * ROW_COUNT_WORDS as u32;
        self.gpu().check_size("The gradient of the used rows", u64::from(cells) * 4)?;
        let mut upload = Upload::default();
        // For a sparse result the vocabulary is the used rows: U of them, and U for every id outside.
        let dims = upload.uniform(Dims { seq_len: tokens.len() as u32, d_model, vocab_size: used_rows, spare: 0 });
        let clear_grad = upload.uniform(FillParams { words: cells });
        let clear_counts = upload.uniform(FillParams { words: count_words });
        let slots = upload.section(&groups.slots(tokens.len()));
        let sent = self.send_upload(upload);

        let grad_bytes = (u64::from(cells) * 4).max(16);
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let counts = self.gpu().storage("gomme counts", u64::from(count_words) * 4);
        let grad_part = grad.part(grad_bytes);
        let counts_part = counts.part(u64::from(count_words) * 4);

        let clear = [(2, grad_part), (3, sent.part(clear_grad))];
        let mut dispatches = vec![self.gpu().dispatch(&abi::FILL_ZERO, 1, &clear, abi::flat_grid(cells))];
        let mut parts = vec![(0, sent.part(slots)), (1, grad_out), (2, grad_part), (3, sent.part(dims))];
        if scatter == Scatter::Counted {
            let clear = [(2, counts_part), (3, sent.part(clear_counts))];
            dispatches.push(self.gpu().dispatch(&abi::FILL_ZERO, 1, &clear, abi::flat_grid(count_words)));
            parts.push((4, counts_part));
        }
        let elements = tokens.len() as u32 * d_model;
        dispatches.push(self.gpu().dispatch(scatter.abi(), 1, &parts, abi::flat_grid(elements)));
        Ok(GradientCall { dispatches, grad, counts, _inputs: sent, _scratch: Vec::new() })
    }
}

/// What all passes of a sorted gradient share.
struct SumPasses<'a> {
    order: Part<'a>,
    grad_out: Part<'a>,
    grad: Part<'a>,
    segments: Part<'a>,
    skips: Part<'a>,
}

/// The first `count` words of a leased buffer, to be bound.
fn words_of(lease: &Lease, count: u64) -> Part<'_> {
    lease.part(count * 4)
}
