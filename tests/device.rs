//! The device missing, late or lost: `no-webgpu`, `no-adapter`, `device-lost`, and how calls go on after them.
//!
//! The device is one for the whole page, so each test first loses the one there is; the next call then asks the browser
//! again, and finds what the test put in its place.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{
    Gradient, Outcome, ask, call, create, embedding, get, good, ids, lab, microtasks, refusal, refused, settled, shape,
    text, values,
};
use gomme::js::JsLab;
use js_sys::{Array, Float32Array, Function, Object, Promise, Reflect};
use random::Random;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A property put over another for as long as this lives.
struct Stub(JsValue, &'static str);

impl Stub {
    fn new(object: &JsValue, key: &'static str, value: &JsValue) -> Self {
        let property = browser::object(&[("value", value.clone()), ("configurable", true.into())]);
        let target = object.unchecked_ref::<Object>();
        assert!(
            Reflect::define_property(target, &key.into(), property.unchecked_ref()).unwrap(),
            "{key} can't be put over"
        );
        Self(object.clone(), key)
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        Reflect::delete_property(self.0.unchecked_ref::<Object>(), &self.1.into()).unwrap();
    }
}

fn navigator() -> JsValue {
    get(&js_sys::global(), "navigator")
}

fn browser_gpu() -> JsValue {
    get(&navigator(), "gpu")
}

/// A function of JavaScript with some values in scope.
fn script(body: &str, scope: &[(&str, &JsValue)]) -> JsValue {
    let names: Vec<&str> = scope.iter().map(|(name, _)| *name).collect();
    let maker = Function::new_with_args(&names.join(","), &format!("return {body}"));
    let values: Array = scope.iter().map(|(_, value)| *value).collect();
    maker.apply(&JsValue::UNDEFINED, &values).unwrap()
}

/// Loses the page's device, if it has one.
async fn lose() {
    let lab = lab(1, 1, "gpu").await;
    good(call(&lab, "loseDevice", &[]));
}

async fn create_on(backend: &str) -> Outcome {
    create(shape(4, 2), &[("backend", backend.into()), ("table", values(&[0., 1., 2., 3., 4., 5., 6., 7.]))]).await
}

async fn lab_on(backend: &str) -> Outcome {
    let fields = [("vocabSize", 4.into()), ("dModel", 2.into()), ("backend", backend.into())];
    settled(JsLab::create(browser::object(&fields))).await
}

async fn assert_works(embedding: &JsValue, backend: &str) {
    assert_eq!(text(embedding, "backend"), backend);
    let out = good(ask(embedding, "embed", &[ids(&[3, 4, 0])]).await);
    assert_eq!(Float32Array::from(out).to_vec(), [6., 7., 0., 0., 0., 1.]);
    for method in ["sorted", "cas"] {
        let options = browser::object(&[("method", method.into())]);
        let outcome = ask(embedding, "embedGrad", &[ids(&[1, 3, 1]), values(&[1., 2., 3., 4., 5., 6.]), options]).await;
        let found = Gradient::read(&good(outcome));
        assert_eq!(found.counts.rows, [1, 3]);
        assert_eq!(found.grad, [6., 8., 3., 4.]);
    }
}

/// What every embedding and lab does when the device can't be had: the GPU is refused, `auto` falls back and says why.
async fn assert_falls_back(code: &str, words: &[&str]) {
    let check =
        |message: &str| words.iter().for_each(|word| assert!(message.contains(word), "no {word} in: {message}"));
    check(&refused(create_on("gpu").await, code));
    check(&refused(lab_on("gpu").await, code));
    for made in [create_on("auto").await, lab_on("auto").await] {
        let made = good(made);
        assert_eq!(text(&made, "backend"), "cpu");
        assert!(get(&made, "adapter").is_undefined());
        check(&refusal(&get(&made, "fallbackReason"), code));
    }
    assert_works(&good(create_on("auto").await), "cpu").await;
    // Who asks for the CPU gets no reason for it.
    let cpu = good(create_on("cpu").await);
    assert!(get(&cpu, "fallbackReason").is_undefined());
}

#[wasm_bindgen_test]
async fn without_webgpu() {
    lose().await;
    for missing in [JsValue::UNDEFINED, JsValue::NULL] {
        let hidden = Stub::new(&navigator(), "gpu", &missing);
        assert_falls_back("no-webgpu", &["navigator.gpu", "backend \"cpu\""]).await;
        drop(hidden);
    }
    assert_works(&good(create_on("auto").await), "gpu").await;
}

#[wasm_bindgen_test]
async fn an_insecure_origin_is_told_from_an_old_browser() {
    lose().await;
    let hidden = Stub::new(&navigator(), "gpu", &JsValue::UNDEFINED);
    let insecure = Stub::new(&js_sys::global(), "isSecureContext", &false.into());
    assert_falls_back("no-webgpu", &["insecure origin", "HTTPS"]).await;
    drop((hidden, insecure));
    assert_works(&good(create_on("gpu").await), "gpu").await;
}

#[wasm_bindgen_test]
async fn without_an_adapter() {
    lose().await;
    let gpu = browser_gpu();
    for body in ["() => Promise.resolve(null)", "() => Promise.reject(new Error('blocked'))"] {
        let stub = Stub::new(&gpu, "requestAdapter", &script(body, &[]));
        assert_falls_back("no-adapter", &["adapter", "backend \"cpu\""]).await;
        drop(stub);
    }
    assert_works(&good(create_on("auto").await), "gpu").await;
}

#[wasm_bindgen_test]
async fn an_adapter_that_comes_at_the_second_try() {
    lose().await;
    let gpu = browser_gpu();
    let asked = Array::new();
    let real = get(&gpu, "requestAdapter");
    let scope = [("asked", asked.as_ref()), ("real", &real), ("gpu", &gpu)];
    let body = "options => asked.push(0) === 1 ? Promise.resolve(null) : real.call(gpu, options)";
    let stub = Stub::new(&gpu, "requestAdapter", &script(body, &scope));
    assert_works(&good(create_on("gpu").await), "gpu").await;
    assert!(asked.length() >= 2);
    drop(stub);
}

#[wasm_bindgen_test]
async fn an_adapter_without_a_device() {
    lose().await;
    let gpu = browser_gpu();
    let real = get(&gpu, "requestAdapter");
    let body = "options => real.call(gpu, options).then(adapter => Object.defineProperty(adapter, 'requestDevice', \
                { value: () => Promise.reject(new Error('out of devices')) }))";
    let stub = Stub::new(&gpu, "requestAdapter", &script(body, &[("real", &real), ("gpu", &gpu)]));
    assert_falls_back("no-adapter", &["device", "backend \"cpu\""]).await;
    drop(stub);
    assert_works(&good(create_on("auto").await), "gpu").await;
}

/// All who ask while the device is being made get the same one: the browser is asked once.
#[wasm_bindgen_test]
async fn the_device_is_shared() {
    lose().await;
    let gpu = browser_gpu();
    let devices = Array::new();
    let real = get(&gpu, "requestAdapter");
    let body = "options => real.call(gpu, options).then(adapter => { const make = adapter.requestDevice; return \
                Object.defineProperty(adapter, 'requestDevice', { value: (...a) => (devices.push(0), make.apply(adapter, a)) }) })";
    let scope = [("real", &real), ("gpu", &gpu), ("devices", devices.as_ref())];
    let stub = Stub::new(&gpu, "requestAdapter", &script(body, &scope));
    let started: Vec<JsValue> = (0..3)
        .map(|_| JsLab::create(browser::object(&[("vocabSize", 4.into()), ("dModel", 2.into())])).into())
        .collect();
    good(settled(Promise::all(&started.iter().collect::<Array>())).await);
    assert_works(&good(create_on("gpu").await), "gpu").await;
    assert_eq!(devices.length(), 1);
    drop(stub);
}

#[wasm_bindgen_test]
async fn a_device_lost_between_calls_is_replaced() {
    let lab = lab(1, 1, "gpu").await;
    let first = good(create_on("gpu").await);
    let second = good(
        create(
            shape(3, 1),
            &[("backend", "gpu".into()), ("precision", "f16".into()), ("table", values(&[1., 2., 3.]))],
        )
        .await,
    );
    for _ in 0..2 {
        good(call(&lab, "loseDevice", &[]));
        assert_works(&first, "gpu").await;
        // Its own table is uploaded again too, and cast again.
        let out = good(ask(&second, "embed", &[ids(&[2, 0])]).await);
        assert_eq!(Float32Array::from(out).to_vec(), [3., 1.]);
        // The lab finds the new device by its next call.
        assert_eq!(browser::gradient(&lab, &[0, 0], &[1., 2.], "sorted").await.grad, [3.]);
    }
}

#[wasm_bindgen_test]
async fn calls_under_way_are_told_of_the_loss_and_the_next_ones_work() {
    let mut random = Random::new(1);
    let table = random.numbers(100 * 64);
    let embedding = embedding(&table, 100, 64).await;
    let gradients = lab(100, 64, "gpu").await;
    let tokens = random.ids(random::Spread::Zipf, 5_000, 100);
    let grad_out = random.numbers(5_000 * 64);
    let method = |name: &str| browser::object(&[("method", name.into())]);
    for _ in 0..2 {
        // A lab of now: one from before the last loss knows the next device only after a call of its own.
        let loser = lab(1, 1, "gpu").await;
        let under_way = [
            call(&embedding, "embed", &[ids(&tokens)]),
            call(&embedding, "embedGrad", &[ids(&tokens), values(&grad_out), method("sorted")]),
            call(&embedding, "embedGrad", &[ids(&tokens), values(&grad_out), method("cas")]),
            call(&gradients, "gradient", &[ids(&tokens), values(&grad_out), "embed_backward".into()]),
            call(&gradients, "time", &["sorted".into(), ids(&tokens)]),
        ];
        microtasks().await; // submitted, and no result can be there yet
        good(call(&loser, "loseDevice", &[]));
        for promise in under_way {
            let message = refused(settled(promise.unwrap().dyn_into().unwrap()).await, "device-lost");
            assert!(message.contains("Call again"), "{message}");
        }
        let out = good(ask(&embedding, "embed", &[ids(&tokens)]).await);
        let wanted: Vec<f32> = tokens.iter().flat_map(|&t| table[t as usize * 64..][..64].to_vec()).collect();
        assert!(Float32Array::from(out).to_vec() == wanted);
        let found = browser::gradient(&gradients, &tokens, &grad_out, "sorted").await;
        assert_eq!(found.counts, random::counts(&tokens, &grad_out, 100, 64));
    }
}

/// Arguments that were copied to a device are lost with it; a call that only held them in memory just goes on.
#[wasm_bindgen_test]
async fn a_device_lost_right_after_a_call() {
    let loser = lab(1, 1, "gpu").await;
    let embedding = good(create_on("gpu").await);
    let lookup = call(&embedding, "embed", &[ids(&[3])]).unwrap();
    let gradient = call(&embedding, "embedGrad", &[ids(&[3]), values(&[1., 2.])]).unwrap();
    good(call(&loser, "loseDevice", &[]));
    let out = good(settled(lookup.dyn_into().unwrap()).await);
    assert_eq!(Float32Array::from(out).to_vec(), [6., 7.]);
    refused(settled(gradient.dyn_into().unwrap()).await, "device-lost");
    assert_works(&embedding, "gpu").await;
}

#[wasm_bindgen_test]
async fn a_device_lost_while_a_table_goes_up() {
    let loser = lab(1, 1, "gpu").await;
    // Large enough to go up in several steps.
    let table = vec![1.5f32; 1 << 21];
    let fields = [("vocabSize", (1 << 13).into()), ("dModel", 256.into()), ("table", values(&table))];
    let creating = gomme::js::JsEmbedding::create(browser::object(&fields));
    microtasks().await;
    good(call(&loser, "loseDevice", &[]));
    refused(settled(creating).await, "device-lost");
    let embedding = good(settled(gomme::js::JsEmbedding::create(browser::object(&fields))).await);
    assert_eq!(text(&embedding, "backend"), "gpu");
    let out = good(ask(&embedding, "embed", &[ids(&[8_191])]).await);
    assert_eq!(Float32Array::from(out).to_vec(), [1.5; 256]);
}

/// The device goes and with it WebGPU: the embedding says so, and works again when it is back.
#[wasm_bindgen_test]
async fn a_device_that_does_not_come_back_at_once() {
    let embedding = good(create_on("gpu").await);
    lose().await;
    let hidden = Stub::new(&navigator(), "gpu", &JsValue::UNDEFINED);
    refused(ask(&embedding, "embed", &[ids(&[1])]).await, "no-webgpu");
    refused(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1., 1.])]).await, "no-webgpu");
    drop(hidden);
    assert_works(&embedding, "gpu").await;
}
