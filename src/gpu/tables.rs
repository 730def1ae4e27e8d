//! The part of an embedding that lives on a device: its tables, and uploads. Its calls are in `passes` and `grouped`.

use core::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::Float32Array;

use crate::abi::{self, CastParams, KernelAbi};
use crate::browser::futures::{now, turn};
use crate::error::{Error, Result};
use crate::gpu::buffers::{Lease, Part, Sent, Upload};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::resident::Trust;
use crate::gpu::scope::Verdict;
use crate::gpu::step::Trained;
use crate::options::Precision;
use crate::policy::{self, Grouping};
use crate::table::Table;

/// What of an embedding lives on a device.
#[derive(Debug)]
pub struct OnDevice {
    gpu: Rc<Gpu>,
    table_f32: RefCell<Option<Rc<Lease>>>,
    table_f16: RefCell<Option<Rc<Lease>>>,
    trained: Trained,
    uploads: RefCell<Vec<(Upload, Rc<Sent>)>>,
}

/// Uploads that are kept: of a handful of calls in turn.
const MAX_UPLOADS: usize = 16;

/// Values of a table that are decoded at a time, between which the page may do something else.
const TABLE_CHUNK: usize = 1 << 19;
/// Milliseconds of decoding and writing after which the page has its turn.
const SLICE_MILLISECONDS: f64 = 8.0;
/// Chunks of a table that the browser may hold before the device has them, of 2 MiB each.
const CHUNKS_UNDER_WAY: usize = 16;
/// Chunks have a multiple of so many values, so that each begins in the f16 table where a binding may: at 256 bytes.
const CHUNK_MULTIPLE: usize = 128;

/// The values of a table, decoded chunk after chunk of at most so many.
struct Chunks<'a> {
    table: &'a Table,
    chunk: Vec<f32>,
    first: usize,
}

impl<'a> Chunks<'a> {
    fn new(table: &'a Table, limit: u64) -> Self {
        let cells = table.shape().cells() as usize;
        let length = usize::try_from(limit).unwrap_or(usize::MAX).min(TABLE_CHUNK);
        let length = if length < cells { length / CHUNK_MULTIPLE * CHUNK_MULTIPLE } else { cells };
        Self { table, chunk: vec![0.0; length.max(1)], first: 0 }
    }

    /// The next values, and which is the first of them.
    fn next(&mut self) -> Option<(u64, &[f32])> {
        let (first, cells) = (self.first, self.table.shape().cells() as usize);
        let count = self.chunk.len().min(cells - first);
        self.table.read(first, &mut self.chunk[..count]);
        self.first += count;
        (count > 0).then_some((first as u64, &self.chunk[..count]))
    }

    fn is_done(&self) -> bool {
        self.first as u64 == self.table.shape().cells()
    }
}

impl OnDevice {
    /// Nothing of any table yet.
    pub fn new(gpu: Rc<Gpu>) -> Self {
        Self {
            gpu,
            table_f32: RefCell::default(),
            table_f16: RefCell::default(),
            trained: Trained::default(),
            uploads: RefCell::default(),
        }
    }

    /// The device.
    pub fn gpu(&self) -> &Rc<Gpu> {
        &self.gpu
    }

    /// The kernels that calls will want, the likeliest last.
    pub fn likely_kernels(&self, precision: Precision, with_table: bool) -> Vec<&'static KernelAbi> {
        let mut likely = vec![&abi::COUNTED, &abi::FILL_ZERO];
        // Short sequences are the first that anybody brings.
        match policy::grouping(1, self.gpu.facts().software) {
            Grouping::Cpu => likely.extend([&abi::SUM_PARTIALS, &abi::SUM_SEGMENTS]),
            Grouping::Gpu => likely.extend([&abi::SUM_SPANNING, &abi::SUM_BLOCKS, &abi::ENUMERATE]),
        }
        if with_table {
            match precision {
                Precision::F32 => likely.push(&abi::EMBED_LOOKUP_FAST),
                Precision::F16 => likely.extend([&abi::CAST_F32_TO_F16, &abi::EMBED_LOOKUP_FAST_W16]),
            }
        }
        likely
    }

    /// The table on this device in this precision; uploaded (or cast from the f32 one) at first use.
    ///
    /// # Errors
    /// `limit-exceeded`, `gpu-error`; `device-lost`, if that happens during the upload.
    pub async fn table(&self, table: &Table, precision: Precision) -> Result<Rc<Lease>> {
        let place = match precision {
            Precision::F32 => &self.table_f32,
            Precision::F16 => &self.table_f16,
        };
        if let Some(there) = place.borrow().as_ref() {
            return Ok(Rc::clone(there));
        }
        let master = self.table_f32.borrow().clone();
        let made = Rc::new(match (precision, master) {
            (Precision::F32, _) => self.upload_table(table).await?,
            (Precision::F16, Some(master)) => loop {
                let steps = self.trained.steps();
                let mirror = self.cast_table(&master, table).await?;
                // A step that came meanwhile knew nothing of it.
                if self.trained.steps() == steps {
                    break mirror;
                }
            },
            (Precision::F16, None) => self.upload_cast_table(table).await?,
        });
        // Two calls may have made it at the same time: one of them is enough.
        Ok(Rc::clone(place.borrow_mut().get_or_insert(made)))
    }

    /// The f32 table, for a step, together with verdicts that are still to come where it had to be made: decoded in one go, since calls
    /// that come after the step must find the rows that it changes.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn master(&self, table: &Table) -> Result<(Rc<Lease>, Vec<Verdict>)> {
        if let Some(there) = self.table_f32.borrow().as_ref() {
            return Ok((Rc::clone(there), Vec::new()));
        }
        let scope = self.gpu.open();
        let lease = Rc::new(self.make_table(table)?);
        let mut chunks = Chunks::new(table, u64::MAX);
        while let Some((first, values)) = chunks.next() {
            self.gpu.write(lease.buffer(), first * 4, bytemuck::must_cast_slice(values));
        }
        self.table_f32.replace(Some(Rc::clone(&lease)));
        Ok((lease, vec![scope.close()]))
    }

    fn make_table(&self, table: &Table) -> Result<Lease> {
        let bytes = table.shape().cells() * 4;
        self.gpu.check_size("This table", bytes)?;
        let label = format!("gomme table {}", self.gpu.next_upload());
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        Ok(self.gpu.unpooled(&label, bytes, usage))
    }

    async fn upload_table(&self, table: &Table) -> Result<Lease> {
        let scope = self.gpu.open();
        let lease = self.make_table(table)?;
        self.in_chunks(table, u64::MAX, scope.close(), |first, values| {
            let scope = self.gpu.open();
            self.gpu.write(lease.buffer(), first * 4, bytemuck::must_cast_slice(values));
            scope.close()
        })
        .await?;
        Ok(lease)
    }

    /// The f16 table without an f32 one on the device: chunk after chunk goes up and is cast. A device whose largest binding
    /// holds half of the f32 table still holds this one.
    async fn upload_cast_table(&self, table: &Table) -> Result<Lease> {
        let scope = self.gpu.open();
        let mirror = self.make_mirror(table)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let limit = self.gpu.facts().max_binding / 4;
        let chunk_bytes = (TABLE_CHUNK as u64).min(limit).min(table.shape().cells()) * 4;
        let chunk = self.gpu.unpooled("gomme table chunk", chunk_bytes, usage);
        self.in_chunks(table, limit, scope.close(), |first, values| {
            let scope = self.gpu.open();
            self.gpu.write(chunk.buffer(), 0, bytemuck::must_cast_slice(values));
            let part = chunk.part(values.len() as u64 * 4);
            self.submit(&[self.cast(part, &mirror, first, values.len() as u32)]);
            scope.close()
        })
        .await?;
        Ok(mirror)
    }

    async fn cast_table(&self, master: &Lease, table: &Table) -> Result<Lease> {
        let cells = table.shape().cells();
        let scope = self.gpu.open();
        let mirror = self.make_mirror(table)?;
        self.submit(&[self.cast(master.part(cells * 4), &mirror, 0, cells as u32)]);
        self.gpu.judge(scope.close()).await?;
        Ok(mirror)
    }

    fn make_mirror(&self, table: &Table) -> Result<Lease> {
        let bytes = table.shape().cells().div_ceil(2) * 4;
        self.gpu.check_size("This table", bytes)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Ok(self.gpu.unpooled("gomme f16 table", bytes, usage))
    }

    /// The cast of `count` f32 values into the f16 mirror, from value `first` on (a multiple of [`CHUNK_MULTIPLE`]).
    fn cast(&self, source: Part<'_>, mirror: &Lease, first: u64, count: u32) -> Dispatch {
        let words = count.div_ceil(2);
        let mut upload = Upload::default();
        let params = upload.uniform(CastParams { elements: count });
        let sent = upload.send(&self.gpu);
        let target = Part { buffer: mirror.buffer(), offset: first * 2, bytes: u64::from(words) * 4 };
        self.gpu.dispatch(
            &abi::CAST_F32_TO_F16,
            1,
            &[(1, source), (2, target), (3, sent.part(params))],
            abi::flat_grid(words),
        )
    }

    /// Decodes the table chunk by chunk, of at most `limit` values each, and now and then lets the page have its turn. `made` is the
    /// verdict on the buffers that the chunks go to. A verdict takes a browser longer than a chunk, so only so many chunks are
    /// under way that the memory which they wait in stays small.
    async fn in_chunks(
        &self,
        table: &Table,
        limit: u64,
        made: Verdict,
        mut each: impl FnMut(u64, &[f32]) -> Verdict,
    ) -> Result<()> {
        let _uploading = self.gpu.idle().mark_waiting();
        let mut chunks = Chunks::new(table, limit);
        let mut under_way = VecDeque::from([made]);
        let mut began = now();
        while let Some((first, values)) = chunks.next() {
            under_way.push_back(each(first, values));
            if under_way.len() > CHUNKS_UNDER_WAY
                && let Some(oldest) = under_way.pop_front()
            {
                self.gpu.judge(oldest).await?;
            }
            if !chunks.is_done() && now() - began > SLICE_MILLISECONDS {
                turn().await;
                began = now();
            }
            if let Some(error) = self.gpu.loss() {
                return Err(error);
            }
        }
        self.gpu.settle(under_way.into()).await
    }

    /// Submits dispatches whose results stay on the device.
    pub fn submit<'a>(&self, dispatches: impl IntoIterator<Item = &'a Dispatch>) {
        self.gpu.submit(dispatches);
    }

    /// The f16 table, if it was made.
    pub fn mirror(&self) -> Option<Rc<Lease>> {
        self.table_f16.borrow().clone()
    }

    /// Refuses a table that was trained by steps of which one may have been refused. It begins again, as after a lost device.
    ///
    /// # Errors
    /// `gpu-error`, once.
    pub fn look(&self) -> Result<()> {
        if self.trained.trust().look(&self.gpu).is_ok() {
            return Ok(());
        }
        Err(self.begin_again())
    }

    /// Forgets what steps have changed in this table, and gives the error that says so.
    pub fn begin_again(&self) -> Error {
        self.trained.forget();
        self.table_f32.take();
        self.table_f16.take();
        Error::GpuError(
            "The browser refused work on this device that a `step` may have needed, so what `step` had changed in this table can't \
             be trusted: it starts again from its original values. Keep a copy by `rows()` now and then; the next call works."
                .to_owned(),
        )
    }

    /// The same once something was read back that was submitted after so many steps.
    ///
    /// # Errors
    /// `gpu-error`.
    pub async fn confirm(&self, trust: Trust, steps: u64) -> Result<()> {
        if !trust.is_in_doubt() {
            return Ok(());
        }
        match trust.check(&self.gpu).await {
            Ok(()) => self.trained.confirm(steps),
            Err(error) => return self.look().and(Err(error)),
        }
        Ok(())
    }

    /// What the rule has gathered that this table is trained by.
    pub fn trained(&self) -> &Trained {
        &self.trained
    }

    /// An upload that is the same in every call of its kind, such as its uniforms: sent once and kept.
    pub fn kept_upload(&self, upload: Upload) -> Rc<Sent> {
        if let Some(sent) = self.find_upload(&upload) {
            return sent;
        }
        // Nothing is borrowed meanwhile: what a browser throws would leave it so.
        let sent = Rc::new(upload.clone().send(&self.gpu));
        let mut kept = self.uploads.borrow_mut();
        kept.truncate(MAX_UPLOADS - 1);
        kept.insert(0, (upload, Rc::clone(&sent)));
        sent
    }

    fn find_upload(&self, upload: &Upload) -> Option<Rc<Sent>> {
        let mut kept = self.uploads.borrow_mut();
        kept.retain(|(_, sent)| sent.is_trusted());
        let index = kept.iter().position(|(of, _)| of == upload)?;
        // The one used last stands in front.
        kept[..=index].rotate_right(1);
        Some(Rc::clone(&kept[0].1))
    }

    /// All small inputs of a call, in one write.
    pub fn send_upload(&self, upload: Upload) -> Sent {
        upload.send(&self.gpu)
    }

    /// A buffer with the values of a JavaScript array, copied before this returns; to be called in an open scope.
    ///
    /// # Errors
    /// `gpu-error`.
    pub fn send(&self, values: &Float32Array) -> Result<Lease> {
        let lease = self.gpu.storage("gomme grad_out", u64::from(values.length()) * 4);
        self.gpu.write_floats(lease.buffer(), values)?;
        Ok(lease)
    }
}
