//! Pipelines, bind groups and dispatches: a kernel of `abi` made runnable on one device.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;

use crate::abi::{ColumnBlock, KernelAbi, Slot};
use crate::browser::compute;
use crate::browser::webgpu::Device;
use crate::gpu::buffers::Part;

/// A pipeline and the shape of its bind group.
#[derive(Debug)]
pub struct Kernel {
    abi: &'static KernelAbi,
    object: JsValue,
}

/// Shader, entry point, and D where the kernel is made for one.
type Key = (&'static str, &'static str, u32);

/// Bind groups that are kept: of a few dozen calls under way together, a sorted gradient having six or seven.
const MAX_KEPT: usize = 256;

/// A bind group, and what it was made for.
#[derive(Debug)]
struct Kept {
    kernel: Rc<Kernel>,
    parts: Vec<(wgpu::Buffer, u64, u64)>,
    bind_group: Rc<JsValue>,
}

impl Kept {
    fn is_over(&self, parts: &[(u32, Part<'_>)]) -> bool {
        let same = |(kept, (_, part)): (&(wgpu::Buffer, u64, u64), &(u32, Part<'_>))| {
            kept.1 == part.offset && kept.2 == part.bytes && kept.0 == *part.buffer
        };
        self.parts.len() == parts.len() && self.parts.iter().zip(parts).all(same)
    }
}

/// The pipelines of one device, each made once.
#[derive(Debug, Default)]
pub struct Kernels {
    kept: RefCell<Vec<Kept>>,
    made: RefCell<Vec<(Key, Rc<Kernel>)>>, // two dozen at most for one D, so a list is the smallest map
}

impl Kernels {
    /// The kernel, if it was made already.
    pub fn find(&self, abi: &'static KernelAbi, d_model: u32) -> Option<Rc<Kernel>> {
        let key = key(abi, d_model);
        self.made.borrow().iter().find(|(made, _)| *made == key).map(|(_, kernel)| Rc::clone(kernel))
    }

    /// Forgets them all.
    pub fn clear(&self) {
        self.made.borrow_mut().clear();
        self.kept.borrow_mut().clear();
    }

    /// A dispatch with a bind group that was made for the same kernel and parts, or with one that is made and kept.
    pub fn kept(
        &self,
        kernel: Rc<Kernel>,
        parts: &[(u32, Part<'_>)],
        grid: [u32; 3],
        make: impl FnOnce(Rc<Kernel>) -> Dispatch,
    ) -> Dispatch {
        if let Some(bind_group) = self.find_kept(&kernel, parts) {
            return Dispatch { kernel, bind_group, grid };
        }
        // Nothing is borrowed meanwhile: what a browser throws would leave it so.
        let dispatch = make(Rc::clone(&kernel));
        let mut kept = self.kept.borrow_mut();
        kept.truncate(MAX_KEPT - 1);
        let parts = parts.iter().map(|&(_, part)| (part.buffer.clone(), part.offset, part.bytes)).collect();
        kept.insert(0, Kept { kernel, parts, bind_group: Rc::clone(&dispatch.bind_group) });
        dispatch
    }

    fn find_kept(&self, kernel: &Rc<Kernel>, parts: &[(u32, Part<'_>)]) -> Option<Rc<JsValue>> {
        let mut kept = self.kept.borrow_mut();
        let index = kept.iter().position(|kept| Rc::ptr_eq(&kept.kernel, kernel) && kept.is_over(parts))?;
        // The one used last stands in front.
        kept[..=index].rotate_right(1);
        Some(Rc::clone(&kept[0].bind_group))
    }

    /// Keeps a kernel that was prepared, unless a call has made it meanwhile.
    pub fn keep(&self, abi: &'static KernelAbi, d_model: u32, object: JsValue) {
        if self.find(abi, d_model).is_none() {
            self.made.borrow_mut().push((key(abi, d_model), Rc::new(Kernel { abi, object })));
        }
    }

    /// The kernel for rows of `d_model` columns; those that are not made for one serve every D.
    pub fn get(&self, device: &Device, abi: &'static KernelAbi, d_model: u32) -> Rc<Kernel> {
        self.find(abi, d_model).unwrap_or_else(|| {
            let kernel = Rc::new(make(device, abi, d_model));
            self.made.borrow_mut().push((key(abi, d_model), Rc::clone(&kernel)));
            kernel
        })
    }
}

fn key(abi: &'static KernelAbi, d_model: u32) -> Key {
    (abi.shader.file, abi.entry, if abi.is_made_for_d() { d_model } else { 0 })
}

/// What a kernel is made of: bindings and their kinds, columns' blocks, and its module.
struct Recipe {
    slots: Vec<u32>,
    blocks: u32,
    code: String,
}

fn recipe(abi: &'static KernelAbi, d_model: u32) -> Recipe {
    let slot = |slot| match slot {
        Slot::Read => 0,
        Slot::ReadWrite => 1,
        Slot::Uniform => 2,
    };
    let slots: Vec<u32> = abi.bindings.iter().flat_map(|&(binding, of)| [binding, slot(of)]).collect();
    let blocks = if abi.has_blocks { ColumnBlock::per_row(d_model) } else { 0 };
    Recipe { slots, blocks, code: abi.shader.module(d_model) }
}

fn make(device: &Device, abi: &'static KernelAbi, d_model: u32) -> Kernel {
    let Recipe { slots, blocks, code } = recipe(abi, d_model);
    Kernel { abi, object: compute::make_kernel(device, abi.shader.file, &code, abi.entry, &slots, blocks) }
}

/// A promise of the same, made beside the device's other work; for [`Kernels::keep`].
pub fn prepare(device: &Device, abi: &'static KernelAbi, d_model: u32) -> Promise {
    let Recipe { slots, blocks, code } = recipe(abi, d_model);
    compute::prepare_kernel(device, abi.shader.file, &code, abi.entry, &slots, blocks)
}

/// One dispatch, ready to be recorded as often as wanted.
#[derive(Debug)]
pub struct Dispatch {
    kernel: Rc<Kernel>,
    bind_group: Rc<JsValue>,
    grid: [u32; 3],
}

impl Dispatch {
    /// Binds each of `parts` where the number in front of it says.
    pub fn new(device: &Device, kernel: Rc<Kernel>, parts: &[(u32, Part<'_>)], grid: [u32; 3]) -> Self {
        debug_assert!(parts.iter().map(|part| part.0).eq(kernel.abi.bindings.iter().map(|binding| binding.0)));
        for &(binding, part) in parts {
            compute::bind(binding, part.handle(), part.offset as f64, part.bytes as f64);
        }
        let bind_group = Rc::new(compute::make_bind_group(device, &kernel.object));
        Self { kernel, bind_group, grid }
    }

    /// Records it; a grid without workgroups is left out.
    pub fn record(&self) {
        let [x, y, z] = self.grid;
        if x > 0 && y > 0 && z > 0 {
            compute::dispatch(&self.kernel.object, &self.bind_group, x, y, z);
        }
    }
}
