//! Reads every shader with naga and compares it with what Rust says of it.

use super::*;
use core::mem::offset_of;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Literal, Module, ShaderStage, TypeInner};

/// A multiple of 4 and another number, so that both kinds of `Columns` are tested.
const WIDTHS: [u32; 2] = [384, 7];

fn parse(shader: &Shader, d_model: u32) -> (Module, ModuleInfo) {
    let source = shader.module(d_model);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|e| panic!("{}: {}", shader.file, e.emit_to_string(&source)));
    // unpack2x16float is core WGSL; only the native f16 shader may want more than that.
    let mut capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    capabilities.set(Capabilities::SHADER_FLOAT16, source.contains("enable f16;"));
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}: {}", shader.file, e.emit_to_string(&source)));
    (module, info)
}

#[test]
fn every_shader_file_belongs_to_a_kernel() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = files.filter(|f| f.ends_with(".wgsl")).collect();
    files.sort();
    let mut named: Vec<String> = KERNELS.iter().map(|k| k.shader.file.to_owned()).collect();
    named.sort();
    named.dedup();
    assert_eq!(files, named);
}

#[test]
fn bindings_and_workgroups_are_those_of_the_shaders() {
    for (kernel, d_model) in KERNELS.iter().flat_map(|kernel| WIDTHS.map(|d_model| (kernel, d_model))) {
        let (module, info) = parse(kernel.shader, d_model);
        let index = module.entry_points.iter().position(|e| e.name == kernel.entry).expect(kernel.entry);
        let entry = &module.entry_points[index];
        assert_eq!(entry.stage, ShaderStage::Compute);
        assert_eq!(entry.workgroup_size, kernel.workgroup, "{}", kernel.entry);
        let blocks = module.overrides.iter().any(|(_, o)| o.name.as_deref() == Some("BLOCKS"));
        assert_eq!(blocks, kernel.has_blocks, "{}", kernel.entry);
        let uses = info.get_entry_point(index);
        let mut bindings: Vec<(u32, Slot)> = module
            .global_variables
            .iter()
            .filter(|(handle, _)| !uses[*handle].is_empty())
            .filter_map(|(_, variable)| variable.binding.map(|binding| (binding, variable.space)))
            .map(|(binding, space)| {
                assert_eq!(binding.group, 0);
                let slot = match space {
                    AddressSpace::Uniform => Uniform,
                    AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => ReadWrite,
                    AddressSpace::Storage { .. } => Read,
                    other => panic!("{}: {other:?}", kernel.entry),
                };
                (binding.binding, slot)
            })
            .collect();
        bindings.sort_by_key(|&(binding, _)| binding);
        assert_eq!(bindings, kernel.bindings, "{}", kernel.entry);
    }
}

/// Name and offset in bytes of each field, and the size of the whole.
type Layout = (&'static str, Vec<(&'static str, usize)>, usize);

macro_rules! layout {
    ($name:ident { $($field:ident),* }) => {
        (stringify!($name), vec![$((stringify!($field), offset_of!($name, $field))),*], size_of::<$name>())
    };
}

fn layouts() -> Vec<Layout> {
    vec![
        layout!(LookupParams { seq_len, vocab_size }),
        layout!(SumParams { segments, first }),
        layout!(EnumerateParams { seq_len, vocab_size, capacity }),
        layout!(RadixParams { seq_len, vocab_size, capacity, shift, tiles, per_thread }),
        layout!(BlockParams { seq_len, vocab_size, chunk, counted }),
        layout!(BlockRows { begin, tail }),
        layout!(FillParams { words }),
        layout!(CastParams { elements }),
        layout!(CastRowsParams { capacity, d_model, elements, words }),
        layout!(StepParams {
            capacity,
            d_model,
            chunk,
            chunks,
            nothing,
            rate,
            eps,
            inverse_d,
            beta1,
            beta1_rest,
            beta2,
            beta2_rest,
            unbias
        }),
        layout!(BagParams { bags, vocab_size, done, stretch }),
        layout!(Bag { first, last, scale }),
        layout!(NoiseParams { elements, seed }),
        layout!(WriteParams { blocks }),
        layout!(Segment { first, last, dst, row }),
        layout!(RowCount { hits, zero, non_finite, retries }),
        layout!(RowSkips { zero, non_finite }),
    ]
}

/// Structs of the shaders that never leave the device.
const PRIVATE: [&str; 1] = ["Four"];

#[test]
fn structs_have_the_layouts_of_the_shaders() {
    let layouts = layouts();
    let mut seen = Vec::new();
    for kernel in KERNELS {
        let (module, _) = parse(kernel.shader, WIDTHS[0]);
        for (_, found) in module.types.iter() {
            let (Some(name), TypeInner::Struct { members, span }) = (&found.name, &found.inner) else { continue };
            if PRIVATE.contains(&name.as_str()) || name.starts_with("__") {
                continue;
            }
            let file = kernel.shader.file;
            let (name, fields, size) =
                layouts.iter().find(|layout| layout.0 == name).unwrap_or_else(|| panic!("{file}: {name}"));
            assert_eq!(*span as usize, *size, "{file}: {name}");
            let members: Vec<(&str, usize)> =
                members.iter().map(|m| (m.name.as_deref().unwrap(), m.offset as usize)).collect();
            assert_eq!(members, *fields, "{file}: {name}");
            seen.push(*name);
        }
        // Uniforms are structs of that kind, but for the document's `dims`.
        for (_, variable) in module.global_variables.iter().filter(|(_, v)| v.space == AddressSpace::Uniform) {
            let uniform = &module.types[variable.ty];
            match variable.name.as_deref().unwrap() {
                "dims" | "dims_w16" => assert_eq!(uniform.inner.size(module.to_ctx()) as usize, size_of::<Dims>()),
                name => assert!(uniform.name.as_ref().is_some_and(|n| n.ends_with("Params")), "{name}"),
            }
        }
    }
    assert!(layouts.iter().all(|layout| seen.contains(&layout.0)));
}

/// A named constant of a shader.
fn constant(kernel: &KernelAbi, name: &str) -> u32 {
    let (module, _) = parse(kernel.shader, WIDTHS[0]);
    let (_, constant) = module
        .constants
        .iter()
        .find(|(_, constant)| constant.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("{} has no constant {name}", kernel.shader.file));
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(Literal::U32(value)) => value,
        ref other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn constants_are_those_of_the_shaders() {
    assert_eq!(constant(&FILL_ZERO, "WORKGROUP"), WORKGROUP);
    assert_eq!(constant(&EMBED_LOOKUP_FAST, "MAX_WORKGROUPS"), MAX_WORKGROUPS);
    assert_eq!(constant(&EMBED_LOOKUP_FAST, "PER_THREAD"), LOOKUP_PER_THREAD);
    assert_eq!(constant(&WRITE_ONLY, "PER_THREAD"), WRITE_PER_THREAD);
    assert_eq!(constant(&ENUMERATE, "POSITIONS"), ENUMERATE_POSITIONS);
    assert_eq!(constant(&RADIX_COUNT, "DIGIT_BITS"), RADIX_DIGIT_BITS);
    assert_eq!(constant(&RADIX_COUNT, "DIGITS"), RADIX_DIGITS);
    assert_eq!(constant(&SUM_BLOCKS, "CHUNKS"), BLOCK_CHUNKS);
    assert_eq!(constant(&STEP_ADAGRAD, "ROW_CHUNKS"), ROW_CHUNKS);
}

/// Sizes around where a direction of a grid is full.
fn corners() -> impl Iterator<Item = u32> + Clone {
    let around = [1, 16, 64, 256].map(|unit: u32| unit * MAX_WORKGROUPS);
    let near = around.into_iter().flat_map(|full| [full - 1, full, full + 1, full + 15, full + 16, full + 17]);
    near.chain([1, 2, 3, 4, 15, 16, 17, 383, 384, 1_048_561, 4_194_241, 1 << 28, 1 << 30])
}

fn workgroups(grid: [u32; 3]) -> u64 {
    grid.iter().map(|&n| u64::from(n)).product()
}

#[test]
fn every_grid_covers_its_work_and_folds() {
    for items in corners() {
        for (grid, each) in [(flat_grid(items), 1), (write_only_grid(items), WRITE_PER_THREAD)] {
            assert!(grid.iter().all(|n| (1..=MAX_WORKGROUPS).contains(n)), "{items}: {grid:?}");
            assert!(workgroups(grid) * u64::from(WORKGROUP * each) >= u64::from(items), "{items}: {grid:?}");
        }
    }
    assert_eq!(flat_grid(0), [0, 1, 1]);
    // N, or the number of segments, with D, as far as a u32 counts the elements.
    let sizes = corners().flat_map(|rows| corners().map(move |d_model| (rows, d_model)));
    for (rows, d_model) in sizes.filter(|&(n, d)| u64::from(n) * u64::from(d) <= u64::from(u32::MAX)) {
        let what = format!("{rows} rows of {d_model}");
        let blocks = ColumnBlock::per_row(d_model);
        let checked = |kernel: &KernelAbi, grid: [u32; 3]| {
            assert!(grid.iter().all(|n| (1..=MAX_WORKGROUPS).contains(n)), "{}: {what}: {grid:?}", kernel.entry);
        };
        let grids = [
            (&EMBED_LOOKUP_FAST, LOOKUP_PER_THREAD, lookup_fast_grid(rows, d_model)),
            (&EMBED_LOOKUP_FAST_W16, LOOKUP_PER_THREAD, lookup_fast_w16_grid(rows, d_model)),
            (&SUM_SEGMENTS, 1, sum_grid(&SUM_SEGMENTS, rows, d_model)),
            (&SUM_PARTIALS, 1, sum_grid(&SUM_PARTIALS, rows, d_model)),
            (&EMBED_BAG, 1, sum_grid(&EMBED_BAG, rows, d_model)),
            (&STEP_SCALED, 1, sum_grid(&STEP_SCALED, rows, d_model)),
        ];
        for (kernel, per_thread, grid) in grids {
            checked(kernel, grid);
            let positions = rows.div_ceil(kernel.workgroup[1] * per_thread);
            let columns = blocks.div_ceil(kernel.workgroup[0]);
            assert!(
                workgroups(grid) >= u64::from(positions) * u64::from(columns),
                "{}: {what}: {grid:?}",
                kernel.entry
            );
            // As the shaders read it: one direction for what is not folded.
            let (whole, folded) = if columns > MAX_WORKGROUPS { (positions, columns) } else { (columns, positions) };
            assert!(grid.contains(&whole), "{}: {what}: {grid:?}", kernel.entry);
            assert!(workgroups(grid) / u64::from(whole) >= u64::from(folded), "{}: {what}: {grid:?}", kernel.entry);
        }
    }
    assert_eq!(lookup_fast_grid(262_144, 384), [4_096, 1, 6]);
    assert_eq!(lookup_fast_w16_grid(262_144, 384), [3, 8_192, 1]);
    assert_eq!(sum_grid(&SUM_SEGMENTS, 17, 384), [6, 3, 1]);
}
