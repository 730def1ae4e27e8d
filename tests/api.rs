//! The JavaScript API doing what it should: lookups and gradients on either backend, calls that overlap, repeat, are
//! empty, are freed or have their arguments changed while they run, and the bundled data.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{
    Gradient, ask, call, create, embedding, get, good, ids, lab_of, number, refused, settled, shape, text, values,
};
use gomme::abi::Dims;
use gomme::cpu::kernels as twin;
use gomme::js::JsEmbedding;
use gomme::shape::Shape;
use gomme::table::Table;
use js_sys::{Array, Float32Array, Reflect, Uint8Array, Uint32Array};
use random::{Random, Spice, Spread, counts};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const V: u32 = 50;
const D: u32 = 12;

fn table(seed: u64) -> Vec<f32> {
    Random::new(seed).numbers((V * D) as usize)
}

fn rows(table: &[f32], tokens: &[u32]) -> Vec<f32> {
    let mut out = vec![0.0; tokens.len() * D as usize];
    let dims = Dims { seq_len: tokens.len() as u32, d_model: D, vocab_size: V, spare: 0 };
    twin::embed_lookup(tokens, table, &mut out, dims);
    out
}

async fn on(backend: &str, table: &[f32]) -> JsValue {
    good(create(shape(V, D), &[("backend", backend.into()), ("table", values(table))]).await)
}

async fn embed(embedding: &JsValue, tokens: &JsValue) -> Vec<f32> {
    let out = good(ask(embedding, "embed", std::slice::from_ref(tokens)).await);
    out.dyn_into::<Float32Array>().expect("a Float32Array").to_vec()
}

fn method(name: &str) -> JsValue {
    browser::object(&[("method", name.into())])
}

async fn embed_grad(embedding: &JsValue, tokens: &[u32], grad_out: &[f32], options: JsValue) -> Gradient {
    Gradient::read(&good(ask(embedding, "embedGrad", &[ids(tokens), values(grad_out), options]).await))
}

#[wasm_bindgen_test]
async fn both_backends_give_the_same() {
    let table = table(1);
    let mut random = Random::new(2);
    let tokens = random.tokens(Spread::Zipf, 400, V);
    let grad_out = random.gradient(Spice::Skipped, 400 * D as usize);
    let mut sorted = Vec::new();
    for backend in ["gpu", "cpu"] {
        let embedding = on(backend, &table).await;
        assert_eq!(text(&embedding, "backend"), backend);
        assert_eq!(number(&embedding, "vocabSize"), f64::from(V));
        assert_eq!(number(&embedding, "dModel"), f64::from(D));
        assert_eq!(get(&embedding, "adapter").is_undefined(), backend == "cpu");
        assert!(get(&embedding, "fallbackReason").is_undefined());
        assert_eq!(embed(&embedding, &ids(&tokens)).await, rows(&table, &tokens));
        let by_default = embed_grad(&embedding, &tokens, &grad_out, JsValue::UNDEFINED).await;
        let by_name = embed_grad(&embedding, &tokens, &grad_out, method("sorted")).await;
        assert_eq!(by_default.bits(), by_name.bits());
        assert_eq!(by_default.retries, None);
        let cas = embed_grad(&embedding, &tokens, &grad_out, method("cas")).await;
        let wanted = counts(&tokens, &grad_out, V, D as usize);
        assert_eq!((&by_default.counts, &cas.counts), (&wanted, &wanted));
        assert_eq!(cas.retries.map(|retries| retries.len()), Some(wanted.rows.len()));
        sorted.push(by_default.bits());
    }
    assert_eq!(sorted[0], sorted[1]);
    // Where nothing is asked for and the browser has a GPU, it is taken.
    let embedding = good(create(shape(V, D), &[("table", values(&table))]).await);
    assert_eq!(text(&embedding, "backend"), "gpu");
}

#[wasm_bindgen_test]
async fn a_seed_gives_the_table_of_the_documented_algorithm() {
    let wanted = Table::seeded(Shape::new(V, D), 9, None).to_vec();
    for backend in ["gpu", "cpu"] {
        let embedding = good(create(shape(V, D), &[("backend", backend.into()), ("seed", 9.into())]).await);
        let all: Vec<u32> = (0..V).collect();
        assert_eq!(embed(&embedding, &ids(&all)).await, wanted);
        let without = good(create(shape(V, D), &[("backend", backend.into())]).await);
        assert_eq!(embed(&without, &ids(&all)).await, Table::seeded(Shape::new(V, D), 0, None).to_vec());
    }
}

#[wasm_bindgen_test]
async fn nothing_in_gives_nothing_out() {
    for backend in ["gpu", "cpu"] {
        let embedding = on(backend, &table(1)).await;
        for empty in [ids(&[]), Array::new().into()] {
            assert_eq!(embed(&embedding, &empty).await, [0f32; 0]);
            for options in [JsValue::UNDEFINED, JsValue::NULL, method("sorted"), method("cas")] {
                let outcome = ask(&embedding, "embedGrad", &[empty.clone(), values(&[]), options.clone()]).await;
                let gradient = good(outcome);
                let cas = options.is_object() && text(&options, "method") == "cas";
                let wanted = Gradient { counts: counts(&[], &[], V, 12), grad: vec![], retries: cas.then(Vec::new) };
                assert_eq!(Gradient::read(&gradient), wanted);
                let dense = Float32Array::from(good(call(&gradient, "toDense", &[]))).to_vec();
                assert_eq!(dense, vec![0.0; (V * D) as usize]);
            }
        }
    }
}

#[wasm_bindgen_test]
async fn ids_outside_the_vocabulary_give_zeros_and_no_gradient() {
    for backend in ["gpu", "cpu"] {
        let embedding = on(backend, &table(1)).await;
        let tokens = [V, u32::MAX, V + 1, 4_000_000_000];
        assert_eq!(embed(&embedding, &ids(&tokens)).await, [0.0; 48]);
        // The same as numbers, the largest one being 2^32-1.
        let numbers: Array = tokens.iter().map(|&t| JsValue::from(t)).collect();
        assert_eq!(embed(&embedding, &numbers.into()).await, [0.0; 48]);
        for name in ["sorted", "cas"] {
            // Elements of positions outside count nowhere else, zeros and NaN included.
            let found = embed_grad(&embedding, &tokens, &[f32::NAN; 48], method(name)).await;
            assert_eq!(found.counts, random::Counts { out_of_vocab: 4, ..Default::default() });
            assert_eq!(found.grad, [0f32; 0]);
        }
    }
}

#[wasm_bindgen_test]
async fn arrays_and_views_are_taken_as_they_are() {
    let table = table(3);
    let embedding = embedding(&table, V, D).await;
    let numbers: Array = [3u32, 0, 49].iter().map(|&t| JsValue::from(t)).collect();
    assert_eq!(embed(&embedding, &numbers.into()).await, rows(&table, &[3, 0, 49]));
    let whole = Uint32Array::from([9, 9, 5, 6, 7, 9].as_slice());
    assert_eq!(embed(&embedding, &whole.subarray(2, 5).into()).await, rows(&table, &[5, 6, 7]));
    let grad_out = Float32Array::from((0..60).map(|i| i as f32).collect::<Vec<_>>().as_slice());
    for name in ["sorted", "cas"] {
        let part = grad_out.subarray(24, 48).into();
        let outcome = ask(&embedding, "embedGrad", &[whole.subarray(2, 4).into(), part, method(name)]).await;
        let found = Gradient::read(&good(outcome));
        assert_eq!(found.counts.rows, [5, 6]);
        assert_eq!(found.grad, (24..48).map(|i| i as f32).collect::<Vec<_>>());
    }
}

#[wasm_bindgen_test]
async fn overlapping_calls_have_their_own_results() {
    let table = table(4);
    for backend in ["gpu", "cpu"] {
        let embedding = on(backend, &table).await;
        let mut random = Random::new(5);
        let inputs: Vec<(Vec<u32>, Vec<f32>)> = (0..24)
            .map(|k| {
                let seq_len = [1, 700, 40, 256][k % 4] + k;
                (random.tokens(Spread::Zipf, seq_len, V), random.gradient(Spice::Skipped, seq_len * D as usize))
            })
            .collect();
        // All started before any is waited for.
        let started: Vec<_> = inputs
            .iter()
            .enumerate()
            .map(|(k, (tokens, grad_out))| match k % 3 {
                0 => call(&embedding, "embed", &[ids(tokens)]).unwrap(),
                1 => call(&embedding, "embedGrad", &[ids(tokens), values(grad_out)]).unwrap(),
                _ => call(&embedding, "embedGrad", &[ids(tokens), values(grad_out), method("cas")]).unwrap(),
            })
            .collect();
        let all: Array = started.iter().collect();
        let results = Array::from(&good(settled(js_sys::Promise::all(&all)).await));
        for (k, (tokens, grad_out)) in inputs.iter().enumerate() {
            let result = results.get(k as u32);
            if k % 3 == 0 {
                assert_eq!(Float32Array::from(result).to_vec(), rows(&table, tokens), "call {k}");
                continue;
            }
            let found = Gradient::read(&result);
            assert_eq!(found.counts, counts(tokens, grad_out, V, D as usize), "call {k}");
            assert_sum(&found, tokens, grad_out);
        }
    }
}

fn assert_sum(found: &Gradient, tokens: &[u32], grad_out: &[f32]) {
    let slots = random::slots(tokens, &found.counts.rows);
    let oracle = twin::oracle(&slots, grad_out, found.counts.rows.len(), D as usize);
    assert_eq!(found.grad.len(), oracle.sum.len());
    for (i, &sum) in found.grad.iter().enumerate() {
        let bound = twin::bound(found.counts.hits[i / D as usize], oracle.magnitude[i]);
        assert!((f64::from(sum) - oracle.sum[i]).abs() <= bound, "element {i}: {sum} for {}", oracle.sum[i]);
    }
}

#[wasm_bindgen_test]
async fn repeated_calls_leave_nothing_behind() {
    let table = table(6);
    let embedding = embedding(&table, V, D).await;
    let mut random = Random::new(7);
    for round in 0..60 {
        // Long calls before short ones: what they left in a buffer must not be seen.
        let seq_len = if round % 2 == 0 { 1_000 + round } else { 1 + round };
        let tokens = random.tokens(Spread::Zipf, seq_len, V);
        let grad_out = random.gradient(Spice::Skipped, seq_len * D as usize);
        assert_eq!(embed(&embedding, &ids(&tokens)).await, rows(&table, &tokens));
        let found = embed_grad(&embedding, &tokens, &grad_out, method(["sorted", "cas"][round / 2 % 2])).await;
        assert_eq!(found.counts, counts(&tokens, &grad_out, V, D as usize));
        assert_sum(&found, &tokens, &grad_out);
    }
}

#[wasm_bindgen_test]
async fn arguments_changed_after_a_call_change_nothing() {
    for backend in ["gpu", "cpu"] {
        let table = table(8);
        let given = Float32Array::from(table.as_slice());
        let options = browser::object(&[
            ("vocabSize", V.into()),
            ("dModel", D.into()),
            ("backend", backend.into()),
            ("table", given.clone().into()),
        ]);
        let creating = JsEmbedding::create(options.clone());
        given.fill(-1.0, 0, V * D);
        Reflect::set(&options, &"vocabSize".into(), &0.into()).unwrap();
        let embedding = good(settled(creating).await);

        let tokens: Vec<u32> = (0..300).map(|i| i % 60).collect();
        let grad_out: Vec<f32> = Random::new(9).numbers(300 * D as usize);
        let wanted = embed_grad(&embedding, &tokens, &grad_out, method("sorted")).await;
        let changing = Uint32Array::from(tokens.as_slice());
        let numbers: Array = tokens.iter().map(|&t| JsValue::from(t)).collect();
        let gradient = Float32Array::from(grad_out.as_slice());
        let options = method("sorted");
        let calls = [
            call(&embedding, "embed", &[changing.clone().into()]).unwrap(),
            call(&embedding, "embed", &[numbers.clone().into()]).unwrap(),
            call(&embedding, "embedGrad", &[changing.clone().into(), gradient.clone().into(), options.clone()])
                .unwrap(),
            call(&embedding, "embedGrad", &[numbers.clone().into(), gradient.clone().into(), method("cas")]).unwrap(),
        ];
        changing.fill(1, 0, 300);
        numbers.set_length(2);
        gradient.fill(f32::NAN, 0, 300 * D);
        Reflect::set(&options, &"method".into(), &"cas".into()).unwrap();
        let [first, second, sorted, cas] = calls.map(|call| settled(call.dyn_into().unwrap()));
        assert_eq!(Float32Array::from(good(first.await)).to_vec(), rows(&table, &tokens));
        assert_eq!(Float32Array::from(good(second.await)).to_vec(), rows(&table, &tokens));
        let sorted = Gradient::read(&good(sorted.await));
        assert_eq!(sorted.bits(), wanted.bits());
        assert_eq!(sorted.retries, None);
        let cas = Gradient::read(&good(cas.await));
        assert_eq!(cas.counts, wanted.counts);
        assert_sum(&cas, &tokens, &grad_out);
    }
}

/// A result is the caller's: a later call does not write into it.
#[wasm_bindgen_test]
async fn results_stay_as_they_are() {
    let table = table(10);
    let embedding = embedding(&table, V, D).await;
    let first = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[1, 2, 3])]).await));
    let before = first.to_vec();
    let second = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[4, 5, 6])]).await));
    second.fill(0.0, 0, 36);
    assert_eq!(first.to_vec(), before);
    assert_eq!(embed(&embedding, &ids(&[4, 5, 6])).await, rows(&table, &[4, 5, 6]));
}

#[wasm_bindgen_test]
async fn freeing_takes_effect_after_the_calls_under_way() {
    for backend in ["gpu", "cpu"] {
        let table = table(11);
        let embedding = on(backend, &table).await;
        let tokens: Vec<u32> = (0..2_000).map(|i| i % 51).collect();
        let grad_out = vec![1.0; 2_000 * D as usize];
        let lookup = call(&embedding, "embed", &[ids(&tokens)]).unwrap();
        let gradient = call(&embedding, "embedGrad", &[ids(&tokens), values(&grad_out), method("cas")]).unwrap();
        good(call(&embedding, "free", &[]));
        let out = good(settled(lookup.dyn_into().unwrap()).await);
        assert_eq!(Float32Array::from(out).to_vec(), rows(&table, &tokens));
        let gradient = Gradient::read(&good(settled(gradient.dyn_into().unwrap()).await));
        assert_eq!(gradient.counts, counts(&tokens, &grad_out, V, D as usize));
        refused(ask(&embedding, "embed", &[ids(&tokens)]).await, "invalid-argument");
        good(call(&embedding, "free", &[]));
    }
}

#[wasm_bindgen_test]
async fn a_lab_outlives_the_embedding_it_was_made_of() {
    let table = table(12);
    let embedding = embedding(&table, V, D).await;
    let lab = lab_of(&embedding);
    good(call(&embedding, "free", &[]));
    assert_eq!(browser::lookup(&lab, &[3, 50, 7], "fast").await, rows(&table, &[3, 50, 7]));
    let nearest = good(call(&lab, "nearest", &[7.into(), 3.into()]));
    assert_eq!(browser::words(&nearest, "ids")[0], 7);
    let cosines = browser::floats(&nearest, "cosines");
    assert!((cosines[0] - 1.0).abs() < 1e-6 && cosines[0] >= cosines[1] && cosines[1] >= cosines[2]);
    let among = good(call(&lab, "nearest", &[7.into(), 9.into(), ids(&[1, 2])]));
    assert_eq!(browser::words(&among, "ids").len(), 2);
}

#[wasm_bindgen_test]
async fn the_cpu_lab_runs_the_twins() {
    let table = table(13);
    let lab = lab_of(&on("cpu", &table).await);
    let tokens = Random::new(14).tokens(Spread::Zipf, 100, V);
    let halves = twin::cast_f32_to_f16(&table);
    let mut from_halves = vec![0.0; 100 * D as usize];
    let dims = Dims { seq_len: 100, d_model: D, vocab_size: V, spare: 0 };
    twin::embed_lookup_w16(&tokens, &halves, &mut from_halves, dims);
    let options = browser::object(&[("minMilliseconds", 0.1.into()), ("samples", 2.into())]);
    let kernels = Array::from(&get(&lab, "kernels"));
    assert!(kernels.length() >= 8);
    for kernel in kernels.iter() {
        let name = kernel.as_string().unwrap();
        match name.as_str() {
            "embed_lookup" | "fast" => assert_eq!(browser::lookup(&lab, &tokens, &name).await, rows(&table, &tokens)),
            "w16_packed" | "w16_native" | "w16_fast" => {
                assert_eq!(browser::lookup(&lab, &tokens, &name).await, from_halves);
            }
            _ => {}
        }
        let timing = good(ask(&lab, "time", &[kernel, ids(&tokens), options.clone()]).await);
        assert_eq!(text(&timing, "clock"), "cpu");
        assert!(number(&timing, "microseconds") > 0.0, "{name}");
    }
}

// --------------------------------------------------------------------------------------------------------- bundled data

const VECTORS: &[u8] = include_bytes!("../data/turkish-16k-384.i8");
const SCALES: &[u8] = include_bytes!("../data/turkish-16k-384.scale.f32");

fn turkish_rows(tokens: &[u32]) -> Vec<f32> {
    let table = Table::turkish(VECTORS.to_vec(), SCALES).unwrap();
    let mut out = vec![0.0; tokens.len() * 384];
    for (row, &t) in out.chunks_exact_mut(384).zip(tokens) {
        if t < 16_384 {
            table.read(t as usize * 384, row);
        }
    }
    out
}

/// The test server has the data at its root.
fn use_data_of_the_server() {
    gomme::js::use_data(&js_sys::Function::new_with_args("name", "return `/data/${name}`"));
}

/// The module-level functions fetch the vectors once.
#[wasm_bindgen_test]
async fn module_level_calls_share_the_turkish_table() {
    use_data_of_the_server();
    let tokens = [6_754, 0, 16_383, 16_384, 6_754];
    let wanted = turkish_rows(&tokens);
    let calls = [gomme::js::embed(&ids(&tokens)), gomme::js::embed(&ids(&tokens))].map(settled);
    for call in calls {
        assert_eq!(Float32Array::from(good(call.await)).to_vec(), wanted);
    }
    let grad_out = Random::new(15).gradient(Spice::Skipped, 5 * 384);
    for options in [JsValue::UNDEFINED, method("cas")] {
        let call = gomme::js::embed_grad(&ids(&tokens), &values(&grad_out), options.clone());
        let found = Gradient::read(&good(settled(call).await));
        assert_eq!(found.counts, counts(&tokens, &grad_out, 16_384, 384));
        assert_eq!(found.retries.is_some(), options.is_object());
    }
    assert_eq!(Float32Array::from(good(settled(gomme::js::embed(&ids(&[]))).await)).length(), 0);
}

#[wasm_bindgen_test]
async fn the_turkish_embedding_from_bytes_and_from_the_server() {
    use_data_of_the_server();
    let tokens = [6_754, 12_345, 99_999];
    let wanted = turkish_rows(&tokens);
    let bytes = |bytes: &[u8]| JsValue::from(Uint8Array::from(bytes));
    let data = browser::object(&[("vectors", bytes(VECTORS)), ("scales", bytes(SCALES))]);
    let given = browser::object(&[("data", data), ("backend", "cpu".into())]);
    let embedding = good(settled(JsEmbedding::turkish(given)).await);
    assert_eq!(embed(&embedding, &ids(&tokens)).await, wanted);

    let seen = Array::new();
    let remember = js_sys::Function::new_with_args("loaded, total", "this.push([loaded, total])").bind0(&seen);
    let fetched = browser::object(&[("onProgress", remember.into()), ("backend", "gpu".into())]);
    let embedding = good(settled(JsEmbedding::turkish(fetched)).await);
    assert_eq!(embed(&embedding, &ids(&tokens)).await, wanted);
    let steps: Vec<[f64; 2]> = seen
        .iter()
        .map(|step| {
            let step = Array::from(&step);
            [step.get(0).as_f64().unwrap(), step.get(1).as_f64().unwrap()]
        })
        .collect();
    let total = (VECTORS.len() + SCALES.len()) as f64;
    assert!(steps.is_sorted_by(|a, b| a[0] <= b[0]) && steps.iter().all(|step| step[1] == total));
    assert_eq!(steps.last(), Some(&[total, total]));

    let tokenizer = good(browser::tokenizer(include_bytes!("../data/turkish-16k.model")));
    good(call(&embedding, "checkVocabulary", &[tokenizer]));
}
