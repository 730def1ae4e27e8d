//! The arguments of `step`: a gradient, on the device or as arrays, and a rule.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::args::{self, BELOW_ONE, Options};
use super::shell::lent;
use crate::embedding::{Embedding, StepGradient};
use crate::error::{Error, Result};
use crate::gpu::resident::GpuGradient;
use crate::optimizer::StepRule;
use crate::shape::Shape;

/// The gradient, copied or held.
///
/// # Errors
/// `invalid-argument`, `shape-mismatch`, `limit-exceeded`.
pub fn step_gradient(core: &Rc<Embedding>, gradient: &JsValue) -> Result<StepGradient> {
    let shape = core.shape();
    if let Some(gradient) = lent::<GpuGradient>(gradient)? {
        check_shape(shape, gradient.shape().vocab_size, gradient.shape().d_model)?;
        return Ok(StepGradient::OnGpu(gradient));
    }
    let fields = Options::new(gradient.clone()).ok().filter(|_| gradient.is_object());
    let Some(fields) = fields else {
        return Err(Error::InvalidArgument(
            "step takes a gradient: what embedGrad resolves to, a copy of it, or a GpuGradient.".to_owned(),
        ));
    };
    check_shape(shape, fields.size("vocabSize")?, fields.size("dModel")?)?;
    let rows = args::gradient_rows(&fields.get("rows")?.unwrap_or(JsValue::UNDEFINED))?;
    let grad = fields.get("grad")?.unwrap_or(JsValue::UNDEFINED);
    let grad = args::float_array(&grad, "The gradient's grad", "U·D values")?;
    let expected = rows.len() as u64 * u64::from(shape.d_model);
    if u64::from(grad.length()) != expected {
        return Err(Error::ShapeMismatch(format!(
            "The gradient's grad has {} values, but {} rows of {} values need {expected}.",
            grad.length(),
            rows.len(),
            shape.d_model
        )));
    }
    let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascending || rows.last().is_some_and(|&row| row >= shape.vocab_size) {
        return Err(Error::InvalidArgument(format!(
            "The gradient's rows must ascend and be below {}, each listed once, as embedGrad gives them.",
            shape.vocab_size
        )));
    }
    Ok(StepGradient::Arrays(rows, core.stage(&grad, false)?))
}

fn check_shape(shape: Shape, vocab_size: u32, d_model: u32) -> Result<()> {
    if (vocab_size, d_model) == (shape.vocab_size, shape.d_model) {
        return Ok(());
    }
    Err(Error::ShapeMismatch(format!(
        "This gradient is of a table of {vocab_size} rows of {d_model}, but this one has {} rows of {}.",
        shape.vocab_size, shape.d_model
    )))
}

/// The rule, with its numbers.
///
/// # Errors
/// `invalid-argument`.
pub fn step_rule(options: JsValue) -> Result<StepRule> {
    // Nothing is out of range but what lies beyond f32, or is no number.
    let mut numbers = [0.0, 1e-8, 0.9, 0.999];
    let index = args::glance_rule(&options, &mut numbers);
    let [lr, eps, beta1, beta2] = numbers;
    let [largest, below_one] = [f64::from(f32::MAX), 1.0 - f64::EPSILON];
    if lr.abs() <= largest && (0.0..=largest).contains(&eps) {
        let in_range = [beta1, beta2].iter().all(|beta| (0.0..=below_one).contains(beta));
        match index {
            0 => return Ok(StepRule::Sgd { lr }),
            1 => return Ok(StepRule::Adagrad { lr, eps }),
            2 if in_range => return Ok(StepRule::Adam { lr, beta1, beta2, eps }),
            _ => {}
        }
    }
    named_step_rule(options)
}

/// The same, and what is wrong with it.
fn named_step_rule(options: JsValue) -> Result<StepRule> {
    let options = Options::new(options)?;
    let rule = args::text(&options.get("rule")?.unwrap_or(JsValue::UNDEFINED), "The rule")?;
    if options.get("lr")?.is_none() {
        return Err(Error::InvalidArgument("A rule needs its learning rate, lr: a number.".to_owned()));
    }
    let lr = options.number("lr", -f64::from(f32::MAX), f64::from(f32::MAX), 0.0)?;
    let eps = || options.number("eps", 0.0, f64::from(f32::MAX), 1e-8);
    match rule.as_str() {
        "sgd" => Ok(StepRule::Sgd { lr }),
        "adagrad" => Ok(StepRule::Adagrad { lr, eps: eps()? }),
        "adam" => Ok(StepRule::Adam {
            lr,
            beta1: options.number("beta1", 0.0, BELOW_ONE, 0.9)?,
            beta2: options.number("beta2", 0.0, BELOW_ONE, 0.999)?,
            eps: eps()?,
        }),
        _ => Err(Error::InvalidArgument(format!("Unknown rule \"{rule}\". Available: sgd, adagrad, adam."))),
    }
}
