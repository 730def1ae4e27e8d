//! The package's classes, called as a page calls them: through the JavaScript objects, with whatever arguments.

#![allow(dead_code, reason = "each program that includes this file uses other parts")]

use gomme::js::{JsEmbedding, JsLab, JsTokenizer};
use js_sys::{Array, Float32Array, Function, Object, Promise, Reflect, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::random::Counts;

/// What a call gave or threw.
pub type Outcome = Result<JsValue, JsValue>;

#[track_caller]
pub fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(key)).unwrap_or_else(|_| panic!("{key} of something without properties"))
}

#[track_caller]
pub fn number(object: &JsValue, key: &str) -> f64 {
    get(object, key).as_f64().unwrap_or_else(|| panic!("{key} is no number"))
}

#[track_caller]
pub fn text(object: &JsValue, key: &str) -> String {
    get(object, key).as_string().unwrap_or_else(|| panic!("{key} is no string"))
}

#[track_caller]
pub fn floats(object: &JsValue, key: &str) -> Vec<f32> {
    get(object, key).dyn_into::<Float32Array>().unwrap_or_else(|_| panic!("{key} is no Float32Array")).to_vec()
}

#[track_caller]
pub fn words(object: &JsValue, key: &str) -> Vec<u32> {
    get(object, key).dyn_into::<Uint32Array>().unwrap_or_else(|_| panic!("{key} is no Uint32Array")).to_vec()
}

/// An object literal.
pub fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        Reflect::set(&object, &JsValue::from_str(key), value).unwrap();
    }
    object.into()
}

/// `object[name](...arguments)`: what it returns or throws at once.
#[track_caller]
pub fn call(object: &JsValue, name: &str, arguments: &[JsValue]) -> Outcome {
    let method: Function = get(object, name).dyn_into().unwrap_or_else(|_| panic!("{name} is no method"));
    method.apply(object, &arguments.iter().collect::<Array>())
}

/// The same awaited, for methods that return a promise; they must never throw instead.
pub async fn ask(object: &JsValue, name: &str, arguments: &[JsValue]) -> Outcome {
    let returned = call(object, name, arguments).unwrap_or_else(|_| panic!("{name} threw instead of returning"));
    settled(returned.dyn_into().unwrap_or_else(|_| panic!("{name} returned no promise"))).await
}

pub async fn settled(promise: Promise) -> Outcome {
    JsFuture::from(promise).await
}

/// A few turns of the microtask queue: the work of calls goes on, the browser's does not.
pub async fn microtasks() {
    for _ in 0..20 {
        settled(Promise::resolve(&JsValue::UNDEFINED)).await.unwrap();
    }
}

/// The result, or a panic with the error's own words.
#[track_caller]
pub fn good(outcome: Outcome) -> JsValue {
    outcome.unwrap_or_else(|error| panic!("{}: {}", text(&error, "code"), text(&error, "message")))
}

/// The message of an error that must have this code; asserts that it is a `GommeError` that says something.
#[track_caller]
pub fn refused(outcome: Outcome, code: &str) -> String {
    let Err(error) = outcome else { panic!("no {code}: it worked") };
    refusal(&error, code)
}

#[track_caller]
pub fn refusal(error: &JsValue, code: &str) -> String {
    assert!(error.is_instance_of::<js_sys::Error>(), "{code}: {error:?} is no Error");
    assert_eq!(text(error, "name"), "GommeError", "{error:?}");
    let message = text(error, "message");
    assert_eq!(text(error, "code"), code, "{message}");
    assert!(message.len() > 20 && message.ends_with(['.', '?']), "{code} says only: {message}");
    message
}

pub fn shape(vocab_size: u32, d_model: u32) -> Vec<(&'static str, JsValue)> {
    vec![("vocabSize", vocab_size.into()), ("dModel", d_model.into())]
}

pub async fn create(mut fields: Vec<(&'static str, JsValue)>, more: &[(&'static str, JsValue)]) -> Outcome {
    fields.extend_from_slice(more);
    settled(JsEmbedding::create(object(&fields))).await
}

/// An embedding of these values on the GPU.
pub async fn embedding(table: &[f32], vocab_size: u32, d_model: u32) -> JsValue {
    embedding_on("gpu", table, vocab_size, d_model).await
}

/// An embedding of these values.
pub async fn embedding_on(backend: &str, table: &[f32], vocab_size: u32, d_model: u32) -> JsValue {
    let table = Float32Array::from(table).into();
    good(create(shape(vocab_size, d_model), &[("backend", backend.into()), ("table", table)]).await)
}

/// A lab without a table.
pub async fn lab(vocab_size: u32, d_model: u32, backend: &str) -> JsValue {
    let mut fields = shape(vocab_size, d_model);
    fields.push(("backend", backend.into()));
    good(settled(JsLab::create(object(&fields))).await)
}

/// Options of a call whose result stays on the GPU.
pub fn to_gpu() -> JsValue {
    object(&[("output", "gpu".into())])
}

/// Loses the page's device: the next call has another one.
pub async fn lose_device() {
    good(call(&lab(1, 1, "gpu").await, "loseDevice", &[]));
}

/// Has the next device take its adapter for a graphics card, or no longer: the kernels for those are other ones.
pub async fn pretend_a_card(pretend: bool) {
    const BODY: &str = "const names = { vendor: 'test', architecture: 'test', device: 'test', description: 'test card', \
         isFallbackAdapter: false }; \
         const kept = globalThis.keptGetters ??= []; \
         for (const undo of kept.splice(0)) undo(); \
         if (pretend) for (const [key, value] of Object.entries(names)) for (const Class of [GPUAdapterInfo, GPUAdapter]) { \
           const real = Object.getOwnPropertyDescriptor(Class.prototype, key); \
           if (!real) continue; \
           Object.defineProperty(Class.prototype, key, { configurable: true, get: () => value }); \
           kept.push(() => Object.defineProperty(Class.prototype, key, real)); \
         }";
    Function::new_with_args("pretend", BODY).call1(&JsValue::UNDEFINED, &pretend.into()).unwrap();
    lose_device().await;
    let adapter = get(&lab(1, 1, "gpu").await, "adapter");
    assert_eq!(get(&adapter, "software"), !pretend);
}

/// A lab on the device and table of an embedding.
pub fn lab_of(embedding: &JsValue) -> JsValue {
    good(JsLab::of(embedding).map(JsValue::from).map_err(JsValue::from))
}

pub fn tokenizer(model: &[u8]) -> Outcome {
    JsTokenizer::from_model(&js_sys::Uint8Array::from(model)).map(JsValue::from).map_err(JsValue::from)
}

pub fn ids(tokens: &[u32]) -> JsValue {
    Uint32Array::from(tokens).into()
}

pub fn values(values: &[f32]) -> JsValue {
    Float32Array::from(values).into()
}

/// An `EmbeddingGradient`, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    pub counts: Counts,
    pub grad: Vec<f32>,
    pub retries: Option<Vec<u32>>,
}

impl Gradient {
    pub fn read(gradient: &JsValue) -> Self {
        let skipped = get(gradient, "skipped");
        let retries = get(gradient, "retries");
        Self {
            counts: Counts {
                rows: words(gradient, "rows"),
                hits: words(gradient, "hits"),
                adds: words(gradient, "adds"),
                out_of_vocab: number(&skipped, "outOfVocab") as u32,
                zero: number(&skipped, "zero") as u32,
                non_finite: number(&skipped, "nonFinite") as u32,
            },
            grad: floats(gradient, "grad"),
            retries: (!retries.is_undefined()).then(|| words(gradient, "retries")),
        }
    }

    pub fn bits(&self) -> Vec<u32> {
        self.grad.iter().map(|value| value.to_bits()).collect()
    }
}

/// A gradient by one of the lab's kernels.
pub async fn gradient(lab: &JsValue, tokens: &[u32], grad_out: &[f32], kernel: &str) -> Gradient {
    Gradient::read(&good(ask(lab, "gradient", &[ids(tokens), values(grad_out), kernel.into()]).await))
}

/// A lookup by one of the lab's kernels.
pub async fn lookup(lab: &JsValue, tokens: &[u32], kernel: &str) -> Vec<f32> {
    floats(&good(ask(lab, "lookup", &[ids(tokens), kernel.into()]).await), "out")
}
