//! `Embedding`.

use std::rc::Rc;

use js_sys::{Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::args::{self, Options};
use super::gpu_array::JsGpuArray;
use super::gpu_gradient::JsGpuGradient;
use super::gpu_tokens::JsGpuTokens;
use super::gradient::gradient_object;
use super::shell::{Shell, lent, shape_and_device_getters};
use super::step::{step_gradient, step_rule};
use super::{data, promise, promise_until, set};
use crate::bags::bags;
use crate::browser::reflect;
use crate::embedding::{Embedding, Gradient, Values, Wanted};
use crate::error::{Error, Result};
use crate::gpu::device::AdapterFacts;
use crate::gpu::request::acquire;
use crate::gpu::resident::{GpuArray, Tokens};
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
        let signal = options.as_ref().map_or(Ok(None), Options::signal);
        promise_until(signal, async { Ok(Self::new(turkish(options).await?).into()) })
    }

    pub fn create(options: JsValue) -> Promise {
        let options = Options::new(options);
        let signal = options.as_ref().map_or(Ok(None), Options::signal);
        let checked = options.and_then(|options| {
            let shape = Shape::new(options.size("vocabSize")?, options.size("dModel")?);
            let (wanted, precision) = (options.wanted()?, options.precision()?);
            let (seed, fingerprint) = (options.seed()?, options.fingerprint()?);
            let table = match options.table()? {
                Some(values) => Table::given(shape, values, fingerprint)?,
                None => Table::seeded(shape, seed, fingerprint),
            };
            Ok((shape, table, wanted, precision))
        });
        promise_until(signal, async {
            let (shape, table, wanted, precision) = checked?;
            Ok(Self::new(Embedding::new(shape, Some(table), wanted, precision).await?).into())
        })
    }

    pub fn embed(&self, tokens: &JsValue, options: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let to_gpu = Options::new(options)?.output_gpu()?;
            Ok((core, token_argument(tokens)?, to_gpu))
        });
        promise(async {
            let (core, tokens, to_gpu) = checked?;
            match tokens.host() {
                _ if to_gpu => Ok(JsGpuArray::new(core.lookup_to_gpu(&tokens).await?).into()),
                Some(ids) => Ok(core.lookup(ids).await?.values.into()),
                None => Ok(core.lookup_to_gpu(&tokens).await?.read().await?.into()),
            }
        })
    }

    #[wasm_bindgen(js_name = embedGrad)]
    pub fn embed_grad(&self, tokens: &JsValue, grad_out: &JsValue, options: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let options = Options::new(options)?;
            let (to_gpu, cas) = (options.output_gpu()?, options.cas()?);
            let tokens = token_argument(tokens)?;
            core.elements(tokens.len())?;
            if cas && (to_gpu || tokens.host().is_none()) {
                return Err(Error::InvalidArgument(
                    "Only the method \"sorted\" works on results and token ids that stay on the GPU.".to_owned(),
                ));
            }
            let grad_out = grad_out_argument(&core, &tokens, grad_out, !to_gpu)?;
            Ok((core, tokens, grad_out, to_gpu, cas))
        });
        promise(async {
            let (core, tokens, grad_out, to_gpu, cas) = checked?;
            match tokens.host() {
                _ if to_gpu => Ok(JsGpuGradient::new(core.gradient_to_gpu(&tokens, grad_out).await?).into()),
                Some(ids) => Ok(gradient_object(core.gradient(ids, grad_out, method(cas)).await?)),
                None => {
                    let (tally, grad) = core.gradient_to_gpu(&tokens, grad_out).await?.read().await?;
                    Ok(gradient_object(Gradient { shape: core.shape(), tally, grad, microseconds: None }))
                }
            }
        })
    }

    #[wasm_bindgen(js_name = embedBag)]
    pub fn embed_bag(&self, tokens: &JsValue, offsets: &JsValue, options: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let options = Options::new(options)?;
            let (to_gpu, sum) = (options.output_gpu()?, options.sum()?);
            let tokens = token_argument(tokens)?;
            let bags = bags(&args::offsets(offsets)?, tokens.len(), sum)?;
            Ok((core, tokens, bags, to_gpu))
        });
        promise(async {
            let (core, tokens, bags, to_gpu) = checked?;
            if to_gpu {
                return Ok(JsGpuArray::new(core.bags_to_gpu(&tokens, &bags).await?).into());
            }
            Ok(core.bags(&tokens, &bags).await?.into())
        })
    }

    pub fn step(&self, gradient: &JsValue, rule: JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let rule = step_rule(rule)?;
            let gradient = step_gradient(&core, gradient)?;
            Ok((core, gradient, rule))
        });
        promise(async {
            let (core, gradient, rule) = checked?;
            core.step(gradient, rule).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    pub fn rows(&self, ids: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| {
            let ids = if ids.is_undefined() { None } else { Some(args::tokens(ids)?) };
            Ok((core, ids))
        });
        promise(async {
            let (core, ids) = checked?;
            Ok(core.rows(ids.as_deref()).await?.into())
        })
    }

    pub fn tokens(&self, ids: &JsValue, given: &JsValue) -> Result<JsGpuTokens> {
        let core = self.0.get()?;
        let room = reflect::get(ids, "size").as_f64().unwrap_or(0.0) as u64 / 4;
        let length = if given.is_undefined() { u32::try_from(room).unwrap_or(u32::MAX) } else { args::id(given)? };
        if let Some(buffer) = args::gpu_buffer(ids, u64::from(length) * 4, "the token ids")? {
            let (lease, on_device) = core.borrow_buffer(buffer)?;
            let gpu = Rc::clone(on_device.gpu());
            return Ok(JsGpuTokens::new(Rc::new(Tokens::on_device(gpu, lease, length))));
        }
        let tokens = args::tokens(ids)?;
        if !given.is_undefined() && tokens.len() != length as usize {
            return Err(Error::InvalidArgument(format!(
                "length is for a GPUBuffer, which may be longer than its token ids. Of an array of {} all are taken: pass a \
                 part of it instead.",
                tokens.len()
            )));
        }
        Ok(JsGpuTokens::new(Rc::new(Tokens::in_memory(tokens))))
    }

    #[wasm_bindgen(getter)]
    pub fn device(&self) -> Result<JsValue> {
        let device = self.0.get()?.device_now();
        Ok(device.map_or(JsValue::UNDEFINED, |on_device| on_device.gpu().handle().clone().into()))
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
    let (wanted, precision) = (options.wanted()?, options.precision()?);
    let signal = options.signal()?;
    let on_progress = options.function("onProgress")?;
    let given = options.get("data")?.map(Options::new).transpose()?;
    if matches!(wanted, Wanted::Backend(Backend::Auto | Backend::Gpu)) {
        // The device is requested while the vectors arrive; a failure is reported below, when the device is used.
        wasm_bindgen_futures::spawn_local(async { drop(acquire().await) });
    }
    let (vectors, scales) = match given {
        Some(data) => {
            let part = |key: &str| args::bytes(&data.get(key)?.unwrap_or(JsValue::UNDEFINED), &format!("data.{key}"));
            (part("vectors")?, part("scales")?)
        }
        None => bundled_vectors(on_progress, signal.as_ref()).await?,
    };
    let table = Table::turkish(vectors, &scales)?;
    Embedding::new(table.shape(), Some(table), wanted, precision).await
}

/// The bytes of the two files of vectors; `on_progress(loaded, total)` is called while they arrive.
async fn bundled_vectors(
    on_progress: Option<js_sys::Function>,
    signal: Option<&JsValue>,
) -> Result<(Vec<u8>, Vec<u8>)> {
    let total = TURKISH_VOCAB_SIZE * (TURKISH_D_MODEL + 4);
    let scales = data::bundled(SCALES_FILE, (None, 0, total), signal, Error::ShapeMismatch).await?;
    let progress = (on_progress.as_ref(), scales.len() as u32, total);
    let vectors = data::bundled(VECTORS_FILE, progress, signal, Error::ShapeMismatch).await?;
    Ok((vectors, scales))
}

/// The kernel of a gradient's method.
pub fn method(cas: bool) -> GradientKernel {
    if cas { GradientKernel::Scatter(Scatter::Counted) } else { GradientKernel::SORTED }
}

/// Token ids: copied, or a `GpuTokens`.
///
/// # Errors
/// `invalid-argument`, `limit-exceeded`.
pub fn token_argument(value: &JsValue) -> Result<Rc<Tokens>> {
    match lent::<Tokens>(value)? {
        Some(tokens) => Ok(tokens),
        None => Ok(Rc::new(Tokens::for_one_call(args::tokens(value)?))),
    }
}

/// dL/d(out) of these tokens: copied, or a `GpuArray`.
///
/// # Errors
/// `invalid-argument`, `shape-mismatch`, `gpu-error`.
fn grad_out_argument(core: &Rc<Embedding>, tokens: &Tokens, value: &JsValue, waits: bool) -> Result<Values> {
    let d_model = core.shape().d_model;
    if let Some(array) = lent::<GpuArray>(value)? {
        let [rows, columns] = array.shape();
        if rows as usize != tokens.len() || columns != d_model {
            return Err(Error::ShapeMismatch(format!(
                "gradOut is {rows} rows of {columns}, but {} tokens want one row of {d_model} each.",
                tokens.len()
            )));
        }
        return Ok(Values::Array(array));
    }
    if let Some(buffer) = args::gpu_buffer(value, tokens.len() as u64 * u64::from(d_model) * 4, "gradOut")? {
        return Ok(Values::borrowed(core.borrow_buffer(buffer)?));
    }
    core.stage(&args::grad_out(value, tokens.len(), d_model)?, waits)
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
    let adds = on_device.gpu().known_adds().unwrap_or_default();
    set(&object, "roundsToNearestEven", adds.rounds_to_nearest_even);
    set(&object, "flushesSubnormals", adds.flushes_subnormals);
    object.into()
}
