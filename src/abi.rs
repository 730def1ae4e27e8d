//! What Rust and WGSL must agree on: struct layouts, constants, grid shapes, and which kernel is in which shader.
//!
//! The only file that names WGSL entry points. A test parses every shader with naga and reads all of this back out.

use crate::wgsl::shader;

/// `dims` of the document's kernels and, with other meanings of its words, of all others: one uniform `vec4<u32>`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dims {
    /// N, or the number of elements, words, lanes or pieces.
    pub count: u32,
    /// D; the first piece for the sorted gradient's passes, V for grouping, the seed for noise.
    pub d_model: u32,
    /// V (U where tokens were renumbered to the used rows); for grouping the digit's shift, then the length of a piece.
    pub vocab_size: u32,
    /// For grouping the number of blocks, then the fan-in; unused by all others.
    pub spare: u32,
}

impl Dims {
    /// The four words by position, for kernels that give them other meanings than N, D and V (their shaders say which).
    pub const fn words(x: u32, y: u32, z: u32, w: u32) -> Self {
        Self { count: x, d_model: y, vocab_size: z, spare: w }
    }
}

/// A run of addends of one row, as `struct Piece` in `01_embedding_sorted.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Piece {
    /// First addend: an index into `order` in the first level, a partial row in the others.
    pub first: u32,
    /// One past the last addend.
    pub last: u32,
    /// Row of `grad` that takes the sum.
    pub dst: u32,
    /// Row of the gradient that it belongs to.
    pub row: u32,
}

/// Words per row of the counted backward's `RowCount`: hits, zero, non_finite, retries.
pub const ROW_COUNT_WORDS: usize = 4;
/// Words per row of the sorted backward's `RowSkips`: zero, non_finite.
pub const ROW_SKIP_WORDS: usize = 2;

/// Words of a struct of u32, for one upload.
pub trait Words {
    /// Appends the words in memory order.
    fn push_words(&self, words: &mut Vec<u32>);
}

impl Words for Dims {
    fn push_words(&self, words: &mut Vec<u32>) {
        words.extend([self.count, self.d_model, self.vocab_size, self.spare]);
    }
}

impl Words for Piece {
    fn push_words(&self, words: &mut Vec<u32>) {
        words.extend([self.first, self.last, self.dst, self.row]);
    }
}

/// What a binding is to its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// `var<storage, read>`
    Read,
    /// `var<storage, read_write>`
    ReadWrite,
    /// `var<uniform>`
    Uniform,
}

/// Width of a lane, the unit that fast kernels move: the prelude in front of their shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LaneWidth {
    /// One column, for any D.
    One,
    /// Four columns, where D is a multiple of 4.
    Four,
}

impl LaneWidth {
    /// The widest lane that divides `d_model`.
    pub fn of(d_model: u32) -> Self {
        if d_model.is_multiple_of(4) { Self::Four } else { Self::One }
    }

    /// Columns of a lane.
    pub fn columns(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }

    /// The shader prelude that defines `Lane`.
    pub fn prelude(self) -> &'static str {
        match self {
            Self::One => shader!("lane1.wgsl"),
            Self::Four => shader!("lane4.wgsl"),
        }
    }
}

/// One kernel: where it is, what it binds, how large its workgroup is.
#[derive(Debug)]
pub struct KernelAbi {
    /// Its shader's file name, for labels and messages.
    pub file: &'static str,
    /// Its shader, without comments.
    pub source: &'static str,
    /// Its entry point.
    pub entry: &'static str,
    /// Bindings of group 0, ascending.
    pub slots: &'static [(u32, Slot)],
    /// `@workgroup_size`
    pub workgroup: [u32; 3],
    /// The shader is written over `Lane` and follows a prelude.
    pub over_lanes: bool,
}

impl KernelAbi {
    /// The shader has the constant `LANES`: all kernels over tiles do.
    pub fn has_lanes(&self) -> bool {
        self.workgroup != FLAT && self.over_lanes
    }
}

use Slot::{Read, ReadWrite, Uniform};

macro_rules! kernel {
    ($name:ident, $doc:literal, $file:literal, $entry:literal, $workgroup:expr, $over_lanes:expr, [$($binding:literal $slot:ident),*]) => {
        #[doc = $doc]
        pub const $name: KernelAbi = KernelAbi {
            file: $file,
            source: shader!($file),
            entry: $entry,
            slots: &[$(($binding, $slot)),*],
            workgroup: $workgroup,
            over_lanes: $over_lanes,
        };
    };
}

const FLAT: [u32; 3] = [256, 1, 1];
/// Workgroups of the kernels over tiles of lanes and rows, each as measured to be fastest.
const FAST_TILE: [u32; 3] = [16, 16, 1];
const FAST_W16_TILE: [u32; 3] = [32, 8, 1];
const PIECES_TILE: [u32; 3] = [16, 8, 1];
const PARTIALS_TILE: [u32; 3] = [32, 1, 1];

kernel!(EMBED_LOOKUP, "The document's lookup.", "01_embedding.wgsl", "embed_lookup", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(EMBED_BACKWARD, "The document's gradient, by compare-exchange.", "01_embedding.wgsl", "embed_backward", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(EMBED_LOOKUP_W16, "The document's f16 lookup, for `shader-f16`.", "01_embedding_w16.wgsl", "embed_lookup_w16", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(EMBED_LOOKUP_W16_PACKED, "The document's f16 lookup, for every other device.", "01_embedding_w16_packed.wgsl", "embed_lookup_w16", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(FILL_ZERO, "Zeroes words.", "01_embedding_fill_zero.wgsl", "fill_zero", FLAT, false, [2 ReadWrite, 3 Uniform]);
kernel!(CAST_F32_TO_F16, "Makes the f16 mirror.", "01_embedding_cast_f16.wgsl", "cast_f32_to_f16", FLAT, false, [1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(COUNTED, "`embed_backward` with counters.", "01_embedding_counted.wgsl", "embed_backward_counted", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform, 4 ReadWrite]);
kernel!(RACY, "`embed_backward` gone wrong.", "01_embedding_racy.wgsl", "embed_backward_racy", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(FAST, "The lookup that `embed` runs.", "01_embedding_fast.wgsl", "embed_lookup_fast", FAST_TILE, true, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(FAST_W16, "The lookup that `embed` runs on an f16 table.", "01_embedding_fast.wgsl", "embed_lookup_fast_w16", FAST_W16_TILE, true, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform]);
kernel!(SUM_PIECES, "First pass of the sorted gradient.", "01_embedding_sorted.wgsl", "sum_pieces", PIECES_TILE, true, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform, 4 Read, 5 ReadWrite]);
kernel!(SUM_PARTIALS, "Every further pass of the sorted gradient.", "01_embedding_sorted.wgsl", "sum_partials", PARTIALS_TILE, true, [2 ReadWrite, 3 Uniform, 4 Read]);
kernel!(SORT_COUNT, "Counts digits, in every round but the first.", "01_embedding_group_sort.wgsl", "sort_count", FLAT, false, [0 Read, 3 Uniform, 5 ReadWrite]);
kernel!(SORT_COUNT_FIRST, "Counts digits in the first round, and clears for the second half.", "01_embedding_group_sort.wgsl", "sort_count_first", FLAT, false, [0 Read, 3 Uniform, 5 ReadWrite, 7 ReadWrite, 8 ReadWrite, 9 ReadWrite]);
kernel!(SORT_SCAN, "Sums the digits' counts over the blocks before.", "01_embedding_group_sort.wgsl", "sort_scan", FLAT, false, [3 Uniform, 5 ReadWrite, 6 ReadWrite]);
kernel!(SORT_SCATTER, "Moves every position to its place.", "01_embedding_group_sort.wgsl", "sort_scatter", FLAT, false, [0 Read, 1 Read, 2 ReadWrite, 3 Uniform, 4 ReadWrite, 5 ReadWrite, 6 ReadWrite]);
kernel!(ROWS_FIND, "Finds where rows begin and end.", "01_embedding_group_rows.wgsl", "rows_find", FLAT, false, [0 Read, 1 ReadWrite, 2 ReadWrite, 3 Uniform, 5 ReadWrite]);
kernel!(ROWS_EMIT, "Numbers the used rows and cuts them into pieces.", "01_embedding_group_rows.wgsl", "rows_emit", FLAT, false, [1 ReadWrite, 2 ReadWrite, 3 Uniform, 4 ReadWrite, 5 ReadWrite, 6 ReadWrite, 7 ReadWrite]);
kernel!(NOISE, "Noise for timings.", "lab_noise.wgsl", "noise", FLAT, false, [2 ReadWrite, 3 Uniform]);
kernel!(WRITE_ONLY, "The floor under every lookup.", "lab_write_only.wgsl", "write_only", FLAT, true, [2 ReadWrite, 3 Uniform]);
kernel!(PROBE, "Asks how the device adds.", "probe.wgsl", "probe", [16, 1, 1], false, [1 Read, 2 ReadWrite]);

/// Every kernel there is.
pub const KERNELS: &[&KernelAbi] = &[
    &EMBED_LOOKUP,
    &EMBED_BACKWARD,
    &EMBED_LOOKUP_W16,
    &EMBED_LOOKUP_W16_PACKED,
    &FILL_ZERO,
    &CAST_F32_TO_F16,
    &COUNTED,
    &RACY,
    &FAST,
    &FAST_W16,
    &SUM_PIECES,
    &SUM_PARTIALS,
    &SORT_COUNT,
    &SORT_COUNT_FIRST,
    &SORT_SCAN,
    &SORT_SCATTER,
    &ROWS_FIND,
    &ROWS_EMIT,
    &NOISE,
    &WRITE_ONLY,
    &PROBE,
];

/// Positions that one thread of the fast lookups serves.
pub const FAST_ROWS: u32 = 4;

/// Positions of one block of the sort.
pub const SORT_BLOCK: u32 = 256;
/// Bits of one round of the sort.
pub const SORT_BITS: u32 = 8;
/// Digits of one round: workgroups of `SORT_SCAN`.
pub const SORT_DIGITS: u32 = 1 << SORT_BITS;
/// Vocabulary rows of one workgroup of `ROWS_EMIT`.
pub const EMIT_ROWS: u32 = 256;
/// Most levels of pieces that `ROWS_EMIT` makes.
pub const MOST_LEVELS: usize = 3;
/// Words of one `Level` of `01_embedding_group_rows.wgsl`, whose first four are the `dims` of its pass.
pub const LEVEL_WORDS: usize = 64;
/// The words of a `Level` that the host fills in: where its pieces begin, its first partial row, where short pieces begin.
pub const LEVEL_FIRST: usize = 1;
pub const LEVEL_PARTIAL: usize = 2;
pub const LEVEL_FIRST_SHORT: usize = 5;

/// Most workgroups in one direction of a dispatch, on every WebGPU device.
pub const MAX_WORKGROUPS: u32 = 65_535;

/// Grid of a kernel with one thread an element: `x`, and `y` where `x` does not suffice (`flat_id` in the shaders).
pub fn flat_grid(elements: u32) -> [u32; 3] {
    fold(elements.div_ceil(FLAT[0]), 1)
}

/// Grid of `FAST`: the positions fold into x and y, the lanes along z, so that they are the last to advance.
pub fn fast_grid(lanes: u32, seq_len: u32) -> [u32; 3] {
    let [x, y, _] = fold(seq_len.div_ceil(FAST_TILE[1] * FAST_ROWS), 1);
    [x, y, lanes.div_ceil(FAST_TILE[0])]
}

/// Grid of `FAST_W16`: the lanes along x, the positions fold into y and z.
pub fn fast_w16_grid(lanes: u32, seq_len: u32) -> [u32; 3] {
    tile_grid(FAST_W16_TILE, lanes, seq_len.div_ceil(FAST_ROWS))
}

/// Grid of `SUM_PIECES` and `SUM_PARTIALS`: the lanes along x, the pieces fold into y and z.
pub fn pieces_grid(kernel: &KernelAbi, lanes: u32, pieces: u32) -> [u32; 3] {
    tile_grid(kernel.workgroup, lanes, pieces)
}

/// Grid of `WRITE_ONLY`: four lanes a thread.
pub fn write_only_grid(lanes: u32) -> [u32; 3] {
    flat_grid(lanes.div_ceil(4))
}

fn tile_grid(tile: [u32; 3], lanes: u32, items: u32) -> [u32; 3] {
    let [y, z, _] = fold(items.div_ceil(tile[1]), 1);
    [lanes.div_ceil(tile[0]), y, z]
}

fn fold(workgroups: u32, last: u32) -> [u32; 3] {
    if workgroups <= MAX_WORKGROUPS {
        [workgroups, 1, last]
    } else {
        [MAX_WORKGROUPS, workgroups.div_ceil(MAX_WORKGROUPS), last]
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::{AddressSpace, Module, ShaderStage, TypeInner};

    fn parse(source: &str, name: &str) -> (Module, naga::valid::ModuleInfo) {
        let module =
            naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
        // unpack2x16float is core WGSL; only the native f16 shader may want more than that.
        let mut capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        capabilities.set(Capabilities::SHADER_FLOAT16, source.contains("enable f16;"));
        let info = Validator::new(ValidationFlags::all(), capabilities)
            .validate(&module)
            .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
        (module, info)
    }

    fn sources(kernel: &KernelAbi) -> Vec<String> {
        if kernel.over_lanes {
            [LaneWidth::One, LaneWidth::Four]
                .iter()
                .map(|lane| format!("{}\n{}", lane.prelude(), kernel.source))
                .collect()
        } else {
            vec![kernel.source.to_owned()]
        }
    }

    #[test]
    fn every_shader_file_belongs_to_a_kernel() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        files.retain(|f| f.ends_with(".wgsl") && !f.starts_with("lane"));
        files.sort();
        let mut named: Vec<String> = KERNELS.iter().map(|k| k.file.to_owned()).collect();
        named.sort();
        named.dedup();
        assert_eq!(files, named);
    }

    #[test]
    fn bindings_and_workgroups_are_those_of_the_shaders() {
        for kernel in KERNELS {
            for source in sources(kernel) {
                let (module, info) = parse(&source, kernel.file);
                let index = module.entry_points.iter().position(|e| e.name == kernel.entry).expect(kernel.entry);
                let entry = &module.entry_points[index];
                assert_eq!(entry.stage, ShaderStage::Compute);
                assert_eq!(entry.workgroup_size, kernel.workgroup, "{}", kernel.entry);
                assert_eq!(source.contains("override LANES"), kernel.has_lanes(), "{}", kernel.entry);
                let uses = info.get_entry_point(index);
                let mut slots: Vec<(u32, Slot)> = module
                    .global_variables
                    .iter()
                    .filter(|(handle, _)| !uses[*handle].is_empty())
                    .filter_map(|(_, variable)| variable.binding.map(|binding| (binding, variable.space)))
                    .map(|(binding, space)| {
                        assert_eq!(binding.group, 0);
                        let slot = match space {
                            AddressSpace::Uniform => Uniform,
                            AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => {
                                ReadWrite
                            }
                            AddressSpace::Storage { .. } => Read,
                            other => panic!("{}: {other:?}", kernel.entry),
                        };
                        (binding.binding, slot)
                    })
                    .collect();
                slots.sort_by_key(|&(binding, _)| binding);
                assert_eq!(slots, kernel.slots, "{}", kernel.entry);
            }
        }
    }

    /// Member names and offsets, in words, of a struct that a shader declares.
    fn members(source: &str, name: &str) -> Vec<(String, u32)> {
        let (module, _) = parse(source, name);
        let (_, found) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect(name);
        let TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
        assert_eq!(*span as usize, members.len() * 4, "{name}");
        members.iter().map(|m| (m.name.clone().unwrap(), m.offset / 4)).collect()
    }

    fn in_order(names: &[&str]) -> Vec<(String, u32)> {
        names.iter().map(|n| (*n).to_owned()).zip(0..).collect()
    }

    #[test]
    fn structs_have_the_layouts_of_the_shaders() {
        let sorted = sources(&SUM_PIECES).remove(0);
        assert_eq!(members(&sorted, "Piece"), in_order(&["first", "last", "dst", "row"]));
        let mut words = Vec::new();
        Piece { first: 1, last: 2, dst: 3, row: 4 }.push_words(&mut words);
        Dims { count: 5, d_model: 6, vocab_size: 7, spare: 8 }.push_words(&mut words);
        assert_eq!(words, [1, 2, 3, 4, 5, 6, 7, 8]);

        assert_eq!(members(ROWS_EMIT.source, "Piece"), members(&sorted, "Piece"));
        let (module, _) = parse(ROWS_EMIT.source, ROWS_EMIT.file);
        let level = module.types.iter().find(|(_, t)| t.name.as_deref() == Some("Level")).unwrap().1;
        let TypeInner::Struct { members: fields, span } = &level.inner else { panic!("Level is no struct") };
        assert_eq!(*span as usize, LEVEL_WORDS * 4);
        let names: Vec<(&str, u32)> = fields.iter().map(|m| (m.name.as_deref().unwrap(), m.offset)).collect();
        let wanted = [("pieces", 0), ("first", 4), ("partial", 8), ("taken", 12), ("short", 16), ("first_short", 20)];
        assert_eq!(names[..6], wanted);
        assert_eq!(names[LEVEL_FIRST].0, "first");
        assert_eq!(names[LEVEL_PARTIAL].0, "partial");
        assert_eq!(names[LEVEL_FIRST_SHORT].0, "first_short");

        let skips = members(&sorted, "RowSkips");
        assert_eq!(skips, in_order(&["zero", "non_finite"]));
        assert_eq!(skips.len(), ROW_SKIP_WORDS);
        let counts = members(COUNTED.source, "RowCount");
        assert_eq!(counts, in_order(&["hits", "zero", "non_finite", "retries"]));
        assert_eq!(counts.len(), ROW_COUNT_WORDS);
    }

    #[test]
    fn constants_are_those_of_the_shaders() {
        let has = |kernel: &KernelAbi, text: String| assert!(kernel.source.contains(&text), "{}: {text}", kernel.file);
        has(&SORT_COUNT, format!("const DIGITS: u32 = {SORT_DIGITS}u;"));
        has(&ROWS_EMIT, format!("levels: array<Level, {MOST_LEVELS}>;"));
        has(&FAST, format!("(wid.y * nwg.x + wid.x) * {}u + lid.y;", FAST_TILE[1] * FAST_ROWS));
        has(&FAST_W16, format!("(wid.z * nwg.y + wid.y) * {}u + lid.y;", FAST_W16_TILE[1] * FAST_ROWS));
        for kernel in [&SORT_COUNT, &SORT_COUNT_FIRST, &SORT_SCATTER] {
            assert_eq!(kernel.workgroup[0], SORT_BLOCK, "{}", kernel.entry);
        }
        assert_eq!(ROWS_EMIT.workgroup[0], EMIT_ROWS);
    }

    #[test]
    fn grids_cover_and_fold() {
        assert_eq!(flat_grid(0), [0, 1, 1]);
        assert_eq!(flat_grid(257), [2, 1, 1]);
        assert_eq!(flat_grid(16_776_960), [65_535, 1, 1]);
        assert_eq!(flat_grid(16_776_961), [65_535, 2, 1]);
        assert_eq!(fast_grid(96, 262_144), [4_096, 1, 6]);
        assert_eq!(fast_grid(1, 65_535 * 64 + 1), [65_535, 2, 1]);
        assert_eq!(fast_w16_grid(96, 262_144), [3, 8_192, 1]);
        assert_eq!(pieces_grid(&SUM_PIECES, 96, 17), [6, 3, 1]);
        assert_eq!(pieces_grid(&SUM_PARTIALS, 1, 65_536), [1, 65_535, 2]);
        assert_eq!(write_only_grid(1_025), [2, 1, 1]);
    }
}
