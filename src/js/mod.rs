//! The JavaScript boundary: `embed`, `embedGrad`, `Tokenizer`, `Embedding`, `Lab`. Thin: it checks arguments, copies
//! them before a call returns, and hands the work on. Types and their documentation are in `src/api.d.ts`.
//!
//! Every class is a shell around an `Rc`: `free()` empties the shell, calls under way keep the rest alive until they
//! are done, and whoever uses an empty shell gets `invalid-argument` (instead of wasm-bindgen's null pointer).

mod args;

use core::cell::RefCell;
use core::future::Future;
use core::pin::Pin;
use std::rc::Rc;

use js_sys::{Array, Float32Array, Float64Array, Object, Promise, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::browser::futures::Shared;
use crate::browser::{fetch, reflect};
use crate::embedding::{Embedding, GradOut, Gradient};
use crate::error::{Error, Result};
use crate::gpu::device::AdapterFacts;
use crate::gpu::request::acquire;
use crate::lab::{self, Clock, TimeOptions, Timed, Timing};
use crate::options::{Backend, GradientKernel, LookupKernel, Precision};
use crate::table::{TURKISH_D_MODEL, TURKISH_VOCAB_SIZE, Table};
use crate::tokenizer::Tokenizer;
use args::{Options, to_js};

#[wasm_bindgen(typescript_custom_section)]
const API: &str = include_str!("../api.d.ts");

const MODEL_FILE: &str = "turkish-16k.pack";
const VECTORS_FILE: &str = "turkish-16k-384.i8";
const SCALES_FILE: &str = "turkish-16k-384.scale.f32";

/// Runs when the module is initialised: a bug that panics all the same is then told in words.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

thread_local! {
    static TOKENIZER: &'static Shared<Rc<TokenizerCore>, Error> = Box::leak(Box::new(Shared::default()));
    static EMBEDDING: &'static Shared<Rc<Embedding>, Error> = Box::leak(Box::new(Shared::default()));
}

/// One promise for every call. Boxed on purpose: the machinery behind a promise is then compiled once, not once a call.
fn promise(work: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    boxed_promise(Box::pin(work))
}

fn boxed_promise(work: Pin<Box<dyn Future<Output = Result<JsValue>>>>) -> Promise {
    future_to_promise(async move { work.await.map_err(|error| to_js(&error)) })
}

fn set(object: &Object, key: &str, value: impl Into<JsValue>) {
    reflect::set(object, key, &value.into());
}

/// What a class holds until it is freed.
struct Shell<T>(RefCell<Option<Rc<T>>>, &'static str);

impl<T> Shell<T> {
    fn new(core: Rc<T>, class: &'static str) -> Self {
        Self(RefCell::new(Some(core)), class)
    }

    fn get(&self) -> Result<Rc<T>> {
        self.0.borrow().clone().ok_or_else(|| {
            Error::InvalidArgument(format!("This {} was freed. Make a new one, or free it after its last use.", self.1))
        })
    }

    fn get_js(&self) -> core::result::Result<Rc<T>, JsValue> {
        self.get().map_err(|error| to_js(&error))
    }

    fn empty(&self) {
        self.0.borrow_mut().take();
    }
}

// ---------------------------------------------------------------------------------------------------- module level

/// `embed` of the shared Turkish embedding.
#[wasm_bindgen(skip_typescript)]
pub fn embed(tokens: &JsValue) -> Promise {
    let tokens = args::tokens(tokens);
    promise(async move {
        let tokens = tokens?;
        let embedding = shared_embedding().await?;
        Ok(embedding.lookup(&tokens).await?.0.into())
    })
}

/// `embedGrad` of the shared Turkish embedding.
#[wasm_bindgen(js_name = embedGrad, skip_typescript)]
pub fn embed_grad(tokens: &JsValue, grad_out: &JsValue, options: JsValue) -> Promise {
    let checked = GradArguments::check(tokens, grad_out, options, TURKISH_D_MODEL);
    let checked = checked
        .and_then(|arguments| Ok((args::floats(&arguments.grad_out, "gradOut")?, arguments.tokens, arguments.kernel)));
    promise(async move {
        let (grad_out, tokens, kernel) = checked?;
        let embedding = shared_embedding().await?;
        let grad_out = GradOut::Held(grad_out);
        Ok(EmbeddingGradient::new(embedding.gradient(&tokens, grad_out, kernel).await?).into())
    })
}

async fn shared_embedding() -> Result<Rc<Embedding>> {
    let shared = EMBEDDING.with(|shared| *shared);
    shared.get(|_| true, || turkish_embedding(Options::new(JsValue::UNDEFINED))).await
}

struct GradArguments {
    tokens: Vec<u32>,
    grad_out: Float32Array,
    kernel: GradientKernel,
}

impl GradArguments {
    fn check(tokens: &JsValue, grad_out: &JsValue, options: JsValue, d_model: u32) -> Result<Self> {
        let cas = Options::new(options)?.cas()?;
        let tokens = args::tokens(tokens)?;
        let grad_out = args::grad_out(grad_out, tokens.len(), d_model)?;
        let kernel = if cas { GradientKernel::Counted } else { GradientKernel::Sorted };
        Ok(Self { tokens, grad_out, kernel })
    }
}

// ------------------------------------------------------------------------------------------------------- Tokenizer

/// A tokenizer and its pieces as JavaScript strings, each made at most once.
struct TokenizerCore {
    tokenizer: Tokenizer,
    pieces: RefCell<Vec<Option<JsValue>>>,
}

impl TokenizerCore {
    fn new(tokenizer: Tokenizer) -> Rc<Self> {
        let pieces = RefCell::new(vec![None; tokenizer.vocab_size() as usize]);
        Rc::new(Self { tokenizer, pieces })
    }

    fn piece(&self, id: u32) -> Result<JsValue> {
        let text = self.tokenizer.piece(id)?;
        let mut pieces = self.pieces.borrow_mut();
        let place = &mut pieces[id as usize];
        Ok(place.get_or_insert_with(|| JsValue::from_str(text)).clone())
    }
}

#[wasm_bindgen(js_name = Tokenizer, skip_typescript)]
pub struct JsTokenizer(Shell<TokenizerCore>);

#[wasm_bindgen(js_class = Tokenizer)]
impl JsTokenizer {
    #[wasm_bindgen(skip_typescript)]
    pub fn turkish() -> Promise {
        promise(async {
            let shared = TOKENIZER.with(|shared| *shared);
            let core = shared
                .get(
                    |_| true,
                    || async {
                        let bytes = fetch::fetch(MODEL_FILE, &mut |_| ()).await.map_err(Error::InvalidModel)?;
                        Ok(TokenizerCore::new(Tokenizer::from_pack(&bytes)?))
                    },
                )
                .await?;
            Ok(Self(Shell::new(core, "Tokenizer")).into())
        })
    }

    #[wasm_bindgen(js_name = fromModel, skip_typescript)]
    pub fn from_model(bytes: &JsValue) -> core::result::Result<Self, JsValue> {
        let made = args::bytes(bytes, "A model").and_then(|bytes| Tokenizer::from_model(&bytes));
        made.map(|tokenizer| Self(Shell::new(TokenizerCore::new(tokenizer), "Tokenizer")))
            .map_err(|error| to_js(&error))
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn encode(&self, text: &JsValue) -> core::result::Result<Object, JsValue> {
        let core = self.0.get_js()?;
        let text = args::text(text, "The text").map_err(|error| to_js(&error))?;
        let encoding = core.tokenizer.encode(&text);
        let pieces = Array::new_with_length(encoding.ids.len() as u32);
        for (index, &id) in (0..).zip(&encoding.ids) {
            pieces.set(index, core.piece(id).map_err(|error| to_js(&error))?);
        }
        let object = Object::new();
        set(&object, "ids", Uint32Array::from(encoding.ids.as_slice()));
        set(&object, "pieces", pieces);
        set(&object, "spans", Uint32Array::from(encoding.spans.as_slice()));
        Ok(object)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn decode(&self, ids: &JsValue) -> core::result::Result<String, JsValue> {
        let core = self.0.get_js()?;
        args::tokens(ids).and_then(|ids| core.tokenizer.decode(&ids)).map_err(|error| to_js(&error))
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn piece(&self, id: &JsValue) -> core::result::Result<JsValue, JsValue> {
        let core = self.0.get_js()?;
        args::id(id).and_then(|id| core.piece(id)).map_err(|error| to_js(&error))
    }

    #[wasm_bindgen(getter, js_name = vocabSize, skip_typescript)]
    pub fn vocab_size(&self) -> core::result::Result<u32, JsValue> {
        Ok(self.0.get_js()?.tokenizer.vocab_size())
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn fingerprint(&self) -> core::result::Result<String, JsValue> {
        Ok(self.0.get_js()?.tokenizer.fingerprint().to_owned())
    }

    /// Takes the place of wasm-bindgen's own `free`, which would leave a null pointer behind.
    #[wasm_bindgen(skip_typescript)]
    pub fn free(&self) {
        self.0.empty();
    }
}

// ------------------------------------------------------------------------------------------------------- Embedding

#[wasm_bindgen(js_name = Embedding, skip_typescript)]
pub struct JsEmbedding(Shell<Embedding>);

async fn turkish_embedding(options: Result<Options>) -> Result<Rc<Embedding>> {
    let options = options?;
    let (backend, precision) = (options.backend()?, options.precision()?);
    let on_progress = options.function("onProgress")?;
    let given = options.get("data").map(Options::new).transpose()?;
    if backend != Backend::Cpu {
        // The device is asked for while the vectors come; whether there is one is told when it is wanted.
        wasm_bindgen_futures::spawn_local(async { drop(acquire().await) });
    }
    let (vectors, scales) = match given {
        Some(data) => {
            let part = |key: &str| args::bytes(&data.get(key).unwrap_or(JsValue::UNDEFINED), &format!("data.{key}"));
            (part("vectors")?, part("scales")?)
        }
        None => {
            let total = TURKISH_VOCAB_SIZE * (TURKISH_D_MODEL + 4);
            let tell = |loaded: u32| {
                if let Some(function) = &on_progress {
                    // A progress callback that throws is the page's own affair.
                    drop(function.call2(&JsValue::UNDEFINED, &JsValue::from(loaded), &JsValue::from(total)));
                }
            };
            let scales = fetch::fetch(SCALES_FILE, &mut |_| ()).await.map_err(Error::ShapeMismatch)?;
            let already = scales.len() as u32;
            let mut progress = |loaded| tell(already + loaded);
            let vectors = fetch::fetch(VECTORS_FILE, &mut progress).await.map_err(Error::ShapeMismatch)?;
            (vectors, scales)
        }
    };
    let table = Table::turkish(vectors, &scales)?;
    Embedding::new((TURKISH_VOCAB_SIZE, TURKISH_D_MODEL), Some(table), backend, precision).await
}

#[wasm_bindgen(js_class = Embedding)]
impl JsEmbedding {
    #[wasm_bindgen(skip_typescript)]
    pub fn turkish(options: JsValue) -> Promise {
        let options = Options::new(options);
        promise(async { Ok(Self(Shell::new(turkish_embedding(options).await?, "Embedding")).into()) })
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn create(options: JsValue) -> Promise {
        let checked = Options::new(options).and_then(|options| {
            let shape = (options.size("vocabSize")?, options.size("dModel")?);
            let (backend, precision) = (options.backend()?, options.precision()?);
            let (seed, fingerprint) = (options.seed()?, options.fingerprint()?);
            let table = match options.table()? {
                Some(values) => Table::given(shape.0, shape.1, values, fingerprint)?,
                None => Table::seeded(shape.0, shape.1, seed, fingerprint),
            };
            Ok((shape, table, backend, precision))
        });
        promise(async {
            let (shape, table, backend, precision) = checked?;
            let core = Embedding::new(shape, Some(table), backend, precision).await?;
            Ok(Self(Shell::new(core, "Embedding")).into())
        })
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn embed(&self, tokens: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| Ok((core, args::tokens(tokens)?)));
        promise(async {
            let (core, tokens) = checked?;
            Ok(core.lookup(&tokens).await?.0.into())
        })
    }

    #[wasm_bindgen(js_name = embedGrad, skip_typescript)]
    pub fn embed_grad(&self, tokens: &JsValue, grad_out: &JsValue, options: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let arguments = GradArguments::check(tokens, grad_out, options, core.d_model())?;
            core.elements(arguments.tokens.len())?;
            let grad_out = core.take(&arguments.grad_out);
            Ok((core, arguments.tokens, grad_out, arguments.kernel))
        });
        promise(async {
            let (core, tokens, grad_out, kernel) = checked?;
            Ok(EmbeddingGradient::new(core.gradient(&tokens, grad_out, kernel).await?).into())
        })
    }

    /// Behind `Lab.of`, which takes any value: wasm-bindgen's own check of a class throws an error without a code.
    #[wasm_bindgen(skip_typescript)]
    pub fn lab(&self) -> core::result::Result<JsLab, JsValue> {
        Ok(JsLab(Shell::new(self.0.get_js()?, "Lab")))
    }

    #[wasm_bindgen(js_name = checkVocabulary, skip_typescript)]
    pub fn check_vocabulary(&self, tokenizer: &JsValue) -> core::result::Result<(), JsValue> {
        let core = self.0.get_js()?;
        check_vocabulary(&core, tokenizer).map_err(|error| to_js(&error))
    }

    #[wasm_bindgen(getter, js_name = vocabSize, skip_typescript)]
    pub fn vocab_size(&self) -> core::result::Result<u32, JsValue> {
        Ok(self.0.get_js()?.vocab_size())
    }

    #[wasm_bindgen(getter, js_name = dModel, skip_typescript)]
    pub fn d_model(&self) -> core::result::Result<u32, JsValue> {
        Ok(self.0.get_js()?.d_model())
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn backend(&self) -> core::result::Result<String, JsValue> {
        Ok(backend_name(&*self.0.get_js()?))
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn adapter(&self) -> core::result::Result<JsValue, JsValue> {
        Ok(adapter_facts(&*self.0.get_js()?))
    }

    #[wasm_bindgen(getter, js_name = fallbackReason, skip_typescript)]
    pub fn fallback_reason(&self) -> core::result::Result<JsValue, JsValue> {
        Ok(self.0.get_js()?.fallback_reason().map_or(JsValue::UNDEFINED, to_js))
    }

    /// Takes the place of wasm-bindgen's own `free`: see the head of this file.
    #[wasm_bindgen(skip_typescript)]
    pub fn free(&self) {
        self.0.empty();
    }
}

fn check_vocabulary(core: &Embedding, tokenizer: &JsValue) -> Result<()> {
    let size = reflect::get(tokenizer, "vocabSize").as_f64();
    let fingerprint = reflect::get(tokenizer, "fingerprint").as_string();
    let (Some(size), Some(fingerprint)) = (size, fingerprint) else {
        return Err(Error::InvalidArgument("checkVocabulary wants a Tokenizer that was not freed.".to_owned()));
    };
    if size != f64::from(core.vocab_size()) {
        return Err(Error::VocabMismatch(format!(
            "The table has {} rows and the tokenizer {} pieces. Ids of one mean nothing in the other: take the two that \
             were made together.",
            core.vocab_size(),
            args::spelled(size)
        )));
    }
    match core.table().and_then(Table::fingerprint) {
        Some(expected) if expected != fingerprint => Err(Error::VocabMismatch(format!(
            "The table was made for the vocabulary {expected}, but the tokenizer's is {fingerprint}. They have the same size \
             and other pieces: take the two that were made together."
        ))),
        _ => Ok(()),
    }
}

fn backend_name(core: &Embedding) -> String {
    if core.device_now().is_some() { "gpu" } else { "cpu" }.to_owned()
}

fn adapter_facts(core: &Embedding) -> JsValue {
    let Some(on_device) = core.device_now() else { return JsValue::UNDEFINED };
    let facts: &AdapterFacts = on_device.gpu().facts();
    let object = Object::new();
    set(&object, "vendor", facts.vendor.as_str());
    set(&object, "architecture", facts.architecture.as_str());
    set(&object, "device", facts.device.as_str());
    set(&object, "description", facts.description.as_str());
    set(&object, "name", facts.name());
    set(&object, "software", facts.software);
    set(&object, "shaderF16", facts.shader_f16);
    set(&object, "timestamps", facts.timestamps);
    set(&object, "maxBufferBytes", facts.max_buffer as f64);
    set(&object, "maxBindingBytes", facts.max_binding as f64);
    set(&object, "roundsToNearestEven", facts.rounds_to_nearest_even);
    set(&object, "flushesSubnormals", facts.flushes_subnormals);
    object.into()
}

// ---------------------------------------------------------------------------------------------- EmbeddingGradient

/// A gradient on its way to JavaScript: a plain class of getters over arrays made once.
#[wasm_bindgen(skip_typescript)]
pub struct EmbeddingGradient {
    vocab_size: u32,
    d_model: u32,
    rows: Uint32Array,
    grad: Float32Array,
    hits: Uint32Array,
    adds: Uint32Array,
    retries: Option<Uint32Array>,
    skipped: Object,
    microseconds: Option<f64>,
}

impl EmbeddingGradient {
    fn new(gradient: Gradient) -> Self {
        let skipped = Object::new();
        set(&skipped, "outOfVocab", gradient.outside);
        set(&skipped, "zero", gradient.zero as f64);
        set(&skipped, "nonFinite", gradient.non_finite as f64);
        Self {
            vocab_size: gradient.vocab_size,
            d_model: gradient.d_model,
            rows: Uint32Array::from(gradient.rows.as_slice()),
            grad: gradient.grad,
            hits: Uint32Array::from(gradient.hits.as_slice()),
            adds: Uint32Array::from(gradient.adds.as_slice()),
            retries: gradient.retries.map(|retries| Uint32Array::from(retries.as_slice())),
            skipped,
            microseconds: gradient.microseconds,
        }
    }
}

#[wasm_bindgen]
impl EmbeddingGradient {
    #[wasm_bindgen(getter, skip_typescript)]
    pub fn rows(&self) -> Uint32Array {
        self.rows.clone()
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn grad(&self) -> Float32Array {
        self.grad.clone()
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn hits(&self) -> Uint32Array {
        self.hits.clone()
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn adds(&self) -> Uint32Array {
        self.adds.clone()
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn retries(&self) -> Option<Uint32Array> {
        self.retries.clone()
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn skipped(&self) -> Object {
        self.skipped.clone()
    }

    #[wasm_bindgen(getter, js_name = gpuMicroseconds, skip_typescript)]
    pub fn gpu_microseconds(&self) -> Option<f64> {
        self.microseconds
    }

    #[wasm_bindgen(js_name = toDense, skip_typescript)]
    pub fn to_dense(&self) -> core::result::Result<Float32Array, JsValue> {
        let cells = u64::from(self.vocab_size) * u64::from(self.d_model);
        let Some(cells) = u32::try_from(cells).ok().filter(|&cells| cells <= MOST_DENSE_CELLS) else {
            return Err(to_js(&Error::LimitExceeded(format!(
                "The dense gradient has {cells} values, but one array may have {MOST_DENSE_CELLS}. Use rows and grad."
            ))));
        };
        let dense = Float32Array::new_with_length(cells);
        for (slot, row) in (0..).zip(self.rows.to_vec()) {
            let values = self.grad.subarray(slot * self.d_model, (slot + 1) * self.d_model);
            dense.set(&values, row * self.d_model);
        }
        Ok(dense)
    }
}

/// Values of the largest Float32Array asked for: 2 GiB, what every browser can make.
const MOST_DENSE_CELLS: u32 = 1 << 29;

// ------------------------------------------------------------------------------------------------------------- Lab

#[wasm_bindgen(js_name = Lab, skip_typescript)]
pub struct JsLab(Shell<Embedding>);

#[wasm_bindgen(js_class = Lab)]
impl JsLab {
    #[wasm_bindgen(skip_typescript)]
    pub fn create(options: JsValue) -> Promise {
        let checked = Options::new(options)
            .and_then(|options| Ok(((options.size("vocabSize")?, options.size("dModel")?), options.backend()?)));
        promise(async {
            let (shape, backend) = checked?;
            let core = Embedding::new(shape, None, backend, Precision::F32).await?;
            Ok(Self(Shell::new(core, "Lab")).into())
        })
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn of(embedding: &JsValue) -> core::result::Result<JsValue, JsValue> {
        match reflect::function(embedding, "lab") {
            Some(lab) => lab.call0(embedding),
            None => Err(to_js(&Error::InvalidArgument("Lab.of wants an Embedding.".to_owned()))),
        }
    }

    #[wasm_bindgen(getter, js_name = vocabSize, skip_typescript)]
    pub fn vocab_size(&self) -> core::result::Result<u32, JsValue> {
        Ok(self.0.get_js()?.vocab_size())
    }

    #[wasm_bindgen(getter, js_name = dModel, skip_typescript)]
    pub fn d_model(&self) -> core::result::Result<u32, JsValue> {
        Ok(self.0.get_js()?.d_model())
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn backend(&self) -> core::result::Result<String, JsValue> {
        Ok(backend_name(&*self.0.get_js()?))
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn adapter(&self) -> core::result::Result<JsValue, JsValue> {
        Ok(adapter_facts(&*self.0.get_js()?))
    }

    #[wasm_bindgen(getter, js_name = fallbackReason, skip_typescript)]
    pub fn fallback_reason(&self) -> core::result::Result<JsValue, JsValue> {
        Ok(self.0.get_js()?.fallback_reason().map_or(JsValue::UNDEFINED, to_js))
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn kernels(&self) -> core::result::Result<Array, JsValue> {
        let core = self.0.get_js()?;
        let native_f16 = core.device_now().is_none_or(|on_device| on_device.gpu().facts().shader_f16);
        let runs = |kernel: Timed| {
            (core.table().is_some() || !kernel.needs_table())
                && (native_f16 || kernel != Timed::Lookup(LookupKernel::W16Native))
        };
        Ok(Timed::NAMES.iter().filter(|(_, kernel)| runs(*kernel)).map(|(name, _)| JsValue::from_str(name)).collect())
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn lookup(&self, tokens: &JsValue, kernel: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| match timed(kernel)? {
            Timed::Lookup(kernel) => Ok((core, args::tokens(tokens)?, kernel)),
            _ => Err(wrong_kernel("a lookup")),
        });
        promise(async {
            let (core, tokens, kernel) = checked?;
            let (out, microseconds) = core.lookup_by(&tokens, kernel).await?;
            let object = Object::new();
            set(&object, "out", out);
            set(&object, "gpuMicroseconds", microseconds);
            Ok(object.into())
        })
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn gradient(&self, tokens: &JsValue, grad_out: &JsValue, kernel: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| match timed(kernel)? {
            Timed::Gradient(kernel) => {
                let tokens = args::tokens(tokens)?;
                let grad_out = args::grad_out(grad_out, tokens.len(), core.d_model())?;
                core.elements(tokens.len())?;
                let counts_itself = !matches!(kernel, GradientKernel::Plain | GradientKernel::Racy);
                let grad_out = if counts_itself {
                    core.take(&grad_out)
                } else {
                    GradOut::Held(args::floats(&grad_out, "gradOut")?)
                };
                Ok((core, tokens, grad_out, kernel))
            }
            _ => Err(wrong_kernel("a gradient")),
        });
        promise(async {
            let (core, tokens, grad_out, kernel) = checked?;
            Ok(EmbeddingGradient::new(core.gradient(&tokens, grad_out, kernel).await?).into())
        })
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn nearest(&self, id: &JsValue, count: &JsValue, among: &JsValue) -> core::result::Result<Object, JsValue> {
        let core = self.0.get_js()?;
        let found = (|| {
            let (id, count) = (args::id(id)?, args::id(count)?);
            let among = if among.is_undefined() { None } else { Some(args::tokens(among)?) };
            core.table_for("neighbours")?.nearest(id, count as usize, among.as_deref())
        })()
        .map_err(|error| to_js(&error))?;
        let (ids, cosines): (Vec<u32>, Vec<f32>) = found.into_iter().unzip();
        let object = Object::new();
        set(&object, "ids", Uint32Array::from(ids.as_slice()));
        set(&object, "cosines", Float32Array::from(cosines.as_slice()));
        Ok(object)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn time(&self, kernel: &JsValue, tokens: &JsValue, options: JsValue) -> Promise {
        let name = kernel.clone();
        let checked = self.0.get().and_then(|core| {
            let options = Options::new(options)?;
            let times = TimeOptions {
                min_milliseconds: options.number("minMilliseconds", 0.0, 10_000.0, 10.0)?,
                samples: options.number("samples", 1.0, 1_000.0, 5.0)? as u32,
                warm_milliseconds: options.number("warmMilliseconds", 0.0, 10_000.0, 0.0)?,
                wall_clock: options.wall_clock()?,
            };
            Ok((core, timed(kernel)?, args::tokens(tokens)?, times))
        });
        promise(async move {
            let (core, kernel, tokens, options) = checked?;
            Ok(timing(lab::time(&core, kernel, &tokens, options).await?, name))
        })
    }

    #[wasm_bindgen(js_name = loseDevice, skip_typescript)]
    pub fn lose_device(&self) -> core::result::Result<(), JsValue> {
        if let Some(on_device) = self.0.get_js()?.device_now() {
            on_device.gpu().destroy();
        }
        Ok(())
    }

    /// Takes the place of wasm-bindgen's own `free`: see the head of this file.
    #[wasm_bindgen(skip_typescript)]
    pub fn free(&self) {
        self.0.empty();
    }
}

fn timed(name: &JsValue) -> Result<Timed> {
    let text = args::text(name, "The kernel's name")?;
    match Timed::NAMES.iter().find(|(known, _)| *known == text) {
        Some(&(_, kernel)) => Ok(kernel),
        None => {
            let names: Vec<&str> = Timed::NAMES.iter().map(|(name, _)| *name).collect();
            Err(Error::InvalidArgument(format!("There is no kernel \"{text}\"; there are {}.", names.join(", "))))
        }
    }
}

fn wrong_kernel(wanted: &str) -> Error {
    Error::InvalidArgument(format!("This kernel is not {wanted}. See Lab.kernels and the types for which is which."))
}

fn timing(timing: Timing, kernel: JsValue) -> JsValue {
    let object = Object::new();
    set(&object, "kernel", kernel);
    set(&object, "microseconds", timing.microseconds);
    set(&object, "samples", Float64Array::from(timing.samples.as_slice()));
    set(&object, "repeats", timing.repeats);
    set(
        &object,
        "clock",
        match timing.clock {
            Clock::Timestamp => "timestamp",
            Clock::Wall => "wall",
            Clock::Cpu => "cpu",
        },
    );
    set(&object, "cpuMicroseconds", timing.cpu_microseconds);
    set(&object, "bytes", timing.bytes);
    set(&object, "usedRows", timing.used_rows);
    set(&object, "retries", timing.retries);
    object.into()
}
