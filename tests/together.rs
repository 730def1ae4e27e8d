//! Calls begun together, with no `await` between them, which share a submission: each has its own result, whatever else is done before
//! that, and what goes wrong with one is never taken for a result of another.
#![cfg(target_arch = "wasm32")]

#[path = "common/browser.rs"]
mod browser;
#[path = "common/random.rs"]
mod random;

use browser::{
    Gradient, Outcome, ask, call, create, get, good, ids, number, object, refused, settled, shape, to_gpu, values,
};
use js_sys::{Array, Float32Array, Function, Promise};
use random::{Random, Spread};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const V: u32 = 40;
const D: u32 = 12;

fn rule(name: &str) -> JsValue {
    object(&[("rule", name.into()), ("lr", 1.into())])
}

/// Row r of the table: r, r + 1/16, …
fn table() -> Vec<f32> {
    (0..V * D).map(|i| (i / D) as f32 + (i % D) as f32 / 16.0).collect()
}

fn rows_of(tokens: &[u32]) -> Vec<f32> {
    let table = table();
    let row = |&id: &u32| (0..D).map(move |d| if id < V { (id * D + d) as usize } else { usize::MAX });
    tokens.iter().flat_map(row).map(|cell| table.get(cell).copied().unwrap_or(0.0)).collect()
}

async fn embedding() -> JsValue {
    good(create(shape(V, D), &[("backend", "gpu".into()), ("table", values(&table()))]).await)
}

/// An embedding on a device of which nothing was refused yet.
async fn fresh() -> JsValue {
    browser::lose_device().await;
    embedding().await
}

/// Begins a call.
fn begin(embedding: &JsValue, name: &str, arguments: &[JsValue]) -> Promise {
    good(call(embedding, name, arguments)).unchecked_into()
}

async fn read(result: &JsValue) -> Vec<f32> {
    Float32Array::from(good(ask(result, "read", &[]).await)).to_vec()
}

async fn outcomes(promises: Vec<Promise>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for promise in promises {
        outcomes.push(settled(promise).await);
    }
    outcomes
}

/// `GPUQueue.prototype[method]` and the like with `wrap(real)` in its place until [`Spy::end`]; `wrap` may count in `this.count`.
struct Spy {
    state: JsValue,
    end: Function,
}

impl Spy {
    fn new(class: &str, method: &str, body: &str) -> Self {
        let make = Function::new_with_args(
            "Class, method, state",
            &format!(
                "const real = Class.prototype[method]; \
                 Class.prototype[method] = function (...a) {{ const call = (...b) => real.apply(this, b); state.count++; {body} }}; \
                 return () => {{ Class.prototype[method] = real; }};"
            ),
        );
        let state = object(&[("count", 0.into())]);
        let class = get(&js_sys::global(), class);
        let end = make.call3(&JsValue::UNDEFINED, &class, &method.into(), &state).unwrap().unchecked_into();
        Self { state, end }
    }

    fn count(&self) -> f64 {
        number(&self.state, "count")
    }

    fn end(self) -> f64 {
        self.end.call0(&JsValue::UNDEFINED).unwrap();
        self.count()
    }
}

const COUNT: &str = "return call(...a);";

#[wasm_bindgen_test]
async fn calls_begun_together_share_a_submission() {
    for card in [true, false] {
        browser::pretend_a_card(card).await;
        assert_they_share().await;
    }
}

async fn assert_they_share() {
    let embedding = embedding().await;
    let mut random = Random::new(5);
    for round in 0..4 {
        let inputs: Vec<Vec<u32>> =
            (0..12).map(|k| random.tokens(Spread::Zipf, [1, 300, 64, 9][(k + round) % 4] + k, V + 3)).collect();
        let spy = Spy::new("GPUQueue", "submit", COUNT);
        let begun: Vec<Promise> = inputs
            .iter()
            .enumerate()
            .map(|(k, tokens)| {
                let kept = good(call(&embedding, "tokens", &[ids(tokens)]));
                begin(&embedding, "embed", &[if k % 3 == 2 { kept } else { ids(tokens) }, to_gpu()])
            })
            .collect();
        let results: Vec<JsValue> = outcomes(begun).await.into_iter().map(good).collect();
        assert_eq!(spy.end(), 1.0);
        for (tokens, array) in inputs.iter().zip(&results) {
            assert_eq!(read(array).await, rows_of(tokens));
            good(call(array, "dispose", &[]));
        }
    }
}

#[wasm_bindgen_test]
async fn a_promise_resolves_once_its_work_is_submitted() {
    let embedding = fresh().await;
    good(ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await);
    let spy = Spy::new("GPUQueue", "submit", COUNT);
    let seen = Function::new_with_args("promise, state", "return promise.then(() => state.count)");
    let promise = begin(&embedding, "embed", &[ids(&[1]), to_gpu()]);
    let at_resolution = seen.call2(&JsValue::UNDEFINED, &promise, &spy.state).unwrap();
    assert_eq!(good(settled(at_resolution.unchecked_into()).await), 1);
    // Each awaited before the next, each has its own.
    for _ in 0..3 {
        good(ask(&embedding, "embed", &[ids(&[1]), to_gpu()]).await);
    }
    assert_eq!(spy.end(), 4.0);
}

#[wasm_bindgen_test]
async fn calls_run_in_the_order_in_which_they_were_begun() {
    for at_home in [false, true] {
        let embedding = fresh().await;
        let grad_out = values(&[1.0; D as usize]);
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), grad_out, to_gpu()]).await);
        let look = || {
            let more = if at_home { JsValue::UNDEFINED } else { to_gpu() };
            begin(&embedding, "embed", &[ids(&[3, 4]), more])
        };
        let step = || begin(&embedding, "step", &[gradient.clone(), rule("sgd")]);
        let begun = vec![look(), step(), look(), step(), step(), look()];
        let results: Vec<JsValue> = outcomes(begun).await.into_iter().map(good).collect();
        for (index, steps) in [(0, 0.0), (2, 1.0), (5, 3.0)] {
            let mut wanted = rows_of(&[3, 4]);
            wanted[..D as usize].iter_mut().for_each(|cell| *cell -= steps);
            let found =
                if at_home { Float32Array::from(results[index].clone()).to_vec() } else { read(&results[index]).await };
            assert_eq!(found, wanted, "after {steps} steps");
        }
    }
}

#[wasm_bindgen_test]
async fn what_is_given_back_is_not_used_before_the_submission() {
    for card in [true, false] {
        browser::pretend_a_card(card).await;
        assert_nothing_is_used_too_early().await;
    }
}

async fn assert_nothing_is_used_too_early() {
    let embedding = embedding().await;
    for round in 0..6u32 {
        let tokens: Vec<u32> = (0..50).map(|k| (k * 7 + round) % V).collect();
        let others: Vec<u32> = (0..50).map(|k| (k * 11 + round) % V).collect();
        let grad_out = good(ask(&embedding, "embed", &[ids(&tokens), to_gpu()]).await);
        if round % 2 == 1 {
            // Handed out, so it is destroyed when it is given back.
            get(&grad_out, "buffer");
        }
        let kept = good(call(&embedding, "tokens", &[ids(&tokens)]));
        let first = begin(&embedding, "embedGrad", &[kept.clone(), grad_out.clone(), to_gpu()]);
        let sum = begin(
            &embedding,
            "embedBag",
            &[kept.clone(), ids(&[0, 20]), object(&[("mode", "sum".into()), ("output", "gpu".into())])],
        );
        good(call(&grad_out, "dispose", &[]));
        good(call(&kept, "dispose", &[]));
        let second = begin(&embedding, "embed", &[ids(&others), to_gpu()]);
        let third = begin(&embedding, "embedGrad", &[ids(&others), values(&rows_of(&others)), to_gpu()]);
        let results: Vec<JsValue> = outcomes(vec![first, second, third, sum]).await.into_iter().map(good).collect();
        assert_eq!(read(&results[1]).await, rows_of(&others));
        for (tokens, gradient) in [(&tokens, &results[0]), (&others, &results[2])] {
            let home = good(ask(&embedding, "embedGrad", &[ids(tokens), values(&rows_of(tokens))]).await);
            assert_eq!(Gradient::read(&good(ask(gradient, "read", &[]).await)), Gradient::read(&home));
        }
        let bags = read(&results[3]).await;
        assert_eq!(bags[0], tokens[..20].iter().sum::<u32>() as f32);
        for result in &results {
            good(call(result, "dispose", &[]));
        }
    }
    // The embedding itself may be freed.
    let array = begin(&embedding, "embed", &[ids(&[2]), to_gpu()]);
    good(call(&embedding, "free", &[]));
    assert_eq!(read(&good(settled(array).await)).await, rows_of(&[2]));
}

/// What the page holds may be written by the page next: a call that reads it is submitted before that.
#[wasm_bindgen_test]
async fn a_buffer_that_the_page_writes_right_after_a_call() {
    let embedding = embedding().await;
    let tokens = [1, 5, 1];
    let home = good(ask(&embedding, "embedGrad", &[ids(&tokens), values(&rows_of(&tokens))]).await);
    let wanted = Gradient::read(&home);
    let zero =
        Function::new_with_args("device, buffer", "device.queue.writeBuffer(buffer, 0, new Uint8Array(buffer.size))");
    let device = get(&embedding, "device");
    let grad_out = good(ask(&embedding, "embed", &[ids(&tokens), to_gpu()]).await);
    let buffer = get(&grad_out, "buffer");
    let gradient = begin(&embedding, "embedGrad", &[ids(&tokens), grad_out, to_gpu()]);
    zero.call2(&JsValue::UNDEFINED, &device, &buffer).unwrap();
    let gradient = good(settled(gradient).await);
    let values_of = get(&gradient, "grad");
    let found = begin(&gradient, "read", &[]);
    assert_eq!(Gradient::read(&good(settled(found).await)), wanted);
    let step = begin(&embedding, "step", &[gradient, rule("sgd")]);
    zero.call2(&JsValue::UNDEFINED, &device, &values_of).unwrap();
    good(settled(step).await);
    let after = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[5])]).await)).to_vec();
    assert_eq!(after, [0.0; D as usize]);

    // Handed out only after the call.
    let grad_out = good(ask(&embedding, "embed", &[ids(&[7]), to_gpu()]).await);
    let gradient = begin(&embedding, "embedGrad", &[ids(&[7]), grad_out.clone(), to_gpu()]);
    zero.call2(&JsValue::UNDEFINED, &device, &get(&grad_out, "buffer")).unwrap();
    let gradient = good(settled(gradient).await);
    let step = begin(&embedding, "step", &[gradient.clone(), rule("sgd")]);
    zero.call2(&JsValue::UNDEFINED, &device, &get(&gradient, "grad")).unwrap();
    good(settled(step).await);
    let after = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[7])]).await)).to_vec();
    assert_eq!(after, [0.0; D as usize]);
}

/// A gradient that is being read has the values of when that was asked for.
#[wasm_bindgen_test]
async fn a_gradient_that_the_page_writes_while_it_is_read() {
    let embedding = fresh().await;
    let zero =
        Function::new_with_args("device, buffer", "device.queue.writeBuffer(buffer, 0, new Uint8Array(buffer.size))");
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), values(&[2.0; D as usize]), to_gpu()]).await);
    let reading = begin(&gradient, "read", &[]);
    zero.call2(&JsValue::UNDEFINED, &get(&embedding, "device"), &get(&gradient, "grad")).unwrap();
    assert_eq!(Gradient::read(&good(settled(reading).await)).grad, [2.0; D as usize]);
}

/// A buffer that throws when it is let go is nobody's misfortune.
#[wasm_bindgen_test]
async fn a_buffer_that_can_not_be_destroyed() {
    let embedding = fresh().await;
    for together in [true, false] {
        let array = good(ask(&embedding, "embed", &[ids(&[3]), to_gpu()]).await);
        get(&array, "buffer");
        let spy = Spy::new("GPUBuffer", "destroy", "throw new RangeError('thrown');");
        let begun =
            (0..if together { 2 } else { 0 }).map(|k| begin(&embedding, "embed", &[ids(&[k]), to_gpu()])).collect();
        good(call(&array, "dispose", &[]));
        for (k, outcome) in (0..).zip(outcomes(begun).await) {
            assert_eq!(read(&good(outcome)).await, rows_of(&[k]));
        }
        assert_eq!(spy.end(), 1.0);
        good(call(&array, "dispose", &[]));
        refused(ask(&array, "read", &[]).await, "invalid-argument");
    }
}

/// Writing dL/d(out) may be refused, too.
#[wasm_bindgen_test]
async fn values_whose_way_to_the_device_is_refused() {
    for suspect in [false, true] {
        let embedding = fresh().await;
        if suspect {
            let spy = Spy::new("GPUComputePassEncoder", "dispatchWorkgroups", "return call(65536, 1, 1);");
            drop(ask(&embedding, "embed", &[ids(&[1])]).await);
            spy.end();
        }
        for name in ["embedGrad", "embedGrad to the GPU", "step"] {
            let fives = [ids(&[3]), values(&[5.0; D as usize])];
            good(ask(&embedding, "embedGrad", &fives).await);
            let spy = Spy::new(
                "GPUQueue",
                "writeBuffer",
                "return a[2] instanceof Float32Array ? call(a[0], 2 ** 30, a[2]) : call(...a);",
            );
            let arguments = [ids(&[3]), values(&[1.0; D as usize])];
            let fields =
                [("vocabSize", V.into()), ("dModel", D.into()), ("rows", ids(&[3])), ("grad", arguments[1].clone())];
            let outcome = match name {
                "embedGrad" => settled(begin(&embedding, "embedGrad", &arguments)).await,
                "step" => settled(begin(&embedding, "step", &[object(&fields), rule("sgd")])).await,
                _ => {
                    settled(begin(&embedding, "embedGrad", &[arguments[0].clone(), arguments[1].clone(), to_gpu()]))
                        .await
                }
            };
            assert!(spy.end() > 0.0);
            match (name, outcome) {
                ("embedGrad to the GPU", Ok(gradient)) => drop(refused(ask(&gradient, "read", &[]).await, "gpu-error")),
                ("step", Ok(_)) => drop(refused(ask(&embedding, "rows", &[]).await, "gpu-error")),
                (_, outcome) => drop(refused(outcome, "gpu-error")),
            }
            let found = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[3])]).await)).to_vec();
            assert_eq!(found, rows_of(&[3]), "{name}");
        }
    }
}

/// One device, lent to several embeddings: what one gives back is not another's before the submission, either.
#[wasm_bindgen_test]
async fn several_embeddings_on_one_device() {
    let own = fresh().await;
    let device = get(&own, "device");
    let bags = object(&[("mode", "sum".into()), ("output", "gpu".into())]);
    for _ in 0..3 {
        let lent = good(create(shape(V, D), &[("device", device.clone()), ("table", values(&table()))]).await);
        let gradient = good(ask(&own, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]).await);
        let tokens = [1, 2, 4, 8];
        let begun = vec![
            begin(&own, "embed", &[ids(&[5]), to_gpu()]),
            begin(&lent, "embedBag", &[ids(&tokens), ids(&[0, 1]), bags.clone()]),
            begin(&lent, "embedBag", &[ids(&tokens), ids(&[0, 3]), bags.clone()]),
            begin(&lent, "step", &[gradient.clone(), rule("sgd")]),
            begin(&lent, "embed", &[ids(&[3]), to_gpu()]),
        ];
        good(call(&gradient, "dispose", &[]));
        let more = begin(&own, "embedGrad", &[ids(&[6]), values(&[9.0; D as usize]), to_gpu()]);
        good(call(&lent, "free", &[]));
        let results: Vec<JsValue> = outcomes(begun).await.into_iter().map(good).collect();
        good(settled(more).await);
        assert_eq!(read(&results[0]).await, rows_of(&[5]));
        let mut first = Vec::new();
        for bag in &results[1..3] {
            let found = read(bag).await;
            first.extend([found[0], found[D as usize]]);
        }
        assert_eq!(first, [1.0, 14.0, 7.0, 8.0]);
        assert_eq!(read(&results[4]).await, rows_of(&[3]).iter().map(|cell| cell - 1.0).collect::<Vec<_>>());
    }
}

/// The first step of an f16 table makes its f32 master: calls after it find what it changed, all the same.
#[wasm_bindgen_test]
async fn the_first_steps_of_a_table_of_halves() {
    let more = [("backend", "gpu".into()), ("table", values(&table())), ("precision", "f16".into())];
    let embedding = good(create(shape(V, D), &more).await);
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]).await);
    let begun = vec![
        begin(&embedding, "step", &[gradient.clone(), rule("sgd")]),
        begin(&embedding, "embed", &[ids(&[3]), to_gpu()]),
        begin(&embedding, "step", &[gradient, rule("sgd")]),
        begin(&embedding, "embed", &[ids(&[3]), to_gpu()]),
    ];
    let results: Vec<JsValue> = outcomes(begun).await.into_iter().map(good).collect();
    for (index, steps) in [(1, 1.0), (3, 2.0)] {
        let wanted: Vec<f32> = rows_of(&[3]).iter().map(|cell| cell - steps).collect();
        assert_eq!(read(&results[index]).await, wanted, "after {steps} steps");
    }
    // Steps while a lookup has the halves of an f32 table made.
    let embedding = fresh().await;
    let lab = browser::lab_of(&embedding);
    let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]).await);
    let first = begin(&lab, "lookup", &[ids(&[3]), "w16_packed".into()]);
    good(ask(&embedding, "step", &[gradient, rule("sgd")]).await);
    good(settled(first).await);
    let found = good(ask(&lab, "lookup", &[ids(&[3]), "w16_packed".into()]).await);
    let wanted: Vec<f32> = rows_of(&[3]).iter().map(|cell| cell - 1.0).collect();
    assert_eq!(browser::floats(&found, "out"), wanted);
}

/// A step of several dispatches, of which one throws: nothing of it is done, and the next one is the first.
#[wasm_bindgen_test]
async fn no_step_is_done_by_half() {
    for (throwing, handed_out) in [(2, false), (3, false), (1, true)] {
        let precision = if handed_out { "f32" } else { "f16" };
        let more = [("backend", "gpu".into()), ("table", values(&table())), ("precision", precision.into())];
        fresh().await;
        let embedding = good(create(shape(V, D), &more).await);
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]).await);
        let class = if handed_out { "GPUQueue" } else { "GPUComputePassEncoder" };
        let method = if handed_out { "submit" } else { "dispatchWorkgroups" };
        if handed_out {
            get(&gradient, "grad");
        }
        let body = format!("if (state.count === {throwing}) throw new RangeError('thrown'); return call(...a);");
        let spy = Spy::new(class, method, &body);
        let other = begin(&embedding, "embed", &[ids(&[4]), to_gpu()]);
        let step = begin(&embedding, "step", &[gradient, rule("adam")]);
        drop(settled(other).await);
        let outcome = settled(step).await;
        assert!(spy.end() >= f64::from(throwing));
        refused(outcome, "gpu-error");
        let found = Float32Array::from(good(ask(&embedding, "embed", &[ids(&[3])]).await)).to_vec();
        assert_eq!(found, rows_of(&[3]), "{throwing} {handed_out}");
        let gradient = good(ask(&embedding, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]).await);
        good(ask(&embedding, "step", &[gradient, rule("sgd")]).await);
        let wanted: Vec<f32> = rows_of(&[3]).iter().map(|cell| cell - 1.0).collect();
        assert_eq!(Float32Array::from(good(ask(&embedding, "embed", &[ids(&[3])]).await)).to_vec(), wanted);
    }
}

#[wasm_bindgen_test]
async fn hundreds_of_calls_on_two_devices() {
    let own = fresh().await;
    let make =
        Function::new_no_args("return navigator.gpu.requestAdapter().then((adapter) => adapter.requestDevice())");
    let device = good(settled(make.call0(&JsValue::UNDEFINED).unwrap().unchecked_into()).await);
    let lent = good(create(shape(V, D), &[("device", device), ("table", values(&table()))]).await);
    let spy = Spy::new("GPUQueue", "submit", COUNT);
    let inputs: Vec<Vec<u32>> = (0..300).map(|k| vec![k % V, (k * 3) % (V + 2)]).collect();
    let on = |k: usize| if k % 100 < 50 { &own } else { &lent };
    let begun = inputs.iter().enumerate().map(|(k, tokens)| begin(on(k), "embed", &[ids(tokens), to_gpu()])).collect();
    let results: Vec<JsValue> = outcomes(begun).await.into_iter().map(good).collect();
    let submissions = spy.end();
    assert!((6.0..=12.0).contains(&submissions), "{submissions} submissions");
    for (tokens, array) in inputs.iter().zip(&results) {
        assert_eq!(read(array).await, rows_of(tokens));
    }
}

/// A submission that throws: all its calls reject, a step of theirs is none, and no old bytes are taken for a result.
#[wasm_bindgen_test]
async fn a_submission_that_throws() {
    for (class, method) in [("GPUQueue", "submit"), ("GPUCommandEncoder", "finish"), ("GPUQueue", "writeBuffer")] {
        let embedding = fresh().await;
        // What follows has its buffers after this, and writes only ids.
        good(ask(&embedding, "embed", &[ids(&[1, 2]), to_gpu()]).await);
        let spy = Spy::new(class, method, "if (state.count === 1) throw new RangeError('thrown'); return call(...a);");
        let begun = vec![
            begin(&embedding, "embed", &[ids(&[1, 2]), to_gpu()]),
            begin(&embedding, "embed", &[ids(&[7, 2]), to_gpu()]),
            begin(&embedding, "embed", &[ids(&[7, 3]), to_gpu()]),
        ];
        let outcomes = outcomes(begun).await;
        assert!(spy.end() > 0.0, "{method} was not used");
        for outcome in outcomes {
            let message = refused(outcome, "gpu-error");
            assert!(message.contains("thrown"), "{message}");
        }
        for _ in 0..2 {
            assert_eq!(read(&good(ask(&embedding, "embed", &[ids(&[7]), to_gpu()]).await)).await, rows_of(&[7]));
        }
    }
    // The first step of another rule: none was counted.
    let embedding = fresh().await;
    let gradient = || begin(&embedding, "embedGrad", &[ids(&[3]), values(&[1.0; D as usize]), to_gpu()]);
    let first = good(settled(gradient()).await);
    let spy =
        Spy::new("GPUQueue", "submit", "if (state.count === 1) throw new RangeError('thrown'); return call(...a);");
    refused(ask(&embedding, "step", &[first, rule("adam")]).await, "gpu-error");
    spy.end();
    let second = good(settled(gradient()).await);
    good(ask(&embedding, "step", &[second, rule("sgd")]).await);
    let mut wanted = rows_of(&[3]);
    wanted.iter_mut().for_each(|cell| *cell -= 1.0);
    assert_eq!(Float32Array::from(good(ask(&embedding, "embed", &[ids(&[3])]).await)).to_vec(), wanted);
}

/// Of a call that throws while it is recorded, half may be in the pass; of what is refused, nobody is told whose it is. So none counts.
#[wasm_bindgen_test]
async fn one_call_that_fails_takes_the_others_with_it() {
    for throws in [true, false] {
        let embedding = fresh().await;
        for tokens in [1, 2, 3] {
            good(ask(&embedding, "embed", &[ids(&vec![tokens; tokens as usize]), to_gpu()]).await);
        }
        let body = if throws {
            "if (state.count === 2) throw new RangeError('thrown'); return call(...a);"
        } else {
            "return state.count === 2 ? call(65536, 1, 1) : call(...a);"
        };
        let spy = Spy::new("GPUComputePassEncoder", "dispatchWorkgroups", body);
        let begun = (1..4).map(|k| begin(&embedding, "embed", &[ids(&vec![k; k as usize]), to_gpu()])).collect();
        let outcomes = outcomes(begun).await;
        assert!(spy.end() >= 2.0);
        for (k, outcome) in (1u32..4).zip(outcomes) {
            match (throws, k, outcome) {
                // It was begun when the other two were done with.
                (true, 3, outcome) => assert_eq!(read(&good(outcome)).await, rows_of(&vec![k; k as usize])),
                (true, _, outcome) => assert!(refused(outcome, "gpu-error").contains("thr")),
                (false, _, Ok(array)) => drop(refused(ask(&array, "read", &[]).await, "gpu-error")),
                (false, _, outcome) => drop(refused(outcome, "gpu-error")),
            }
        }
        for _ in 0..2 {
            assert_eq!(read(&good(ask(&embedding, "embed", &[ids(&[7]), to_gpu()]).await)).await, rows_of(&[7]));
        }
    }
}

#[wasm_bindgen_test]
async fn a_device_lost_before_the_submission() {
    let embedding = embedding().await;
    let lab = browser::lab_of(&embedding);
    let begun =
        vec![begin(&embedding, "embed", &[ids(&[1]), to_gpu()]), begin(&embedding, "embed", &[ids(&[2]), to_gpu()])];
    good(call(&lab, "loseDevice", &[]));
    for outcome in outcomes(begun).await {
        match outcome {
            Ok(array) => drop(refused(ask(&array, "read", &[]).await, "device-lost")),
            outcome => drop(refused(outcome, "device-lost")),
        }
    }
    assert_eq!(read(&good(ask(&embedding, "embed", &[ids(&[7]), to_gpu()]).await)).await, rows_of(&[7]));
    let all: Array = (0..3).map(|k| begin(&embedding, "embed", &[ids(&[k])])).collect();
    good(settled(Promise::all(&all)).await);
}
