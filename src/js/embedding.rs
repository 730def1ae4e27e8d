//! `Embedding`.

use std::rc::Rc;

use js_sys::{Float32Array, Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::args::{self, Options};
use super::gradient::gradient_object;
use super::shell::{Shell, shape_and_device_getters};
use super::{data, promise, set};
use crate::browser::reflect;
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::gpu::device::AdapterFacts;
use crate::gpu::request::acquire;
use crate::options::{Backend, GradientKernel, Scatter};
use crate::shape::Shape;
use crate::table::{TURKISH_D_MODEL, TURKISH_VOCAB_SIZE, Table};

const VECTORS_FILE: &str = "turkish-16k-384.i8";
const SCALES_FILE: &str = "turkish-16k-384.scale.f32";

#[wasm_bindgen(js_name = Embedding)]
pub struct JsEmbedding(Shell<Embedding>);

impl JsEmbedding {
    fn new(core: Rc<Embedding>) -> Self {
        Self(Shell::new(core, "Embedding"))
    }
}

shape_and_device_getters!(Embedding, JsEmbedding);

#[wasm_bindgen(js_class = Embedding)]
impl JsEmbedding {
    pub fn turkish(options: JsValue) -> Promise {
        let options = Options::new(options);
        promise(async { Ok(Self::new(turkish(options).await?).into()) })
    }

    pub fn create(options: JsValue) -> Promise {
        let checked = Options::new(options).and_then(|options| {
            let shape = Shape::new(options.size("vocabSize")?, options.size("dModel")?);
            let (backend, precision) = (options.backend()?, options.precision()?);
            let (seed, fingerprint) = (options.seed()?, options.fingerprint()?);
            let table = match options.table()? {
                Some(values) => Table::given(shape, values, fingerprint)?,
                None => Table::seeded(shape, seed, fingerprint),
            };
            Ok((shape, table, backend, precision))
        });
        promise(async {
            let (shape, table, backend, precision) = checked?;
            Ok(Self::new(Embedding::new(shape, Some(table), backend, precision).await?).into())
        })
    }

    pub fn embed(&self, tokens: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| Ok((core, args::tokens(tokens)?)));
        promise(async {
            let (core, tokens) = checked?;
            Ok(core.lookup(&tokens).await?.values.into())
        })
    }

    #[wasm_bindgen(js_name = embedGrad)]
    pub fn embed_grad(&self, tokens: &JsValue, grad_out: &JsValue, options: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let arguments = GradArguments::check(tokens, grad_out, options, core.shape().d_model)?;
            core.elements(arguments.tokens.len())?;
            let grad_out = core.stage_gradient(&arguments.grad_out)?;
            Ok((core, arguments.tokens, grad_out, arguments.kernel))
        });
        promise(async {
            let (core, tokens, grad_out, kernel) = checked?;
            Ok(gradient_object(core.gradient(&tokens, grad_out, kernel).await?))
        })
    }

    #[wasm_bindgen(js_name = checkVocabulary)]
    pub fn check_vocabulary(&self, tokenizer: &JsValue) -> Result<()> {
        let core = self.0.get()?;
        let size = reflect::get(tokenizer, "vocabSize").as_f64();
        let fingerprint = reflect::get(tokenizer, "fingerprint").as_string();
        let (Some(size), Some(fingerprint)) = (size, fingerprint) else {
            return Err(Error::InvalidArgument("checkVocabulary takes a Tokenizer that was not freed.".to_owned()));
        };
        check_vocabulary(&core, size, &fingerprint)
    }

    /// Behind `Lab.of`: see `shell::lent`.
    #[wasm_bindgen(js_name = __lend)]
    pub fn lend(&self) {
        self.0.lend();
    }
}

fn check_vocabulary(core: &Embedding, size: f64, fingerprint: &str) -> Result<()> {
    if size != f64::from(core.shape().vocab_size) {
        return Err(Error::VocabMismatch(format!(
            "The table has {} rows, the tokenizer {} pieces. Ids of one mean nothing in the other: use the two that were \
             made together.",
            core.shape().vocab_size,
            args::format_number(size)
        )));
    }
    match core.table().and_then(|table| table.fingerprint()) {
        Some(expected) if expected != fingerprint => Err(Error::VocabMismatch(format!(
            "The table was made for the vocabulary {expected}, but the tokenizer's is {fingerprint}. They are of the same \
             size and have other pieces: use the two that were made together."
        ))),
        _ => Ok(()),
    }
}

/// The bundled embedding.
///
/// # Errors
/// `shape-mismatch` where its files can't be had whole; `invalid-argument`; as [`Embedding::new`].
pub async fn turkish(options: Result<Options>) -> Result<Rc<Embedding>> {
    let options = options?;
    let (backend, precision) = (options.backend()?, options.precision()?);
    let on_progress = options.function("onProgress")?;
    let given = options.get("data")?.map(Options::new).transpose()?;
    if backend != Backend::Cpu {
        // The device is requested while the vectors arrive; a failure is reported below, when the device is used.
        wasm_bindgen_futures::spawn_local(async { drop(acquire().await) });
    }
    let (vectors, scales) = match given {
        Some(data) => {
            let part = |key: &str| args::bytes(&data.get(key)?.unwrap_or(JsValue::UNDEFINED), &format!("data.{key}"));
            (part("vectors")?, part("scales")?)
        }
        None => bundled_vectors(on_progress).await?,
    };
    let table = Table::turkish(vectors, &scales)?;
    Embedding::new(table.shape(), Some(table), backend, precision).await
}

/// The bytes of the two files of vectors; `on_progress(loaded, total)` is called while they arrive.
async fn bundled_vectors(on_progress: Option<js_sys::Function>) -> Result<(Vec<u8>, Vec<u8>)> {
    let total = TURKISH_VOCAB_SIZE * (TURKISH_D_MODEL + 4);
    let scales = data::bundled(SCALES_FILE, (None, 0, total), Error::ShapeMismatch).await?;
    let progress = (on_progress.as_ref(), scales.len() as u32, total);
    let vectors = data::bundled(VECTORS_FILE, progress, Error::ShapeMismatch).await?;
    Ok((vectors, scales))
}

/// The arguments of `embedGrad`, checked; `grad_out` is not yet copied.
pub struct GradArguments {
    pub tokens: Vec<u32>,
    pub grad_out: Float32Array,
    pub kernel: GradientKernel,
}

impl GradArguments {
    /// # Errors
    /// `invalid-argument`, `shape-mismatch`, `limit-exceeded`.
    pub fn check(tokens: &JsValue, grad_out: &JsValue, options: JsValue, d_model: u32) -> Result<Self> {
        let cas = Options::new(options)?.cas()?;
        let tokens = args::tokens(tokens)?;
        let grad_out = args::grad_out(grad_out, tokens.len(), d_model)?;
        let kernel = if cas { GradientKernel::Scatter(Scatter::Counted) } else { GradientKernel::SORTED };
        Ok(Self { tokens, grad_out, kernel })
    }
}

/// `AdapterFacts` of the device at this moment; undefined on the CPU.
pub fn adapter_facts(core: &Embedding) -> JsValue {
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
