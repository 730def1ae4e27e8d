//! Every error code, through the JavaScript API: what is refused, by which code, and that nothing is the worse for it.
//! (`no-webgpu`, `no-adapter` and `device-lost` are in device.rs.)
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{
    ask, call, create, embedding, get, good, ids, lab, lab_of, object, refusal, refused, settled, shape, values,
};
use gomme::js::{JsEmbedding, JsLab, JsTokenizer};
use js_sys::{Array, Float32Array, Float64Array, Int32Array, Reflect, Uint8Array};
use random::Random;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const MODEL: &[u8] = include_bytes!("../data/turkish-16k.model");
const INVALID: &str = "invalid-argument";

fn list(items: &[JsValue]) -> JsValue {
    items.iter().collect::<Array>().into()
}

fn method(name: impl Into<JsValue>) -> JsValue {
    object(&[("method", name.into())])
}

/// A message that names all of these.
fn assert_names(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part} in: {message}");
    }
}

fn wrong_tokens() -> Vec<(JsValue, &'static str)> {
    vec![
        (list(&[7.into(), (-1).into()]), "Token 1 is -1"),
        (list(&[1.5.into()]), "Token 0 is 1.5"),
        (list(&[0.into(), 0.into(), f64::NAN.into()]), "Token 2 is NaN"),
        (list(&[4_294_967_296.0.into()]), "Token 0 is 4294967296"),
        (list(&[f64::INFINITY.into()]), "Token 0 is Infinity"),
        (list(&["3".into()]), "Token 0 is \"3\""),
        (list(&[JsValue::NULL]), "Token 0 is null"),
        (list(&[JsValue::UNDEFINED]), "Token 0 is undefined"),
        (list(&[true.into()]), "Token 0 is"),
        (list(&[list(&[1.into()])]), "Token 0 is"),
        (Int32Array::from([7, -1].as_slice()).into(), "Token 1 is -1"),
        (Float32Array::from([1.0].as_slice()).into(), "not as Float32Array"),
        (js_sys::BigInt64Array::new_with_length(1).into(), "not as BigInt64Array"),
        ("kedi".into(), "\"kedi\""),
        (5.into(), "not as 5"),
        (JsValue::NULL, "not as null"),
        (JsValue::UNDEFINED, "not as undefined"),
        (object(&[("length", 1.into()), ("0", 1.into())]), "not as object"),
    ]
}

#[wasm_bindgen_test]
async fn invalid_ids() {
    for backend in ["gpu", "cpu"] {
        let embedding = good(create(shape(9, 2), &[("backend", backend.into())]).await);
        let lab = lab(9, 2, backend).await;
        for (tokens, words) in wrong_tokens() {
            let grad_out = values(&[1.0, 1.0]);
            let outcomes = [
                ask(&embedding, "embed", std::slice::from_ref(&tokens)).await,
                ask(&embedding, "embedGrad", &[tokens.clone(), grad_out.clone()]).await,
                ask(&lab, "lookup", &[tokens.clone(), "fast".into()]).await,
                ask(&lab, "gradient", &[tokens.clone(), grad_out.clone(), "racy".into()]).await,
                ask(&lab, "time", &["sorted".into(), tokens.clone()]).await,
                settled(gomme::js::embed(&tokens)).await,
                settled(gomme::js::embed_grad(&tokens, &grad_out, JsValue::UNDEFINED)).await,
            ];
            for outcome in outcomes {
                assert_names(&refused(outcome, INVALID), &[words]);
            }
        }
        // The embedding is as good as before; -0 is 0.
        let fine = list(&[(-0.0).into(), 8.into()]);
        assert_eq!(Float32Array::from(good(ask(&embedding, "embed", &[fine]).await)).length(), 4);
    }
}

#[wasm_bindgen_test]
async fn gradients_of_another_type_or_length() {
    let other_types = [
        Float64Array::from([1.0; 6].as_slice()).into(),
        Int32Array::from([1; 6].as_slice()).into(),
        list(&[1.into(), 1.into(), 1.into(), 1.into(), 1.into(), 1.into()]),
        JsValue::NULL,
        JsValue::UNDEFINED,
        "gradient".into(),
        6.into(),
        Float32Array::from([1.0; 6].as_slice()).buffer().into(),
    ];
    for backend in ["gpu", "cpu"] {
        let embedding = good(create(shape(9, 3), &[("backend", backend.into())]).await);
        let lab = lab(9, 3, backend).await;
        let tokens = ids(&[1, 2]);
        for grad_out in &other_types {
            let arguments = [tokens.clone(), grad_out.clone()];
            assert_names(
                &refused(ask(&embedding, "embedGrad", &arguments).await, INVALID),
                &["gradOut", "Float32Array"],
            );
            let arguments = [tokens.clone(), grad_out.clone(), "sorted".into()];
            assert_names(&refused(ask(&lab, "gradient", &arguments).await, INVALID), &["gradOut", "Float32Array"]);
        }
        for length in [0, 1, 5, 7, 600] {
            let grad_out = values(&vec![1.0; length]);
            for options in [JsValue::UNDEFINED, method("cas")] {
                let outcome = ask(&embedding, "embedGrad", &[tokens.clone(), grad_out.clone(), options]).await;
                assert_names(&refused(outcome, "shape-mismatch"), &[&format!("has {length} values"), "need 6"]);
            }
            let outcome = ask(&lab, "gradient", &[tokens.clone(), grad_out, "embed_backward".into()]).await;
            refused(outcome, "shape-mismatch");
        }
        let outcome = ask(&embedding, "embedGrad", &[ids(&[]), values(&[1.0])]).await;
        refused(outcome, "shape-mismatch");
    }
    let short = gomme::js::embed_grad(&ids(&[1]), &values(&[1.0; 383]), JsValue::UNDEFINED);
    assert_names(&refused(settled(short).await, "shape-mismatch"), &["383", "384"]);
}

/// What a page could write: the value of a JavaScript function body.
fn written(body: &str) -> JsValue {
    js_sys::Function::new_no_args(body).call0(&JsValue::UNDEFINED).unwrap()
}

/// Calls each method that takes such an array with it.
async fn with_array(backend: &str, class: &str, array: &JsValue) -> Vec<browser::Outcome> {
    let embedding = good(create(shape(9, 1), &[("backend", backend.into())]).await);
    let lab = lab(9, 1, backend).await;
    let (two, one) = (ids(&[2]), values(&[1.0]));
    let full = lab_of(&embedding);
    match class {
        "Uint32Array" => vec![
            ask(&embedding, "embed", std::slice::from_ref(array)).await,
            ask(&embedding, "embedGrad", &[array.clone(), one.clone()]).await,
            ask(&full, "lookup", &[array.clone(), "fast".into()]).await,
            ask(&lab, "gradient", &[array.clone(), one, "sorted".into()]).await,
            ask(&lab, "time", &["sorted".into(), array.clone()]).await,
            call(&full, "nearest", &[1.into(), 1.into(), array.clone()]),
            settled(gomme::js::embed(array)).await,
        ],
        "Float32Array" => vec![
            ask(&embedding, "embedGrad", &[two.clone(), array.clone()]).await,
            ask(&lab, "gradient", &[two.clone(), array.clone(), "sorted".into()]).await,
            ask(&lab, "gradient", &[two.clone(), array.clone(), "racy".into()]).await,
            settled(JsEmbedding::create(object(&[
                ("vocabSize", 1.into()),
                ("dModel", 1.into()),
                ("backend", backend.into()),
                ("table", array.clone()),
            ])))
            .await,
        ],
        _ => vec![JsTokenizer::from_model(array).map(JsValue::from).map_err(JsValue::from)],
    }
}

/// Memory that is gone, and things that only look like arrays: refused by every method, never read as empty.
#[wasm_bindgen_test]
async fn arrays_without_their_memory() {
    let gone = [
        "const a = new ARRAY(1); structuredClone(a, { transfer: [a.buffer] }); return a",
        // A view of a length of its own, and one that follows its buffer but begins past its new end.
        "const b = new ArrayBuffer(16, { maxByteLength: 16 }); const a = new ARRAY(b, 8, 1); b.resize(4); return a",
        "const b = new ArrayBuffer(16, { maxByteLength: 16 }); const a = new ARRAY(b, 8); b.resize(4); return a",
        "return new Proxy(new ARRAY(1), {})",
        "return Object.create(ARRAY.prototype)",
        "const { proxy, revoke } = Proxy.revocable(new ARRAY(1), {}); revoke(); return proxy",
    ];
    for backend in ["gpu", "cpu"] {
        for class in ["Uint32Array", "Float32Array", "Uint8Array"] {
            for body in gone {
                for outcome in with_array(backend, class, &written(&body.replace("ARRAY", class))).await {
                    refused(outcome, INVALID);
                }
            }
        }
        for body in [
            "return new Proxy([0], { get() { throw new Error('trap') } })",
            "return Object.defineProperty([0], 0, { get() { throw new Error('getter') } })",
        ] {
            for outcome in with_array(backend, "Uint32Array", &written(body)).await {
                refused(outcome, INVALID);
            }
        }
    }
}

/// Properties that say one thing of an array that is another, and memory of every kind: what counts is what the array is.
#[wasm_bindgen_test]
async fn arrays_of_any_kind_of_memory() {
    let sound = [
        "return new (class extends ARRAY { get length() { throw new Error('length') } })([5])",
        "return Object.defineProperty(new ARRAY([5]), 'buffer', { get() { throw new Error('buffer') } })",
        "return Object.defineProperty(new ARRAY([9, 5]).subarray(1), 'byteOffset', { value: 400 })",
        "return Object.defineProperty(new ARRAY([5]), 'length', { value: 2 ** 31 })",
        // Shared memory: SharedArrayBuffer itself is hidden from a page that is not isolated.
        "const m = new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }); \
         const a = new ARRAY(m.buffer, 8, 1); a[0] = 5; return a",
        "const a = new ARRAY(new WebAssembly.Memory({ initial: 1 }).buffer, 8, 1); a[0] = 5; return a",
        // A view that follows its buffer, longer and shorter than at first.
        "const b = new ArrayBuffer(8, { maxByteLength: 16 }); const a = new ARRAY(b, 8); b.resize(12); a[0] = 5; return a",
        "const b = new ArrayBuffer(16, { maxByteLength: 16 }); const a = new ARRAY(b, 8); b.resize(12); a[0] = 5; return a",
        // Of another window.
        "const f = document.createElement('iframe'); document.body.append(f); \
         return new f.contentWindow.ARRAY([5])",
    ];
    for backend in ["gpu", "cpu"] {
        let embedding = good(create(shape(9, 1), &[("backend", backend.into()), ("seed", 3.into())]).await);
        let wanted = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[5])]).await)).to_vec();
        for body in sound {
            let tokens = written(&body.replace("ARRAY", "Uint32Array"));
            let rows = Float32Array::from(good(ask(&embedding, "embed", &[tokens]).await));
            assert_eq!(rows.to_vec(), wanted, "{body}");
            let grad_out = written(&body.replace("ARRAY", "Float32Array"));
            for options in [method("sorted"), method("cas")] {
                let gradient = good(ask(&embedding, "embedGrad", &[ids(&[2]), grad_out.clone(), options]).await);
                assert_eq!(Float32Array::from(get(&gradient, "grad")).to_vec(), [5.0], "{body}");
            }
            for outcome in with_array(backend, "Float32Array", &grad_out).await {
                good(outcome);
            }
        }
        let list = written(
            "const f = document.createElement('iframe'); document.body.append(f); \
             return f.contentWindow.Array.of(5)",
        );
        assert_eq!(Float32Array::from(good(ask(&embedding, "embed", &[list]).await)).to_vec(), wanted);
    }
}

/// What a getter throws is not passed over as if the option were not there.
#[wasm_bindgen_test]
async fn options_that_throw() {
    for key in ["vocabSize", "dModel", "backend", "precision", "table", "seed", "fingerprint"] {
        let options = written(&format!(
            "return Object.defineProperty({{ vocabSize: 1, dModel: 1 }}, '{key}', {{ get() {{ throw new Error('mine') }} }})"
        ));
        assert_names(&refused(settled(JsEmbedding::create(options)).await, INVALID), &[key, "mine"]);
    }
    let options = written("return { get method() { throw new Error('mine') } }");
    let embedding = good(create(shape(4, 1), &[]).await);
    let outcome = ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0]), options]).await;
    assert_names(&refused(outcome, INVALID), &["method", "mine"]);
}

#[wasm_bindgen_test]
async fn invalid_sizes() {
    let wrong = [
        0.into(),
        (-1).into(),
        1.5.into(),
        f64::NAN.into(),
        4_294_967_296.0.into(),
        "16".into(),
        JsValue::NULL,
        JsValue::UNDEFINED,
    ];
    for size in wrong {
        for (key, other) in [("vocabSize", "dModel"), ("dModel", "vocabSize")] {
            let options = || object(&[(key, size.clone()), (other, 4.into())]);
            assert_names(&refused(settled(JsEmbedding::create(options())).await, INVALID), &[key, "from 1"]);
            assert_names(&refused(settled(JsLab::create(options())).await, INVALID), &[key, "from 1"]);
        }
    }
}

#[wasm_bindgen_test]
async fn invalid_options() {
    let strange = [("backend", "cuda"), ("backend", "GPU"), ("precision", "f64"), ("precision", "")];
    for (key, value) in strange {
        let message = refused(create(shape(2, 2), &[(key, value.into())]).await, INVALID);
        assert_names(&message, &[key, &format!("\"{value}\""), " or "]);
        refused(settled(JsEmbedding::turkish(object(&[(key, value.into())]))).await, INVALID);
    }
    refused(create(shape(2, 2), &[("backend", JsValue::NULL)]).await, INVALID);
    refused(create(shape(2, 2), &[("backend", 1.into())]).await, INVALID);
    refused(
        settled(JsLab::create(object(&[("vocabSize", 1.into()), ("dModel", 1.into()), ("backend", "x".into())]))).await,
        INVALID,
    );
    for seed in [(-1).into(), 0.5.into(), 9_007_199_254_740_992.0.into(), f64::NAN.into(), "7".into(), JsValue::NULL] {
        assert_names(&refused(create(shape(2, 2), &[("seed", seed)]).await, INVALID), &["seed"]);
    }
    for fingerprint in [7.into(), JsValue::NULL, object(&[])] {
        assert_names(&refused(create(shape(2, 2), &[("fingerprint", fingerprint)]).await, INVALID), &["fingerprint"]);
    }
    for options in [5.into(), "gpu".into(), true.into()] {
        refused(settled(JsEmbedding::create(JsValue::clone(&options))).await, INVALID);
        refused(settled(JsEmbedding::turkish(JsValue::clone(&options))).await, INVALID);
        refused(settled(JsLab::create(options)).await, INVALID);
    }
    // Sizes are needed, so no options at all will not do here.
    refused(settled(JsEmbedding::create(JsValue::UNDEFINED)).await, INVALID);

    let embedding = good(create(shape(4, 2), &[]).await);
    for name in ["atomic", "SORTED", ""] {
        let arguments = [ids(&[1]), values(&[1.0, 1.0]), method(name)];
        assert_names(&refused(ask(&embedding, "embedGrad", &arguments).await, INVALID), &["method", "sorted", "cas"]);
        refused(settled(gomme::js::embed_grad(&ids(&[]), &values(&[]), method(name))).await, INVALID);
    }
    let arguments = [ids(&[1]), values(&[1.0, 1.0]), "cas".into()];
    refused(ask(&embedding, "embedGrad", &arguments).await, INVALID);

    let wrong_offsets = [(JsValue::UNDEFINED, "Offsets come as"), (list(&[0.5.into()]), "Offset 0 is 0.5")];
    for (offsets, words) in wrong_offsets {
        let message = refused(ask(&embedding, "embedBag", &[ids(&[1]), offsets]).await, INVALID);
        assert_names(&message, &[words, "[0] makes one bag"]);
    }
}

#[wasm_bindgen_test]
async fn invalid_rules_and_gradients_of_steps() {
    for backend in ["gpu", "cpu"] {
        let embedding = good(create(shape(4, 2), &[("backend", backend.into())]).await);
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1.0, 1.0])]).await);
        let step = async |gradient: &JsValue, numbers: &[(&str, JsValue)]| {
            let rule = [&[("rule", "adam".into()), ("lr", 0.1.into())], numbers].concat();
            refused(ask(&embedding, "step", &[gradient.clone(), object(&rule)]).await, INVALID)
        };
        for (key, number, range) in [
            ("lr", f64::NAN, "a finite number that f32"),
            ("lr", 1e39, "a finite number that f32"),
            ("eps", -1.0, "not negative"),
            ("beta1", 1.0, "from 0 to below 1"),
            ("beta2", -0.5, "from 0 to below 1"),
        ] {
            let message = step(&gradient, &[(key, number.into())]).await;
            assert_names(&message, &[key, range]);
            assert!(!message.contains("999999") && !message.contains("e+38"), "{message}");
        }
        // What JSON makes of a gradient has objects in place of its arrays.
        let json = js_sys::JSON::stringify(&gradient).unwrap();
        let copy = js_sys::JSON::parse(&String::from(json)).unwrap();
        assert_names(&step(&copy, &[]).await, &["gradient's rows", "JSON", "Object.values"]);
    }
}

#[wasm_bindgen_test]
async fn tables_of_another_type_or_size() {
    for length in [0, 5, 7] {
        let message = refused(create(shape(3, 2), &[("table", values(&vec![0.0; length]))]).await, "shape-mismatch");
        assert_names(&message, &[&format!("has {length}"), "has 6 values"]);
    }
    for table in [Float64Array::new_with_length(6).into(), list(&[]), JsValue::NULL, "table".into()] {
        assert_names(&refused(create(shape(3, 2), &[("table", table)]).await, INVALID), &["table", "Float32Array"]);
    }
    let bytes = |length: u32| JsValue::from(Uint8Array::new_with_length(length));
    let turkish = |vectors: JsValue, scales: JsValue| {
        let data = object(&[("vectors", vectors), ("scales", scales)]);
        settled(JsEmbedding::turkish(object(&[("data", data)])))
    };
    let message = refused(turkish(bytes(10), bytes(65_536)).await, "shape-mismatch");
    assert_names(&message, &["6291456", "65536", "10"]);
    refused(turkish(bytes(6_291_456), bytes(65_535)).await, "shape-mismatch");
    refused(turkish(JsValue::UNDEFINED, bytes(65_536)).await, INVALID);
    refused(turkish(bytes(6_291_456), "scales".into()).await, INVALID);
    refused(settled(JsEmbedding::turkish(object(&[("data", 7.into())]))).await, INVALID);
    refused(settled(JsEmbedding::turkish(object(&[("onProgress", 7.into())]))).await, INVALID);
}

#[wasm_bindgen_test]
fn invalid_models() {
    let sizes = [0, 1, 2, 3, 10, 100, 1_000, 65_536, MODEL.len() / 2, MODEL.len() - 1_000, MODEL.len() - 1];
    for size in sizes {
        refused(browser::tokenizer(&MODEL[..size]), "invalid-model");
    }
    let mut random = Random::new(1);
    for length in [1, 20, 3_000] {
        let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        refused(browser::tokenizer(&noise), "invalid-model");
    }
    for page in ["<!doctype html><title>404</title>", "\n<HTML lang=tr>", "<!-- app --><html>"] {
        assert_names(&refused(browser::tokenizer(page.as_bytes()), "invalid-model"), &["HTML"]);
    }
    for kind in [include_bytes!("data/tokenizer/word.model").as_slice(), include_bytes!("data/tokenizer/char.model")] {
        refused(browser::tokenizer(kind), "invalid-model");
    }
    for value in [JsValue::NULL, JsValue::UNDEFINED, "model".into(), list(&[]), Float32Array::new_with_length(3).into()]
    {
        refused(JsTokenizer::from_model(&value).map(JsValue::from).map_err(JsValue::from), INVALID);
    }
    assert!(browser::tokenizer(MODEL).is_ok());
}

#[wasm_bindgen_test]
fn ids_a_tokenizer_does_not_have() {
    let tokenizer = good(browser::tokenizer(MODEL));
    for id in [16_384.0, 4_294_967_295.0] {
        assert_names(&refused(call(&tokenizer, "piece", &[id.into()]), INVALID), &["16384"]);
        refused(call(&tokenizer, "decode", &[list(&[1.into(), id.into()])]), INVALID);
        refused(call(&tokenizer, "decode", &[ids(&[id as u32])]), INVALID);
    }
    for id in [(-1).into(), 1.5.into(), f64::NAN.into(), 4_294_967_296.0.into(), "5".into(), JsValue::UNDEFINED] {
        refused(call(&tokenizer, "piece", std::slice::from_ref(&id)), INVALID);
        refused(call(&tokenizer, "decode", &[list(&[id])]), INVALID);
    }
    refused(call(&tokenizer, "decode", &["kedi".into()]), INVALID);
    for text in [JsValue::UNDEFINED, JsValue::NULL, 5.into(), list(&["kedi".into()])] {
        refused(call(&tokenizer, "encode", &[text]), INVALID);
    }
    assert_eq!(browser::words(&good(call(&tokenizer, "encode", &["".into()])), "ids"), [0u32; 0]);
}

#[wasm_bindgen_test]
async fn vocabularies_of_another_table() {
    let tokenizer = good(browser::tokenizer(MODEL));
    let fingerprint = get(&tokenizer, "fingerprint");
    let check =
        |embedding: &JsValue, tokenizer: &JsValue| call(embedding, "checkVocabulary", std::slice::from_ref(tokenizer));
    let small = good(create(shape(9, 1), &[("fingerprint", fingerprint.clone())]).await);
    assert_names(&refused(check(&small, &tokenizer), "vocab-mismatch"), &["9 rows", "16384"]);
    let other = good(create(shape(16_384, 1), &[("fingerprint", "0123abcd".into())]).await);
    let message = refused(check(&other, &tokenizer), "vocab-mismatch");
    assert_names(&message, &["0123abcd", &fingerprint.as_string().unwrap()]);
    let same = good(create(shape(16_384, 1), &[("fingerprint", fingerprint)]).await);
    good(check(&same, &tokenizer));
    let unknown = good(create(shape(16_384, 1), &[]).await);
    good(check(&unknown, &tokenizer));
    for value in [JsValue::UNDEFINED, JsValue::NULL, 5.into(), object(&[]), same.clone()] {
        refused(check(&same, &value), INVALID);
    }
    good(call(&tokenizer, "free", &[]));
    refused(check(&same, &tokenizer), INVALID);
}

/// What reading a property throws.
fn read(object: &JsValue, key: &str) -> browser::Outcome {
    Reflect::get(object, &JsValue::from_str(key))
}

#[wasm_bindgen_test]
async fn freed_objects() {
    let lab = lab(5, 1, "gpu").await;
    let embedding = embedding(&[1.0; 5], 5, 1).await;
    let tokenizer = good(browser::tokenizer(MODEL));
    let other = good(browser::tokenizer(MODEL));
    for object in [&lab, &embedding, &tokenizer] {
        good(call(object, "free", &[]));
        good(call(object, "free", &[]));
    }
    let token = ids(&[1]);
    let one = values(&[1.0]);
    for outcome in [
        ask(&embedding, "embed", std::slice::from_ref(&token)).await,
        ask(&embedding, "embedGrad", &[token.clone(), one.clone()]).await,
        call(&embedding, "checkVocabulary", std::slice::from_ref(&other)),
        JsLab::of(&embedding).map(JsValue::from).map_err(JsValue::from),
        read(&embedding, "vocabSize"),
        read(&embedding, "dModel"),
        read(&embedding, "backend"),
        read(&embedding, "adapter"),
        read(&embedding, "fallbackReason"),
    ] {
        assert_names(&refused(outcome, INVALID), &["Embedding", "freed"]);
    }
    for outcome in [
        call(&tokenizer, "encode", &["kedi".into()]),
        call(&tokenizer, "decode", std::slice::from_ref(&token)),
        call(&tokenizer, "piece", &[1.into()]),
        read(&tokenizer, "vocabSize"),
        read(&tokenizer, "fingerprint"),
    ] {
        assert_names(&refused(outcome, INVALID), &["Tokenizer", "freed"]);
    }
    for outcome in [
        ask(&lab, "lookup", &[token.clone(), "fast".into()]).await,
        ask(&lab, "gradient", &[token.clone(), one, "racy".into()]).await,
        ask(&lab, "time", &["sorted".into(), token]).await,
        call(&lab, "nearest", &[1.into(), 1.into()]),
        call(&lab, "loseDevice", &[]),
        read(&lab, "vocabSize"),
        read(&lab, "dModel"),
        read(&lab, "backend"),
        read(&lab, "adapter"),
        read(&lab, "fallbackReason"),
        read(&lab, "kernels"),
    ] {
        assert_names(&refused(outcome, INVALID), &["Lab", "freed"]);
    }
    assert_eq!(browser::number(&other, "vocabSize"), 16_384.0);
}

#[wasm_bindgen_test]
async fn what_a_lab_cannot_run() {
    let bare = lab(5, 2, "gpu").await;
    let full = lab_of(&embedding(&[1.0; 10], 5, 2).await);
    let token = ids(&[1]);
    let pair = values(&[1.0, 1.0]);
    for kernel in ["embed_lookup", "fast", "w16_packed", "w16_fast"] {
        assert_names(&refused(ask(&bare, "lookup", &[token.clone(), kernel.into()]).await, INVALID), &["no table"]);
        assert_names(&refused(ask(&bare, "time", &[kernel.into(), token.clone()]).await, INVALID), &["no table"]);
    }
    refused(call(&bare, "nearest", &[1.into(), 1.into()]), INVALID);
    for kernel in ["embed_lookupp", "", "sum_pieces"] {
        assert_names(&refused(ask(&full, "lookup", &[token.clone(), kernel.into()]).await, INVALID), &["w16_packed"]);
        refused(ask(&full, "gradient", &[token.clone(), pair.clone(), kernel.into()]).await, INVALID);
        refused(ask(&full, "time", &[kernel.into(), token.clone()]).await, INVALID);
    }
    for kernel in [JsValue::UNDEFINED, JsValue::NULL, 5.into()] {
        refused(ask(&full, "lookup", &[token.clone(), kernel.clone()]).await, INVALID);
        refused(ask(&full, "time", &[kernel, token.clone()]).await, INVALID);
    }
    for kernel in ["sorted", "racy", "write_only", "sorted_parts"] {
        refused(ask(&full, "lookup", &[token.clone(), kernel.into()]).await, INVALID);
    }
    for kernel in ["fast", "write_only", "sorted_parts"] {
        refused(ask(&full, "gradient", &[token.clone(), pair.clone(), kernel.into()]).await, INVALID);
    }
    if !get(&get(&full, "adapter"), "shaderF16").is_truthy() {
        for outcome in [
            ask(&full, "lookup", &[token.clone(), "w16_native".into()]).await,
            ask(&full, "time", &["w16_native".into(), token.clone()]).await,
        ] {
            assert_names(&refused(outcome, INVALID), &["shader-f16", "w16_packed"]);
        }
    }
    for (id, count) in [(5.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 0.5)] {
        refused(call(&full, "nearest", &[id.into(), count.into()]), INVALID);
    }
    refused(call(&full, "nearest", &[1.into(), 1.into(), ids(&[5])]), INVALID);
    refused(call(&full, "nearest", &[1.into(), 1.into(), "all".into()]), INVALID);
    refused(ask(&full, "time", &["sorted".into(), ids(&[])]).await, INVALID);
    for (key, value) in [
        ("minMilliseconds", JsValue::from(-1)),
        ("minMilliseconds", "10".into()),
        ("samples", 0.into()),
        ("samples", f64::NAN.into()),
        ("warmMilliseconds", 1e9.into()),
        ("clock", "sundial".into()),
    ] {
        let outcome = ask(&full, "time", &["sorted".into(), token.clone(), object(&[(key, value)])]).await;
        assert_names(&refused(outcome, INVALID), &[key]);
    }
    for value in [JsValue::UNDEFINED, JsValue::NULL, object(&[]), bare.clone()] {
        refused(JsLab::of(&value).map(JsValue::from).map_err(JsValue::from), INVALID);
    }
    assert_eq!(browser::lookup(&full, &[1], "fast").await, [1.0, 1.0]);
}

#[wasm_bindgen_test]
async fn calls_past_the_limits() {
    const LIMIT: &str = "limit-exceeded";
    let facts = get(&lab(1, 1, "gpu").await, "adapter");
    let most = browser::number(&facts, "maxBufferBytes").min(browser::number(&facts, "maxBindingBytes"));
    for backend in ["gpu", "cpu"] {
        let wide = good(create(shape(1, 1 << 20), &[("backend", backend.into())]).await);
        // N·D past a u32.
        let outcome = ask(&wide, "embed", &[ids(&[0; 5_000])]).await;
        assert_names(&refused(outcome, LIMIT), &["5242880000", "4294967295"]);
        // N·D past what a buffer of this device, or the memory of the twin, can hold.
        let outcome = ask(&wide, "embed", &[ids(&[0; 4_000])]).await;
        let allowed = if backend == "gpu" { most } else { 1_073_741_824.0 };
        assert_names(&refused(outcome, LIMIT), &["16777216000", &format!("{allowed}")]);
        let lab = lab(3, 1 << 20, backend).await;
        let outcome = ask(&lab, "time", &["write_only".into(), ids(&[0; 5_000])]).await;
        assert_names(&refused(outcome, LIMIT), &["5242880000", "4294967295"]);

        // V·D likewise; nothing is allocated for the answer.
        let fields = [("backend", backend.into())];
        assert_names(&refused(create(shape(1 << 20, 1 << 20), &fields).await, LIMIT), &["1099511627776", "4294967295"]);
        let message = refused(create(shape(1, u32::MAX), &fields).await, LIMIT);
        assert_names(&message, &["17179869180", &format!("{allowed}")]);

        // A vocabulary of any size has sparse gradients, but not a dense one.
        let vast = browser::lab(u32::MAX, 2, backend).await;
        let arguments = [ids(&[4_294_967_294, 7, u32::MAX]), values(&[1.0; 6]), "sorted".into()];
        let gradient = good(ask(&vast, "gradient", &arguments).await);
        assert_eq!(browser::words(&gradient, "rows"), [7, 4_294_967_294]);
        assert_names(&refused(call(&gradient, "toDense", &[]), LIMIT), &["8589934590", "536870912"]);

        // And calls within the limits go on working.
        assert_eq!(Float32Array::from(good(ask(&wide, "embed", &[ids(&[0])]).await)).length(), 1 << 20);
    }
}

/// Codes and names as the types promise them.
#[wasm_bindgen_test]
async fn errors_are_errors_of_javascript() {
    let error = create(shape(0, 1), &[]).await.unwrap_err();
    assert!(refusal(&error, INVALID).contains("vocabSize"));
    let shown = call(&error, "toString", &[]).unwrap().as_string().unwrap();
    assert!(shown.starts_with("GommeError: "), "{shown}");
    assert!(get(&error, "stack").is_string());
}
