//! What of an embedding lives on a device: its tables, and the way of arrays to it. The calls are in `calls`.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::{Float32Array, Uint8Array};

use crate::abi::{self, CastParams};
use crate::browser::futures::pause;
use crate::error::Result;
use crate::gpu::buffers::{Lease, Part, Sent, Upload};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::options::Precision;
use crate::table::Table;

/// What of an embedding lives on a device.
#[derive(Debug)]
pub struct OnDevice {
    gpu: Rc<Gpu>,
    table_f32: RefCell<Option<Rc<Lease>>>,
    table_f16: RefCell<Option<Rc<Lease>>>,
}

/// Values of a table that are decoded at a time, between which the page may do something else.
const TABLE_CHUNK: usize = 1 << 19;
/// Gradients up to this size go straight into a mapped buffer; larger ones in chunks, since a browser may have no
/// such stretch of memory to map.
const MOST_MAPPED_BYTES: u64 = 256 << 20;
/// From this length on a device of its own groups tokens faster than the CPU does, uploading left aside. (Measured on an
/// NVIDIA H200 in Firefox, D = 384: bench/README.md has the figures.)
const GROUP_ON_GPU_FROM: usize = 2_048;
/// ... up to this length, and for vocabularies of at most this many rows, since each of them is looked at.
const MOST_GROUPED_ON_GPU: usize = 1 << 22;
const MOST_ROWS_ON_GPU: u32 = 1 << 20;
/// Chunk of a write that goes through wasm memory, in values.
const WRITE_CHUNK: u32 = 4 << 20;

impl OnDevice {
    /// Nothing of any table yet.
    pub fn new(gpu: Rc<Gpu>) -> Self {
        Self { gpu, table_f32: RefCell::default(), table_f16: RefCell::default() }
    }

    /// The device.
    pub fn gpu(&self) -> &Rc<Gpu> {
        &self.gpu
    }

    /// Makes the pipelines that calls will want, so that no call waits for a compiler.
    pub fn prepare(&self, d_model: u32, precision: Precision, with_table: bool) {
        let mut wanted = vec![&abi::FILL_ZERO, &abi::COUNTED, &abi::SUM_SEGMENTS, &abi::SUM_PARTIALS];
        if with_table {
            match precision {
                Precision::F32 => wanted.push(&abi::EMBED_LOOKUP_FAST),
                Precision::F16 => wanted.extend([&abi::EMBED_LOOKUP_FAST_W16, &abi::CAST_F32_TO_F16]),
            }
        }
        for kernel in wanted {
            self.gpu.kernel(kernel, d_model);
        }
    }

    /// The table on this device in this precision; uploaded (or cast from the f32 one) at first use.
    ///
    /// # Errors
    /// `device-lost`, if that happens during the upload.
    pub async fn table(&self, table: &Table, precision: Precision) -> Result<Rc<Lease>> {
        let place = match precision {
            Precision::F32 => &self.table_f32,
            Precision::F16 => &self.table_f16,
        };
        if let Some(there) = place.borrow().as_ref() {
            return Ok(Rc::clone(there));
        }
        let made = Rc::new(match precision {
            Precision::F32 => self.upload_table(table).await?,
            Precision::F16 => {
                let there = self.table_f32.borrow().clone();
                let master = match there {
                    Some(master) => master,
                    None => Rc::new(self.upload_table(table).await?),
                };
                self.cast(&master, table.vocab_size() * table.d_model())
            }
        });
        place.replace(Some(Rc::clone(&made)));
        Ok(made)
    }

    async fn upload_table(&self, table: &Table) -> Result<Lease> {
        let cells = table.vocab_size() as usize * table.d_model() as usize;
        let label = format!("gomme table {}", self.gpu.next_upload());
        let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some(&label),
            size: cells as u64 * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let lease = self.gpu.pool().once(buffer);
        let mut chunk = vec![0.0f32; TABLE_CHUNK.min(cells)];
        let mut first = 0;
        while first < cells {
            let count = chunk.len().min(cells - first);
            table.read(first, &mut chunk[..count]);
            self.gpu.queue().write_buffer(lease.buffer(), first as u64 * 4, bytemuck::must_cast_slice(&chunk[..count]));
            first += count;
            if first < cells {
                pause(0).await; // let the page breathe
            }
            if self.gpu.is_lost() {
                return Err(self.gpu.lost().await);
            }
        }
        Ok(lease)
    }

    /// The f16 mirror of a table of `cells` f32 values.
    pub fn cast(&self, master: &Lease, cells: u32) -> Lease {
        let words = cells.div_ceil(2);
        let mirror = self.gpu.pool().once(self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("gomme f16 table"),
            size: u64::from(words) * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        }));
        let mut upload = Upload::default();
        let params = upload.uniform(CastParams { elements: cells });
        let sent = self.send_upload(upload);
        let parts = [(1, master.part(u64::from(cells) * 4)), (2, Part::whole(mirror.buffer())), (3, sent.part(params))];
        let cast = self.gpu.dispatch(&abi::CAST_F32_TO_F16, 1, &parts, abi::flat_grid(words));
        self.submit(&[&cast]);
        mirror
    }

    /// Submits dispatches whose results stay on the device.
    pub fn submit(&self, dispatches: &[&Dispatch]) {
        let mut encoder =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("gomme") });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            dispatches.iter().for_each(|dispatch| dispatch.record(&mut pass));
        }
        self.gpu.queue().submit([encoder.finish()]);
    }

    /// Whether tokens that nobody has grouped yet are better grouped on the device. Never on a software adapter: there the
    /// sort's barriers cost more than everything else.
    pub fn groups_better_itself(&self, seq_len: usize, vocab_size: u32) -> bool {
        let grouping = GROUP_ON_GPU_FROM..=MOST_GROUPED_ON_GPU;
        !self.gpu.facts().software && grouping.contains(&seq_len) && vocab_size <= MOST_ROWS_ON_GPU
    }

    /// All small inputs of a call, in one write.
    pub fn send_upload(&self, upload: Upload) -> Sent {
        upload.send(self.gpu.pool(), self.gpu.device(), self.gpu.queue())
    }

    /// A buffer with the values of a JavaScript array, copied before this returns.
    pub fn send(&self, values: &Float32Array) -> Lease {
        let bytes = u64::from(values.length()) * 4;
        if bytes <= MOST_MAPPED_BYTES {
            let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("gomme grad_out"),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: true,
            });
            // The mapped range as JavaScript sees it: one copy, none in wasm memory.
            let written = buffer.get_mapped_range(..).map(|view| {
                let source =
                    Uint8Array::new_with_byte_offset_and_length(&values.buffer(), values.byte_offset(), bytes as u32);
                view.as_uint8array().set(&source, 0);
            });
            buffer.unmap();
            if written.is_ok() {
                return self.gpu.pool().once(buffer);
            }
            buffer.destroy();
        }
        let lease = self.gpu.storage("gomme grad_out", bytes);
        let mut first = 0;
        while first < values.length() {
            let last = values.length().min(first + WRITE_CHUNK);
            let chunk = values.subarray(first, last).to_vec();
            self.gpu.queue().write_buffer(lease.buffer(), u64::from(first) * 4, bytemuck::must_cast_slice(&chunk));
            first = last;
        }
        lease
    }
}
