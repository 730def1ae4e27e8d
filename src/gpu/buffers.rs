//! GPU buffers that are used again: a call borrows them from a pool and gives them back when it is done. While a batch is open (see
//! `batch`) what comes back is held until the batch is submitted.
//!
//! Giving back right after a submit is safe for everything that only the GPU touches, since one queue runs its work
//! in order. A buffer for reading back is given back after it was unmapped.

use core::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use bytemuck::Pod;
use wasm_bindgen::JsCast;

use crate::browser::{compute, webgpu};
use crate::gpu::device::Gpu;
use crate::policy::surplus_buffers;

/// Offset of a section in an upload must be a multiple of this, on every device.
pub const SECTION_ALIGNMENT: usize = 256;

/// Idle buffers of one device.
#[derive(Debug, Default)]
pub struct Pool {
    idle: RefCell<Vec<(&'static str, Rc<wgpu::Buffer>)>>,
    /// Raised when the buffers of before are no longer trusted.
    generation: Cell<u32>,
    /// While commands wait for their submission: buffers whose loan has ended meanwhile.
    held: RefCell<Option<Vec<Ended>>>,
}

/// A loan that has ended.
type Ended = (&'static str, Rc<wgpu::Buffer>, End);

/// A buffer on loan; at least as large as was asked for. Goes back to its pool when dropped.
#[derive(Debug)]
pub struct Lease {
    pool: Rc<Pool>,
    /// A clone of wgpu's own handle costs a call of JavaScript.
    buffer: Rc<wgpu::Buffer>,
    label: &'static str,
    end: Cell<End>,
}

/// What becomes of a buffer at the end of its loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It is kept idle, if the pool is still of this generation.
    Keep(u32),
    Destroy,
    /// It is somebody else's.
    Leave,
}

thread_local! {
    static POOLS: RefCell<Vec<(webgpu::Device, Weak<Pool>)>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Pool {
    /// A device without a pool is not kept alive for its sake.
    fn drop(&mut self) {
        POOLS.with_borrow_mut(|pools| pools.retain(|(_, pool)| pool.strong_count() > 0));
    }
}

impl Pool {
    /// The pool of a device: one, however many embeddings were lent that device.
    pub fn of(device: &webgpu::Device) -> Rc<Self> {
        let known = POOLS
            .with_borrow(|pools| pools.iter().find(|(of, _)| **of == **device).and_then(|(_, pool)| pool.upgrade()));
        known.unwrap_or_else(|| {
            let (device, pool) = (device.clone(), Rc::new(Self::default()));
            POOLS.with_borrow_mut(|pools| pools.push((device, Rc::downgrade(&pool))));
            pool
        })
    }

    /// The size in which a buffer of `bytes` is made, so that others can use it after.
    pub fn size_for(&self, bytes: u64, max_buffer: u64) -> u64 {
        size_class(bytes).min(max_buffer.max(bytes.next_multiple_of(4)))
    }

    /// An idle buffer of at least `bytes` and not much more than `size`, for exactly these usages: rather one that had this
    /// label before, and of those the one that came back last, so that calls that come again find their buffers, and so their
    /// bind groups, as they left them.
    pub fn reuse(
        self: &Rc<Self>,
        label: &'static str,
        bytes: u64,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Option<Lease> {
        let mut idle = self.idle.borrow_mut();
        let best = idle
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, (_, b))| b.usage() == usage && b.size() >= bytes && b.size() <= size.saturating_mul(2))
            .min_by_key(|(_, (of, b))| (*of != label, b.size()))
            .map(|(index, _)| index);
        best.map(|index| self.keep(label, idle.remove(index).1))
    }

    /// Puts a buffer on loan that is kept idle after.
    pub fn keep(self: &Rc<Self>, label: &'static str, buffer: Rc<wgpu::Buffer>) -> Lease {
        Lease { pool: Rc::clone(self), buffer, label, end: Cell::new(End::Keep(self.generation.get())) }
    }

    /// Puts a buffer on loan that is destroyed after.
    pub fn unpooled(self: &Rc<Self>, buffer: wgpu::Buffer) -> Lease {
        Lease { pool: Rc::clone(self), buffer: Rc::new(buffer), label: "", end: Cell::new(End::Destroy) }
    }

    /// Puts a buffer of somebody else's on loan; it is left alone after.
    pub fn foreign(self: &Rc<Self>, buffer: wgpu::Buffer) -> Lease {
        Lease { pool: Rc::clone(self), buffer: Rc::new(buffer), label: "", end: Cell::new(End::Leave) }
    }

    /// Gives up all idle buffers, and those on loan when they come back: one of them may never have been made.
    pub fn renew(&self) {
        self.generation.set(self.generation.get().wrapping_add(1));
        self.idle.take().iter().for_each(|(_, buffer)| compute::destroy(handle(buffer)));
    }

    /// Keeps every buffer whose loan ends from now on until [`Self::release`]: commands that were recorded use it, and whatever is
    /// written into it by another call, or destroyed, would come before their submission.
    pub fn hold(&self) {
        self.held.borrow_mut().get_or_insert_default();
    }

    /// Lets go of what was held.
    pub fn release(&self) {
        let held = self.held.take();
        for (label, buffer, end) in held.into_iter().flatten() {
            self.end(label, buffer, end);
        }
    }

    fn end(&self, label: &'static str, buffer: Rc<wgpu::Buffer>, end: End) {
        match end {
            End::Keep(generation) if generation == self.generation.get() => self.give_back(label, buffer),
            End::Keep(_) | End::Destroy => compute::destroy(handle(&buffer)),
            End::Leave => {}
        }
    }

    fn give_back(&self, label: &'static str, buffer: Rc<wgpu::Buffer>) {
        let surplus: Vec<_> = {
            let mut idle = self.idle.borrow_mut();
            idle.push((label, buffer));
            let surplus = surplus_buffers(idle.iter().map(|(_, buffer)| buffer.size()));
            idle.drain(..surplus).collect()
        };
        // Work already submitted still runs to its end.
        surplus.iter().for_each(|(_, oldest)| compute::destroy(handle(oldest)));
    }
}

fn size_class(bytes: u64) -> u64 {
    const MEBIBYTE: u64 = 1 << 20;
    if bytes <= 4 * MEBIBYTE { bytes.max(4_096).next_power_of_two() } else { bytes.next_multiple_of(MEBIBYTE) }
}

impl Lease {
    /// The buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Its `GPUBuffer`.
    pub fn handle(&self) -> Option<&webgpu::Buffer> {
        handle(&self.buffer)
    }

    /// The first `bytes` of it, to be bound.
    pub fn part(&self, bytes: u64) -> Part<'_> {
        Part { buffer: self.buffer(), offset: 0, bytes }
    }

    /// Whether nothing was refused since it was leased that made all buffers of before suspect.
    pub fn is_trusted(&self) -> bool {
        match self.end.get() {
            End::Keep(generation) => generation == self.pool.generation.get(),
            End::Destroy | End::Leave => true,
        }
    }

    /// Destroys the buffer at the end of the loan: after a failure nobody knows whether it is still mapped.
    pub fn discard(&mut self) {
        self.end.set(End::Destroy);
    }

    /// Whether the page may hold it: a pooled buffer that was not handed out is nobody else's.
    pub fn is_reachable(&self) -> bool {
        !matches!(self.end.get(), End::Keep(_))
    }

    /// The `GPUBuffer`, for a caller, who may destroy it or hand it on: no other call is given it after.
    pub fn hand_out(&self) -> Option<&webgpu::Buffer> {
        if let End::Keep(_) = self.end.get() {
            self.end.set(End::Destroy);
        }
        self.handle()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (buffer, end) = (Rc::clone(&self.buffer), self.end.get());
        let mut held = self.pool.held.borrow_mut();
        match held.as_mut() {
            Some(held) => held.push((self.label, buffer, end)),
            None => {
                drop(held);
                self.pool.end(self.label, buffer, end);
            }
        }
    }
}

/// The `GPUBuffer` of a buffer; every one has one here.
fn handle(buffer: &wgpu::Buffer) -> Option<&webgpu::Buffer> {
    buffer.as_webgpu().map(JsCast::unchecked_ref)
}

/// A stretch of a buffer, as a binding sees it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub offset: u64,
    pub bytes: u64,
}

impl<'a> Part<'a> {
    /// Its `GPUBuffer`.
    pub fn handle(&self) -> Option<&'a webgpu::Buffer> {
        handle(self.buffer)
    }

    /// A whole buffer.
    pub fn whole(buffer: &'a wgpu::Buffer) -> Self {
        Self { buffer, offset: 0, bytes: buffer.size() }
    }
}

/// All small inputs of one call (tokens, segments, uniforms) in one buffer, and so in one write.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Upload {
    words: Vec<u32>,
}

/// Where a section of an upload lies: offset and length in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Section(u64, u64);

impl Upload {
    /// Adds a section of words; an empty one gets one zero word, because no binding may be empty.
    pub fn section(&mut self, words: &[u32]) -> Section {
        self.put(|all| all.extend_from_slice(words))
    }

    /// Adds a section of structs, which must consist of words.
    pub fn structs<T: Pod>(&mut self, items: &[T]) -> Section {
        self.section(bytemuck::must_cast_slice(items))
    }

    /// Adds the uniform of one dispatch.
    pub fn uniform<T: Pod>(&mut self, params: T) -> Section {
        self.structs(&[params])
    }

    fn put(&mut self, fill: impl FnOnce(&mut Vec<u32>)) -> Section {
        let start = self.words.len().next_multiple_of(SECTION_ALIGNMENT / 4);
        self.words.resize(start, 0);
        fill(&mut self.words);
        if self.words.len() == start {
            self.words.push(0);
        }
        Section(start as u64 * 4, (self.words.len() - start) as u64 * 4)
    }

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    /// Writes everything into a leased buffer.
    pub fn send(self, gpu: &Gpu) -> Sent {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let lease = gpu.lease("gomme upload", self.bytes(), usage);
        gpu.write(lease.buffer(), 0, bytemuck::must_cast_slice(&self.words));
        Sent(lease)
    }
}

/// An upload on the device.
#[derive(Debug)]
pub struct Sent(Lease);

impl Sent {
    /// Whether it may be used again: see [`Lease::is_trusted`].
    pub fn is_trusted(&self) -> bool {
        self.0.is_trusted()
    }

    /// A section of it, to be bound.
    pub fn part(&self, section: Section) -> Part<'_> {
        Part { buffer: self.0.buffer(), offset: section.0, bytes: section.1 }
    }
}
