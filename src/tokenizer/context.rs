//! Decodes bytes that were coded bit by bit with what the bytes before them foretell: context mixing, as the PAQ family
//! does it. Five contexts each have a probability for the next bit, a small mixer weighs them, and an arithmetic coder
//! spends the fewer bits the better the guess was. All in integers; `data/context.py` encodes, step for step the same.

use super::model::{CUT_OFF, Fields, Flaw};

const CONTEXTS: usize = 5;
/// Of bytes to the coded ones: more is no honest length, and would be waited for.
const MAX_RATIO: usize = 16;
const SLOT_BITS: u32 = 20;
/// A slot: 16 bits of probability, 10 that tell contexts apart, 6 that count. Unseen, it is even.
const UNSEEN: u32 = 1 << 31;
const CHECK: u32 = 0x3FF << 6;
const COUNT: u32 = 0x3F;
const MAX_COUNT: u32 = 30;
const FIRST_WEIGHT: i64 = 14_000;
const LEARNING_RATE: i64 = 6;

/// A file that is being decoded: its number of bytes as a varint, their checksum, and the code.
pub(super) struct Decoding<'a> {
    len: usize,
    checksum: u32,
    decoder: Decoder<'a>,
    mixer: Mixer,
    history: History,
    bytes: Vec<u8>,
}

impl<'a> Decoding<'a> {
    /// Reads the head of a file. An error where its length cannot be true.
    pub(super) fn new(file: &'a [u8]) -> Result<Self, Flaw> {
        let mut file = Fields::new(file);
        let (len, checksum) = (file.length()?, file.fixed32()?);
        let code = file.rest();
        if len / MAX_RATIO > code.len() {
            return Err(CUT_OFF);
        }
        let mut decoder = Decoder { code, low: 0, high: u32::MAX, value: 0 };
        for _ in 0..4 {
            decoder.shift()?;
        }
        let bytes = Vec::with_capacity(len);
        Ok(Self { len, checksum, decoder, mixer: Mixer::new(), history: History::default(), bytes })
    }

    /// Decodes at most `count` bytes more. Whether some are left.
    pub(super) fn advance(&mut self, count: usize) -> Result<bool, Flaw> {
        for _ in 0..count.min(self.len - self.bytes.len()) {
            let byte = self.mixer.byte(&self.history, &mut self.decoder)?;
            self.history.push(byte);
            self.bytes.push(byte);
        }
        Ok(self.bytes.len() < self.len)
    }

    /// The bytes, all of which are decoded by now. An error where they are not those that were coded.
    pub(super) fn finish(self) -> Result<Vec<u8>, Flaw> {
        // FNV-1a.
        let fold = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        let checksum = self.bytes.iter().fold(0x811C_9DC5_u32, fold);
        let ended = self.decoder.value == self.decoder.low && self.decoder.code.is_empty();
        if checksum != self.checksum || !ended {
            return Err("their checksum is another");
        }
        Ok(self.bytes)
    }
}

/// Where the bytes end: in a piece, which begins with a newline or a space.
#[derive(Default)]
struct History {
    /// The last four bytes.
    last: u32,
    /// Bytes of this piece and of the one before.
    len: u32,
    len_before: u32,
    hash: u32,
}

impl History {
    fn contexts(&self) -> [u32; CONTEXTS] {
        // Pieces often come in order of length.
        let left = (self.len_before + 3).saturating_sub(self.len);
        [0, self.last & 0xFFFF, self.last, self.hash, self.last & 0xFF | left << 8]
    }

    fn push(&mut self, byte: u8) {
        let last = self.last << 8 | u32::from(byte);
        *self = if matches!(byte, b'\n' | b' ') {
            Self { last, len: 1, len_before: self.len, hash: u32::from(byte) }
        } else {
            let hash = self.hash.wrapping_add(u32::from(byte) + 1).wrapping_mul(0x2F0B_4C47);
            Self { last, len: self.len + 1, len_before: self.len_before, hash }
        };
    }
}

/// Foretells bits, and learns from what they are.
struct Mixer {
    slots: Vec<u32>,
    /// By how many contexts are known, which bit of the byte it is and how deep in the piece; the last weighs a constant.
    weights: Vec<[i64; CONTEXTS + 1]>,
    stretched: Vec<i16>,
    rates: Vec<u32>,
}

impl Mixer {
    fn new() -> Self {
        // The inverse of `squash`.
        let mut stretched = Vec::with_capacity(4096);
        for x in -2047..=2047 {
            stretched.resize(stretched.len().max(squash(i64::from(x)) as usize + 1), x);
        }
        stretched.resize(4096, 2047);
        Self {
            slots: vec![UNSEEN; 1 << SLOT_BITS],
            weights: vec![[FIRST_WEIGHT; CONTEXTS + 1]; (CONTEXTS + 1) * 8 * 4],
            stretched,
            // The first bits move a slot far, later ones by a thirtieth.
            rates: (0..=MAX_COUNT).map(|count| (4 << 16) / (4 * count + 5)).collect(),
        }
    }

    fn byte(&mut self, history: &History, decoder: &mut Decoder) -> Result<u8, Flaw> {
        let contexts = history.contexts();
        let depth = history.len.min(3) as usize;
        let mut hashes = [0; CONTEXTS];
        let mut byte = 1;
        for bit in 0..8 {
            if bit % 4 == 0 {
                for (k, (hash, context)) in (0..).zip(hashes.iter_mut().zip(&contexts)) {
                    *hash = hashed(*context, k + byte * 16);
                }
            }
            // The slots of four bits lie side by side.
            let within = if bit < 4 { byte } else { byte & ((1 << (bit - 4)) - 1) | 1 << (bit - 4) };
            byte = byte << 1 | u32::from(self.bit(&hashes, within, bit * 4 + depth, decoder)?);
        }
        Ok(byte as u8)
    }

    fn bit(&mut self, hashes: &[u32; CONTEXTS], within: u32, set: usize, decoder: &mut Decoder) -> Result<bool, Flaw> {
        let place = |hash: u32| (hash >> (32 - SLOT_BITS) ^ within) as usize;
        let mut inputs = [256; CONTEXTS + 1];
        let mut known = 0;
        for (hash, input) in hashes.iter().zip(&mut inputs) {
            let Some(slot) = self.slots.get_mut(place(*hash)) else { continue };
            let check = hash << 6 & CHECK;
            if *slot & CHECK != check {
                *slot = UNSEEN | check;
            }
            *input = 0;
            if *slot & COUNT > 0 {
                known += 1;
                *input = self.stretched.get((*slot >> 20) as usize).copied().map_or(0, i64::from);
            }
        }
        let Some(weights) = self.weights.get_mut(known * 32 + set) else { return Err(CUT_OFF) };
        let sum: i64 = inputs.iter().zip(&*weights).map(|(input, weight)| input * weight).sum();
        let one = squash((sum >> 16).clamp(-2047, 2047));

        let is_one = decoder.bit(one as u32)?;
        let error = (i64::from(is_one) * 4096 - one) * LEARNING_RATE;
        for (weight, input) in weights.iter_mut().zip(&inputs) {
            *weight += (input * error + (1 << 13)) >> 14;
        }
        for hash in hashes {
            let Some(slot) = self.slots.get_mut(place(*hash)) else { continue };
            let (one, count) = (*slot >> 16, *slot & COUNT);
            let rate = self.rates.get(count as usize).copied().unwrap_or_default();
            let one = if is_one { one + (((0xFFFF - one) * rate) >> 16) } else { one - ((one * rate) >> 16) };
            *slot = one << 16 | *slot & CHECK | (count + 1).min(MAX_COUNT);
        }
        Ok(is_one)
    }
}

fn hashed(context: u32, place: u32) -> u32 {
    let context = context.wrapping_mul(0x2F0B_4C47).wrapping_add(place.wrapping_mul(0x9E37_79B1));
    let hash = context.wrapping_mul(0x85EB_CA6B);
    (hash ^ hash >> 15).wrapping_mul(0xC2B2_AE35)
}

/// 4096 / (1 + e^(-x / 256)) for x from -2047 to 2047, straight between 33 points; from 1 to 4095.
fn squash(x: i64) -> i64 {
    const POINTS: [u16; 33] = [
        1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901,
        3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
    ];
    let point = |index: i64| POINTS.get(index as usize).copied().map_or(4094, i64::from);
    let (index, part) = ((x >> 7) + 16, x & 127);
    (point(index) * (128 - part) + point(index + 1) * part + 64) >> 7
}

/// An arithmetic decoder: `value` is where the code points, between `low` and `high`.
struct Decoder<'a> {
    code: &'a [u8],
    low: u32,
    high: u32,
    value: u32,
}

impl Decoder<'_> {
    /// The next bit, which is a one `one` times in 4096.
    fn bit(&mut self, one: u32) -> Result<bool, Flaw> {
        let middle = self.low + ((self.high - self.low) >> 12) * one;
        let is_one = self.value <= middle;
        if is_one {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xFF;
            self.shift()?;
        }
        Ok(is_one)
    }

    fn shift(&mut self) -> Result<(), Flaw> {
        let (byte, rest) = self.code.split_first().ok_or(CUT_OFF)?;
        self.code = rest;
        self.value = self.value << 8 | u32::from(*byte);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(file: &[u8]) -> Result<Vec<u8>, Flaw> {
        let mut decoding = Decoding::new(file)?;
        while decoding.advance(7_001)? {}
        decoding.finish()
    }

    const PACK: &[u8] = include_bytes!("../../data/turkish-16k.pack");

    #[test]
    fn a_flipped_bit_is_found() {
        for place in (0..PACK.len()).step_by(PACK.len() / 40).chain(0..8).chain(PACK.len() - 4..PACK.len()) {
            let mut broken = PACK.to_vec();
            broken[place] ^= 1 << (place % 8);
            assert!(decode(&broken).is_err(), "{place}");
        }
    }

    #[test]
    fn one_byte_more_or_less_is_found() {
        assert!(decode(&PACK[..PACK.len() - 1]).is_err());
        assert!(decode(&[PACK, &[0]].concat()).is_err());
        assert!(decode(&[]).is_err());
    }

    #[test]
    fn a_length_that_the_code_cannot_have() {
        let huge = [&[0xFF; 9][..], &[1], &[0; 64]].concat();
        assert!(decode(&huge).is_err());
    }
}
