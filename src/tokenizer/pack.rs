//! Unpacks the bundled model: far smaller to download, and the bytes of the `.model` when unpacked.
//! `data/pack_model.py` makes it and says how it is laid out.

use super::Tokenizer;
use super::context::Decoding;
use super::model::{CUT_OFF, Fields, Flaw};
use super::pieces::SPACE;
use crate::error::{Error, Result};

/// The bundled model on its way from the file `turkish-16k.pack` to a tokenizer, in steps: all at once would keep a page
/// from answering for a tenth of a second.
pub struct Unpacking<'a> {
    decoding: Decoding<'a>,
    packed_len: usize,
}

/// Bytes that one step decodes: about 10 ms.
const STEP: usize = 12 << 10;

impl<'a> Unpacking<'a> {
    /// Begins.
    ///
    /// # Errors
    /// `invalid-model` for anything but that file, here and in the further steps.
    pub fn new(pack: &'a [u8]) -> Result<Self> {
        let decoding = Decoding::new(pack).map_err(|_| not_the_model(pack.len()))?;
        Ok(Self { decoding, packed_len: pack.len() })
    }

    /// A step. Whether more are left.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn advance(&mut self) -> Result<bool> {
        self.decoding.advance(STEP).map_err(|_| not_the_model(self.packed_len))
    }

    /// The tokenizer, after the last step.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn finish(self) -> Result<Tokenizer> {
        let packed_len = self.packed_len;
        let model = self.decoding.finish().and_then(|pack| unpack(&pack)).map_err(|_| not_the_model(packed_len))?;
        Tokenizer::from_model(&model)
    }
}

fn not_the_model(packed_len: usize) -> Error {
    Error::InvalidModel(format!(
        "The bundled model has {packed_len} bytes that cannot be unpacked: data/turkish-16k.pack is cut off or of another \
         version. Build or download the package again."
    ))
}

/// The bytes of the `.model`, of a pack that was decoded (`context`).
fn unpack(pack: &[u8]) -> core::result::Result<Vec<u8>, Flaw> {
    let mut pack = Fields::new(pack);
    let mut runs = Fields::new(pack.block()?);
    let mut spellings = pack.block()?;
    let (trie, units) = (pack.length()?, pack.length()?);
    let rest = pack.block()?;

    let mut model = Vec::with_capacity(3 * (spellings.len() + rest.len()));
    while !runs.is_empty() {
        let (count, kind) = (runs.length()?, runs.length()?);
        let (start, step) = (f32::from_bits(runs.fixed32()?), f32::from_bits(runs.fixed32()?));
        for index in 0..count {
            let (mark, text) = spellings.split_first().ok_or(CUT_OFF)?;
            let end = text.iter().position(|byte| matches!(byte, b'\n' | b' ')).unwrap_or(text.len());
            let (text, others) = text.split_at(end);
            spellings = others;
            let prefix = if *mark == b' ' { SPACE } else { "" };

            let mut piece = Vec::with_capacity(text.len() + 16);
            piece.push(1 << 3 | 2);
            push_varint(&mut piece, prefix.len() + text.len());
            piece.extend_from_slice(prefix.as_bytes());
            piece.extend_from_slice(text);
            piece.push(2 << 3 | 5);
            piece.extend_from_slice(&(start + step * index as f32).to_le_bytes());
            if kind != 1 {
                piece.push(3 << 3);
                push_varint(&mut piece, kind);
            }
            model.push(1 << 3 | 2);
            push_varint(&mut model, piece.len());
            model.extend_from_slice(&piece);
        }
    }

    let (before, rest) = rest.split_at_checked(trie).ok_or(CUT_OFF)?;
    let (columns, after) = units.checked_mul(4).and_then(|bytes| rest.split_at_checked(bytes)).ok_or(CUT_OFF)?;
    model.extend_from_slice(before);
    for unit in 0..units {
        model.extend(columns.iter().skip(unit).step_by(units).take(4));
    }
    model.extend_from_slice(after);
    Ok(model)
}

fn push_varint(bytes: &mut Vec<u8>, mut value: usize) {
    while value > 0x7F {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACK: &[u8] = include_bytes!("../../data/turkish-16k.pack");

    fn unpacked(file: &[u8]) -> core::result::Result<Vec<u8>, Flaw> {
        let mut decoding = Decoding::new(file)?;
        while decoding.advance(STEP)? {}
        unpack(&decoding.finish()?)
    }

    #[test]
    fn the_bundled_model_byte_for_byte() {
        let model: &[u8] = include_bytes!("../../data/turkish-16k.model");
        assert!(unpacked(PACK).unwrap() == model);
    }

    #[test]
    fn a_pack_that_is_cut_off() {
        for end in (0..16).chain((16..PACK.len()).step_by(PACK.len() / 12)) {
            assert!(unpacked(&PACK[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn a_tokenizer_in_steps() {
        let mut unpacking = Unpacking::new(PACK).unwrap();
        while unpacking.advance().unwrap() {}
        assert_eq!(unpacking.finish().unwrap().vocab_size(), 16_384);
        let Err(error) = Unpacking::new(&PACK[..3]) else { panic!("three bytes are not a model") };
        assert_eq!(error.code(), "invalid-model");
    }
}
