//! The CPU twins against definitions in f64, on random shapes: each kernel's twin, the cast for every f16 there is, and
//! the oracle itself.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/random.rs"]
mod random;

use gomme::abi::{Dims, NoiseParams, ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use gomme::cpu::{kernels as twin, sum_plan};
use gomme::group::{BlockShape, Grouper, Plan};
use random::{Counts, Random, SPREADS, Spice, Spread, counts, slots};

struct Shape {
    tokens: Vec<u32>,
    vocab_size: u32,
    d_model: usize,
}

impl Shape {
    fn random(random: &mut Random) -> Self {
        let vocab_size = 1 + random.below(300);
        let d_model = 1 + random.below(40) as usize;
        let spread = random.pick(&SPREADS);
        let most = if spread == Spread::Different { vocab_size } else { 700 };
        let seq_len = random.below(most + 1) as usize;
        Self { tokens: random.tokens(spread, seq_len, vocab_size), vocab_size, d_model }
    }

    fn elements(&self) -> usize {
        self.tokens.len() * self.d_model
    }

    fn dims(&self) -> Dims {
        Dims { seq_len: self.tokens.len() as u32, d_model: self.d_model as u32, vocab_size: self.vocab_size, spare: 0 }
    }
}

fn spices(random: &mut Random) -> Spice {
    random.pick(&[Spice::None, Spice::Skipped, Spice::Subnormal])
}

/// `sum` of V rows against an exact sum written down here.
fn assert_within_bound(shape: &Shape, grad_out: &[f32], sum: &[f32]) {
    let oracle = twin::oracle(&shape.tokens, grad_out, shape.vocab_size as usize, shape.d_model);
    for row in 0..shape.vocab_size {
        let positions: Vec<usize> = (0..shape.tokens.len()).filter(|&s| shape.tokens[s] == row).collect();
        for d in 0..shape.d_model {
            let cell = row as usize * shape.d_model + d;
            let addends = positions.iter().map(|&s| f64::from(grad_out[s * shape.d_model + d]));
            let addends: Vec<f64> = addends.filter(|value| value.is_finite()).collect();
            let exact: f64 = addends.iter().sum();
            let magnitude: f64 = addends.iter().map(|value| value.abs()).sum();
            // Numbers of 24 bits within 2^24 of each other add without rounding in f64.
            assert_eq!(oracle.sum[cell], exact);
            assert_eq!(oracle.magnitude[cell], magnitude);
            let error = (f64::from(sum[cell]) - exact).abs();
            let bound = twin::bound(positions.len() as u32, magnitude);
            assert!(error <= bound, "row {row} column {d}: {} for {exact}, {error} over {bound}", sum[cell]);
        }
    }
}

#[test]
fn lookups_copy_rows_and_zero_what_is_outside() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let shape = Shape::random(&mut random);
        let table = random.gradient(Spice::Subnormal, shape.vocab_size as usize * shape.d_model);
        let mut out = vec![f32::MAX; shape.elements()];
        twin::embed_lookup(&shape.tokens, &table, &mut out, shape.dims());
        let halves = twin::cast_f32_to_f16(&table);
        let mut out_w16 = vec![f32::MAX; shape.elements()];
        twin::embed_lookup_w16(&shape.tokens, &halves, &mut out_w16, shape.dims());
        for i in 0..shape.elements() {
            let (s, d) = (i / shape.d_model, i % shape.d_model);
            let t = shape.tokens[s];
            let wanted = if t < shape.vocab_size { table[t as usize * shape.d_model + d] } else { 0.0 };
            assert_eq!(out[i].to_bits(), wanted.to_bits());
            if wanted.is_nan() {
                assert!(out_w16[i].is_nan());
            } else {
                assert_eq!(f64::from(out_w16[i]), nearest_half(f64::from(wanted)), "{wanted}");
            }
        }
    }
}

#[test]
fn scattered_gradients_are_within_the_bound() {
    let mut random = Random::new(2);
    for _ in 0..200 {
        let shape = Shape::random(&mut random);
        let spice = spices(&mut random);
        let grad_out = random.gradient(spice, shape.elements());
        let cells = shape.vocab_size as usize * shape.d_model;

        let mut plain = vec![0.0; cells];
        twin::embed_backward(&shape.tokens, &grad_out, &mut plain, shape.dims());
        assert_within_bound(&shape, &grad_out, &plain);

        let mut counted = vec![0.0; cells];
        let mut words = vec![0; (shape.vocab_size as usize + 1) * ROW_COUNT_WORDS];
        twin::embed_backward_counted(&shape.tokens, &grad_out, &mut counted, &mut words, shape.dims());
        assert_eq!(counted, plain);
        let mut found = Counts { out_of_vocab: words[cells_of_counts(&shape)], ..Counts::default() };
        for (row, words) in (0..shape.vocab_size).zip(words.chunks_exact(ROW_COUNT_WORDS)) {
            assert_eq!(words[3], 0, "one thread never fails an exchange");
            if words[0] > 0 {
                found.rows.push(row);
                found.hits.push(words[0]);
                found.adds.push(words[0] * shape.d_model as u32 - words[1] - words[2]);
            }
            found.zero += words[1];
            found.non_finite += words[2];
        }
        assert_eq!(found, counts(&shape.tokens, &grad_out, shape.vocab_size, shape.d_model));
    }
}

fn cells_of_counts(shape: &Shape) -> usize {
    shape.vocab_size as usize * ROW_COUNT_WORDS
}

#[test]
fn sorted_gradients_are_within_the_bound() {
    let mut random = Random::new(3);
    for round in 0..200 {
        let shape = Shape::random(&mut random);
        let spice = spices(&mut random);
        let grad_out = random.gradient(spice, shape.elements());
        let groups = Grouper::new(shape.vocab_size).group(&shape.tokens);
        // Short chunks too, so that there are rows of all levels.
        let cut = BlockShape { chunk: 1 + random.below(4), chunks: 1 + random.below(4) };
        let plan = Plan::new(&groups, if round % 2 == 0 { BlockShape::of(shape.tokens.len()) } else { cut });
        let used_rows = groups.rows.len();
        let mut grad = vec![f32::NAN; (used_rows + plan.partial_sums as usize) * shape.d_model];
        let mut skips = vec![0; used_rows * ROW_SKIP_WORDS];
        sum_plan(&plan, &groups.order, &grad_out, &mut grad, &mut skips, shape.d_model);

        let mut dense = vec![0.0; shape.vocab_size as usize * shape.d_model];
        for (slot, &row) in groups.rows.iter().enumerate() {
            let to = row as usize * shape.d_model;
            let from = slot * shape.d_model;
            dense[to..to + shape.d_model].copy_from_slice(&grad[from..from + shape.d_model]);
        }
        assert_within_bound(&shape, &grad_out, &dense);

        let wanted = counts(&shape.tokens, &grad_out, shape.vocab_size, shape.d_model);
        assert_eq!(groups.rows, wanted.rows);
        assert_eq!(groups.hits, wanted.hits);
        assert_eq!(groups.outside, wanted.out_of_vocab);
        assert_eq!(groups.slots(shape.tokens.len()), slots(&shape.tokens, &wanted.rows));
        for ((skips, &hits), &adds) in skips.chunks_exact(ROW_SKIP_WORDS).zip(&wanted.hits).zip(&wanted.adds) {
            assert_eq!(hits * shape.d_model as u32 - skips[0] - skips[1], adds);
        }
        assert_eq!(skips.iter().step_by(2).sum::<u32>(), wanted.zero);
        assert_eq!(skips.iter().skip(1).step_by(2).sum::<u32>(), wanted.non_finite);
    }
}

#[test]
fn noise_is_finite_never_zero_and_follows_its_formula() {
    for (count, seed) in [(1u32, 0u32), (257, 0x9e37_79b9), (100_000, 7)] {
        // One cell more than `count`: it stays as it is.
        let mut cells = vec![f32::NAN; count as usize + 1];
        twin::noise(&mut cells, NoiseParams { elements: count, seed });
        assert!(cells.pop().is_some_and(f32::is_nan));
        for (i, &value) in (0..count).zip(&cells) {
            // PCG's output function (RXS-M-XS), its upper 23 bits put in the middle of their steps in [-1, 1).
            let state = (i ^ seed).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
            let upper = f64::from(((word >> 22) ^ word) >> 9);
            assert_eq!(f64::from(value), (2.0 * upper + 1.0) / 8_388_608.0 - 1.0, "element {i}");
            assert!(value.is_finite() && value != 0.0 && value.abs() < 1.0, "element {i} is {value}");
        }
    }
}

/// The finite f16 of these bits, by the definition of the format.
fn half_value(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-24),
        _ => (1_024.0 + mantissa) * 2f64.powi(exponent - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// To the nearest f16, ties to even: by steps of the format's spacing at this size.
fn nearest_half(value: f64) -> f64 {
    if value.is_infinite() {
        return value;
    }
    let exponent = if value == 0.0 { -14 } else { (value.abs().log2().floor() as i32).max(-14) };
    let step = 2f64.powi(exponent - 10);
    let rounded = (value / step).round_ties_even() * step;
    if rounded.abs() > 65_504.0 { f64::INFINITY.copysign(value) } else { rounded.copysign(value) }
}

#[test]
fn the_cast_rounds_to_nearest_even_around_every_f16() {
    for bits in 0..0x7c00u16 {
        // From one f16 to the next: both ends, the middle, and the f32 next to each of them.
        let low = half_value(bits);
        let high = if bits == 0x7bff { 65_536.0 } else { half_value(bits + 1) };
        for centre in [low, (low + high) / 2.0] {
            let centre = centre as f32; // exact
            for value in [centre.next_down(), centre, centre.next_up()] {
                for value in [value, -value] {
                    let half = twin::cast_f32_to_f16(&[value])[0];
                    let wanted = nearest_half(f64::from(value));
                    if wanted.is_infinite() {
                        assert_eq!(half & 0x7fff, 0x7c00, "{value:e}");
                    } else {
                        assert_eq!(half_value(half), wanted, "{value:e}");
                    }
                    assert_eq!(half >> 15 == 1, value.is_sign_negative(), "{value:e}");
                }
            }
        }
    }
}

#[test]
fn the_cast_keeps_what_is_no_number() {
    let cast = |value: f32| twin::cast_f32_to_f16(&[value])[0];
    assert_eq!(cast(f32::INFINITY), 0x7c00);
    assert_eq!(cast(f32::NEG_INFINITY), 0xfc00);
    assert_eq!(cast(f32::MAX), 0x7c00);
    assert_eq!(cast(f32::from_bits(1)), 0);
    assert_eq!(cast(-f32::from_bits(1)), 0x8000);
    for bits in [0x7fc0_0000u32, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff] {
        let half = cast(f32::from_bits(bits));
        assert!(half & 0x7c00 == 0x7c00 && half & 0x3ff != 0, "{bits:x} became {half:x}");
        assert_eq!(u32::from(half >> 15), bits >> 31);
    }
}

#[test]
fn seeded_tables_are_read_alike_in_any_piece() {
    let mut random = Random::new(4);
    for _ in 0..50 {
        let (vocab_size, d_model) = (1 + random.below(60), 1 + random.below(60));
        let table =
            gomme::table::Table::seeded(gomme::shape::Shape::new(vocab_size, d_model), random.next() >> 11, None);
        let whole = table.to_vec();
        assert_eq!(whole.len(), vocab_size as usize * d_model as usize);
        let first = random.below(whole.len() as u32) as usize;
        let mut part = vec![0.0; random.below((whole.len() - first) as u32 + 1) as usize];
        table.read(first, &mut part);
        assert_eq!(part, whole[first..first + part.len()]);
    }
}
