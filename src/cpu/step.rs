//! The CPU twins of `step.wgsl`, with the same bits: the same sums and products in the same order, each rounded once, and
//! division and square root computed from those.

use crate::abi::StepParams;

/// What a step reads: U row ids and U·D values.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    pub rows: &'a [u32],
    pub grad: &'a [f32],
    pub params: StepParams,
}

impl Step<'_> {
    /// For each row of the gradient: its id, its range in the table, and its values.
    fn each(&self) -> impl Iterator<Item = (usize, core::ops::Range<usize>, &[f32])> {
        let width = self.params.d_model as usize;
        self.rows.iter().zip(self.grad.chunks_exact(width)).map(move |(&row, grad)| {
            let row = row as usize;
            (row, row * width..(row + 1) * width, grad)
        })
    }

    /// `step_sgd`. `table` is V·D.
    pub fn sgd(&self, table: &mut [f32]) {
        for (_, place, grad) in self.each() {
            for (w, &g) in table[place].iter_mut().zip(grad) {
                *w -= self.params.rate * g;
            }
        }
    }

    /// `step_adagrad`, and `step_squares`, `step_scales` and `step_scaled`. `accumulators` is V.
    pub fn adagrad(&self, table: &mut [f32], accumulators: &mut [f32]) {
        for (row, place, grad) in self.each() {
            let mut sum = 0.0f32;
            for chunk in grad.chunks(self.params.chunk as usize) {
                let mut part = 0.0f32;
                for &g in chunk {
                    part += g * g;
                }
                sum += part;
            }
            let accumulated = accumulators[row] + sum * self.params.inverse_d;
            accumulators[row] = accumulated;
            let scale = self.params.rate * inverse(root(accumulated) + self.params.eps);
            for (w, &g) in table[place].iter_mut().zip(grad) {
                *w -= scale * g;
            }
        }
    }

    /// `step_adam`. `first` and `second` are V·D.
    pub fn adam(&self, table: &mut [f32], first: &mut [f32], second: &mut [f32]) {
        let params = self.params;
        for (_, place, grad) in self.each() {
            let moments = first[place.clone()].iter_mut().zip(&mut second[place.clone()]);
            for ((w, (m, v)), &g) in table[place].iter_mut().zip(moments).zip(grad) {
                *m = params.beta1 * *m + params.beta1_rest * g;
                *v = params.beta2 * *v + params.beta2_rest * (g * g);
                let scale = inverse(root(params.unbias * *v) + params.eps);
                *w -= params.rate * *m * scale;
            }
        }
    }
}

/// 1/x for x > 0, within a few ulp.
fn inverse(x: f32) -> f32 {
    let mut y = f32::from_bits(0x7ef3_11c7u32.wrapping_sub(x.to_bits()));
    for _ in 0..4 {
        y *= 2.0 - x * y;
    }
    y
}

/// √x for x >= 0, within a few ulp.
fn root(x: f32) -> f32 {
    let half = 0.5 * x;
    let mut y = f32::from_bits(0x5f37_59dfu32.wrapping_sub(x.to_bits() >> 1));
    for _ in 0..3 {
        y *= 1.5 - half * y * y;
    }
    x * y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all of f32's normal range that a step meets: relative to f64.
    #[test]
    fn division_and_root_are_as_good_as_the_exact_ones() {
        let mut bits = 0x0100_0000u32;
        while bits < 0x7e00_0000 {
            let x = f32::from_bits(bits);
            let exact = 1.0 / f64::from(x);
            if exact > 1e-37 {
                assert!((f64::from(inverse(x)) - exact).abs() <= exact * 5e-7, "1/{x}");
            }
            let exact = f64::from(x).sqrt();
            assert!((f64::from(root(x)) - exact).abs() <= exact * 5e-7, "√{x}");
            bits += 12_347;
        }
        assert_eq!(root(0.0), 0.0);
    }
}
