//! How a table is trained: the rules of `step`, and what their kernels are given.

use crate::abi::StepParams;
use crate::error::{Error, Result};
use crate::shape::Shape;

/// A rule with its numbers, of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepRule {
    /// `w -= lr·g`
    Sgd { lr: f64 },
    /// One accumulator a row: `A += mean(g²)`, `w -= lr·g / (√A + eps)`.
    Adagrad { lr: f64, eps: f64 },
    /// `m = β1·m + (1-β1)·g`, `v = β2·v + (1-β2)·g²`, `w -= lr · (m/(1-β1^k)) / (√(v/(1-β2^k)) + eps)`, of the rows in the
    /// gradient alone; k counts all steps of the table.
    Adam { lr: f64, beta1: f64, beta2: f64, eps: f64 },
}

/// The part of a rule that stays the same for the life of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Sgd,
    Adagrad,
    Adam,
}

/// The most chunks of a row whose squares are added up separately; longer rows have longer chunks. No loop may be longer than
/// every browser allows.
const MAX_CHUNKS: u32 = 16_384;
/// Columns of a chunk, except in enormous rows; a multiple of every `ColumnBlock`.
const CHUNK: u32 = 16;

impl StepRule {
    /// Without its numbers.
    pub fn rule(self) -> Rule {
        match self {
            Self::Sgd { .. } => Rule::Sgd,
            Self::Adagrad { .. } => Rule::Adagrad,
            Self::Adam { .. } => Rule::Adam,
        }
    }

    /// What the kernels of step number `k` (from 1 on) are given. The rounding of each number to f32 is the only one here.
    pub fn params(self, shape: Shape, capacity: u32, k: u64) -> StepParams {
        let chunk = chunk_of(shape.d_model);
        let params = StepParams {
            capacity,
            d_model: shape.d_model,
            chunk,
            chunks: shape.d_model.div_ceil(chunk),
            inverse_d: (1.0 / f64::from(shape.d_model)) as f32,
            ..StepParams::default()
        };
        match self {
            Self::Sgd { lr } => StepParams { rate: lr as f32, ..params },
            Self::Adagrad { lr, eps } => StepParams { rate: lr as f32, eps: eps as f32, ..params },
            Self::Adam { lr, beta1, beta2, eps } => StepParams {
                rate: (lr / (1.0 - power(beta1, k))) as f32,
                eps: eps as f32,
                beta1: beta1 as f32,
                beta1_rest: (1.0 - beta1) as f32,
                beta2: beta2 as f32,
                beta2_rest: (1.0 - beta2) as f32,
                unbias: (1.0 / (1.0 - power(beta2, k))) as f32,
                ..params
            },
        }
    }
}

/// Columns of a row whose squares are added up in one go: the order of additions depends on D alone.
fn chunk_of(d_model: u32) -> u32 {
    let mut chunk = CHUNK;
    while d_model.div_ceil(chunk) > MAX_CHUNKS {
        chunk *= 2;
    }
    chunk
}

/// `base^exponent` by squaring: `powf` is not the same on every platform, and native tests compare with browsers.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

/// The rule of a table and how many steps it has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub rule: Rule,
    pub steps: u64,
}

impl Progress {
    /// After one more step by this rule.
    ///
    /// # Errors
    /// `invalid-argument` for another rule than before.
    pub fn next(before: Option<Self>, rule: Rule) -> Result<Self> {
        match before {
            None => Ok(Self { rule, steps: 1 }),
            Some(before) if before.rule == rule => Ok(Self { rule, steps: before.steps + 1 }),
            Some(before) => Err(Error::InvalidArgument(format!(
                "This table is trained by the rule \"{}\", and \"{}\" would not know what that has gathered. Go on with the \
                 same rule, or begin again with a new embedding.",
                before.rule.name(),
                rule.name()
            ))),
        }
    }
}

impl Rule {
    /// As JavaScript names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sgd => "sgd",
            Self::Adagrad => "adagrad",
            Self::Adam => "adam",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_short_and_not_too_many() {
        for (d_model, chunk) in [(1, 16), (384, 16), (16 * MAX_CHUNKS, 16), (16 * MAX_CHUNKS + 1, 32)] {
            assert_eq!(chunk_of(d_model), chunk, "{d_model}");
        }
        assert!(u32::MAX.div_ceil(chunk_of(u32::MAX)) <= MAX_CHUNKS);
    }

    #[test]
    fn a_table_keeps_its_rule() {
        let first = Progress::next(None, Rule::Adam).unwrap();
        let second = Progress::next(Some(first), Rule::Adam).unwrap();
        assert_eq!((first.steps, second.steps), (1, 2));
        assert_eq!(Progress::next(Some(second), Rule::Sgd).unwrap_err().code(), "invalid-argument");
    }

    #[test]
    fn powers() {
        for (base, exponent) in [(0.9, 1), (0.999, 10), (0.5, 60), (0.999, 100_000), (0.0, 1), (0.9, 0)] {
            let wanted = f64::powf(base, exponent as f64);
            assert!((power(base, exponent) - wanted).abs() <= 1e-12 * wanted.abs(), "{base}^{exponent}");
        }
    }
}
