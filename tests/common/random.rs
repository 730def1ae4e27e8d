//! Random inputs for the tests, the same on every run: numbers, token ids, gradients.

#![allow(dead_code, reason = "each program that includes this file uses other parts")]

/// SplitMix64.
pub struct Random(u64);

/// How token ids are spread over the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Rank r as often as 1/r, as words are.
    Zipf,
    Equal,
    /// No id twice; needs V >= N.
    Different,
}

pub const SPREADS: [Spread; 3] = [Spread::Zipf, Spread::Equal, Spread::Different];

/// What a gradient holds beside ordinary numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spice {
    /// Nothing.
    None,
    /// NaN, ±Inf and ±0.
    Skipped,
    /// These and subnormals.
    Subnormal,
}

/// Bits that a gradient kernel must skip.
pub const SKIPPED: [u32; 8] =
    [0x0000_0000, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff];
/// Bits of subnormals, which count as additions.
pub const SUBNORMAL: [u32; 5] = [0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x807f_ffff, 0x0040_0000];

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// A number with all 24 bits of its mantissa in use and an exponent from -8 to 7, so that the order of additions
    /// shows in the last bits of a sum, and no sum of such numbers is ever subnormal.
    pub fn number(&mut self) -> f32 {
        let word = self.next() as u32;
        f32::from_bits((word & 0x8000_0000) | ((119 + (word >> 23) % 16) << 23) | (word & 0x007f_ffff))
    }

    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }

    /// Ids below `vocab_size`.
    pub fn ids(&mut self, spread: Spread, seq_len: usize, vocab_size: u32) -> Vec<u32> {
        match spread {
            Spread::Zipf => {
                let top = f64::from(vocab_size + 1).ln();
                (0..seq_len).map(|_| ((self.unit() * top).exp() as u32 - 1).min(vocab_size - 1)).collect()
            }
            Spread::Equal => vec![self.below(vocab_size); seq_len],
            Spread::Different => {
                assert!(seq_len <= vocab_size as usize, "more positions than ids");
                let mut ids: Vec<u32> = (0..vocab_size).collect();
                for place in 0..seq_len {
                    let other = place + self.below(vocab_size - place as u32) as usize;
                    ids.swap(place, other);
                }
                ids.truncate(seq_len);
                ids
            }
        }
    }

    /// The same, with V-1, V and 2^32-1 at some of the positions: one of them in a short sequence, all in a longer one.
    pub fn tokens(&mut self, spread: Spread, seq_len: usize, vocab_size: u32) -> Vec<u32> {
        let mut tokens = self.ids(spread, seq_len, vocab_size);
        let edges = [vocab_size - 1, vocab_size, u32::MAX];
        match seq_len {
            0 => {}
            1..=7 => tokens[0] = self.pick(&edges),
            _ => {
                let first = self.below(seq_len as u32 / 4) as usize;
                for (k, edge) in edges.into_iter().enumerate() {
                    // Where no id may come twice, V-1 must not either.
                    if spread != Spread::Different || !tokens.contains(&edge) {
                        tokens[first + k * (seq_len / 4)] = edge;
                    }
                }
            }
        }
        tokens
    }

    /// N·D values of a gradient.
    pub fn gradient(&mut self, spice: Spice, elements: usize) -> Vec<f32> {
        let mut values = self.numbers(elements);
        let mut bits: Vec<u32> = match spice {
            Spice::None => return values,
            Spice::Skipped => SKIPPED.to_vec(),
            Spice::Subnormal => [SKIPPED.as_slice(), &SUBNORMAL].concat(),
        };
        let first = self.below(bits.len() as u32) as usize;
        bits.rotate_left(first);
        // Each kind at least once where there is room, then at every 20th element or so.
        for (value, &special) in values.iter_mut().skip(1).step_by(3).zip(&bits) {
            *value = f32::from_bits(special);
        }
        for _ in 0..elements / 20 {
            let place = self.below(elements as u32) as usize;
            values[place] = f32::from_bits(self.pick(&bits));
        }
        values
    }
}

/// What the gradient kernels must count, by definition: per used row, rows ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    pub rows: Vec<u32>,
    pub hits: Vec<u32>,
    pub adds: Vec<u32>,
    pub out_of_vocab: u32,
    pub zero: u32,
    pub non_finite: u32,
}

/// Counts from the ids and the gradient alone, on no code of the crate.
pub fn counts(tokens: &[u32], grad_out: &[f32], vocab_size: u32, d_model: usize) -> Counts {
    let mut counts = Counts::default();
    let mut rows = std::collections::BTreeMap::<u32, (u32, u32)>::new();
    for (s, &t) in tokens.iter().enumerate() {
        if t >= vocab_size {
            counts.out_of_vocab += 1;
            continue;
        }
        let (hits, adds) = rows.entry(t).or_default();
        *hits += 1;
        for value in &grad_out[s * d_model..(s + 1) * d_model] {
            if value.abs() == 0.0 {
                counts.zero += 1;
            } else if value.is_nan() || value.is_infinite() {
                counts.non_finite += 1;
            } else {
                *adds += 1;
            }
        }
    }
    for (row, (hits, adds)) in rows {
        counts.rows.push(row);
        counts.hits.push(hits);
        counts.adds.push(adds);
    }
    counts
}

/// Each token's place among the used rows, ascending; their number for a token outside.
pub fn slots(tokens: &[u32], rows: &[u32]) -> Vec<u32> {
    tokens.iter().map(|t| rows.binary_search(t).unwrap_or(rows.len()) as u32).collect()
}
