//! The sorted gradient of tokens that only the device has to know: sorted, numbered and summed there, nothing read back.

use std::rc::Rc;

use crate::abi::{self, BlockParams, BlockRows, EnumerateParams, ROW_SKIP_WORDS, RadixParams};
use crate::error::Result;
use crate::gpu::buffers::{Lease, Part, Section, Sent, Upload};
use crate::gpu::passes::GradientCall;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::tables::OnDevice;
use crate::group::{BlockShape, DevicePlan, Groups, Plan, Sort};

/// A sorted gradient whose used rows only the device knows, with room for `DevicePlan::capacity` of them.
#[derive(Debug)]
pub struct GroupedCall {
    pub dispatches: Vec<Dispatch>,
    /// U·D f32, row-major.
    pub grad: Lease,
    /// U ids, ascending.
    pub rows: Lease,
    /// First U; then, for each used row, how many positions come before it, and for all of them behind that.
    pub spans: Lease,
    /// `RowSkips` of each used row.
    pub skips: Lease,
    scratch: Vec<Lease>,
    params: Rc<Sent>,
}

/// A leased buffer and how much of it a call uses.
struct Storage {
    lease: Lease,
    bytes: u64,
}

impl Storage {
    fn part(&self) -> Part<'_> {
        self.lease.part(self.bytes)
    }
}

/// Everything that the passes read and write.
struct Buffers {
    /// (token, position) pairs, after an odd and after an even number of rounds.
    sorted: [Storage; 2],
    counts: Storage,
    grad: Storage,
    partials: Storage,
    rows: Storage,
    spans: Storage,
    skips: Storage,
    blocks: Storage,
}

impl Buffers {
    fn lease(on_device: &OnDevice, plan: &DevicePlan, d_model: u32) -> Result<Self> {
        let gpu = on_device.gpu();
        let row = u64::from(d_model) * 4;
        let lease = |what: &'static str, bytes: u64| -> Result<Storage> {
            gpu.check_size(what, bytes)?;
            Ok(Storage { lease: gpu.storage(what, bytes), bytes })
        };
        let pairs = u64::from(plan.seq_len) * 8;
        let (rounds, tiles) = match plan.sort {
            Sort::Enumerate => (1, 1),
            Sort::Radix { rounds, tiles, .. } => (rounds, tiles),
        };
        let capacity = u64::from(plan.capacity);
        Ok(Self {
            sorted: [
                lease("The sorted positions of this call", pairs)?,
                lease("The other half of the sorted positions", if rounds > 1 { pairs } else { 8 })?,
            ],
            counts: lease("Sorting", u64::from(tiles * abi::RADIX_DIGITS) * 4)?,
            grad: lease("The gradient of the used rows", capacity * row)?,
            partials: lease("The partial sums of this call", u64::from(plan.partial_sums()) * row)?,
            rows: lease("The used rows of this call", capacity * 4)?,
            spans: lease("The spans of the used rows", (capacity + 2) * 4)?,
            skips: lease("The counters of the used rows", capacity * ROW_SKIP_WORDS as u64 * 4)?,
            blocks: lease("The rows of each block", u64::from(plan.blocks) * size_of::<BlockRows>() as u64)?,
        })
    }
}

impl OnDevice {
    /// The sorted gradient of `plan.seq_len` tokens (u32 each) that are on the device: the same bits as those of
    /// [`Self::sorted_call`]. A buffer of tokens that ends in the middle of four is always sorted by radix.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn grouped_passes(
        &self,
        tokens: Part<'_>,
        plan: &DevicePlan,
        grad_out: Part<'_>,
        d_model: u32,
    ) -> Result<GroupedCall> {
        let (tokens, plan) = match whole_fours(tokens) {
            Some(tokens) => (tokens, plan),
            None => (tokens, &DevicePlan { sort: Sort::radix(plan.seq_len, plan.vocab_size), ..*plan }),
        };
        let buffers = Buffers::lease(self, plan, d_model)?;
        let mut upload = Upload::default();
        let sort = sort_params(plan, &mut upload);
        let sums = upload.uniform(BlockParams {
            seq_len: plan.seq_len,
            vocab_size: plan.vocab_size,
            chunk: plan.shape.chunk,
            counted: u32::from(plan.counted),
        });
        let params = self.kept_upload(upload);
        let mut dispatches = match plan.sort {
            Sort::Enumerate => vec![self.enumerate_pass(tokens, plan, &buffers, params.part(sort[0]))],
            Sort::Radix { tiles, per_thread, .. } => {
                let filled = plan.seq_len.div_ceil(abi::WORKGROUP * per_thread);
                self.radix_passes(tokens, [tiles, filled], &buffers, &sort, &params)
            }
        };
        let sorted = buffers.sorted[(sort.len() - 1) % 2].part();
        dispatches.extend(self.sum_passes(plan, sorted, grad_out, &buffers, params.part(sums), d_model));
        let Buffers { sorted: [odd, even], counts, grad, partials, rows, spans, skips, blocks } = buffers;
        let scratch = [odd, even, counts, partials, blocks].map(|storage| storage.lease).into();
        let [grad, rows, spans, skips] = [grad, rows, spans, skips].map(|storage| storage.lease);
        Ok(GroupedCall { dispatches, grad, rows, spans, skips, scratch, params })
    }

    /// The same for tokens that the host has grouped, at least one row of them, with the lists that it knows sent along:
    /// there is room for these rows alone.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn grouped_by_host(
        &self,
        groups: &Groups,
        seq_len: u32,
        grad_out: Part<'_>,
        d_model: u32,
    ) -> Result<GroupedCall> {
        let plan = Plan::new(groups, BlockShape::of(seq_len as usize));
        let GradientCall { dispatches, grad, counts: skips, _inputs: mut inputs, .. } =
            self.sorted_call(groups, &plan, grad_out, d_model)?;
        let mut spans = vec![groups.rows.len() as u32, 0];
        let mut end = 0;
        spans.extend(groups.hits.iter().map(|hits| {
            end += hits;
            end
        }));
        let send = |label: &'static str, words: &[u32]| {
            let lease = self.gpu().storage(label, words.len() as u64 * 4);
            self.gpu().write(lease.buffer(), 0, bytemuck::must_cast_slice(words));
            lease
        };
        let (rows, spans) = (send("gomme rows", &groups.rows), send("gomme spans", &spans));
        let params = inputs.remove(0);
        Ok(GroupedCall { dispatches, grad, rows, spans, skips, scratch: Vec::new(), params })
    }

    /// The same for tokens of the host, who knows how many rows they use.
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
        let plan = DevicePlan::new(tokens.len() as u32, vocab_size);
        let mut upload = Upload::default();
        let ids = upload.section(tokens);
        let sent = self.send_upload(upload);
        let call = self.grouped_passes(sent.part(ids), &plan, grad_out, d_model)?;
        let mut held = call.scratch;
        held.extend([call.rows, call.spans]);
        Ok(GradientCall {
            dispatches: call.dispatches,
            grad: call.grad,
            counts: call.skips,
            _inputs: vec![Rc::new(sent), call.params],
            _scratch: held,
        })
    }

    fn enumerate_pass(&self, tokens: Part<'_>, plan: &DevicePlan, buffers: &Buffers, params: Part<'_>) -> Dispatch {
        let parts = [
            (0, tokens),
            (1, buffers.sorted[0].part()),
            (3, params),
            (5, buffers.skips.part()),
            (7, buffers.spans.part()),
        ];
        let grid = abi::workgroup_grid(plan.seq_len.div_ceil(abi::ENUMERATE_POSITIONS));
        self.gpu().repeated_dispatch(&abi::ENUMERATE, 1, &parts, grid)
    }

    /// Two dispatches a round, from the tokens into the first pairs and from then on to and fro.
    fn radix_passes(
        &self,
        tokens: Part<'_>,
        [tiles, filled]: [u32; 2],
        buffers: &Buffers,
        rounds: &[Section],
        params: &Sent,
    ) -> Vec<Dispatch> {
        let (all, filled) = (abi::workgroup_grid(tiles), abi::workgroup_grid(filled));
        let mut dispatches = Vec::new();
        for (round, &section) in rounds.iter().enumerate() {
            let pairs = buffers.sorted[(round + 1) % 2].part();
            let sorted = buffers.sorted[round % 2].part();
            let (params, counts) = (params.part(section), buffers.counts.part());
            let (skips, spans) = (buffers.skips.part(), buffers.spans.part());
            let count = [(0, tokens), (1, pairs), (3, params), (4, counts), (5, skips), (7, spans)];
            let scatter = [(0, tokens), (1, pairs), (2, sorted), (3, params), (4, counts)];
            dispatches.push(self.gpu().repeated_dispatch(&abi::RADIX_COUNT, 1, &count, all));
            dispatches.push(self.gpu().repeated_dispatch(&abi::RADIX_SCATTER, 1, &scatter, filled));
        }
        dispatches
    }

    fn sum_passes(
        &self,
        plan: &DevicePlan,
        sorted: Part<'_>,
        grad_out: Part<'_>,
        buffers: &Buffers,
        params: Part<'_>,
        d_model: u32,
    ) -> Vec<Dispatch> {
        let gpu = self.gpu();
        let blocks = buffers.blocks.part();
        let (grad, partials, spans) = (buffers.grad.part(), buffers.partials.part(), buffers.spans.part());
        let mut dispatches = Vec::new();
        if plan.counted {
            let parts = [(0, sorted), (3, params), (8, blocks)];
            dispatches.push(gpu.repeated_dispatch(&abi::COUNT_ROWS, d_model, &parts, abi::workgroup_grid(plan.blocks)));
        }
        let parts = [
            (0, sorted),
            (1, grad_out),
            (2, grad),
            (3, params),
            (4, partials),
            (5, buffers.skips.part()),
            (6, buffers.rows.part()),
            (7, spans),
            (8, blocks),
        ];
        dispatches.push(gpu.repeated_dispatch(&abi::SUM_BLOCKS, d_model, &parts, plan.sum_grid(d_model)));
        if plan.blocks > 1 {
            let parts = [(2, grad), (3, params), (4, partials), (7, spans), (8, blocks)];
            dispatches.push(gpu.repeated_dispatch(&abi::SUM_SPANNING, d_model, &parts, plan.sum_grid(d_model)));
        }
        dispatches
    }
}

/// The same tokens with what fills up the last four, as enumeration reads them; none where the buffer ends before that.
fn whole_fours(tokens: Part<'_>) -> Option<Part<'_>> {
    let bytes = tokens.bytes.next_multiple_of(16);
    (tokens.offset + bytes <= tokens.buffer.size()).then_some(Part { bytes, ..tokens })
}

/// The uniforms of the sort, one for each round.
fn sort_params(plan: &DevicePlan, upload: &mut Upload) -> Vec<Section> {
    let DevicePlan { seq_len, vocab_size, capacity, .. } = *plan;
    match plan.sort {
        Sort::Enumerate => vec![upload.uniform(EnumerateParams { seq_len, vocab_size, capacity })],
        Sort::Radix { rounds, tiles, per_thread } => (0..rounds)
            .map(|round| {
                let shift = round * abi::RADIX_DIGIT_BITS;
                upload.uniform(RadixParams { seq_len, vocab_size, capacity, shift, tiles, per_thread })
            })
            .collect(),
    }
}
