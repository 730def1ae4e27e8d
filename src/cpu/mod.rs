//! The CPU backend: the table in memory, and every call computed by the twins of the kernels.

pub mod kernels;
pub mod step;

use core::cell::RefCell;
use std::rc::Rc;

use self::step::Step;
use crate::abi::{Bag, Dims, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::group::{BlockShape, Groups, Plan};
use crate::optimizer::{Progress, StepRule};
use crate::options::{GradientKernel, LookupKernel, Precision, Scatter};
use crate::shape::Shape;
use crate::table::Table;

/// A table (or only its shape) that the CPU works on.
#[derive(Debug)]
pub struct CpuBackend {
    shape: Shape,
    table: Option<Rc<Table>>,
    /// The rows in memory, from the first call that reads them.
    rows: RefCell<Option<Vec<f32>>>,
    halves: RefCell<Option<Vec<u16>>>,
    trained: RefCell<Option<Trained>>,
    reason: Option<Error>,
}

/// What an optimiser has gathered for this table: Adagrad's accumulators, or Adam's two moments.
#[derive(Debug)]
struct Trained {
    progress: Progress,
    first: Vec<f32>,
    second: Vec<f32>,
}

/// Bytes of the largest array: beyond this, the 4 GiB of wasm memory might not be enough for a call.
const MAX_BYTES: u64 = 1 << 30;

impl CpuBackend {
    /// A backend for this table. `reason` says why the GPU is not used, if it was preferred.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn new(shape: Shape, table: Option<Rc<Table>>, reason: Option<Error>) -> Result<Self> {
        if table.is_some() {
            check_size("This table", shape.cells() * 4)?;
        }
        Ok(Self {
            shape,
            table,
            rows: RefCell::default(),
            halves: RefCell::default(),
            trained: RefCell::default(),
            reason,
        })
    }

    /// Why the GPU is not used, if it was preferred.
    pub fn reason(&self) -> Option<&Error> {
        self.reason.as_ref()
    }

    /// A lookup by the twin of `kernel` into `out`, which has N·D values. Does nothing without a table.
    pub fn lookup(&self, tokens: &[u32], out: &mut [f32], kernel: LookupKernel) {
        let Some(table) = &self.table else { return };
        let dims = self.dims(tokens.len(), self.shape.vocab_size);
        let (mut rows, mut halves) = (self.rows.borrow_mut(), self.halves.borrow_mut());
        // A match on the kernel, so that a new one does not compile without its twin.
        match kernel {
            LookupKernel::Document | LookupKernel::Fast => {
                kernels::embed_lookup(tokens, rows.get_or_insert_with(|| table.to_vec()), out, dims);
            }
            LookupKernel::W16Packed | LookupKernel::W16Native | LookupKernel::W16Fast => {
                let halves = halves.get_or_insert_with(|| match &*rows {
                    Some(rows) => kernels::cast_f32_to_f16(rows),
                    None => kernels::cast_f32_to_f16(&table.to_vec()),
                });
                kernels::embed_lookup_w16(tokens, halves, out, dims);
            }
        }
    }

    /// The sum or mean of the rows of each bag into `out`, which has a row for each bag: the twin of `embed_bag.wgsl`.
    pub fn bag(&self, tokens: &[u32], bags: &[Bag], out: &mut [f32], precision: Precision) {
        let width = self.shape.width();
        let mut row = vec![0.0; width];
        for (bag, sum) in bags.iter().zip(out.chunks_exact_mut(width)) {
            sum.fill(0.0);
            for t in &tokens[bag.first as usize..bag.last as usize] {
                if *t < self.shape.vocab_size {
                    self.lookup(core::slice::from_ref(t), &mut row, LookupKernel::for_table(precision));
                    sum.iter_mut().zip(&row).for_each(|(sum, value)| *sum += value);
                }
            }
            sum.iter_mut().for_each(|sum| *sum *= bag.scale);
        }
    }

    /// One step by `rule` on the rows of a gradient: ids below V, each once, and U·D values. Does nothing without a table.
    ///
    /// # Errors
    /// `invalid-argument` for another rule than before; `limit-exceeded`.
    pub fn step(&self, ids: &[u32], grad: &[f32], rule: StepRule) -> Result<()> {
        let Some(table) = &self.table else { return Ok(()) };
        let mut trained = self.trained.borrow_mut();
        let progress = Progress::next(trained.as_ref().map(|trained| trained.progress), rule.rule())?;
        let cells = self.shape.cells() as usize;
        let state = trained.get_or_insert_with(|| {
            let (first, second) = match rule {
                StepRule::Sgd { .. } => (0, 0),
                StepRule::Adagrad { .. } => (self.shape.vocab_size as usize, 0),
                StepRule::Adam { .. } => (cells, cells),
            };
            Trained { progress, first: vec![0.0; first], second: vec![0.0; second] }
        });
        state.progress = progress;
        let mut rows = self.rows.borrow_mut();
        let rows = rows.get_or_insert_with(|| table.to_vec());
        let step = Step { rows: ids, grad, params: rule.params(self.shape, ids.len() as u32, progress.steps) };
        match rule {
            StepRule::Sgd { .. } => step.sgd(rows),
            StepRule::Adagrad { .. } => step.adagrad(rows, &mut state.first),
            StepRule::Adam { .. } => step.adam(rows, &mut state.first, &mut state.second),
        }
        if let Some(halves) = self.halves.borrow_mut().as_mut() {
            let width = self.shape.width();
            for &id in ids {
                let place = id as usize * width..(id as usize + 1) * width;
                halves[place.clone()].copy_from_slice(&kernels::cast_f32_to_f16(&rows[place]));
            }
        }
        Ok(())
    }

    /// The V·D values of the table as it is now; empty without a table.
    pub fn read_rows(&self) -> Vec<f32> {
        match (&*self.rows.borrow(), &self.table) {
            (Some(rows), _) => rows.clone(),
            (None, Some(table)) => table.to_vec(),
            (None, None) => Vec::new(),
        }
    }

    /// A gradient by the twin of `kernel`: U·D values, and the counts.
    pub fn gradient(&self, groups: &Groups, grad_out: &[f32], kernel: GradientKernel) -> (Vec<f32>, Counts) {
        let seq_len = grad_out.len() / self.shape.width();
        let (used_rows, width) = (groups.rows.len(), self.shape.width());
        match kernel {
            GradientKernel::Sorted(_) => {
                let plan = Plan::new(groups, BlockShape::of(seq_len));
                let mut grad = vec![0.0; (used_rows + plan.partial_sums as usize) * width];
                let mut skips = vec![0; used_rows * ROW_SKIP_WORDS];
                sum_plan(&plan, &groups.order, grad_out, &mut grad, &mut skips, width);
                grad.truncate(used_rows * width);
                (grad, Counts::Skips(skips))
            }
            GradientKernel::Scatter(scatter) => {
                let slots = groups.slots(seq_len);
                let mut grad = vec![0.0; used_rows * width];
                let mut counts = vec![0; (used_rows + 1) * ROW_COUNT_WORDS];
                let dims = self.dims(seq_len, used_rows as u32);
                kernels::embed_backward_counted(&slots, grad_out, &mut grad, &mut counts, dims);
                // The other kernels have no counters, but what they skip is reported all the same.
                let skips = |row: &[u32]| [row[1], row[2]];
                let counts = match scatter {
                    Scatter::Counted => Counts::Rows(counts),
                    Scatter::Plain | Scatter::Racy => {
                        let rows = counts.chunks_exact(ROW_COUNT_WORDS).take(used_rows);
                        Counts::Skips(rows.flat_map(skips).collect())
                    }
                };
                (grad, counts)
            }
        }
    }

    fn dims(&self, seq_len: usize, vocab_size: u32) -> Dims {
        Dims { seq_len: seq_len as u32, d_model: self.shape.d_model, vocab_size, spare: 0 }
    }
}

/// All passes of a sorted gradient. `grad_out` has N·D values, `grad` (U + partial sums)·D with the U rows in front, and `skips`
/// (zero, non-finite) for each of the U rows.
pub fn sum_plan(plan: &Plan, order: &[u32], grad_out: &[f32], grad: &mut [f32], skips: &mut [u32], d_model: usize) {
    let mut rest = plan.segments.as_slice();
    for (level, &count) in plan.levels.iter().enumerate() {
        let (segments, others) = rest.split_at(count as usize);
        rest = others;
        match level {
            0 => kernels::sum_segments(order, grad_out, grad, segments, skips, d_model),
            _ => kernels::sum_partials(grad, segments, d_model),
        }
    }
}

/// Refuses an array that is too large for memory.
///
/// # Errors
/// `limit-exceeded`, with both numbers.
pub fn check_size(what: &str, bytes: u64) -> Result<()> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    Err(Error::LimitExceeded(format!(
        "{what} takes {bytes} bytes, but the CPU twin allows {MAX_BYTES}. Split the call into smaller batches."
    )))
}
