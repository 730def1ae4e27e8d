//! Pipelines, bind groups and dispatches: a kernel of `abi` made runnable on one device.

use core::cell::RefCell;
use std::rc::Rc;

use crate::abi::{ColumnBlock, KernelAbi, Slot};
use crate::gpu::buffers::Part;

/// A pipeline and the shape of its bind group.
#[derive(Debug)]
pub struct Kernel {
    abi: &'static KernelAbi,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

/// Shader, entry point, and D where the kernel is made for one.
type Key = (&'static str, &'static str, u32);

/// Bind groups that are kept: of a handful of calls in turn, a sorted gradient having about ten.
const MAX_KEPT: usize = 64;

/// A bind group, and what it was made for.
#[derive(Debug)]
struct Kept {
    kernel: Rc<Kernel>,
    parts: Vec<(wgpu::Buffer, u64, u64)>,
    bind_group: wgpu::BindGroup,
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
        let mut kept = self.kept.borrow_mut();
        let found = kept.iter().position(|kept| Rc::ptr_eq(&kept.kernel, &kernel) && kept.is_over(parts));
        // The one used last stands in front.
        let group = match found {
            Some(index) => kept.remove(index),
            None => {
                let dispatch = make(Rc::clone(&kernel));
                kept.truncate(MAX_KEPT - 1);
                let parts = parts.iter().map(|&(_, part)| (part.buffer.clone(), part.offset, part.bytes)).collect();
                Kept { kernel: Rc::clone(&kernel), parts, bind_group: dispatch.bind_group }
            }
        };
        let bind_group = group.bind_group.clone();
        kept.insert(0, group);
        Dispatch { kernel, bind_group, grid }
    }

    /// The kernel for rows of `d_model` columns; those that are not made for one serve every D.
    pub fn get(&self, device: &wgpu::Device, abi: &'static KernelAbi, d_model: u32) -> Rc<Kernel> {
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

fn make(device: &wgpu::Device, abi: &'static KernelAbi, d_model: u32) -> Kernel {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(abi.shader.file),
        source: wgpu::ShaderSource::Wgsl(abi.shader.module(d_model).into()),
    });
    let entries: Vec<wgpu::BindGroupLayoutEntry> = abi
        .bindings
        .iter()
        .map(|&(binding, slot)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match slot {
                    Slot::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Slot::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                    Slot::Uniform => wgpu::BufferBindingType::Uniform,
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(abi.entry), entries: &entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(abi.entry),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let blocks = [("BLOCKS", f64::from(ColumnBlock::per_row(d_model)))];
    // A pipeline constant that the shader does not declare is an error, so only where it does.
    let constants: &[(&str, f64)] = if abi.has_blocks { &blocks } else { &[] };
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(abi.entry),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(abi.entry),
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    });
    Kernel { abi, pipeline, layout }
}

/// One dispatch, ready to be recorded as often as wanted.
#[derive(Debug)]
pub struct Dispatch {
    kernel: Rc<Kernel>,
    bind_group: wgpu::BindGroup,
    grid: [u32; 3],
}

impl Dispatch {
    /// Binds each of `parts` where the number in front of it says.
    pub fn new(device: &wgpu::Device, kernel: Rc<Kernel>, parts: &[(u32, Part<'_>)], grid: [u32; 3]) -> Self {
        debug_assert!(parts.iter().map(|part| part.0).eq(kernel.abi.bindings.iter().map(|binding| binding.0)));
        let entries: Vec<wgpu::BindGroupEntry<'_>> = parts
            .iter()
            .map(|&(binding, part)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: part.buffer,
                    offset: part.offset,
                    size: wgpu::BufferSize::new(part.bytes),
                }),
            })
            .collect();
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(kernel.abi.entry),
            layout: &kernel.layout,
            entries: &entries,
        });
        Self { kernel, bind_group, grid }
    }

    /// Records it; a grid without workgroups is left out.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        if self.grid.contains(&0) {
            return;
        }
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.grid[0], self.grid[1], self.grid[2]);
    }
}
