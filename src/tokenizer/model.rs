//! Reads a SentencePiece `.model`: a protocol buffer, by its wire format, with nothing taken on trust.

use super::bpe::Bpe;
use super::normalizer::Normalizer;
use super::pieces::{Kind, Pieces};
use super::unigram::Unigram;
use crate::error::{Error, Result};

/// The reference takes no longer piece.
const MAX_PIECE_BYTES: usize = 7999;

/// How text is cut into pieces.
#[derive(Debug)]
pub(super) enum Algorithm {
    Bpe(Bpe),
    Unigram(Unigram),
}

/// What a `.model` says, checked and ready for use.
pub(super) struct Model {
    pub(super) pieces: Pieces,
    pub(super) algorithm: Algorithm,
    pub(super) normalizer: Normalizer,
    pub(super) denormalizer: Option<Normalizer>,
    pub(super) byte_ids: Option<Vec<u32>>,
    pub(super) unknown_id: u32,
    pub(super) unknown_surface: String,
}

/// Why bytes are not a model: the second half of the sentence in [`read`].
pub(super) type Flaw = &'static str;

pub(super) const CUT_OFF: Flaw = "they end in the middle of a field";
const NOT_UTF8: Flaw = "a string in them is not UTF-8";

pub(super) fn read(bytes: &[u8]) -> Result<Model> {
    parse(bytes).map_err(|flaw| {
        let len = bytes.len();
        Error::InvalidModel(format!(
            "These {len} bytes are not a SentencePiece model that can be used: {flaw}. Pass all the bytes of a \
             .model file of type BPE or unigram."
        ))
    })
}

/// Whether bytes begin as a page does; no model does, since `<` would be a field of a kind that models don't have.
fn is_html(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    [b"<!doctype".as_slice(), b"<html", b"<!--"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start)))
}

fn parse(bytes: &[u8]) -> core::result::Result<Model, Flaw> {
    if u32::try_from(bytes.len()).is_err() {
        return Err("they are more than 4 GiB");
    }
    if is_html(bytes) {
        return Err("they are HTML, which many servers send for an address that they do not know");
    }
    let mut pieces = Pieces::default();
    let mut trainer = None;
    let mut normalizer = None;
    let mut denormalizer = Denormalizer::default();
    let mut fields = Fields(bytes);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(piece)) => read_piece(piece, &mut pieces)?,
            (2, Value::Bytes(spec)) => trainer.get_or_insert_with(Trainer::default).read(spec)?,
            (3, Value::Bytes(spec)) => {
                read_normalizer(spec, normalizer.get_or_insert_with(Normalizer::default))?;
            }
            (5, Value::Bytes(spec)) => denormalizer.used |= read_normalizer(spec, &mut denormalizer.rules)?,
            _ => {}
        }
    }
    if pieces.count() == 0 {
        return Err("they have no pieces");
    }
    // Both stand after the pieces: without them the end is missing.
    let (Some(trainer), Some(mut normalizer)) = (trainer, normalizer) else {
        return Err("they have pieces but not the rules that come after these, so the end is missing");
    };
    if pieces.index().is_some() {
        return Err("a piece occurs twice");
    }
    let algorithm = match trainer.model_type {
        1 => Algorithm::Unigram(Unigram::new(&pieces)),
        2 => Algorithm::Bpe(Bpe::new(&pieces)),
        3 => return Err("its type is word, and only BPE and unigram can be read"),
        4 => return Err("its type is char, and only BPE and unigram can be read"),
        _ => return Err("its type is unknown"),
    };

    let mut unknown_id = None;
    let mut byte_ids = [None; 256];
    for id in 0..pieces.count() {
        match pieces.kind(id) {
            Kind::Unknown if unknown_id.replace(id).is_some() => return Err("it has two unknown pieces"),
            Kind::Byte(byte) => byte_ids[usize::from(byte)] = Some(id),
            _ => {}
        }
    }
    let byte_ids = match (trainer.byte_fallback, byte_ids.iter().all(Option::is_some)) {
        (true, true) => Some(byte_ids.iter().filter_map(|id| *id).collect()),
        (true, false) => return Err("some of its 256 byte pieces are missing"),
        (false, _) if byte_ids.iter().any(Option::is_some) => {
            return Err("it has byte pieces though it says that it has none");
        }
        (false, _) => None,
    };
    normalizer.space_as_suffix = trainer.space_as_suffix;
    normalizer.prepare(Some(&pieces));
    denormalizer.rules.prepare(None);
    Ok(Model {
        pieces,
        algorithm,
        normalizer,
        denormalizer: denormalizer.used.then_some(denormalizer.rules),
        byte_ids,
        unknown_id: unknown_id.ok_or("it has no unknown piece")?,
        unknown_surface: trainer.unknown_surface,
    })
}

/// What a `TrainerSpec` says about use; the rest of it is about training.
struct Trainer {
    model_type: u64,
    byte_fallback: bool,
    space_as_suffix: bool,
    unknown_surface: String,
}

impl Default for Trainer {
    fn default() -> Self {
        let unknown_surface = " \u{2047} ".to_owned();
        Self { model_type: 1, byte_fallback: false, space_as_suffix: false, unknown_surface }
    }
}

impl Trainer {
    fn read(&mut self, spec: &[u8]) -> core::result::Result<(), Flaw> {
        let mut fields = Fields(spec);
        while let Some((number, value)) = fields.next()? {
            match (number, value) {
                (3, Value::Varint(value)) => self.model_type = value,
                (24, Value::Varint(value)) => self.space_as_suffix = value != 0,
                (35, Value::Varint(value)) => self.byte_fallback = value != 0,
                (44, Value::Bytes(text)) => {
                    core::str::from_utf8(text).map_err(|_| NOT_UTF8)?.clone_into(&mut self.unknown_surface);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Denormalizer {
    rules: Normalizer,
    used: bool,
}

/// Whether the spec has rules.
fn read_normalizer(spec: &[u8], normalizer: &mut Normalizer) -> core::result::Result<bool, Flaw> {
    let mut has_rules = false;
    let mut fields = Fields(spec);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (2, Value::Bytes(charsmap)) => {
                normalizer.set_rules(charsmap)?;
                has_rules = !charsmap.is_empty();
            }
            (3, Value::Varint(value)) => normalizer.dummy_prefix = value != 0,
            (4, Value::Varint(value)) => normalizer.remove_extra_spaces = value != 0,
            (5, Value::Varint(value)) => normalizer.escape_spaces = value != 0,
            _ => {}
        }
    }
    Ok(has_rules)
}

fn read_piece(message: &[u8], pieces: &mut Pieces) -> core::result::Result<(), Flaw> {
    let mut text: &[u8] = &[];
    let mut score = 0.0;
    let mut kind = 1;
    let mut fields = Fields(message);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes)) => text = bytes,
            (2, Value::Fixed32(bits)) => score = f32::from_bits(bits),
            (3, Value::Varint(value)) => kind = value,
            _ => {}
        }
    }
    let text = core::str::from_utf8(text).map_err(|_| NOT_UTF8)?;
    if text.is_empty() || text.contains('\0') || text.len() > MAX_PIECE_BYTES {
        return Err("a piece is empty, too long or contains NUL");
    }
    let kind = match kind {
        1 => Kind::Normal,
        2 => Kind::Unknown,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        5 => Kind::Unused,
        6 => Kind::Byte(byte_of(text).ok_or("a byte piece is not spelled <0x00> to <0xFF>")?),
        _ => return Err("a piece is of an unknown type"),
    };
    pieces.add(text, score, kind);
    Ok(())
}

/// The byte of a piece spelled `<0x0A>`.
fn byte_of(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("<0x")?.strip_suffix('>')?.as_bytes();
    let &[high, low] = digits else { return None };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    };
    Some(digit(high)? << 4 | digit(low)?)
}

/// The fields of one message that are still to be read.
pub(super) struct Fields<'a>(&'a [u8]);

enum Value<'a> {
    Varint(u64),
    Fixed32(u32),
    Bytes(&'a [u8]),
    Fixed64,
}

impl<'a> Fields<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next field's number and value; none at the end.
    fn next(&mut self) -> core::result::Result<Option<(u64, Value<'a>)>, Flaw> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => {
                self.take(8)?;
                Value::Fixed64
            }
            2 => Value::Bytes(self.block()?),
            5 => Value::Fixed32(self.fixed32()?),
            _ => return Err("they are not a valid protocol buffer"),
        };
        match key >> 3 {
            0 => Err("they are not a valid protocol buffer"),
            number => Ok(Some((number, value))),
        }
    }

    /// Bytes behind their length.
    pub(super) fn block(&mut self) -> core::result::Result<&'a [u8], Flaw> {
        let len = self.length()?;
        self.take(len)
    }

    /// All that is still to be read.
    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(super) fn length(&mut self) -> core::result::Result<usize, Flaw> {
        usize::try_from(self.varint()?).map_err(|_| CUT_OFF)
    }

    pub(super) fn fixed32(&mut self) -> core::result::Result<u32, Flaw> {
        Ok(self.take(4)?.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte)))
    }

    fn take(&mut self, len: usize) -> core::result::Result<&'a [u8], Flaw> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(CUT_OFF)?;
        self.0 = tail;
        Ok(head)
    }

    fn varint(&mut self) -> core::result::Result<u64, Flaw> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(CUT_OFF)?;
            self.0 = rest;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("they are not a valid protocol buffer")
    }
}
