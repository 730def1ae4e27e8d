//! `Lab`: kernels one by one, for the lesson, the tests and the benchmark.

use std::rc::Rc;

use js_sys::{Array, Float32Array, Float64Array, Object, Promise, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::args::{self, Options};
use super::gradient::gradient_object;
use super::shell::{Shell, lent, shape_and_device_getters};
use super::{promise, set};
use crate::embedding::{Embedding, Values, Wanted};
use crate::error::{Error, Result};
use crate::gpu::timing::TimeOptions;
use crate::lab::{self, Clock, Timed, Timing};
use crate::options::{LookupKernel, Precision};
use crate::shape::Shape;

#[wasm_bindgen(js_name = Lab)]
pub struct JsLab(Shell<Embedding>);

impl JsLab {
    fn new(core: Rc<Embedding>) -> Self {
        Self(Shell::new(core, "Lab"))
    }
}

shape_and_device_getters!(Lab, JsLab);

#[wasm_bindgen(js_class = Lab)]
impl JsLab {
    pub fn create(options: JsValue) -> Promise {
        let checked = Options::new(options).and_then(|options| {
            let shape = Shape::new(options.size("vocabSize")?, options.size("dModel")?);
            Ok((shape, Wanted::Backend(options.backend()?)))
        });
        promise(async {
            let (shape, backend) = checked?;
            Ok(Self::new(Embedding::new(shape, None, backend, Precision::F32).await?).into())
        })
    }

    pub fn of(embedding: &JsValue) -> Result<Self> {
        let core = lent(embedding)?;
        core.map(Self::new).ok_or_else(|| Error::InvalidArgument("Lab.of takes an Embedding.".to_owned()))
    }

    #[wasm_bindgen(getter)]
    pub fn kernels(&self) -> Result<Array> {
        let core = self.0.get()?;
        let native_f16 = core.device_now().is_none_or(|on_device| on_device.gpu().facts().shader_f16);
        let runs = |kernel: Timed| {
            (core.table().is_some() || !kernel.needs_table())
                && (native_f16 || kernel != Timed::Lookup(LookupKernel::W16Native))
        };
        Ok(Timed::all().filter(|(_, kernel)| runs(*kernel)).map(|(name, _)| JsValue::from_str(name)).collect())
    }

    pub fn lookup(&self, tokens: &JsValue, kernel: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| match timed(kernel)? {
            Timed::Lookup(kernel) => Ok((core, args::tokens(tokens)?, kernel)),
            _ => Err(wrong_kernel("a lookup")),
        });
        promise(async {
            let (core, tokens, kernel) = checked?;
            let lookup = core.lookup_by(&tokens, kernel).await?;
            let object = Object::new();
            set(&object, "out", lookup.values);
            set(&object, "gpuMicroseconds", lookup.microseconds);
            Ok(object.into())
        })
    }

    pub fn gradient(&self, tokens: &JsValue, grad_out: &JsValue, kernel: &JsValue) -> Promise {
        let checked = self.0.get().and_then(|core| match timed(kernel)? {
            Timed::Gradient(kernel) => {
                let tokens = args::tokens(tokens)?;
                let grad_out = args::grad_out(grad_out, tokens.len(), core.shape().d_model)?;
                core.elements(tokens.len())?;
                let grad_out = if kernel.counts_skips() {
                    core.stage(&grad_out, true)?
                } else {
                    Values::Held(args::floats(&grad_out, "gradOut")?)
                };
                Ok((core, tokens, grad_out, kernel))
            }
            _ => Err(wrong_kernel("a gradient")),
        });
        promise(async {
            let (core, tokens, grad_out, kernel) = checked?;
            Ok(gradient_object(core.gradient(&tokens, grad_out, kernel).await?))
        })
    }

    pub fn nearest(&self, id: &JsValue, count: &JsValue, among: &JsValue) -> Result<Object> {
        let core = self.0.get()?;
        let (id, count) = (args::id(id)?, args::id(count)?);
        let among = if among.is_undefined() { None } else { Some(args::tokens(among)?) };
        let found = core.table_for("neighbours")?.nearest(id, count as usize, among.as_deref())?;
        let (ids, cosines): (Vec<u32>, Vec<f32>) = found.into_iter().unzip();
        let object = Object::new();
        set(&object, "ids", Uint32Array::from(ids.as_slice()));
        set(&object, "cosines", Float32Array::from(cosines.as_slice()));
        Ok(object)
    }

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

    #[wasm_bindgen(js_name = loseDevice)]
    pub fn lose_device(&self) -> Result<()> {
        if let Some(on_device) = self.0.get()?.device_now() {
            on_device.gpu().destroy();
        }
        Ok(())
    }
}

fn timed(name: &JsValue) -> Result<Timed> {
    let text = args::text(name, "The kernel's name")?;
    match Timed::all().find(|(known, _)| *known == text) {
        Some((_, kernel)) => Ok(kernel),
        None => {
            let names: Vec<&str> = Timed::all().map(|(name, _)| name).collect();
            Err(Error::InvalidArgument(format!("Unknown kernel \"{text}\". Available: {}.", names.join(", "))))
        }
    }
}

fn wrong_kernel(wanted: &str) -> Error {
    Error::InvalidArgument(format!("This kernel is not {wanted}. Lab.kernels and the types say which is which."))
}

fn timing(timing: Timing, kernel: JsValue) -> JsValue {
    let clock = match timing.clock {
        Clock::Timestamp => "timestamp",
        Clock::Wall => "wall",
        Clock::Cpu => "cpu",
    };
    let object = Object::new();
    set(&object, "kernel", kernel);
    set(&object, "microseconds", timing.microseconds);
    set(&object, "samples", Float64Array::from(timing.samples.as_slice()));
    set(&object, "repeats", timing.repeats);
    set(&object, "clock", clock);
    set(&object, "cpuMicroseconds", timing.cpu_microseconds);
    set(&object, "bytes", timing.bytes);
    set(&object, "usedRows", timing.used_rows);
    set(&object, "retries", timing.retries);
    set(&object, "hidden", timing.hidden);
    object.into()
}
