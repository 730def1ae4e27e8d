//! The calls of an embedding on its device, made ready to run: inputs sent, buffers leased, dispatches bound.
//!
//! `embedding` runs each once and reads it back; `lab` runs it as often as a timing wants.

use std::rc::Rc;

use crate::abi::{self, Dims, FillParams, LookupParams, ROW_COUNT_WORDS, ROW_SKIP_WORDS, SumParams};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part, Sent, Upload};
use crate::gpu::pipelines::Dispatch;
use crate::gpu::tables::OnDevice;
use crate::group::{Groups, Plan};
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
    /// Held while the dispatches use them.
    pub(super) _inputs: Vec<Rc<Sent>>,
    pub(super) _scratch: Vec<Lease>,
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
        self.gpu().write(counts.buffer(), 0, bytemuck::must_cast_slice(&vec![0u32; skip_words]));

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
        Ok(GradientCall { dispatches, grad, counts, _inputs: vec![Rc::new(sent)], _scratch: Vec::new() })
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
        Ok(GradientCall { dispatches, grad, counts, _inputs: vec![Rc::new(sent)], _scratch: Vec::new() })
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
