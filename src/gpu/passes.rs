//! The calls of an embedding on its device, made ready to run: inputs sent, buffers leased, dispatches bound.
//!
//! `embedding` runs each once and reads it back; `lab` runs it as often as a timing wants.

use std::rc::Rc;

use crate::abi::{self, Dims, LaneWidth, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part, Sent, Upload, bytes_of};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::tables::OnDevice;
use crate::group::{FAN_IN, Groups, Plan, piece_length};
use crate::options::{GradientKernel, LookupKernel, Precision};

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
        if kernel == LookupKernel::W16Native && !self.gpu().facts().shader_f16 {
            return Err(Error::InvalidArgument(
                "This device has no shader-f16, which w16_native needs; w16_packed reads the same table here."
                    .to_owned(),
            ));
        }
        let elements = tokens.len() as u32 * d_model;
        self.gpu().check_size("The N·D array of this call", u64::from(elements) * 4)?;
        let mut upload = Upload::default();
        let dims = upload.dims(Dims { count: tokens.len() as u32, d_model, vocab_size, spare: 0 });
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);
        let out = self.gpu().storage("gomme out", u64::from(elements) * 4);
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
        let dispatch = self.gpu().dispatch(kernel.abi(), d_model, &parts, grid);
        Ok(LookupCall { dispatch, out, _inputs: (sent, Rc::clone(table)) })
    }

    /// The sorted gradient of a plan.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn sorted_call(&self, groups: &Groups, plan: &Plan, grad_out: Part<'_>, d_model: u32) -> Result<GradientCall> {
        let used_rows = groups.rows.len() as u64;
        let grad_bytes = (used_rows + u64::from(plan.partial_rows)) * u64::from(d_model) * 4;
        self.gpu().check_size("The gradient of the used rows", grad_bytes)?;
        let mut upload = Upload::default();
        let mut first = 0;
        let mut dims = Vec::new();
        for &count in &plan.levels {
            dims.push(upload.dims(Dims::words(count, first, 0, 0)));
            first += count;
        }
        let order = upload.section(&groups.order);
        let pieces = upload.structs(&plan.pieces);
        self.gpu().check_size("The positions and pieces of this call", upload.bytes())?;
        let sent = self.send_upload(upload);

        let grad_bytes = grad_bytes.max(16);
        let skip_words = (groups.rows.len() * ROW_SKIP_WORDS).max(ROW_SKIP_WORDS);
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let counts = self.gpu().storage("gomme skips", skip_words as u64 * 4);
        self.gpu().queue().write_buffer(counts.buffer(), 0, bytes_of(&vec![0; skip_words]));

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
                    self.gpu().dispatch(&abi::SUM_PIECES, d_model, &parts, grid)
                } else {
                    let grid = abi::pieces_grid(&abi::SUM_PARTIALS, lanes, count);
                    self.gpu().dispatch(&abi::SUM_PARTIALS, d_model, &[grad, sent.part(dims), sent.part(pieces)], grid)
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
        self.gpu().check_size("The gradient of the used rows", grad_bytes)?;
        self.gpu().check_size(
            "Grouping on the device, two words for each row of the vocabulary,",
            u64::from(vocab_size) * 8,
        )?;

        let blocks = seq_len.div_ceil(abi::SORT_BLOCK);
        let rounds = (u32::BITS - vocab_size.leading_zeros()).div_ceil(abi::SORT_BITS).max(1);
        let mut upload = Upload::default();
        let round_dims: Vec<_> = (0..rounds)
            .map(|round| {
                let shift = round * abi::SORT_BITS;
                upload.dims(Dims::words(seq_len, vocab_size, shift, blocks))
            })
            .collect();
        let rows_dims = upload.dims(Dims::words(seq_len, vocab_size, length, FAN_IN));
        // Every place of the first level is looked at: full pieces stand in front, the others behind a gap.
        let first_level = upload.dims(Dims { count: most[0], ..Dims::default() });
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);

        let words = |label: &str, count: u64| self.gpu().storage(label, count * 4);
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
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let control_usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let control_bytes = (abi::LEVEL_WORDS * abi::MOST_LEVELS * 4) as u64;
        let control = self.gpu().pool().lease(self.gpu().device(), "gomme levels", control_bytes, control_usage);
        let mut control_words = vec![0; abi::LEVEL_WORDS * abi::MOST_LEVELS];
        let mut first = 0;
        for (level, &count) in most.iter().enumerate() {
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_FIRST] = first;
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_PARTIAL] = partial[level];
            control_words[level * abi::LEVEL_WORDS + abi::LEVEL_FIRST_SHORT] = full;
            first += count;
        }
        self.gpu().queue().write_buffer(control.buffer(), 0, bytes_of(&control_words));

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
                self.gpu().dispatch(&abi::SORT_COUNT_FIRST, 1, &parts, block_grid)
            } else {
                self.gpu().dispatch(&abi::SORT_COUNT, 1, &[keys, dims, counts_part], block_grid)
            });
            let scan = [dims, counts_part, totals_part];
            dispatches.push(self.gpu().dispatch(&abi::SORT_SCAN, 1, &scan, [abi::SORT_DIGITS, 1, 1]));
            let scatter = [keys, places, next_keys, dims, next_places, counts_part, totals_part];
            dispatches.push(self.gpu().dispatch(&abi::SORT_SCATTER, 1, &scatter, block_grid));
            (keys, places) = (next_keys, next_places);
        }
        let control_part = control.part(control_bytes);
        let rows_dims = sent.part(rows_dims);
        let skips_part = words_of(&skips, u64::from(most_rows) * ROW_SKIP_WORDS as u64);
        let find = [keys, spans_part, used_part, rows_dims, control_part];
        dispatches.push(self.gpu().dispatch(&abi::ROWS_FIND, 1, &find, block_grid));
        let rows_part = words_of(&rows, u64::from(most_rows) * 2);
        let emit = [spans_part, used_part, rows_dims, pieces_part, control_part, skips_part, rows_part];
        dispatches.push(self.gpu().dispatch(&abi::ROWS_EMIT, 1, &emit, abi::flat_grid(vocab_size)));

        let lanes = d_model / LaneWidth::of(d_model).columns();
        let grad_part = grad.part(grad_bytes);
        for (level, &count) in most.iter().enumerate().take(levels) {
            dispatches.push(if level == 0 {
                let grid = abi::pieces_grid(&abi::SUM_PIECES, lanes, count);
                let dims = sent.part(first_level);
                let parts = [places, grad_out, grad_part, dims, pieces_part, skips_part];
                self.gpu().dispatch(&abi::SUM_PIECES, d_model, &parts, grid)
            } else {
                let grid = abi::pieces_grid(&abi::SUM_PARTIALS, lanes, count);
                let offset = (level * abi::LEVEL_WORDS * 4) as u64;
                let dims = Part { buffer: control.buffer(), offset, bytes: size_of::<Dims>() as u64 };
                self.gpu().dispatch(&abi::SUM_PARTIALS, d_model, &[grad_part, dims, pieces_part], grid)
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
        self.gpu().check_size("The gradient of the used rows", u64::from(cells) * 4)?;
        let mut upload = Upload::default();
        // For a sparse result the vocabulary is the used rows: U of them, and U for every id outside.
        let dims = upload.dims(Dims { count: tokens.len() as u32, d_model, vocab_size: used_rows, spare: 0 });
        let clear_grad = upload.dims(Dims { count: cells, ..Dims::default() });
        let clear_counts = upload.dims(Dims { count: count_words, ..Dims::default() });
        let slots = upload.section(&groups.slots(tokens.len()));
        let sent = self.send_upload(upload);

        let grad_bytes = (u64::from(cells) * 4).max(16);
        let grad = self.gpu().storage("gomme grad", grad_bytes);
        let counts = self.gpu().storage("gomme counts", u64::from(count_words) * 4);
        let grad_part = grad.part(grad_bytes);
        let counts_part = counts.part(u64::from(count_words) * 4);

        let mut dispatches =
            vec![self.gpu().dispatch(&abi::FILL_ZERO, 1, &[grad_part, sent.part(clear_grad)], abi::flat_grid(cells))];
        let mut parts = vec![sent.part(slots), grad_out, grad_part, sent.part(dims)];
        let abi = match kernel {
            GradientKernel::Counted => {
                let clear = [counts_part, sent.part(clear_counts)];
                dispatches.push(self.gpu().dispatch(&abi::FILL_ZERO, 1, &clear, abi::flat_grid(count_words)));
                parts.push(counts_part);
                &abi::COUNTED
            }
            GradientKernel::Racy => &abi::RACY,
            GradientKernel::Plain | GradientKernel::Sorted | GradientKernel::SortedOnGpu => &abi::EMBED_BACKWARD,
        };
        let elements = tokens.len() as u32 * d_model;
        dispatches.push(self.gpu().dispatch(abi, 1, &parts, abi::flat_grid(elements)));
        Ok(GradientCall { dispatches, grad, counts, _inputs: sent, _scratch: Vec::new() })
    }
}

/// The first `count` words of a leased buffer, to be bound.
fn words_of(lease: &Lease, count: u64) -> Part<'_> {
    lease.part(count * 4)
}
