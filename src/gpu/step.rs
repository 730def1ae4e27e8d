//! Training a table on its device: one step of an optimiser on the rows of a gradient, wherever that came from.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::abi::{self, CastRowsParams, KernelAbi};
use crate::error::Result;
use crate::gpu::buffers::{Lease, Part, Sent, Upload};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::resident::Trust;
use crate::gpu::tables::OnDevice;
use crate::optimizer::{Progress, StepRule};
use crate::policy;
use crate::shape::Shape;

/// A gradient on the device, its rows in front: U ids, U·D values, and U itself as the first word of `count`.
#[derive(Debug, Clone, Copy)]
pub struct GradientParts<'a> {
    pub rows: &'a Lease,
    pub grad: Part<'a>,
    pub count: &'a Lease,
    /// Rows that there is room for.
    pub capacity: u32,
}

/// What the rule of a table has gathered on the device.
#[derive(Debug, Default)]
pub struct Trained {
    state: RefCell<Option<State>>,
    /// Steps without a scope since something was read that would have told of a refusal.
    in_doubt: Cell<u32>,
}

#[derive(Debug, Clone)]
struct State {
    /// Of the steps that were submitted.
    progress: Progress,
    /// Adagrad's accumulators, V; Adam's first moment, V·D.
    first: Option<Rc<Lease>>,
    /// Adam's second moment, V·D.
    second: Option<Rc<Lease>>,
}

impl Trained {
    /// The steps that were submitted on this device.
    pub fn steps(&self) -> u64 {
        self.state.borrow().as_ref().map_or(0, |state| state.progress.steps)
    }

    /// Whether the table was stepped on this device.
    pub fn is_any(&self) -> bool {
        self.steps() > 0
    }

    /// Refuses another rule than before, and what the device has no room for; gives the number of the step, which is counted
    /// once it is submitted, and what the rule has gathered.
    fn next(&self, gpu: &Gpu, shape: Shape, rule: StepRule) -> Result<(u64, State)> {
        // Buffers of a rule without a step are those of a step that failed.
        let before = self.state.borrow().clone().filter(|state| state.progress.steps > 0);
        let progress = Progress::next(before.as_ref().map(|state| state.progress), rule.rule())?;
        if let Some(state) = before {
            return Ok((progress.steps, state));
        }
        let (first, second) = match rule {
            StepRule::Sgd { .. } => (0, 0),
            StepRule::Adagrad { .. } => (u64::from(shape.vocab_size), 0),
            StepRule::Adam { .. } => (shape.cells(), shape.cells()),
        };
        // A fresh buffer is zero.
        let zeros = |cells: u64| match cells {
            0 => Ok(None),
            _ => {
                gpu.check_size("What this rule gathers for the table", cells * 4)?;
                let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
                Ok(Some(Rc::new(gpu.unpooled("gomme optimiser", cells * 4, usage))))
            }
        };
        let state = State { progress: Progress { steps: 0, ..progress }, first: zeros(first)?, second: zeros(second)? };
        self.state.replace(Some(state.clone()));
        Ok((progress.steps, state))
    }

    fn count(&self, trust: Trust) {
        if let Some(state) = self.state.borrow_mut().as_mut() {
            state.progress.steps += 1;
        }
        self.in_doubt.set(self.in_doubt.get().saturating_add(trust.is_in_doubt().into()));
    }

    fn take_back(&self, trust: Trust) {
        self.in_doubt.set(self.in_doubt.get().saturating_sub(trust.is_in_doubt().into()));
        if let Some(state) = self.state.borrow_mut().as_mut() {
            state.progress.steps = state.progress.steps.saturating_sub(1);
        }
    }

    /// Whether all steps had a scope, or were confirmed.
    pub fn trust(&self) -> Trust {
        if self.in_doubt.get() > 0 { Trust::InDoubt } else { Trust::Confirmed }
    }

    /// Nothing was refused of the steps up to this one.
    pub fn confirm(&self, steps: u64) {
        if self.steps() == steps {
            self.in_doubt.set(0);
        }
    }

    /// Forgets all that was gathered.
    pub fn forget(&self) {
        self.in_doubt.set(0);
        self.state.take();
    }
}

/// A step that counts, until it is taken back.
#[derive(Debug)]
pub struct Counted {
    on_device: Rc<OnDevice>,
    trust: Trust,
    counts: Cell<bool>,
}

impl Counted {
    /// Counts a step that is as good as submitted.
    pub fn new(on_device: Rc<OnDevice>, trust: Trust) -> Rc<Self> {
        on_device.trained().count(trust);
        Rc::new(Self { on_device, trust, counts: Cell::new(true) })
    }

    /// Takes back what a step has counted that was refused: its caller is told, and no other need be.
    pub fn take_back(&self) {
        if self.counts.replace(false) {
            self.on_device.trained().take_back(self.trust);
        }
    }
}

/// What a step uses until it is known that nothing of it was refused.
#[derive(Debug, Default)]
pub struct Held {
    pub leases: Vec<Lease>,
    params: Option<Rc<Sent>>,
}

/// The dispatches of one step on `table`, and on the f16 mirror where there is one; `held` is to be held while they are under
/// way.
///
/// # Errors
/// `invalid-argument` for another rule than before; `limit-exceeded`.
pub fn step_call(
    on_device: &OnDevice,
    shape: Shape,
    (table, mirror): (&Lease, Option<&Lease>),
    gradient: GradientParts<'_>,
    rule: StepRule,
    held: &mut Held,
) -> Result<Vec<Dispatch>> {
    let (gpu, trained) = (on_device.gpu(), on_device.trained());
    let capacity = gradient.capacity;
    let d_model = shape.d_model;
    let (k, state) = trained.next(gpu, shape, rule)?;
    let params = rule.params(shape, capacity, k);
    let words = d_model / 2 + 1;
    let mut upload = Upload::default();
    let step_section = upload.uniform(params);
    let cast_section = upload.uniform(CastRowsParams { capacity, d_model, elements: shape.cells() as u32, words });
    let sent = on_device.kept_upload(upload);

    let bound = Bound {
        gpu,
        d_model,
        capacity,
        rows: (0, gradient.rows.part(u64::from(capacity) * 4)),
        grad: (1, gradient.grad),
        cells: (2, table.part(shape.cells() * 4)),
        uniform: (3, sent.part(step_section)),
        count: (4, gradient.count.part(4)),
    };
    let Bound { rows, grad, cells, uniform, count, .. } = bound;
    let (first, second) = (state.first.as_deref(), state.second.as_deref());
    let mut dispatches = match rule {
        StepRule::Sgd { .. } => vec![bound.tile(&abi::STEP_SGD, &[rows, grad, cells, uniform, count])],
        StepRule::Adagrad { .. } => {
            let accumulators = (5, cells_of(first, u64::from(shape.vocab_size), count.1));
            if policy::steps_in_one_pass(params.chunks, gpu.facts().software) {
                vec![bound.adagrad(accumulators)]
            } else {
                bound.adagrad_in_passes(accumulators, params.chunks, held)?
            }
        }
        StepRule::Adam { .. } => {
            let m = (5, cells_of(first, shape.cells(), count.1));
            let v = (6, cells_of(second, shape.cells(), count.1));
            vec![bound.tile(&abi::STEP_ADAM, &[rows, grad, cells, uniform, count, m, v])]
        }
    };
    if let Some(mirror) = mirror {
        let halves = shape.cells().div_ceil(2) * 4;
        let parts = [rows, (1, cells.1), (2, mirror.part(halves)), (3, sent.part(cast_section)), count];
        dispatches.push(gpu.repeated_dispatch(&abi::CAST_ROWS, 1, &parts, abi::flat_grid(capacity * words)));
    }
    held.params = Some(sent);
    Ok(dispatches)
}

/// What every rule binds, each part with its binding.
struct Bound<'a> {
    gpu: &'a Gpu,
    d_model: u32,
    capacity: u32,
    rows: (u32, Part<'a>),
    grad: (u32, Part<'a>),
    cells: (u32, Part<'a>),
    uniform: (u32, Part<'a>),
    count: (u32, Part<'a>),
}

impl Bound<'_> {
    /// A kernel with a thread for each block of columns of each row.
    fn tile(&self, kernel: &'static KernelAbi, parts: &[(u32, Part<'_>)]) -> Dispatch {
        self.gpu.repeated_dispatch(kernel, self.d_model, parts, abi::sum_grid(kernel, self.capacity, self.d_model))
    }

    /// Adagrad with 32 threads a row.
    fn adagrad(&self, accumulators: (u32, Part<'_>)) -> Dispatch {
        let kernel = &abi::STEP_ADAGRAD;
        let grid = abi::workgroup_grid(self.capacity.div_ceil(kernel.workgroup[1]));
        let parts = [self.rows, self.grad, self.cells, self.uniform, self.count, accumulators];
        self.gpu.repeated_dispatch(kernel, self.d_model, &parts, grid)
    }

    /// The same in three passes: the squares of each chunk, each row's scale, and the rows.
    ///
    /// # Errors
    /// `limit-exceeded`.
    fn adagrad_in_passes(
        &self,
        accumulators: (u32, Part<'_>),
        chunks_a_row: u32,
        held: &mut Held,
    ) -> Result<Vec<Dispatch>> {
        let Self { gpu, d_model, capacity, rows, grad, cells, uniform, count } = *self;
        let chunks = u64::from(capacity) * u64::from(chunks_a_row);
        gpu.check_size("The squares of this gradient", chunks * 4)?;
        let squares = gpu.storage("gomme squares", chunks * 4);
        let scale_bytes = u64::from(capacity) * u64::from(abi::ColumnBlock::of(d_model).columns()) * 4;
        let scales = gpu.storage("gomme scales", scale_bytes);
        let sums = (6, squares.part(chunks * 4));
        let scale = (7, scales.part(scale_bytes));
        let pass = |kernel, parts: &[(u32, Part<'_>)], threads| {
            gpu.repeated_dispatch(kernel, d_model, parts, abi::flat_grid(threads))
        };
        let dispatches = vec![
            pass(&abi::STEP_SQUARES, &[grad, uniform, count, sums], chunks as u32),
            pass(&abi::STEP_SCALES, &[rows, uniform, count, accumulators, sums, scale], capacity),
            self.tile(&abi::STEP_SCALED, &[rows, grad, cells, uniform, count, scale]),
        ];
        held.leases.extend([squares, scales]);
        Ok(dispatches)
    }
}

/// So many words of what a rule has gathered; `otherwise` is never bound, since each rule has what its kernels use.
fn cells_of<'a>(lease: Option<&'a Lease>, cells: u64, otherwise: Part<'a>) -> Part<'a> {
    lease.map_or(otherwise, |lease| lease.part(cells * 4))
}
