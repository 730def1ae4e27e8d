//! Results that stay on the GPU, and tables that are trained there: the same bits as the arrays that come home and as the
//! CPU's, whoever holds the buffers.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{
    Gradient, ask, call, create, embedding, embedding_on, get, good, ids, lose_device, number, object, refused,
    settled, shape, text, to_gpu, values,
};
use gomme::browser::futures::both;
use gomme::cpu::kernels as twin;
use js_sys::{Array, Float32Array};
use random::{Random, Spice, Spread};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

async fn read(result: &JsValue) -> Vec<f32> {
    Float32Array::from(good(ask(result, "read", &[]).await)).to_vec()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

async fn rows(embedding: &JsValue) -> Vec<f32> {
    Float32Array::from(good(ask(embedding, "rows", &[]).await)).to_vec()
}

async fn with_precision(precision: &str, backend: &str, table: &[f32], vocab_size: u32, d_model: u32) -> JsValue {
    let more = [("table", values(table)), ("precision", precision.into()), ("backend", backend.into())];
    good(create(shape(vocab_size, d_model), &more).await)
}

#[wasm_bindgen_test]
async fn a_lookup_that_stays_has_the_values_of_one_that_comes_home() {
    for (vocab_size, d_model) in [(50, 12), (33, 5), (40, 384)] {
        let mut random = Random::new(u64::from(d_model));
        let table = random.numbers((vocab_size * d_model) as usize);
        for precision in ["f32", "f16"] {
            let embedding = with_precision(precision, "gpu", &table, vocab_size, d_model).await;
            for seq_len in [1, 2, 63, 700] {
                let tokens = random.tokens(Spread::Zipf, seq_len, vocab_size + 3);
                let home = Float32Array::from(good(ask(&embedding, "embed", &[ids(&tokens)]).await)).to_vec();
                let kept = good(call(&embedding, "tokens", &[ids(&tokens)]));
                assert_eq!(number(&kept, "length"), seq_len as f64);
                for given in [ids(&tokens), kept.clone(), kept] {
                    let array = good(ask(&embedding, "embed", &[given, to_gpu()]).await);
                    assert_eq!(bits(&read(&array).await), bits(&home));
                    let sizes = Array::from(&get(&array, "shape"));
                    assert_eq!((sizes.get(0), sizes.get(1)), ((seq_len as u32).into(), d_model.into()));
                    assert_eq!(text(&array, "dtype"), "float32");
                    let bytes = seq_len as f64 * f64::from(d_model) * 4.0;
                    assert_eq!(number(&array, "byteLength"), bytes);
                    let buffer = get(&array, "buffer");
                    assert!(number(&buffer, "size") >= bytes);
                    assert_eq!(number(&buffer, "usage"), f64::from(0x80 | 4 | 8));
                    good(call(&array, "dispose", &[]));
                }
            }
        }
    }
}

#[wasm_bindgen_test]
async fn no_tokens_give_empty_results() {
    let embedding = embedding(&[1.0; 12], 3, 4).await;
    let array = good(ask(&embedding, "embed", &[ids(&[]), to_gpu()]).await);
    assert_eq!(read(&array).await, [0f32; 0]);
    assert_eq!(number(&array, "byteLength"), 0.0);
    assert!(get(&array, "buffer").is_object());
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[]), values(&[]), to_gpu()]).await);
    let found = Gradient::read(&good(ask(&gradient, "read", &[]).await));
    assert_eq!(found, Gradient { counts: random::counts(&[], &[], 3, 4), grad: vec![], retries: None });
    good(ask(&embedding, "step", &[gradient, object(&[("rule", "sgd".into()), ("lr", 1.into())])]).await);
    assert_eq!(rows(&embedding).await, [1.0; 12]);
    // All outside the vocabulary: rows there are none of either.
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3, 9]), values(&[1.0; 8]), to_gpu()]).await);
    let found = Gradient::read(&good(ask(&gradient, "read", &[]).await));
    assert_eq!(found.counts, random::counts(&[3, 9], &[1.0; 8], 3, 4));
    good(ask(&embedding, "step", &[gradient, object(&[("rule", "sgd".into()), ("lr", 1.into())])]).await);
    assert_eq!(rows(&embedding).await, [1.0; 12]);
}

#[wasm_bindgen_test]
async fn a_gradient_that_stays_has_the_bits_of_one_that_comes_home() {
    for (vocab_size, d_model) in [(50, 12), (33, 5), (4_000, 8)] {
        let mut random = Random::new(u64::from(vocab_size));
        let table = random.numbers((vocab_size * d_model) as usize);
        let embedding = embedding(&table, vocab_size, d_model).await;
        for seq_len in [1usize, 2, 300, 1_000] {
            let tokens = random.tokens(Spread::Zipf, seq_len, vocab_size + 3);
            let grad_out = random.gradient(Spice::Skipped, seq_len * d_model as usize);
            let home = Gradient::read(&good(ask(&embedding, "embedGrad", &[ids(&tokens), values(&grad_out)]).await));
            let kept = good(call(&embedding, "tokens", &[ids(&tokens)]));
            for given in [ids(&tokens), kept] {
                let gradient = good(ask(&embedding, "embedGrad", &[given, values(&grad_out), to_gpu()]).await);
                let room = number(&gradient, "capacity");
                assert!(room >= home.counts.rows.len() as f64 && room <= f64::from(vocab_size).min(seq_len as f64));
                assert_eq!(number(&gradient, "dModel"), f64::from(d_model));
                let found = Gradient::read(&good(ask(&gradient, "read", &[]).await));
                assert_eq!(found.counts, home.counts);
                assert_eq!(found.bits(), home.bits());
                good(call(&gradient, "dispose", &[]));
            }
        }
    }
}

/// dL/d(out) may itself be an array that never came home.
#[wasm_bindgen_test]
async fn a_gradient_of_an_array_on_the_gpu() {
    let mut random = Random::new(3);
    let table = random.numbers(40 * 12);
    let embedding = embedding(&table, 40, 12).await;
    let tokens = random.tokens(Spread::Zipf, 200, 40);
    let array = good(ask(&embedding, "embed", &[ids(&tokens), to_gpu()]).await);
    let values_of = read(&array).await;
    for more in [JsValue::UNDEFINED, object(&[("method", "cas".into())])] {
        let home = good(ask(&embedding, "embedGrad", &[ids(&tokens), values(&values_of), more.clone()]).await);
        let found = good(ask(&embedding, "embedGrad", &[ids(&tokens), array.clone(), more]).await);
        let (home, found) = (Gradient::read(&home), Gradient::read(&found));
        assert_eq!(found.counts, home.counts);
    }
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&tokens), array.clone(), to_gpu()]).await);
    let home = Gradient::read(&good(ask(&embedding, "embedGrad", &[ids(&tokens), values(&values_of)]).await));
    assert_eq!(Gradient::read(&good(ask(&gradient, "read", &[]).await)).bits(), home.bits());
    refused(ask(&embedding, "embedGrad", &[ids(&tokens[1..]), array.clone()]).await, "shape-mismatch");
    good(call(&array, "dispose", &[]));
    refused(ask(&embedding, "embedGrad", &[ids(&tokens), array]).await, "invalid-argument");
}

#[wasm_bindgen_test]
async fn an_array_is_its_owners_until_it_is_disposed_of() {
    let mut random = Random::new(9);
    let table = random.numbers(50 * 12);
    let embedding = embedding(&table, 50, 12).await;
    let tokens = random.tokens(Spread::Zipf, 100, 50);
    let array = good(ask(&embedding, "embed", &[ids(&tokens), to_gpu()]).await);
    let before = read(&array).await;
    for k in 0..40 {
        let other = random.tokens(Spread::Zipf, 100 + k % 3, 50);
        let outcome = good(ask(&embedding, "embed", &[ids(&other), to_gpu()]).await);
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&other), outcome.clone(), to_gpu()]).await);
        good(ask(&embedding, "embed", &[ids(&other)]).await);
        good(call(&outcome, "dispose", &[]));
        good(call(&gradient, "dispose", &[]));
    }
    assert_eq!(bits(&read(&array).await), bits(&before));
    good(call(&array, "dispose", &[]));
    good(call(&array, "dispose", &[]));
    refused(ask(&array, "read", &[]).await, "invalid-argument");
}

#[wasm_bindgen_test]
async fn overlapping_calls_that_stay_have_their_own_results() {
    let mut random = Random::new(11);
    let table = random.numbers(50 * 12);
    let embedding = embedding(&table, 50, 12).await;
    let inputs: Vec<Vec<u32>> =
        (0..24).map(|k| random.tokens(Spread::Zipf, [1, 700, 40, 256][k % 4] + k, 53)).collect();
    let started: Array =
        inputs.iter().map(|tokens| call(&embedding, "embed", &[ids(tokens), to_gpu()]).unwrap()).collect();
    let results = Array::from(&good(settled(js_sys::Promise::all(&started)).await));
    for (tokens, array) in inputs.iter().zip(results.iter()) {
        let home = Float32Array::from(good(ask(&embedding, "embed", &[ids(tokens)]).await)).to_vec();
        assert_eq!(bits(&read(&array).await), bits(&home));
    }
}

#[wasm_bindgen_test]
async fn on_the_cpu_nothing_stays_on_a_gpu() {
    let embedding = embedding_on("cpu", &[1.0; 12], 3, 4).await;
    assert!(get(&embedding, "device").is_undefined());
    for (method, arguments) in [("embed", vec![ids(&[1])]), ("embedGrad", vec![ids(&[1]), values(&[1.0; 4])])] {
        let mut arguments = arguments;
        arguments.push(to_gpu());
        let message = refused(ask(&embedding, method, &arguments).await, "no-webgpu");
        assert!(message.contains("cpu"), "{message}");
    }
    let kept = good(call(&embedding, "tokens", &[ids(&[2, 0])]));
    assert_eq!(Float32Array::from(good(ask(&embedding, "embed", &[kept]).await)).length(), 8);
}

#[wasm_bindgen_test]
async fn the_device_is_handed_out() {
    let embedding = embedding(&[1.0; 12], 3, 4).await;
    let device = get(&embedding, "device");
    assert!(get(&device, "queue").is_object() && get(&device, "createBuffer").is_function());
    let array = good(ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await);
    // Its buffers work with it.
    let script = js_sys::Function::new_with_args(
        "device, buffer",
        "const b = device.createBuffer({ size: 16, usage: 9 }); const e = device.createCommandEncoder(); \
         e.copyBufferToBuffer(buffer, 0, b, 0, 16); device.queue.submit([e.finish()]); \
         return b.mapAsync(1).then(() => new Float32Array(b.getMappedRange().slice(0)))",
    );
    let copied = script.call2(&JsValue::UNDEFINED, &device, &get(&array, "buffer")).unwrap();
    let copied = good(settled(copied.unchecked_into()).await);
    assert_eq!(Float32Array::from(copied).to_vec(), [1.0; 4]);
}

// ------------------------------------------------------------------------------------------------------------ steps

/// The rules in f64, one row at a time.
struct Oracle {
    rule: &'static str,
    table: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    /// What each value was and was changed by, in all: where these cancel, so much of f32's precision is gone.
    scale: Vec<f64>,
    steps: i32,
}

const LR: f64 = 0.05;

impl Oracle {
    fn step(&mut self, rows: &[u32], grad: &[f32], width: usize) {
        self.steps += 1;
        for (&row, grad) in rows.iter().zip(grad.chunks_exact(width)) {
            let row = row as usize;
            let mean = grad.iter().map(|&g| f64::from(g).powi(2)).sum::<f64>() / width as f64;
            if self.rule == "adagrad" {
                self.first[row] += mean;
            }
            for (d, &g) in grad.iter().enumerate() {
                let (at, g) = (row * width + d, f64::from(g));
                let change = match self.rule {
                    "sgd" => LR * g,
                    "adagrad" => LR * g / (self.first[row].sqrt() + 1e-8),
                    _ => {
                        self.first[at] = 0.9 * self.first[at] + (1.0 - 0.9) * g;
                        self.second[at] = 0.999 * self.second[at] + (1.0 - 0.999) * g * g;
                        let m = self.first[at] / (1.0 - 0.9f64.powi(self.steps));
                        let v = self.second[at] / (1.0 - 0.999f64.powi(self.steps));
                        LR * m / (v.sqrt() + 1e-8)
                    }
                };
                self.table[at] -= change;
                self.scale[at] += change.abs();
            }
        }
    }
}

fn rule(name: &str) -> JsValue {
    object(&[("rule", name.into()), ("lr", LR.into())])
}

#[wasm_bindgen_test]
async fn steps_are_right_and_the_same_to_the_bit_everywhere() {
    for card in [false, true] {
        browser::pretend_a_card(card).await;
        for (vocab_size, d_model) in [(20u32, 5u32), (30, 12), (12, 384), (8, 1_030), (6, 1_028), (5, 63)] {
            assert_steps(vocab_size, d_model).await;
        }
    }
    browser::pretend_a_card(false).await;
}

async fn assert_steps(vocab_size: u32, d_model: u32) {
    let width = d_model as usize;
    let cells = vocab_size as usize * width;
    for name in ["sgd", "adagrad", "adam"] {
        let mut random = Random::new(u64::from(d_model));
        let table = random.numbers(cells);
        let mut oracle = Oracle {
            rule: name,
            table: table.iter().map(|&w| f64::from(w)).collect(),
            first: vec![0.0; cells],
            second: vec![0.0; cells],
            scale: table.iter().map(|&w| f64::from(w).abs()).collect(),
            steps: 0,
        };
        let mut trained = Vec::new();
        for (backend, precision) in [("gpu", "f32"), ("gpu", "f16"), ("cpu", "f32"), ("cpu", "f16")] {
            trained.push(with_precision(precision, backend, &table, vocab_size, d_model).await);
        }
        let arrays = embedding(&table, vocab_size, d_model).await;
        let mut touched = vec![false; vocab_size as usize];
        for _ in 0..4 {
            let seq_len = 9;
            let tokens = random.tokens(Spread::Zipf, seq_len, vocab_size);
            let grad_out = random.gradient(Spice::None, seq_len * width);
            let gradient = good(ask(&arrays, "embedGrad", &[ids(&tokens), values(&grad_out)]).await);
            let found = Gradient::read(&gradient);
            oracle.step(&found.counts.rows, &found.grad, width);
            found.counts.rows.iter().for_each(|&row| touched[row as usize] = true);
            good(ask(&arrays, "step", &[gradient.clone(), rule(name)]).await);
            for embedding in &trained {
                // By what stays on the device where there is one, by arrays elsewhere.
                let gradient = if text(embedding, "backend") == "gpu" {
                    good(ask(embedding, "embedGrad", &[ids(&tokens), values(&grad_out), to_gpu()]).await)
                } else {
                    gradient.clone()
                };
                good(ask(embedding, "step", &[gradient, rule(name)]).await);
            }
        }
        let wanted = rows(&arrays).await;
        for (at, &w) in wanted.iter().enumerate() {
            let exact = oracle.table[at];
            assert!((f64::from(w) - exact).abs() <= 1e-6 * oracle.scale[at], "{name} {at}: {w} for {exact}");
            assert!(touched[at / width] || w.to_bits() == table[at].to_bits(), "{name}: row {} moved", at / width);
        }
        let all: Vec<u32> = (0..vocab_size).collect();
        let halves: Vec<f32> = twin::cast_f32_to_f16(&wanted)
            .into_iter()
            .map(|half| {
                let mut value = [0.0];
                let dims = gomme::abi::Dims { seq_len: 1, d_model: 1, vocab_size: 1, spare: 0 };
                twin::embed_lookup_w16(&[0], &[half], &mut value, dims);
                value[0]
            })
            .collect();
        for (embedding, half) in trained.iter().zip([false, true, false, true]) {
            assert_eq!(bits(&rows(embedding).await), bits(&wanted), "{name} {d_model}");
            let found = Float32Array::from(good(ask(embedding, "embed", &[ids(&all)]).await)).to_vec();
            assert_eq!(bits(&found), bits(if half { &halves } else { &wanted }), "{name} {d_model}, looked up");
            let some = Float32Array::from(good(ask(embedding, "rows", &[ids(&[3, 999])]).await)).to_vec();
            assert_eq!(bits(&some[..width]), bits(&wanted[3 * width..4 * width]));
            assert_eq!(some[width..], vec![0.0; width]);
        }
    }
}

#[wasm_bindgen_test]
async fn steps_that_make_no_sense() {
    for backend in ["gpu", "cpu"] {
        let embedding = embedding_on(backend, &[1.0; 12], 3, 4).await;
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0; 4])]).await);
        let step = async |gradient: &JsValue, rule: JsValue| ask(&embedding, "step", &[gradient.clone(), rule]).await;
        for wrong in [
            JsValue::UNDEFINED,
            object(&[("rule", "momentum".into()), ("lr", 1.into())]),
            object(&[("rule", "sgd".into())]),
            object(&[("rule", "sgd".into()), ("lr", f64::NAN.into())]),
            object(&[("rule", "adam".into()), ("lr", 1.into()), ("beta1", 1.into())]),
            object(&[("rule", "adagrad".into()), ("lr", 1.into()), ("eps", (-1).into())]),
        ] {
            refused(step(&gradient, wrong).await, "invalid-argument");
        }
        for wrong in [JsValue::UNDEFINED, 3.into(), object(&[])] {
            refused(step(&wrong, rule("sgd")).await, "invalid-argument");
        }
        let of = |rows: &[u32], grad: &[f32], vocab_size: u32| {
            object(&[
                ("rows", ids(rows)),
                ("grad", values(grad)),
                ("vocabSize", vocab_size.into()),
                ("dModel", 4.into()),
            ])
        };
        refused(step(&of(&[1, 1], &[1.0; 8], 3), rule("sgd")).await, "invalid-argument");
        refused(step(&of(&[2, 1], &[1.0; 8], 3), rule("sgd")).await, "invalid-argument");
        refused(step(&of(&[3], &[1.0; 4], 3), rule("sgd")).await, "invalid-argument");
        refused(step(&of(&[1], &[1.0; 5], 3), rule("sgd")).await, "shape-mismatch");
        refused(step(&of(&[1], &[1.0; 4], 4), rule("sgd")).await, "shape-mismatch");
        assert_eq!(rows(&embedding).await, [1.0; 12]);
        good(step(&of(&[1], &[1.0; 4], 3), rule("sgd")).await);
        let message = refused(step(&gradient, rule("adam")).await, "invalid-argument");
        assert!(message.contains("sgd") && message.contains("adam"), "{message}");
    }
}

/// What `step` changed is lost with the device: the next call says so, once, and the table begins again.
#[wasm_bindgen_test]
async fn a_trained_table_whose_device_is_lost() {
    let embedding = embedding(&[1.0; 12], 3, 4).await;
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0; 4]), to_gpu()]).await);
    good(ask(&embedding, "step", &[gradient.clone(), rule("adam")]).await);
    let array = good(ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await);
    let changed = read(&array).await;
    assert_ne!(changed, [1.0; 4]);
    lose_device().await;
    refused(ask(&array, "read", &[]).await, "device-lost");
    refused(ask(&gradient, "read", &[]).await, "device-lost");
    let message = refused(ask(&embedding, "embed", &[ids(&[1])]).await, "device-lost");
    assert!(message.contains("step") && message.contains("starts again"), "{message}");
    let again = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[1])]).await)).to_vec();
    assert_eq!(again, [1.0; 4]);
    refused(ask(&embedding, "step", &[gradient, rule("adam")]).await, "device-lost");
    // Another rule may begin now, and the first step counts as the first.
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0; 4])]).await);
    good(ask(&embedding, "step", &[gradient, rule("sgd")]).await);
    assert_eq!(rows(&embedding).await[4..8], [0.95; 4]);
}

// ------------------------------------------------------------------------------------------------------------- bags

#[wasm_bindgen_test]
async fn bags_are_sums_and_means_on_both_backends() {
    for (vocab_size, d_model) in [(30u32, 5u32), (40, 12)] {
        let width = d_model as usize;
        let mut random = Random::new(u64::from(vocab_size));
        let table = random.numbers(vocab_size as usize * width);
        let tokens = random.tokens(Spread::Zipf, 90, vocab_size);
        let offsets = [0u32, 1, 1, 40, 90, 90];
        for precision in ["f32", "f16"] {
            let gpu = with_precision(precision, "gpu", &table, vocab_size, d_model).await;
            let cpu = with_precision(precision, "cpu", &table, vocab_size, d_model).await;
            let rows = Float32Array::from(good(ask(&cpu, "embed", &[ids(&tokens)]).await)).to_vec();
            for mode in ["mean", "sum"] {
                let options = object(&[("mode", mode.into())]);
                let ask_bags = async |embedding: &JsValue, tokens: JsValue, options: JsValue| {
                    good(ask(embedding, "embedBag", &[tokens, ids(&offsets), options]).await)
                };
                let found = Float32Array::from(ask_bags(&gpu, ids(&tokens), options.clone()).await).to_vec();
                let mut ends = offsets[1..].to_vec();
                ends.push(90);
                for (b, (&first, &last)) in offsets.iter().zip(&ends).enumerate() {
                    for d in 0..width {
                        let of = |s: u32| f64::from(rows[s as usize * width + d]);
                        let count = if mode == "sum" { 1.0 } else { f64::from((last - first).max(1)) };
                        let exact = (first..last).map(of).sum::<f64>() / count;
                        let scale = (first..last).map(|s| of(s).abs()).sum::<f64>() / count;
                        let value = f64::from(found[b * width + d]);
                        assert!((value - exact).abs() <= 90.0 * 6e-8 * scale, "{mode} {b}: {value} for {exact}");
                    }
                }
                let twin = Float32Array::from(ask_bags(&cpu, ids(&tokens), options.clone()).await).to_vec();
                assert_eq!(bits(&found), bits(&twin));
                let kept = good(call(&gpu, "tokens", &[ids(&tokens)]));
                let more = object(&[("mode", mode.into()), ("output", "gpu".into())]);
                let array = ask_bags(&gpu, kept, more).await;
                assert_eq!(bits(&read(&array).await), bits(&found));
            }
        }
    }
}

/// Longer than the loops of a thread may be on some drivers.
#[wasm_bindgen_test]
async fn a_bag_of_very_many_tokens() {
    const COUNT: u32 = 200_000;
    for precision in ["f32", "f16"] {
        let embedding = with_precision(precision, "gpu", &[1.0, 2.0], 1, 2).await;
        let cpu = with_precision(precision, "cpu", &[1.0, 2.0], 1, 2).await;
        let tokens: Vec<u32> = (0..COUNT).map(|s| u32::from(s % 40_000 == 7)).collect();
        // Between long bags one that ends earlier, and an empty one.
        let offsets = [0, 90_000, 90_001, 90_001, 130_000];
        for mode in ["sum", "mean"] {
            let options = object(&[("mode", mode.into())]);
            let bags = async |embedding: &JsValue| {
                let arguments = [ids(&tokens), ids(&offsets), options.clone()];
                Float32Array::from(good(ask(embedding, "embedBag", &arguments).await)).to_vec()
            };
            let found = bags(&embedding).await;
            assert_eq!(bits(&found), bits(&bags(&cpu).await), "{precision} {mode}");
            if mode == "sum" {
                assert_eq!(found[..2], [89_997.0, 179_994.0]);
                assert_eq!(found[2..6], [1.0, 2.0, 0.0, 0.0]);
            }
        }
    }
}

#[wasm_bindgen_test]
async fn bags_of_nothing_and_offsets_that_are_none() {
    for backend in ["gpu", "cpu"] {
        let embedding = embedding_on(backend, &[1.0; 12], 3, 4).await;
        let bags =
            async |tokens: &[u32], offsets: &[u32]| ask(&embedding, "embedBag", &[ids(tokens), ids(offsets)]).await;
        assert_eq!(Float32Array::from(good(bags(&[], &[]).await)).to_vec(), [0f32; 0]);
        assert_eq!(Float32Array::from(good(bags(&[], &[0, 0]).await)).to_vec(), [0.0; 8]);
        // The mean counts what is outside the vocabulary, too.
        assert_eq!(Float32Array::from(good(bags(&[1, 9], &[0]).await)).to_vec(), [0.5; 4]);
        for (tokens, offsets) in [(&[1][..], &[][..]), (&[1], &[1]), (&[1, 2], &[0, 2, 1]), (&[1], &[0, 2])] {
            refused(bags(tokens, offsets).await, "invalid-argument");
        }
    }
}

// --------------------------------------------------------------------------------------- devices and buffers of others

fn script(arguments: &str, body: &str) -> js_sys::Function {
    js_sys::Function::new_with_args(arguments, body)
}

async fn another_device() -> JsValue {
    let made = script("", "return navigator.gpu.requestAdapter().then(a => a.requestDevice())");
    good(settled(made.call0(&JsValue::UNDEFINED).unwrap().unchecked_into()).await)
}

/// A buffer with these words on a device.
fn buffer(device: &JsValue, words: &[u32], usage: u32) -> JsValue {
    let make = script(
        "device, words, usage",
        "const b = device.createBuffer({ size: Math.max(words.byteLength, 4), usage }); \
         if (words.length > 0) device.queue.writeBuffer(b, 0, words); return b",
    );
    make.call3(&JsValue::UNDEFINED, device, &ids(words), &usage.into()).unwrap()
}

const STORAGE: u32 = 0x80;
const COPY_DST: u32 = 8;

#[wasm_bindgen_test]
async fn an_embedding_on_a_device_of_the_callers() {
    let device = another_device().await;
    let gpu_before = get(&get(&js_sys::global(), "navigator"), "gpu");
    let table: Vec<f32> = (0..60).map(|i| i as f32).collect();
    let more = [("table", values(&table)), ("device", device.clone())];
    let embedding = good(create(shape(5, 12), &more).await);
    assert_eq!(get(&get(&js_sys::global(), "navigator"), "gpu"), gpu_before);
    assert_eq!(text(&embedding, "backend"), "gpu");
    assert_eq!(get(&embedding, "device"), device);
    let home = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[4, 9, 0])]).await)).to_vec();
    let wanted = [&table[48..], &[0.0; 12], &table[..12]].concat();
    assert_eq!(home, wanted);

    // Token ids and dL/d(out) in the caller's buffers.
    let kept = good(call(&embedding, "tokens", &[buffer(&device, &[4, 9, 0, 77], STORAGE | COPY_DST), 3.into()]));
    assert_eq!(number(&kept, "length"), 3.0);
    let array = good(ask(&embedding, "embed", &[kept.clone(), to_gpu()]).await);
    assert_eq!(read(&array).await, wanted);
    let at_home = Float32Array::from(good(ask(&embedding, "embed", std::slice::from_ref(&kept)).await)).to_vec();
    assert_eq!(at_home, wanted);
    let grad_out: Vec<u32> = (0..36).map(|i| (i as f32 + 0.5).to_bits()).collect();
    let lent = buffer(&device, &grad_out, STORAGE | COPY_DST);
    let floats: Vec<f32> = grad_out.iter().map(|&word| f32::from_bits(word)).collect();
    let wanted = Gradient::read(&good(ask(&embedding, "embedGrad", &[ids(&[4, 9, 0]), values(&floats)]).await));
    for tokens in [ids(&[4, 9, 0]), kept] {
        let home = good(ask(&embedding, "embedGrad", &[tokens.clone(), lent.clone()]).await);
        assert_eq!(Gradient::read(&home), wanted);
        let gradient = good(ask(&embedding, "embedGrad", &[tokens, lent.clone(), to_gpu()]).await);
        assert_eq!(Gradient::read(&good(ask(&gradient, "read", &[]).await)), wanted);
        good(ask(&embedding, "step", &[gradient, rule("sgd")]).await);
    }
    // A second embedding on the same device takes arrays of the first.
    let second = good(create(shape(5, 12), &more).await);
    let array = good(ask(&embedding, "embed", &[ids(&[1, 2]), to_gpu()]).await);
    good(ask(&second, "embedGrad", &[ids(&[1, 2]), array]).await);

    // Freed, it leaves the device and the buffers as they are.
    good(call(&embedding, "free", &[]));
    good(call(&second, "free", &[]));
    let alive = script(
        "device, buffer",
        "device.pushErrorScope('validation'); const e = device.createCommandEncoder(); \
         const b = device.createBuffer({ size: 4, usage: 8 }); const c = device.createBuffer({ size: 4, usage: 4 }); \
         e.copyBufferToBuffer(c, 0, b, 0, 4); device.queue.submit([e.finish()]); device.queue.writeBuffer(buffer, 0, new \
         Uint32Array(1)); return device.popErrorScope()",
    );
    let refusal = alive.call2(&JsValue::UNDEFINED, &device, &lent).unwrap();
    assert!(good(settled(refusal.unchecked_into()).await).is_null());
}

#[wasm_bindgen_test]
async fn wrong_devices_and_buffers_are_refused() {
    let device = another_device().await;
    let on = async |device: JsValue| create(shape(5, 12), &[("device", device)]).await;
    for wrong in [JsValue::NULL, 3.into(), object(&[]), object(&[("queue", object(&[]))])] {
        refused(on(wrong).await, "invalid-argument");
    }
    let cpu = create(shape(5, 12), &[("device", device.clone()), ("backend", "cpu".into())]).await;
    refused(cpu, "invalid-argument");

    let embedding = good(on(device.clone()).await);
    // Things that only look like them.
    let forge = script(
        "name, properties",
        "return Object.create(window[name].prototype, Object.fromEntries(Object.entries(properties).map(([k, value]) => [k, { value }])))",
    );
    let forged = |name: &str, fields: &[(&str, JsValue)]| {
        forge.call2(&JsValue::UNDEFINED, &name.into(), &object(fields)).unwrap()
    };
    refused(on(forged("GPUDevice", &[])).await, "invalid-argument");
    let proxy = script("device", "return new Proxy(device, {})");
    refused(on(proxy.call1(&JsValue::UNDEFINED, &device).unwrap()).await, "invalid-argument");
    let looks = [("size", 48.into()), ("usage", 0x80.into()), ("mapState", "unmapped".into())];
    refused(call(&embedding, "tokens", &[forged("GPUBuffer", &looks)]), "invalid-argument");
    refused(ask(&embedding, "embedGrad", &[ids(&[1]), forged("GPUBuffer", &looks)]).await, "invalid-argument");
    refused(call(&embedding, "tokens", &[ids(&[1, 2, 3]), 2.into()]), "invalid-argument");
    let offsets = js_sys::Array::of1(&1.5.into()).into();
    let message = refused(ask(&embedding, "embedBag", &[ids(&[1, 2]), offsets]).await, "invalid-argument");
    assert!(message.contains("Offset 0"), "{message}");
    let gradient = async |grad_out: JsValue| ask(&embedding, "embedGrad", &[ids(&[1]), grad_out]).await;
    let fitting = buffer(&device, &[0x3f80_0000; 12], STORAGE | COPY_DST);
    good(gradient(fitting.clone()).await);
    refused(gradient(buffer(&device, &[0; 11], STORAGE | COPY_DST)).await, "shape-mismatch");
    refused(gradient(buffer(&device, &[0; 12], COPY_DST)).await, "invalid-argument");
    refused(gradient(object(&[("size", 48.into()), ("usage", STORAGE.into())])).await, "invalid-argument");
    // Of another device, or destroyed: the browser knows.
    let elsewhere = buffer(&another_device().await, &[0; 12], STORAGE | COPY_DST);
    let to_stay = ask(&embedding, "embedGrad", &[ids(&[1]), elsewhere.clone(), to_gpu()]).await;
    let tokens = good(call(&embedding, "tokens", std::slice::from_ref(&elsewhere)));
    let by_tokens = ask(&embedding, "embed", &[tokens, to_gpu()]).await;
    for outcome in [gradient(elsewhere).await, to_stay, by_tokens] {
        let message = refused(outcome, "gpu-error");
        assert!(message.contains("of this embedding's device") && !message.contains("driver"), "{message}");
    }
    let destroyed = buffer(&device, &[0; 12], STORAGE | COPY_DST);
    good(call(&destroyed, "destroy", &[]));
    refused(gradient(destroyed).await, "gpu-error");
    good(gradient(fitting).await);

    // An array of one device is nothing to an embedding on another.
    let other = browser::embedding(&[1.0; 60], 5, 12).await;
    let array = good(ask(&other, "embed", &[ids(&[1]), to_gpu()]).await);
    let message = refused(gradient(array).await, "invalid-argument");
    assert!(message.starts_with("The buffers of this array are on another GPU device"), "{message}");
    let kept = good(call(&embedding, "tokens", &[buffer(&device, &[1], STORAGE | COPY_DST)]));
    refused(ask(&other, "embed", &[kept]).await, "invalid-argument");
    refused(call(&embedding, "tokens", &[buffer(&device, &[1], STORAGE | COPY_DST), 2.into()]), "shape-mismatch");

    // Lost: it is not replaced, and no new embedding is made on it.
    let array = good(ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await);
    let summed = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0; 12]), to_gpu()]).await);
    good(call(&device, "destroy", &[]));
    good(settled(get(&device, "lost").unchecked_into()).await);
    // None of these messages promises a device that nobody makes.
    let outcomes = [
        ask(&embedding, "embed", &[ids(&[1])]).await,
        ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await,
        ask(&array, "read", &[]).await,
        ask(&summed, "read", &[]).await,
        gradient(array).await,
        ask(&embedding, "step", &[summed, rule("sgd")]).await,
    ];
    for outcome in outcomes {
        let message = refused(outcome, "device-lost");
        assert!(message.contains("of another device") || message.contains("Create a new embedding"), "{message}");
        assert!(!message.contains("the next call"), "{message}");
    }
    refused(ask(&embedding, "embed", &[ids(&[1])]).await, "device-lost");
    refused(on(device).await, "device-lost");
}

#[wasm_bindgen_test]
async fn steps_that_a_lent_device_takes_with_it() {
    let device = another_device().await;
    let embedding = good(create(shape(5, 12), &[("device", device.clone())]).await);
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0; 12])]).await);
    good(ask(&embedding, "step", &[gradient, rule("sgd")]).await);
    good(call(&device, "destroy", &[]));
    good(settled(get(&device, "lost").unchecked_into()).await);
    for words in ["`step` had changed", "only its maker"] {
        let message = refused(ask(&embedding, "embed", &[ids(&[1])]).await, "device-lost");
        assert!(message.contains(words) && message.contains("Create a new embedding"), "{message}");
        assert!(!message.contains("next call works"), "{message}");
    }
}

#[wasm_bindgen_test]
async fn a_signal_gives_up() {
    let controller = script("", "return new AbortController()").call0(&JsValue::UNDEFINED).unwrap();
    let signal = get(&controller, "signal");
    // Large enough to go up in several pieces.
    let large = [("seed", 1.into()), ("signal", signal.clone()), ("backend", "gpu".into())];
    let creating = create(shape(1 << 14, 256), &large);
    let abort = async {
        browser::microtasks().await;
        good(call(&controller, "abort", &["enough".into()]))
    };
    let (outcome, _) = both(creating, abort).await;
    assert_eq!(outcome, Err("enough".into()));
    assert_eq!(create(shape(4, 2), &[("signal", signal)]).await, Err("enough".into()));
    refused(create(shape(4, 2), &[("signal", object(&[]))]).await, "invalid-argument");
    // What others wait for is made all the same.
    assert_eq!(text(&embedding(&[1.0; 4], 2, 2).await, "backend"), "gpu");
}

/// A method of the browser, spoiled for its next use; put back when this is dropped.
struct Spoiled(js_sys::Function);

impl Spoiled {
    fn next(class: &str, method: &str, body: &str) -> Self {
        let spoil = script(
            "prototype, method, body",
            "const real = prototype[method]; let spoiled = false; prototype[method] = function (...a) { const call = (...b) => \
             real.apply(this, b); if (spoiled) return call(...a); spoiled = true; return body(call, a); }; \
             return () => { prototype[method] = real; }",
        );
        let prototype = get(&get(&js_sys::global(), class), "prototype");
        let body = script("", &format!("return {body}")).call0(&JsValue::UNDEFINED).unwrap();
        Self(spoil.call3(&JsValue::UNDEFINED, &prototype, &method.into(), &body).unwrap().unchecked_into())
    }
}

impl Drop for Spoiled {
    fn drop(&mut self) {
        self.0.call0(&JsValue::UNDEFINED).unwrap();
    }
}

/// A call whose result stays has no scope of its own; what is refused all the same is never read as if it were a result,
/// and from then on every call hears of it.
#[wasm_bindgen_test]
async fn what_was_refused_is_never_read() {
    lose_device().await;
    let table: Vec<f32> = (0..60).map(|i| i as f32).collect();
    let embedding = embedding(&table, 5, 12).await;
    let kept = good(call(&embedding, "tokens", &[ids(&[1, 2])]));
    let again = async || ask(&embedding, "embed", &[kept.clone(), to_gpu()]).await;
    for _ in 0..3 {
        let array = good(again().await);
        assert_eq!(read(&array).await, table[12..36]);
        good(call(&array, "dispose", &[]));
    }
    let spoil = || Spoiled::next("GPUComputePassEncoder", "dispatchWorkgroups", "call => call(65536, 1, 1)");
    let spoiled = spoil();
    match again().await {
        Ok(array) => {
            refused(ask(&array, "read", &[]).await, "gpu-error");
        }
        outcome => {
            refused(outcome, "gpu-error");
        }
    }
    drop(spoiled);
    for _ in 0..2 {
        let spoiled = spoil();
        refused(again().await, "gpu-error");
        drop(spoiled);
        assert_eq!(read(&good(again().await)).await, table[12..36]);
    }
    // What has to be made is in a scope from the start.
    lose_device().await;
    for (class, method, body) in [
        ("GPUDevice", "createBuffer", "(call, a) => call({ ...a[0], usage: 0x8000 })"),
        ("GPUDevice", "createBindGroup", "(call, a) => call({ ...a[0], entries: [] })"),
    ] {
        let other = browser::embedding(&table, 5, 12).await;
        let spoiled = Spoiled::next(class, method, body);
        refused(ask(&other, "embed", &[ids(&[1, 2]), to_gpu()]).await, "gpu-error");
        drop(spoiled);
        assert_eq!(read(&good(ask(&other, "embed", &[ids(&[1, 2]), to_gpu()]).await)).await, table[12..36]);
        lose_device().await;
    }
}

#[wasm_bindgen_test]
async fn calls_that_stay_leave_nothing_behind() {
    let embedding = embedding(&vec![1.0; 50 * 12], 50, 12).await;
    let kept = good(call(&embedding, "tokens", &[ids(&[1, 2, 3])]));
    let bytes = || {
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        number(&memory.buffer(), "byteLength")
    };
    let made = script(
        "",
        "let made = 0; const real = GPUDevice.prototype.createBuffer; \
         GPUDevice.prototype.createBuffer = function (d) { made++; return real.call(this, d); }; \
         return done => { if (done) GPUDevice.prototype.createBuffer = real; return made; }",
    );
    let made: js_sys::Function = made.call0(&JsValue::UNDEFINED).unwrap().unchecked_into();
    let buffers = |done: bool| made.call1(&JsValue::UNDEFINED, &done.into()).unwrap().as_f64().unwrap();
    let mut before = (0.0, 0.0);
    for k in 0..1_500 {
        if k == 300 {
            before = (bytes(), buffers(false));
        }
        let array = good(ask(&embedding, "embed", &[kept.clone(), to_gpu()]).await);
        let gradient = good(ask(&embedding, "embedGrad", &[kept.clone(), array.clone(), to_gpu()]).await);
        good(ask(&embedding, "step", &[gradient.clone(), rule("adagrad")]).await);
        good(call(&array, "dispose", &[]));
        good(call(&gradient, "dispose", &[]));
    }
    assert_eq!((bytes(), buffers(true)), before);
}
