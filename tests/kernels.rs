//! Every kernel on the browser's own GPU (or its software adapter), against its CPU twin and the f64 oracle.
//!
//! All sizes where a block of columns, a workgroup or a grid begins and ends, crossed with each other; the spread of the ids changes
//! from one pair to the next, so that each size sees each of them.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use std::rc::Rc;

use browser::{Gradient, embedding, embedding_on, floats, get, good, gradient, lab, lab_of, lookup, number};
use bytemuck::{Pod, must_cast_slice};
use gomme::abi::{self, CastParams, ColumnBlock, Dims, FillParams, KernelAbi, NoiseParams, WriteParams};
use gomme::cpu::kernels as twin;
use gomme::gpu::buffers::Upload;
use gomme::gpu::device::Gpu;
use gomme::gpu::readback;
use gomme::gpu::request::acquire;
use random::{Counts, Random, SPREADS, Spice, Spread, counts, slots};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const WIDTHS: [u32; 8] = [1, 3, 4, 7, 64, 383, 384, 768];
const LENGTHS: [usize; 7] = [0, 1, 2, 255, 256, 257, 5_000];
/// V: room for 5,000 different ids; a prime.
const VOCAB: u32 = 5_003;
/// V of the lookups, whose tables are uploaded.
const SMALL_VOCAB: u32 = 521;

/// Every width with every length, each with a spread, a spice and random numbers of its own.
fn pairs() -> impl Iterator<Item = (u32, usize, Spread, Spice, Random)> {
    let pairs =
        WIDTHS.iter().enumerate().flat_map(|(i, &d)| LENGTHS.iter().enumerate().map(move |(j, &n)| (i, d, j, n)));
    pairs.map(|(i, d_model, j, seq_len)| {
        let spice = [Spice::Skipped, Spice::Subnormal][(i + j / 3) % 2];
        (d_model, seq_len, SPREADS[(i + j) % 3], spice, Random::new((i * 100 + j) as u64))
    })
}

fn dims(seq_len: usize, d_model: u32, vocab_size: u32) -> Dims {
    Dims { seq_len: seq_len as u32, d_model, vocab_size, spare: 0 }
}

// ------------------------------------------------------------------------------------------------------------- lookup

/// A table with every kind of f32 in it, and many that f16 rounds, overflows or makes subnormal.
fn odd_table(random: &mut Random, cells: usize) -> Vec<f32> {
    let mut table = random.gradient(Spice::Subnormal, cells);
    let more = [70_000.0, 65_504.0, 65_519.0, 65_520.0, -65_520.0, 6e-5, -3e-6, 6e-8, 2.9e-8, 1.0 + 1.0 / 2_048.0];
    for value in table.iter_mut().skip(2).step_by(7) {
        *value = random.pick(&more);
    }
    table
}

fn assert_same_f32(found: &[f32], wanted: &[f32], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
        assert!(same, "{what}, element {i}: {found:e} for {wanted:e}");
    }
}

/// As f32, except that a device may flush what is subnormal as f16.
fn assert_same_f16(found: &[f32], wanted: &[f32], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
        let flushed = wanted.abs() < 2f32.powi(-14) && *found == 0.0;
        assert!(same || flushed, "{what}, element {i}: {found:e} for {wanted:e}");
    }
}

fn kernels(lab: &JsValue) -> Vec<String> {
    js_sys::Array::from(&get(lab, "kernels")).iter().map(|name| name.as_string().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn lookups_are_those_of_the_twins() {
    for d_model in WIDTHS {
        let mut random = Random::new(u64::from(d_model));
        let table = odd_table(&mut random, SMALL_VOCAB as usize * d_model as usize);
        let halves = twin::cast_f32_to_f16(&table);
        let lab = lab_of(&embedding(&table, SMALL_VOCAB, d_model).await);
        let native = get(&get(&lab, "adapter"), "shaderF16").is_truthy();
        assert_eq!(kernels(&lab).iter().any(|name| name == "w16_native"), native);
        for (_, seq_len, spread, _, mut random) in pairs().filter(|pair| pair.0 == d_model) {
            let spread =
                if seq_len > SMALL_VOCAB as usize && spread == Spread::Different { Spread::Zipf } else { spread };
            let tokens = random.tokens(spread, seq_len, SMALL_VOCAB);
            let what = |kernel: &str| format!("{kernel} D={d_model} N={seq_len} {spread:?}");
            let dims = dims(seq_len, d_model, SMALL_VOCAB);
            let mut wanted = vec![f32::MAX; seq_len * d_model as usize];
            twin::embed_lookup(&tokens, &table, &mut wanted, dims);
            for kernel in ["embed_lookup", "fast"] {
                assert_same_f32(&lookup(&lab, &tokens, kernel).await, &wanted, &what(kernel));
            }
            twin::embed_lookup_w16(&tokens, &halves, &mut wanted, dims);
            let packed = lookup(&lab, &tokens, "w16_packed").await;
            assert_same_f16(&packed, &wanted, &what("w16_packed"));
            let others: &[&str] = if native { &["w16_fast", "w16_native"] } else { &["w16_fast"] };
            for kernel in others {
                let found = lookup(&lab, &tokens, kernel).await;
                assert_same_f16(&found, &wanted, &what(kernel));
                // Subnormals aside, all paths give the same bits, even of a NaN.
                for ((found, packed), wanted) in found.iter().zip(&packed).zip(&wanted) {
                    let aside = wanted.abs() < 2f32.powi(-14);
                    assert!(found.to_bits() == packed.to_bits() || aside, "{}: {found} {packed}", what(kernel));
                }
            }
        }
    }
}

#[wasm_bindgen_test]
async fn an_f16_embedding_looks_up_what_its_kernels_do() {
    for d_model in [7, 384] {
        let mut random = Random::new(16);
        let table = odd_table(&mut random, SMALL_VOCAB as usize * d_model as usize);
        let fields = [("backend", "gpu".into()), ("precision", "f16".into()), ("table", browser::values(&table))];
        let embedding = good(browser::create(browser::shape(SMALL_VOCAB, d_model), &fields).await);
        let tokens = random.tokens(Spread::Zipf, 300, SMALL_VOCAB);
        let out = good(browser::ask(&embedding, "embed", &[browser::ids(&tokens)]).await);
        let mut wanted = vec![0.0; 300 * d_model as usize];
        let halves = twin::cast_f32_to_f16(&table);
        twin::embed_lookup_w16(&tokens, &halves, &mut wanted, dims(300, d_model, SMALL_VOCAB));
        assert_same_f16(&js_sys::Float32Array::from(out).to_vec(), &wanted, "f16 embedding");
    }
}

// ----------------------------------------------------------------------------------------------------------- gradient

fn assert_within_bound(found: &Gradient, tokens: &[u32], grad_out: &[f32], d_model: u32, what: &str) {
    let width = d_model as usize;
    let used_rows = found.counts.rows.len();
    assert_eq!(found.grad.len(), used_rows * width, "{what}");
    let oracle = twin::oracle(&slots(tokens, &found.counts.rows), grad_out, used_rows, width);
    for (i, &sum) in found.grad.iter().enumerate() {
        let error = (f64::from(sum) - oracle.sum[i]).abs();
        let bound = twin::bound(found.counts.hits[i / width], oracle.magnitude[i]);
        assert!(error <= bound, "{what}, element {i}: {sum:e} for {:e}, {error:e} over {bound:e}", oracle.sum[i]);
    }
}

#[wasm_bindgen_test]
async fn compare_exchange_gradients_are_within_the_bound() {
    let flushes = get(&get(&lab(1, 1, "gpu").await, "adapter"), "flushesSubnormals").is_truthy();
    let mut retries = 0u64;
    for (d_model, seq_len, spread, spice, mut random) in pairs() {
        let lab = lab(VOCAB, d_model, "gpu").await;
        let tokens = random.tokens(spread, seq_len, VOCAB);
        let grad_out = random.gradient(spice, seq_len * d_model as usize);
        let wanted = counts(&tokens, &grad_out, VOCAB, d_model as usize);
        for kernel in ["embed_backward", "counted"] {
            let what = format!("{kernel} D={d_model} N={seq_len} {spread:?} {spice:?}");
            let found = gradient(&lab, &tokens, &grad_out, kernel).await;
            assert_eq!(found.counts, wanted, "{what}");
            assert_within_bound(&found, &tokens, &grad_out, d_model, &what);
            assert_single_hits(&found, &tokens, &grad_out, d_model, flushes, &what);
            assert_eq!(found.retries.is_some(), kernel == "counted", "{what}");
            let failed = found.retries.unwrap_or_default();
            assert_eq!(failed.len(), if kernel == "counted" { wanted.rows.len() } else { 0 }, "{what}");
            retries += failed.iter().map(|&n| u64::from(n)).sum::<u64>();
        }
    }
    console_log!("failed exchanges in all: {retries}");
}

/// Where a row has one hit there is nothing to add up: its values are those of the gradient, skipped ones zero.
fn assert_single_hits(found: &Gradient, tokens: &[u32], grad_out: &[f32], d_model: u32, flushes: bool, what: &str) {
    let width = d_model as usize;
    for (s, t) in tokens.iter().enumerate() {
        let Ok(slot) = found.counts.rows.binary_search(t) else { continue };
        if found.counts.hits[slot] != 1 {
            continue;
        }
        for (d, &value) in grad_out[s * width..(s + 1) * width].iter().enumerate() {
            let sum = found.grad[slot * width + d];
            let wanted = if value.is_finite() { value } else { 0.0 };
            let flushed = flushes && wanted.is_subnormal() && sum == 0.0;
            assert!(sum == wanted || flushed, "{what}, row {t}, column {d}: {sum:e} for {value:e}");
        }
    }
}

#[wasm_bindgen_test]
async fn racy_gradients_are_exact_where_nobody_races() {
    let flushes = get(&get(&lab(1, 1, "gpu").await, "adapter"), "flushesSubnormals").is_truthy();
    for (d_model, seq_len, spread, spice, mut random) in pairs() {
        let lab = lab(VOCAB, d_model, "gpu").await;
        let tokens = random.tokens(spread, seq_len, VOCAB);
        let grad_out = random.gradient(spice, seq_len * d_model as usize);
        let what = format!("racy D={d_model} N={seq_len} {spread:?} {spice:?}");
        let found = gradient(&lab, &tokens, &grad_out, "racy").await;
        assert_eq!(found.counts, counts(&tokens, &grad_out, VOCAB, d_model as usize), "{what}");
        assert_eq!(found.grad.len(), found.counts.rows.len() * d_model as usize, "{what}");
        assert_single_hits(&found, &tokens, &grad_out, d_model, flushes, &what);
    }
}

/// The kernels whose names promise a fixed order of addition.
fn sorted_kernels(lab: &JsValue) -> Vec<String> {
    let sorted = |name: &String| name.starts_with("sorted") && name != "sorted_parts";
    let found: Vec<String> = kernels(lab).into_iter().filter(sorted).collect();
    assert!(found.iter().any(|name| name == "sorted"));
    found
}

/// Every sorted kernel, twice, against the twin (bit by bit), the counts and the oracle.
async fn assert_sorted(
    (gpu, cpu): (&JsValue, &JsValue),
    vocab_size: u32,
    tokens: &[u32],
    grad_out: &[f32],
    what: &str,
) {
    let d_model = number(gpu, "dModel") as u32;
    let software = get(&get(gpu, "adapter"), "software").is_truthy();
    let wanted = counts(tokens, grad_out, vocab_size, d_model as usize);
    let twin = gradient(cpu, tokens, grad_out, "sorted").await;
    assert_eq!(twin.counts, wanted, "twin of {what}");
    for kernel in sorted_kernels(gpu) {
        let what = format!("{kernel} D={d_model} N={} {what}", tokens.len());
        if kernel == "sorted_on_gpu" && software && tokens.len() > 400_000 {
            continue; // a minute each: a software adapter is slow at barriers
        }
        let found = gradient(gpu, tokens, grad_out, &kernel).await;
        assert!(found.counts == wanted, "{what}: {}", difference(&found.counts, &wanted));
        assert_eq!(found.retries, None, "{what}");
        assert_same_bits(&found, &twin, &what);
        assert_within_bound(&found, tokens, grad_out, d_model, &what);
        let again = gradient(gpu, tokens, grad_out, &kernel).await;
        assert!(found.bits() == again.bits() && found.counts == again.counts, "{what}: another run, other bits");
    }
}

/// Where two counts differ, in a line: whole they fill the screen.
fn difference(found: &Counts, wanted: &Counts) -> String {
    let first = |name: &str, found: &[u32], wanted: &[u32]| {
        let place = found.iter().zip(wanted).position(|(a, b)| a != b);
        let at = place.map(|i| format!(", first {} for {} at {i}", found[i], wanted[i])).unwrap_or_default();
        let differs = found != wanted;
        differs.then(|| format!("{name}: {} for {}{at}", found.len(), wanted.len())).into_iter()
    };
    let totals = |c: &Counts| [c.out_of_vocab, c.zero, c.non_finite];
    first("rows", &found.rows, &wanted.rows)
        .chain(first("hits", &found.hits, &wanted.hits))
        .chain(first("adds", &found.adds, &wanted.adds))
        .chain(first("outside, zero, non-finite", &totals(found), &totals(wanted)))
        .collect::<Vec<_>>()
        .join("; ")
}

#[wasm_bindgen_test]
async fn sorted_gradients_have_the_bits_of_the_twin_in_every_run() {
    for (d_model, seq_len, spread, _, mut random) in pairs() {
        let labs = (lab(VOCAB, d_model, "gpu").await, lab(VOCAB, d_model, "cpu").await);
        let tokens = random.tokens(spread, seq_len, VOCAB);
        let grad_out = random.gradient(Spice::Skipped, seq_len * d_model as usize);
        assert_sorted((&labs.0, &labs.1), VOCAB, &tokens, &grad_out, &format!("{spread:?}")).await;
    }
}

fn assert_same_bits(found: &Gradient, twin: &Gradient, what: &str) {
    assert_eq!(found.grad.len(), twin.grad.len(), "{what}");
    if let Some(i) = (0..twin.grad.len()).find(|&i| found.grad[i].to_bits() != twin.grad[i].to_bits()) {
        panic!("{what}, element {i}: {:e} for the twin's {:e}", found.grad[i], twin.grad[i]);
    }
}

/// Vocabularies of all sizes, the smallest and those around a power of two: what grouping divides its work by.
#[wasm_bindgen_test]
async fn sorted_gradients_of_every_size_of_vocabulary() {
    let vocabularies =
        [1, 2, 3, 31, 32, 33, 255, 256, 257, 1_024, 4_095, 4_097, 16_384, 65_535, 65_536, 65_537, 300_000, u32::MAX];
    for (k, vocab_size) in vocabularies.into_iter().enumerate() {
        let labs = (lab(vocab_size, 4, "gpu").await, lab(vocab_size, 4, "cpu").await);
        let mut random = Random::new(300 + k as u64);
        let lengths = if vocab_size > 1 << 17 { [1, 257] } else { [[1, 3_000], [257, 20_000]][k % 2] };
        for seq_len in lengths {
            // Ids of every digit, not only the small ones that Zipf favours.
            let mut tokens = random.tokens(Spread::Zipf, seq_len, vocab_size.min(1 << 31));
            tokens.iter_mut().step_by(2).for_each(|t| *t = random.below(vocab_size));
            let grad_out = random.gradient(Spice::Skipped, seq_len * 4);
            assert_sorted((&labs.0, &labs.1), vocab_size, &tokens, &grad_out, &format!("V={vocab_size}")).await;
        }
    }
}

#[wasm_bindgen_test]
async fn sorted_gradients_with_subnormals_are_within_the_bound() {
    for (d_model, seq_len, spread, _, mut random) in pairs().step_by(2) {
        let lab = lab(VOCAB, d_model, "gpu").await;
        let tokens = random.tokens(spread, seq_len, VOCAB);
        let grad_out = random.gradient(Spice::Subnormal, seq_len * d_model as usize);
        for kernel in sorted_kernels(&lab) {
            let what = format!("{kernel} D={d_model} N={seq_len} {spread:?} with subnormals");
            let found = gradient(&lab, &tokens, &grad_out, &kernel).await;
            assert_eq!(found.counts, counts(&tokens, &grad_out, VOCAB, d_model as usize), "{what}");
            assert_within_bound(&found, &tokens, &grad_out, d_model, &what);
        }
    }
}

/// Long rows: several levels of segments, and every length around one.
#[wasm_bindgen_test]
async fn sorted_gradients_of_long_rows() {
    let labs = (lab(9, 4, "gpu").await, lab(9, 4, "cpu").await);
    let mut random = Random::new(77);
    let lengths = [31, 32, 33, 127, 128, 129, 1_000, 4_096, 4_097, 16_383, 16_384, 16_385, 40_000, 300_000];
    for seq_len in lengths {
        for spread in [Spread::Equal, Spread::Zipf] {
            let tokens = random.ids(spread, seq_len, 9);
            let grad_out = random.gradient(Spice::Skipped, seq_len * 4);
            assert_sorted((&labs.0, &labs.1), 9, &tokens, &grad_out, &format!("{spread:?} over 9 rows")).await;
        }
    }
}

/// All of a very long sequence in one row: partial sums of partial sums.
#[wasm_bindgen_test]
async fn sorted_gradients_of_an_enormous_row() {
    let labs = (lab(2, 1, "gpu").await, lab(2, 1, "cpu").await);
    let seq_len = 128 * 128 * 128 + 1;
    let grad_out = Random::new(78).gradient(Spice::Skipped, seq_len);
    assert_sorted((&labs.0, &labs.1), 2, &vec![1; seq_len], &grad_out, "one row").await;
}

/// Finite gradients whose sum is not: reported as it is, by every kernel that adds.
#[wasm_bindgen_test]
async fn an_overflowing_sum_is_infinite() {
    let tokens = [3, 3, 3, 1];
    let grad_out = [3e38f32, -3e38, 3e38, -3e38, 1.0, 1.0, 5.0, 6.0];
    for (backend, kernels) in
        [("gpu", ["embed_backward", "counted", "sorted"]), ("cpu", ["counted", "sorted", "sorted"])]
    {
        let lab = lab(5, 2, backend).await;
        for kernel in kernels {
            let found = gradient(&lab, &tokens, &grad_out, kernel).await;
            assert_eq!(found.grad, [5.0, 6.0, f32::INFINITY, f32::NEG_INFINITY], "{kernel} on {backend}");
            assert_eq!(found.counts.non_finite, 0, "{kernel} on {backend}");
        }
    }
}

// ------------------------------------------------------------------------------------------------------ folded grids

/// N·D above 65,535 workgroups of 256: the flat kernels fold their grid, the tiled ones take more of y.
const FOLDED: (usize, u32) = (21_846, 768);

#[wasm_bindgen_test]
async fn folded_lookups() {
    let (seq_len, d_model) = FOLDED;
    assert!(abi::flat_grid(seq_len as u32 * d_model)[1] == 2);
    let mut random = Random::new(5);
    let table = random.numbers(61 * d_model as usize);
    let halves = twin::cast_f32_to_f16(&table);
    let lab = lab_of(&embedding(&table, 61, d_model).await);
    let tokens = random.tokens(Spread::Zipf, seq_len, 61);
    let mut wanted = vec![0.0; seq_len * d_model as usize];
    let runnable = kernels(&lab);
    for kernel in ["embed_lookup", "fast", "w16_packed", "w16_fast", "w16_native"] {
        if kernel == "w16_packed" {
            twin::embed_lookup_w16(&tokens, &halves, &mut wanted, dims(seq_len, d_model, 61));
        } else if kernel == "embed_lookup" {
            twin::embed_lookup(&tokens, &table, &mut wanted, dims(seq_len, d_model, 61));
        }
        if runnable.iter().any(|name| name == kernel) {
            assert_same_f32(&lookup(&lab, &tokens, kernel).await, &wanted, kernel);
        }
    }
}

#[wasm_bindgen_test]
async fn folded_scatters() {
    let (seq_len, d_model) = FOLDED;
    let lab = lab(seq_len as u32 * 2, d_model, "gpu").await;
    let mut random = Random::new(6);
    let tokens = random.tokens(Spread::Different, seq_len, seq_len as u32 * 2);
    let grad_out = random.gradient(Spice::Skipped, seq_len * d_model as usize);
    let wanted = counts(&tokens, &grad_out, seq_len as u32 * 2, d_model as usize);
    for kernel in ["embed_backward", "counted", "racy"] {
        let found = gradient(&lab, &tokens, &grad_out, kernel).await;
        assert_eq!(found.counts, wanted, "{kernel}");
        assert_single_hits(&found, &tokens, &grad_out, d_model, false, kernel);
    }
}

#[wasm_bindgen_test]
async fn folded_sorted_gradient() {
    let (seq_len, d_model) = FOLDED;
    let labs = (lab(VOCAB, d_model, "gpu").await, lab(VOCAB, d_model, "cpu").await);
    let mut random = Random::new(7);
    let tokens = random.tokens(Spread::Zipf, seq_len, VOCAB);
    let grad_out = random.gradient(Spice::Skipped, seq_len * d_model as usize);
    assert_sorted((&labs.0, &labs.1), VOCAB, &tokens, &grad_out, "folded").await;
}

/// More positions than one direction of a tiled grid has workgroups for.
#[wasm_bindgen_test]
async fn folded_tiles() {
    let mut random = Random::new(8);
    let table = random.numbers(1_000);
    let lookups = lab_of(&embedding(&table, 1_000, 1).await);
    let seq_len = 65_535 * 32 + 33;
    let tokens = random.tokens(Spread::Zipf, seq_len, 1_000);
    let mut wanted = vec![0.0; seq_len];
    twin::embed_lookup(&tokens, &table, &mut wanted, dims(seq_len, 1, 1_000));
    assert_same_f32(&lookup(&lookups, &tokens, "fast").await, &wanted, "fast over folded tiles");

    let seq_len = 65_535 * 8 + 9;
    let labs = (lab(600_000, 1, "gpu").await, lab(600_000, 1, "cpu").await);
    let tokens = random.tokens(Spread::Different, seq_len, 600_000);
    let grad_out = random.gradient(Spice::Skipped, seq_len);
    assert_sorted((&labs.0, &labs.1), 600_000, &tokens, &grad_out, "over folded tiles").await;
}

/// More blocks of columns than one direction of a grid has workgroups for.
#[wasm_bindgen_test]
async fn rows_wider_than_a_grid() {
    // The last is a multiple of 4, and its f16 rows pass no limit.
    for d_model in [65_535 * 16 - 1, 65_535 * 16 + 1, 65_535 * 64 + 4] {
        let width = d_model as usize;
        let mut random = Random::new(u64::from(d_model));
        let table = random.numbers(2 * width);
        let halves = twin::cast_f32_to_f16(&table);
        let labs =
            (lab_of(&embedding(&table, 2, d_model).await), lab_of(&embedding_on("cpu", &table, 2, d_model).await));
        let tokens = [1, 2, 0];
        let mut wanted = vec![f32::MAX; 3 * width];
        twin::embed_lookup(&tokens, &table, &mut wanted, dims(3, d_model, 2));
        for lab in [&labs.0, &labs.1] {
            for kernel in ["fast", "embed_lookup"] {
                let what = format!("{kernel} D={d_model}");
                assert_same_f32(&lookup(lab, &tokens, kernel).await, &wanted, &what);
            }
        }
        twin::embed_lookup_w16(&tokens, &halves, &mut wanted, dims(3, d_model, 2));
        for kernel in ["w16_fast", "w16_packed"] {
            assert_same_f16(&lookup(&labs.0, &tokens, kernel).await, &wanted, &format!("{kernel} D={d_model}"));
        }
        let tokens = [1, 0, 1];
        let grad_out = random.gradient(Spice::Skipped, 3 * width);
        assert_sorted((&labs.0, &labs.1), 2, &tokens, &grad_out, "wide rows").await;
        for kernel in ["embed_backward", "counted"] {
            let found = gradient(&labs.0, &tokens, &grad_out, kernel).await;
            assert_within_bound(&found, &tokens, &grad_out, d_model, kernel);
        }
    }
}

// ------------------------------------------------------------------------------------------- kernels without a call

/// Runs a kernel that has only `source` (if it has binding 1), `target` and `params`; gives `target` afterwards.
async fn run_alone(
    gpu: &Rc<Gpu>,
    abi: &'static KernelAbi,
    source: &[u32],
    target: &[u32],
    params: impl Pod,
    threads: u32,
) -> Vec<u32> {
    let into = gpu.storage("test target", target.len() as u64 * 4);
    gpu.write(into.buffer(), 0, must_cast_slice(target));
    let mut upload = Upload::default();
    let params = upload.uniform(params);
    let from = upload.section(source);
    let sent = upload.send(gpu);
    let all = into.part(target.len() as u64 * 4);
    let mut parts = vec![(1, sent.part(from)), (2, all), (3, sent.part(params))];
    parts.retain(|part| abi.bindings.iter().any(|binding| binding.0 == part.0));
    let dispatch = gpu.dispatch(abi, 1, &parts, abi::flat_grid(threads));
    readback::run(gpu, &[&dispatch], &[all]).await.unwrap().words(0)
}

const COUNTS: [usize; 7] = [0, 1, 2, 255, 256, 257, 5_000];

#[wasm_bindgen_test]
async fn fill_zero_zeroes_what_it_should_and_no_more() {
    let gpu = acquire().await.unwrap();
    for count in COUNTS.into_iter().chain([16_776_960 + 300]) {
        let before: Vec<u32> = (0..count as u32 + 300).map(|i| i | 1).collect();
        let found =
            run_alone(&gpu, &abi::FILL_ZERO, &[], &before, FillParams { words: count as u32 }, count as u32).await;
        let mut wanted = before.clone();
        wanted[..count].fill(0);
        assert!(found == wanted, "{count} words");
    }
}

#[wasm_bindgen_test]
async fn the_cast_is_that_of_half() {
    let gpu = acquire().await.unwrap();
    let mut random = Random::new(9);
    let named = [
        70_000.0,
        65_504.0,
        65_519.996,
        65_520.0,
        65_536.0,
        f32::MAX,
        f32::INFINITY,
        0.0,
        f32::NAN,
        1.0,
        6.1e-5,
        2f32.powi(-14),
        2f32.powi(-24),
        2f32.powi(-25),
        3.0 * 2f32.powi(-26),
        1.0 + 2f32.powi(-11),
        1.0 + 3.0 * 2f32.powi(-11),
    ];
    let mut tricky: Vec<f32> = named.iter().flat_map(|&v| [v, -v, v.next_up(), v.next_down()]).collect();
    tricky.extend(random::SKIPPED.iter().chain(&random::SUBNORMAL).map(|&bits| f32::from_bits(bits)));
    // Around the middle between each f16 and the next, and every f16 itself.
    for bits in 0..0x7bffu16 {
        let (low, high) = (half::f16::from_bits(bits).to_f32(), half::f16::from_bits(bits + 1).to_f32());
        let middle = (low + high) / 2.0;
        tricky.extend([low, -low, middle, -middle, middle.next_up(), middle.next_down(), -middle.next_up()]);
    }
    tricky.extend((0..200_000).map(|_| f32::from_bits(random.next() as u32)));
    let check = async |source: &[f32]| {
        let words: Vec<u32> = source.iter().map(|value| value.to_bits()).collect();
        let before = vec![u32::MAX; source.len().div_ceil(2) + 8];
        let elements = source.len() as u32;
        let params = CastParams { elements };
        let found = run_alone(&gpu, &abi::CAST_F32_TO_F16, &words, &before, params, elements.div_ceil(2)).await;
        let twin = twin::cast_f32_to_f16(source);
        for (i, &wanted) in twin.iter().enumerate() {
            let half = (found[i / 2] >> (i % 2 * 16)) as u16;
            assert_eq!(half, wanted, "{:x} ({:e})", words[i], source[i]);
        }
        assert!(found[source.len().div_ceil(2)..].iter().all(|&word| word == u32::MAX), "written past the end");
        if source.len() % 2 == 1 {
            assert_eq!(found[source.len() / 2] >> 16, 0, "the half behind the last one");
        }
    };
    check(&tricky).await;
    for count in COUNTS {
        check(&tricky[..count]).await;
    }
}

#[wasm_bindgen_test]
async fn noise_is_that_of_the_twin() {
    let gpu = acquire().await.unwrap();
    for (count, seed) in [(1u32, 0u32), (255, 1), (257, 0x9e37_79b9), (100_000, 7)] {
        let before = vec![0u32; count as usize + 3];
        let params = NoiseParams { elements: count, seed };
        let found = run_alone(&gpu, &abi::NOISE, &[], &before, params, count).await;
        let mut twin = vec![0.0f32; count as usize];
        twin::noise(&mut twin, params);
        for (i, (&bits, wanted)) in found.iter().zip(&twin).enumerate() {
            assert_eq!(bits, wanted.to_bits(), "element {i}");
        }
        assert_eq!(found[count as usize..], [0; 3]);
    }
}

#[wasm_bindgen_test]
async fn write_only_writes_every_block() {
    let gpu = acquire().await.unwrap();
    for d_model in [3, 384] {
        let columns = ColumnBlock::of(d_model).columns();
        for blocks in [1u32, 256, 257, 1_024, 1_025] {
            let words = u64::from(blocks * columns);
            let out = gpu.storage("test out", words * 4 + 16);
            gpu.write(out.buffer(), 0, must_cast_slice(&vec![0u32; words as usize + 4]));
            let mut upload = Upload::default();
            let params = upload.uniform(WriteParams { blocks });
            let sent = upload.send(&gpu);
            let all = out.part(words * 4 + 16);
            let parts = [(2, all), (3, sent.part(params))];
            let dispatch = gpu.dispatch(&abi::WRITE_ONLY, d_model, &parts, abi::write_only_grid(blocks));
            let found = readback::run(&gpu, &[&dispatch], &[all]).await.unwrap().words(0);
            let (written, after) = found.split_at(words as usize);
            assert!(written.iter().all(|&bits| f32::from_bits(bits) == 1.0));
            assert_eq!(after, [0; 4]);
        }
    }
}

/// The promise of the same bits everywhere rests on this.
#[wasm_bindgen_test]
async fn the_device_rounds_to_nearest_even() {
    let facts = get(&lab(1, 1, "gpu").await, "adapter");
    assert!(get(&facts, "roundsToNearestEven").is_truthy(), "{facts:?}");
    console_log!(
        "{} ({}), flushes subnormals: {}, shader-f16: {}, largest binding: {}",
        browser::text(&facts, "name"),
        if get(&facts, "software").is_truthy() { "software" } else { "hardware" },
        get(&facts, "flushesSubnormals").is_truthy(),
        get(&facts, "shaderF16").is_truthy(),
        number(&facts, "maxBindingBytes"),
    );
}

// ------------------------------------------------------------------------------------------------------------ timings

#[wasm_bindgen_test]
async fn every_kernel_can_be_timed() {
    let mut random = Random::new(10);
    let table = random.numbers(SMALL_VOCAB as usize * 64);
    let lab = lab_of(&embedding(&table, SMALL_VOCAB, 64).await);
    let tokens = random.tokens(Spread::Zipf, 300, SMALL_VOCAB);
    let used_rows = counts(&tokens, &vec![1.0; 300 * 64], SMALL_VOCAB, 64).rows.len() as f64;
    let options = browser::object(&[("minMilliseconds", 0.5.into()), ("samples", 3.into())]);
    for kernel in kernels(&lab) {
        let arguments = [kernel.as_str().into(), browser::ids(&tokens), options.clone()];
        let timing = good(browser::ask(&lab, "time", &arguments).await);
        assert_eq!(browser::text(&timing, "kernel"), kernel);
        assert!(number(&timing, "microseconds") > 0.0, "{kernel}");
        assert!(number(&timing, "repeats") >= 1.0, "{kernel}");
        let clock = browser::text(&timing, "clock");
        assert!(clock == "timestamp" || clock == "wall", "{kernel} by {clock}");
        let samples = js_sys::Float64Array::from(get(&timing, "samples")).to_vec();
        assert_eq!(samples.len(), if clock == "timestamp" { 3 } else { 1 }, "{kernel}");
        assert_eq!(number(&timing, "usedRows"), used_rows, "{kernel}");
        let bytes_per_row = match kernel.as_str() {
            "write_only" => 0.0,
            name if name.starts_with("w16") => 2.0,
            _ => 4.0,
        };
        assert_eq!(number(&timing, "bytes"), 300.0 * 64.0 * 4.0 + used_rows * 64.0 * bytes_per_row, "{kernel}");
        assert_eq!(get(&timing, "retries").is_undefined(), !matches!(kernel.as_str(), "embed_backward" | "counted"));
    }
}

/// `toDense` puts each row in its place.
#[wasm_bindgen_test]
async fn dense_gradients() {
    for backend in ["gpu", "cpu"] {
        let lab = lab(6, 3, backend).await;
        let arguments = [browser::ids(&[4, 1, 6, 4]), browser::values(&[1.0; 12]), "sorted".into()];
        let gradient = good(browser::ask(&lab, "gradient", &arguments).await);
        let dense = js_sys::Float32Array::from(good(browser::call(&gradient, "toDense", &[]))).to_vec();
        let mut wanted = [0.0; 18];
        wanted[3..6].fill(1.0);
        wanted[12..15].fill(2.0);
        assert_eq!(dense, wanted);
        assert_eq!(floats(&gradient, "grad"), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    }
}
