//! Unpacks the bundled model: far smaller to download, and the bytes of the `.model` when unpacked.
//! `data/pack_model.py` makes it and says how it is laid out.

use super::context;
use super::model::{CUT_OFF, Fields, Flaw};
use super::pieces::SPACE;

/// The bytes of the `.model`.
pub(super) fn unpack(pack: &[u8]) -> Result<Vec<u8>, Flaw> {
    let pack = context::decode(pack)?;
    let mut pack = Fields::new(&pack);
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
    use super::unpack;

    const PACK: &[u8] = include_bytes!("../../data/turkish-16k.pack");

    #[test]
    fn the_bundled_model_byte_for_byte() {
        let model: &[u8] = include_bytes!("../../data/turkish-16k.model");
        assert!(unpack(PACK).unwrap() == model);
    }

    #[test]
    fn a_pack_that_is_cut_off() {
        for end in (0..16).chain((16..PACK.len()).step_by(PACK.len() / 12)) {
            assert!(unpack(&PACK[..end]).is_err(), "{end}");
        }
    }
}
