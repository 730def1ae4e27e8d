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
    Gradient, Outcome, ask, call, create, embedding, get, good, ids, lab, lose_device, microtasks, refusal, refused,
    settled, shape, text, to_gpu, values,
};
use gomme::browser::futures::pause;
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
    lose_device().await;
    for missing in [JsValue::UNDEFINED, JsValue::NULL] {
        let hidden = Stub::new(&navigator(), "gpu", &missing);
        assert_falls_back("no-webgpu", &["navigator.gpu", "backend \"cpu\""]).await;
        drop(hidden);
    }
    assert_works(&good(create_on("auto").await), "gpu").await;
}

#[wasm_bindgen_test]
async fn an_insecure_origin_is_told_from_an_old_browser() {
    lose_device().await;
    let hidden = Stub::new(&navigator(), "gpu", &JsValue::UNDEFINED);
    let insecure = Stub::new(&js_sys::global(), "isSecureContext", &false.into());
    assert_falls_back("no-webgpu", &["insecure origin", "HTTPS"]).await;
    drop((hidden, insecure));
    assert_works(&good(create_on("gpu").await), "gpu").await;
}

#[wasm_bindgen_test]
async fn without_an_adapter() {
    lose_device().await;
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
    lose_device().await;
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
    lose_device().await;
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
    lose_device().await;
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

/// Calls that are under way are lost with their device, each of them begun before it returned.
#[wasm_bindgen_test]
async fn a_device_lost_right_after_a_call() {
    let loser = lab(1, 1, "gpu").await;
    let embedding = good(create_on("gpu").await);
    let lookup = call(&embedding, "embed", &[ids(&[3])]).unwrap();
    let gradient = call(&embedding, "embedGrad", &[ids(&[3]), values(&[1., 2.])]).unwrap();
    good(call(&loser, "loseDevice", &[]));
    refused(settled(lookup.dyn_into().unwrap()).await, "device-lost");
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
    lose_device().await;
    let hidden = Stub::new(&navigator(), "gpu", &JsValue::UNDEFINED);
    refused(ask(&embedding, "embed", &[ids(&[1])]).await, "no-webgpu");
    refused(ask(&embedding, "embedGrad", &[ids(&[1]), values(&[1., 1.])]).await, "no-webgpu");
    drop(hidden);
    assert_works(&embedding, "gpu").await;
}

// ------------------------------------------------------------------------------------------------- what is refused

/// `Class.prototype[method]` put over by `(original, self, arguments) => …`, while `on.count` counts down to zero: the patch
/// meets that one use.
fn patched(class: &str, method: &'static str, on: &JsValue, body: &str) -> Stub {
    let prototype = get(&get(&js_sys::global(), class), "prototype");
    let real = get(&prototype, method);
    let body = format!(
        "function (...a) {{ const call = (...b) => real.apply(this, b); \
         return --on.count === 0 ? ({body})(call, a, this) : call(...a) }}"
    );
    let stub = Stub(prototype.clone(), method);
    let value = script(&body, &[("real", &real), ("on", on)]);
    let property = browser::object(&[("value", value), ("configurable", true.into()), ("writable", true.into())]);
    PATCHED.with(|kept| kept.borrow_mut().push((prototype.clone(), method, real)));
    assert!(
        Reflect::define_property(prototype.unchecked_ref::<Object>(), &method.into(), property.unchecked_ref())
            .unwrap()
    );
    stub
}

thread_local! {
    /// Methods of the browser that were put over: taken off, they have to be put back.
    static PATCHED: std::cell::RefCell<Vec<(JsValue, &'static str, JsValue)>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Puts back what [`patched`] put over.
fn unpatch(stubs: Vec<Stub>) {
    drop(stubs);
    for (object, key, value) in PATCHED.take() {
        let property = browser::object(&[("value", value), ("configurable", true.into()), ("writable", true.into())]);
        assert!(
            Reflect::define_property(object.unchecked_ref::<Object>(), &key.into(), property.unchecked_ref()).unwrap()
        );
    }
}

/// Uses of the browser's methods that a patch spoils, each so that the browser refuses the work.
const REFUSALS: &[(&str, &str, &str)] = &[
    ("GPUDevice", "createBindGroup", "(call, a) => call({ ...a[0], entries: a[0].entries.slice(1) })"),
    ("GPUComputePassEncoder", "dispatchWorkgroups", "call => call(65536, 1, 1)"),
    ("GPUCommandEncoder", "copyBufferToBuffer", "(call, a) => call(a[0], a[1], a[2], a[3], 2 ** 30)"),
];

async fn rows_of(embedding: &JsValue, tokens: &[u32]) -> Outcome {
    ask(embedding, "embed", &[ids(tokens)]).await
}

#[wasm_bindgen_test]
async fn what_the_browser_refuses_has_no_result() {
    let on = browser::object(&[("count", 0.into())]);
    let set = |count: i32| Reflect::set(&on, &"count".into(), &count.into()).unwrap();
    let embedding = good(create_on("gpu").await);
    for (class, method, body) in REFUSALS {
        assert_works(&embedding, "gpu").await; // leaves buffers with results behind
        let stub = patched(class, method, &on, body);
        set(1);
        let message = refused(rows_of(&embedding, &[1, 1, 1]).await, "gpu-error");
        assert!(message.len() > 180, "the browser's words are missing: {message}");
        set(1);
        refused(ask(&embedding, "embedGrad", &[ids(&[1, 3]), values(&[1.; 4])]).await, "gpu-error");
        set(0);
        assert_works(&embedding, "gpu").await;

        // The third of eight calls under way is refused, and none other.
        let per_call = {
            // how often one call uses the method
            set(1_000);
            good(rows_of(&embedding, &[2]).await);
            1_000 - browser::number(&on, "count") as i32
        };
        set(2 * per_call + 1);
        let started: Vec<_> = (0..8).map(|k| call(&embedding, "embed", &[ids(&[k % 4, 9])]).unwrap()).collect();
        for (k, call) in (0u8..).zip(started) {
            let outcome = settled(call.dyn_into().unwrap()).await;
            if k == 2 {
                refused(outcome, "gpu-error");
                continue;
            }
            let first = f32::from(k % 4) * 2.;
            assert_eq!(Float32Array::from(good(outcome)).to_vec(), [first, first + 1., 0., 0.], "{method}, call {k}");
        }
        unpatch(vec![stub]);
        assert_works(&embedding, "gpu").await;
    }
}

#[wasm_bindgen_test]
async fn a_pipeline_that_is_refused() {
    let on = browser::object(&[("count", 1.into())]);
    let body = "(call, a) => call({ ...a[0], compute: { ...a[0].compute, entryPoint: 'nowhere' } })";
    // The probe's: there is no embedding.
    lose_device().await;
    let stub = patched("GPUDevice", "createComputePipeline", &on, body);
    let message = refused(create_on("gpu").await, "gpu-error");
    assert!(message.contains("nowhere"), "{message}");
    unpatch(vec![stub]);
    assert_works(&good(create_on("gpu").await), "gpu").await;
    // A call's own: it has no result.
    for name in ["embed", "embedGrad"] {
        let embedding = fresh().await;
        let arguments = [ids(&[1]), values(&[1., 1.])];
        let arguments = if name == "embed" { &arguments[..1] } else { &arguments };
        let message = refused(
            spoilt(&embedding, ("GPUDevice", "createComputePipeline", body), name, arguments).await,
            "gpu-error",
        );
        assert!(message.contains("nowhere"), "{message}");
        assert_works(&embedding, "gpu").await;
    }
    // One that is made while nobody waits: calls make their own.
    for body in [
        body,
        "() => { throw new RangeError('thrown') }",
        "() => Promise.reject(new Error('no'))",
        "() => Promise.resolve(null)",
    ] {
        Reflect::set(&on, &"count".into(), &1.into()).unwrap();
        let stub = patched("GPUDevice", "createComputePipelineAsync", &on, body);
        let embedding = fresh().await;
        for _ in 0..100 {
            if browser::number(&on, "count") <= -2.0 {
                break;
            }
            pause(50).await;
        }
        assert!(browser::number(&on, "count") <= 0.0, "nothing was prepared");
        unpatch(vec![stub]);
        assert_works(&embedding, "gpu").await;
    }
}

#[wasm_bindgen_test]
async fn a_buffer_that_is_refused() {
    let on = browser::object(&[("count", 1.into())]);
    let set = |count: i32| Reflect::set(&on, &"count".into(), &count.into()).unwrap();
    let embedding = good(create_on("gpu").await);
    // Of a size that no idle buffer has.
    for (length, nth) in [(700u32, 1), (1_500, 2), (3_000, 3)] {
        let stub = patched("GPUDevice", "createBuffer", &on, "(call, a) => call({ ...a[0], usage: 0x8000 })");
        set(nth);
        refused(rows_of(&embedding, &vec![1; length as usize * 8]).await, "gpu-error");
        unpatch(vec![stub]);
        assert_works(&embedding, "gpu").await;
    }
}

/// What popErrorScope gives is told, whatever it is: an internal error, of this window or of another, and want of memory.
#[wasm_bindgen_test]
async fn errors_of_every_kind_are_told() {
    let embedding = good(create_on("gpu").await);
    let on = browser::object(&[("count", 1.into())]);
    let cases = [
        ("new GPUInternalError('out of registers')", "gpu-error", "out of registers"),
        ("new GPUOutOfMemoryError('no room')", "limit-exceeded", "no room"),
        ("new GPUValidationError('wrong size')", "gpu-error", "wrong size"),
        ("({ message: 'of another window' })", "gpu-error", "of another window"),
        ("({})", "gpu-error", "no reason"),
    ];
    for (error, code, words) in cases {
        // All three scopes of the call.
        let body = format!("(call, a, device) => (on.count = ++on.seen < 3 ? 1 : 0, call().then(() => {error}))");
        for (key, value) in [("count", 1), ("seen", 0)] {
            Reflect::set(&on, &key.into(), &value.into()).unwrap();
        }
        let stub = patched("GPUDevice", "popErrorScope", &on, &body);
        let message = refused(rows_of(&embedding, &[1]).await, code);
        assert!(message.contains(words), "{message}");
        unpatch(vec![stub]);
        assert_works(&embedding, "gpu").await;
    }
}

/// A method of the browser that throws in the middle of a call: the promise is settled, and the next call works.
#[wasm_bindgen_test]
async fn what_throws_leaves_no_promise_open() {
    for (class, method) in [("GPUQueue", "writeBuffer"), ("GPUDevice", "createBindGroup"), ("GPUQueue", "submit")] {
        let embedding = good(create_on("gpu").await);
        let on = browser::object(&[("count", 1.into())]);
        let stub = patched(class, method, &on, "() => { throw new RangeError('thrown') }");
        refused(rows_of(&embedding, &[1]).await, "gpu-error");
        unpatch(vec![stub]);
        assert_works(&embedding, "gpu").await;
        assert_works(&good(create_on("gpu").await), "gpu").await;
    }
}

// ------------------------------------------------------------------------------ what is made of refused or thrown work

const REFUSE: &str = "call => call(65536, 1, 1)";

fn rule(name: &str) -> JsValue {
    browser::object(&[("rule", name.into()), ("lr", 1.into())])
}

/// All ones for rows 1 and 3.
fn ones() -> JsValue {
    let fields = [("rows", ids(&[1, 3])), ("grad", values(&[1.; 4])), ("vocabSize", 4.into()), ("dModel", 2.into())];
    browser::object(&fields)
}

const STEPPED: [f32; 8] = [0., 1., 1., 2., 4., 5., 5., 6.];

/// An embedding on a device of which nothing was refused yet.
async fn fresh() -> JsValue {
    lose_device().await;
    good(create_on("gpu").await)
}

/// A call for which the first use of a method is spoilt.
async fn spoilt(
    embedding: &JsValue,
    patch: (&str, &'static str, &str),
    method: &str,
    arguments: &[JsValue],
) -> Outcome {
    let on = browser::object(&[("count", 1.into())]);
    let stub = patched(patch.0, patch.1, &on, patch.2);
    let outcome = ask(embedding, method, arguments).await;
    unpatch(vec![stub]);
    assert!(browser::number(&on, "count") <= 0.0, "{} was not used by {method}", patch.1);
    outcome
}

const DISPATCH: (&str, &str, &str) = ("GPUComputePassEncoder", "dispatchWorkgroups", REFUSE);

async fn table_of(embedding: &JsValue) -> Vec<f32> {
    Float32Array::from(good(ask(embedding, "rows", &[]).await)).to_vec()
}

#[wasm_bindgen_test]
async fn a_step_that_is_refused_is_told_of() {
    for next in ["rows", "embed", "step"] {
        let embedding = fresh().await;
        let outcome = spoilt(&embedding, DISPATCH, "step", &[ones(), rule("sgd")]).await;
        if outcome.is_ok() {
            let arguments = match next {
                "rows" => vec![],
                "embed" => vec![ids(&[1, 3])],
                _ => {
                    pause(200).await;
                    vec![ones(), rule("sgd")]
                }
            };
            let message = refused(ask(&embedding, next, &arguments).await, "gpu-error");
            assert!(message.contains("step"), "{message}");
        }
        // Told once; the table begins again, and another rule may, too.
        assert_eq!(table_of(&embedding).await, [0., 1., 2., 3., 4., 5., 6., 7.], "{next}");
        good(ask(&embedding, "step", &[ones(), rule("adam")]).await);
        assert_works_after_a_step(&embedding).await;
    }
    // Who was told of it need not be told again.
    for (class, method, body) in [
        ("GPUDevice", "createBuffer", "(call, a) => call({ ...a[0], usage: 0x8000 })"),
        ("GPUDevice", "createBindGroup", "(call, a) => call({ ...a[0], entries: [] })"),
    ] {
        let embedding = fresh().await;
        refused(spoilt(&embedding, (class, method, body), "step", &[ones(), rule("adam")]).await, "gpu-error");
        good(ask(&embedding, "step", &[ones(), rule("adam")]).await);
        assert_works_after_a_step(&embedding).await;
    }
    // What was read meanwhile is out of doubt.
    let embedding = fresh().await;
    good(ask(&embedding, "step", &[ones(), rule("sgd")]).await);
    assert_eq!(table_of(&embedding).await, STEPPED);
    refused(spoilt(&embedding, DISPATCH, "embed", &[ids(&[1])]).await, "gpu-error");
    assert_eq!(table_of(&embedding).await, STEPPED);
}

async fn assert_works_after_a_step(embedding: &JsValue) {
    let found = table_of(embedding).await;
    for (found, wanted) in found.iter().zip(STEPPED) {
        assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
    }
}

#[wasm_bindgen_test]
async fn results_of_refused_work_are_not_used() {
    for wait in [0, 200] {
        let embedding = fresh().await;
        let outcome = spoilt(&embedding, DISPATCH, "embed", &[ids(&[1, 3]), to_gpu()]).await;
        pause(wait).await;
        if let Ok(array) = outcome {
            refused(ask(&embedding, "embedGrad", &[ids(&[1, 3]), array.clone()]).await, "gpu-error");
            if let Ok(gradient) = ask(&embedding, "embedGrad", &[ids(&[1, 3]), array.clone(), to_gpu()]).await {
                refused(ask(&gradient, "read", &[]).await, "gpu-error");
            }
            refused(ask(&array, "read", &[]).await, "gpu-error");
        }
        assert_works(&embedding, "gpu").await;
    }
    for wait in [0, 200] {
        let embedding = fresh().await;
        let arguments = [ids(&[1, 3]), values(&[1.; 4]), to_gpu()];
        let outcome = spoilt(&embedding, DISPATCH, "embedGrad", &arguments).await;
        pause(wait).await;
        if let Ok(gradient) = outcome {
            if ask(&embedding, "step", &[gradient.clone(), rule("sgd")]).await.is_ok() {
                assert_eq!(wait, 0);
                refused(ask(&embedding, "rows", &[]).await, "gpu-error");
            }
            refused(ask(&gradient, "read", &[]).await, "gpu-error");
        }
        assert_works(&embedding, "gpu").await;
    }
}

/// A buffer that was handed out and destroyed by its owner is nobody else's after.
#[wasm_bindgen_test]
async fn a_result_whose_buffer_is_destroyed() {
    let embedding = fresh().await;
    let array = good(ask(&embedding, "embed", &[ids(&[1, 3]), to_gpu()]).await);
    good(call(&get(&array, "buffer"), "destroy", &[]));
    good(call(&array, "dispose", &[]));
    for _ in 0..3 {
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[1, 3]), values(&[1.; 4]), to_gpu()]).await);
        let found = Gradient::read(&good(ask(&gradient, "read", &[]).await));
        assert_eq!(found.grad, [1.; 4]);
        good(call(&get(&gradient, "grad"), "destroy", &[]));
        good(call(&gradient, "dispose", &[]));
    }
    good(ask(&embedding, "step", &[ones(), rule("sgd")]).await);
    assert_eq!(table_of(&embedding).await, STEPPED);
}

/// An exception in the middle of a call leaves nothing behind: later calls work, and what of them is refused is heard.
#[wasm_bindgen_test]
async fn what_throws_leaves_nothing_behind() {
    const THROW: &str = "() => { throw new RangeError('thrown') }";
    for (class, method) in [
        ("GPUDevice", "createBindGroup"),
        ("GPUDevice", "createBuffer"),
        ("GPUQueue", "submit"),
        ("GPUComputePassEncoder", "dispatchWorkgroups"),
    ] {
        for name in ["embed", "embedGrad", "step"] {
            let embedding = fresh().await;
            let arguments = match name {
                "embed" => vec![ids(&[1, 3]), to_gpu()],
                "embedGrad" => vec![ids(&[1, 3]), values(&[1.; 4]), to_gpu()],
                _ => vec![ones(), rule("adam")],
            };
            let message = refused(spoilt(&embedding, (class, method, THROW), name, &arguments).await, "gpu-error");
            assert!(message.contains("thrown"), "{message}");
            for _ in 0..2 {
                let made = good(ask(&embedding, "embed", &[ids(&[1, 3]), to_gpu()]).await);
                assert_eq!(Float32Array::from(good(ask(&made, "read", &[]).await)).to_vec(), [2., 3., 6., 7.]);
            }
            refused(spoilt(&embedding, DISPATCH, "embed", &[ids(&[1])]).await, "gpu-error");
            assert_works(&embedding, "gpu").await;
            good(ask(&embedding, "step", &[ones(), rule("adam")]).await);
            assert_works_after_a_step(&embedding).await;
        }
    }
}

/// A verdict that can't be heard is not one that nothing was refused.
#[wasm_bindgen_test]
async fn verdicts_that_are_not_heard() {
    for (class, method, body) in [
        ("GPUDevice", "popErrorScope", "call => (call(), Promise.reject(new DOMException('lost', 'OperationError')))"),
        ("GPUDevice", "popErrorScope", "call => { call(); throw new TypeError('lost') }"),
        ("GPUDevice", "popErrorScope", "call => (call(), null)"),
        ("GPUDevice", "pushErrorScope", "() => { throw new TypeError('lost') }"),
        ("GPUBuffer", "getMappedRange", "() => null"),
    ] {
        let embedding = fresh().await;
        refused(spoilt(&embedding, (class, method, body), "embed", &[ids(&[1])]).await, "gpu-error");
        assert_works(&embedding, "gpu").await;
        refused(spoilt(&embedding, DISPATCH, "embed", &[ids(&[1])]).await, "gpu-error");
        assert_works(&embedding, "gpu").await;
    }
}

/// What failed is no step: the next one is the first.
#[wasm_bindgen_test]
async fn a_step_that_fails_does_not_count() {
    let embedding = fresh().await;
    refused(spoilt(&embedding, DISPATCH, "embed", &[ids(&[1])]).await, "gpu-error");
    for _ in 0..3 {
        refused(spoilt(&embedding, DISPATCH, "step", &[ones(), rule("adam")]).await, "gpu-error");
    }
    assert_eq!(table_of(&embedding).await, [0., 1., 2., 3., 4., 5., 6., 7.]);
    good(ask(&embedding, "step", &[ones(), rule("adam")]).await);
    assert_works_after_a_step(&embedding).await;
}

// --------------------------------------------------------------------------------- devices that go, shrink or lie

#[wasm_bindgen_test]
async fn a_device_that_does_not_come_back_at_all() {
    let embedding = good(create_on("auto").await);
    let gradients = good(lab_on("auto").await);
    assert_works(&embedding, "gpu").await;
    lose_device().await;
    let stub = Stub::new(&browser_gpu(), "requestAdapter", &script("() => Promise.resolve(null)", &[]));
    // All of several calls go on.
    let calls = [(); 3].map(|()| call(&embedding, "embed", &[ids(&[3])]).unwrap());
    for call in calls {
        assert_eq!(Float32Array::from(good(settled(call.dyn_into().unwrap()).await)).to_vec(), [6., 7.]);
    }
    assert_works(&embedding, "cpu").await;
    assert_eq!(browser::gradient(&gradients, &[0, 0], &[1., 2., 3., 4.], "sorted").await.grad, [4., 6.]);
    for made in [&embedding, &gradients] {
        assert_eq!(text(made, "backend"), "cpu");
        assert!(get(made, "adapter").is_undefined());
        refusal(&get(made, "fallbackReason"), "no-adapter");
    }
    drop(stub);
    assert_works(&embedding, "cpu").await;
}

/// A device whose bindings are small, as a phone's are.
#[wasm_bindgen_test]
async fn a_device_with_small_bindings() {
    lose_device().await;
    let limits = get(&get(&js_sys::global(), "GPUSupportedLimits"), "prototype");
    let real =
        Reflect::get_own_property_descriptor(limits.unchecked_ref::<Object>(), &"maxStorageBufferBindingSize".into())
            .unwrap();
    let small = browser::object(&[("get", script("() => 1 << 20", &[])), ("configurable", true.into())]);
    let define = |property: &JsValue| {
        Reflect::define_property(
            limits.unchecked_ref::<Object>(),
            &"maxStorageBufferBindingSize".into(),
            property.unchecked_ref(),
        )
    };
    assert!(define(&small).unwrap());
    let fields = |precision: &str, backend: &str| {
        let mut fields = shape(1_024, 384);
        fields.extend([("precision", precision.into()), ("backend", backend.into()), ("seed", 7.into())]);
        fields
    };
    // 1.5 MiB as f32, 0.75 as f16.
    let halves = good(create(fields("f16", "gpu"), &[]).await);
    let twin = good(create(fields("f16", "cpu"), &[]).await);
    let tokens: Vec<u32> = (0..600).map(|i| i * 7 % 1_025).collect();
    let of = async |embedding: &JsValue| Float32Array::from(good(rows_of(embedding, &tokens).await)).to_vec();
    assert_eq!(of(&halves).await, of(&twin).await);
    refused(create(fields("f32", "gpu"), &[]).await, "limit-exceeded");
    let fallen = good(create(fields("f32", "auto"), &[]).await);
    assert_eq!(text(&fallen, "backend"), "cpu");
    let message = refusal(&get(&fallen, "fallbackReason"), "limit-exceeded");
    assert!(message.contains("1572864") && message.contains("1048576"), "{message}");
    assert_eq!(of(&fallen).await, of(&good(create(fields("f32", "cpu"), &[]).await)).await);
    assert!(define(&real).unwrap());
    lose_device().await;
    assert_eq!(text(&good(create(fields("f32", "auto"), &[]).await), "backend"), "gpu");
}

#[wasm_bindgen_test]
async fn an_adapter_without_a_device_in_the_browsers_words() {
    lose_device().await;
    let gpu = browser_gpu();
    let real = get(&gpu, "requestAdapter");
    for failing in ["() => Promise.reject(new Error('out of devices'))", "() => { throw new Error('out of devices') }"]
    {
        let body = format!(
            "options => real.call(gpu, options).then(adapter => Object.defineProperty(adapter, 'requestDevice', \
             {{ value: {failing} }}))"
        );
        let stub = Stub::new(&gpu, "requestAdapter", &script(&body, &[("real", &real), ("gpu", &gpu)]));
        let message = refused(create_on("gpu").await, "no-adapter");
        assert!(message.contains("out of devices") && message.contains("gave an adapter"), "{message}");
        assert!(!message.contains("JsValue") && !message.contains("wasm"), "{message}");
        drop(stub);
    }
    let stub = Stub::new(&gpu, "requestAdapter", &script("() => Promise.reject(new Error('blocked here'))", &[]));
    let message = refused(create_on("gpu").await, "no-adapter");
    assert!(message.contains("blocked here") && message.contains("no adapter"), "{message}");
    drop(stub);
}

/// Node's and Bun's packages offer a `navigator.gpu` without a window or a worker around it.
#[wasm_bindgen_test]
async fn a_gpu_without_a_browser_around_it() {
    lose_device().await;
    let global: JsValue = js_sys::global().into();
    let stubs = ["Window", "WorkerGlobalScope"].map(|name| (name, get(&global, name)));
    let put = |name: &str, value: &JsValue| {
        let fields = [("value", value.clone()), ("configurable", true.into()), ("writable", true.into())];
        let property = browser::object(&fields);
        assert!(
            Reflect::define_property(global.unchecked_ref::<Object>(), &name.into(), property.unchecked_ref()).unwrap()
        );
    };
    stubs.iter().for_each(|(name, _)| put(name, &JsValue::UNDEFINED));
    let outcomes = [create_on("gpu").await, create_on("auto").await];
    stubs.iter().for_each(|(name, value)| put(name, value));
    let [gpu, auto] = outcomes;
    refused(gpu, "no-webgpu");
    assert_eq!(text(&good(auto), "backend"), "cpu");
    assert_works(&good(create_on("gpu").await), "gpu").await;
}

/// Timestamps that can't be true are no times: nothing, in no order, or hours.
#[wasm_bindgen_test]
fn impossible_timestamps_are_dropped() {
    use gomme::gpu::readback::microseconds;
    assert_eq!(microseconds(1_000, 3_500), Some(2.5));
    for (start, end) in [(0, 0), (5, 5), (9, 3), (0, u64::MAX), (1, 3_600_000_000_001), (u64::MAX, 0)] {
        assert_eq!(microseconds(start, end), None, "{start} to {end}");
    }
}

#[wasm_bindgen_test]
async fn a_device_whose_timestamps_stand_still() {
    lose_device().await;
    let on = browser::object(&[("count", 1.into())]);
    let stub = patched("GPUCommandEncoder", "resolveQuerySet", &on, "() => (on.count = 1, undefined)");
    let lab = lab_on("gpu").await;
    let timing = good(ask(&good(lab), "time", &["sorted".into(), ids(&[1, 2, 3])]).await);
    assert_eq!(text(&timing, "clock"), "wall");
    let time = browser::number(&timing, "microseconds");
    assert!(time > 0.0 && time < 1e7, "{time}");
    unpatch(vec![stub]);
    lose_device().await;
}

#[wasm_bindgen_test]
async fn a_page_that_is_hidden_while_the_wall_clock_runs() {
    let lab = good(lab_on("gpu").await);
    let wall = browser::object(&[("clock", "wall".into()), ("minMilliseconds", 1.into()), ("samples", 2.into())]);
    let timed = async || good(ask(&lab, "time", &["sorted".into(), ids(&[1, 2, 3]), wall.clone()]).await);
    assert_eq!(get(&timed().await, "hidden"), false);
    let stub = Stub::new(&get(&js_sys::global(), "document"), "hidden", &true.into());
    assert_eq!(get(&timed().await, "hidden"), true);
    drop(stub);
}

/// Calls leave nothing behind: neither in the memory of the wasm nor among those who wait for the loss of the device.
#[wasm_bindgen_test]
async fn memory_stays_level() {
    let embedding = good(create_on("gpu").await);
    let pages = || {
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        get(&memory.buffer(), "byteLength").as_f64().unwrap()
    };
    let mut before = 0.0;
    for k in 0..4_500 {
        if k == 500 {
            before = pages();
        }
        good(rows_of(&embedding, &[k % 4]).await);
    }
    assert_eq!(pages(), before);
}
