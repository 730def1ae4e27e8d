//! Text to token ids, pieces and spans, and back: a SentencePiece reader for BPE and unigram models.
//!
//! The road of a text: `normalizer` rewrites it and notes every place where it changed, `bpe` or `unigram` cuts the
//! result into pieces, and this file turns the cuts into ids with spans in the text as it was given. Ids are those
//! of the reference implementation. A tokenizer is immutable: what one call learns is gone when the call ends.

mod bpe;
mod context;
mod model;
mod normalizer;
mod pack;
mod pieces;
mod sha256;
mod unigram;

use crate::error::{Error, Result};
use model::Algorithm;
use normalizer::{Normalizer, Origins};
pub use pack::Unpacking;
use pieces::{Kind, NONE, Pieces, SPACE};

/// A SentencePiece vocabulary with its rules.
#[derive(Debug)]
pub struct Tokenizer {
    pieces: Pieces,
    algorithm: Algorithm,
    normalizer: Normalizer,
    denormalizer: Option<Normalizer>,
    /// Ids of the 256 byte pieces, when the model has them: unknown characters are spelled in bytes.
    byte_ids: Option<Vec<u32>>,
    unknown_id: u32,
    unknown_surface: String,
    fingerprint: String,
}

/// The tokens of one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoding {
    /// One id per token.
    pub ids: Vec<u32>,
    /// Two per token: start and end in UTF-16 units of the text as it was given.
    pub spans: Vec<u32>,
}

/// One cut of the normalised text: a piece (or `NONE`, unknown) and its length in bytes.
#[derive(Debug, Clone, Copy)]
struct Cut {
    id: u32,
    len: u32,
}

impl Tokenizer {
    /// Reads a SentencePiece `.model` of type BPE or unigram; `invalid-model` for anything else.
    pub fn from_model(bytes: &[u8]) -> Result<Self> {
        let model = model::read(bytes)?;
        let mut fingerprint = sha256::Sha256::new();
        for id in 0..model.pieces.count() {
            let piece = model.pieces.text(id).unwrap_or_default().as_bytes();
            fingerprint.update(&(piece.len() as u32).to_le_bytes());
            fingerprint.update(piece);
        }
        Ok(Self {
            pieces: model.pieces,
            algorithm: model.algorithm,
            normalizer: model.normalizer,
            denormalizer: model.denormalizer,
            byte_ids: model.byte_ids,
            unknown_id: model.unknown_id,
            unknown_surface: model.unknown_surface,
            fingerprint: fingerprint.hex(),
        })
    }

    /// Number of pieces: ids are `0..vocab_size`.
    pub fn vocab_size(&self) -> u32 {
        self.pieces.count()
    }

    /// SHA-256, lower-case hex, over the pieces in order, each as its UTF-8 bytes with their number (u32, little
    /// endian) before them.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// One piece as the model spells it, `▁` for a space; `invalid-argument` for an id `>= vocab_size`.
    pub fn piece(&self, id: u32) -> Result<&str> {
        self.pieces.text(id).ok_or_else(|| self.no_such_id(id))
    }

    /// The tokens of `text` (up to 2^32 - 1 UTF-16 units). Time grows as the length, for any text.
    ///
    /// A span holds the characters that its token was made of, without the space that `▁` stands for. A token that
    /// is only `▁` has an empty span at the start of the next character; byte pieces share the span of their
    /// character, and characters that normalisation merged share their union.
    pub fn encode(&self, text: &str) -> Encoding {
        let normalized = self.normalizer.run(text.as_bytes(), Some(&self.pieces));
        let cuts = match &self.algorithm {
            Algorithm::Bpe(bpe) => bpe.cut(&self.pieces, &normalized.bytes),
            Algorithm::Unigram(unigram) => unigram.cut(&self.pieces, &normalized.bytes),
        };
        let mut origins = Origins::new(&normalized);
        let mut out = Emitter::with_capacity(cuts.len());
        let mut at = 0;
        for cut in cuts {
            let end = at + cut.len as usize;
            let span = origins.span_until(end);
            if cut.id != NONE && cut.id != self.unknown_id {
                out.push(cut.id, span);
                out.after_unknown = false;
            } else if let Some(byte_ids) = &self.byte_ids {
                for byte in normalized.bytes.get(at..end).unwrap_or_default() {
                    let id = byte_ids.get(usize::from(*byte)).copied();
                    out.push(id.unwrap_or(self.unknown_id), span);
                }
            } else if out.after_unknown {
                out.extend_last(span);
            } else {
                out.push(self.unknown_id, span);
                out.after_unknown = true;
            }
            at = end;
        }
        out.finish(text)
    }

    /// The text of these ids, as SentencePiece puts it together: byte pieces become their characters (U+FFFD where
    /// they are no UTF-8), the space before the first word goes, control pieces are silent. `invalid-argument` for
    /// an id `>= vocab_size`.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        let mut text = String::new();
        let mut bytes = Vec::new();
        let mut strip_space = true;
        let mut stripped = false;
        for &id in ids {
            let piece = self.piece(id)?;
            let kind = self.pieces.kind(id);
            if let Kind::Byte(byte) = kind {
                bytes.push(byte);
                continue;
            }
            push_utf8(&mut text, &bytes);
            bytes.clear();
            if stripped || !text.is_empty() {
                strip_space = false;
            }
            stripped = false;
            match kind {
                Kind::Control => {}
                Kind::Unknown => text.push_str(&self.unknown_surface),
                _ => {
                    let mut rest = piece;
                    let normalizer = &self.normalizer;
                    if strip_space
                        && (normalizer.dummy_prefix || normalizer.remove_extra_spaces)
                        && let Some(after) = piece.strip_prefix(SPACE)
                    {
                        rest = after;
                        // Where extra spaces are removed, every leading space goes, not only the first.
                        stripped = !normalizer.remove_extra_spaces;
                    }
                    text.extend(rest.chars().map(|character| if character == '\u{2581}' { ' ' } else { character }));
                }
            }
        }
        push_utf8(&mut text, &bytes);
        if let Some(denormalizer) = &self.denormalizer {
            let bytes = denormalizer.run(text.as_bytes(), None).bytes;
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        Ok(text)
    }

    fn no_such_id(&self, id: u32) -> Error {
        let count = self.vocab_size();
        Error::InvalidArgument(format!(
            "There is no piece with id {id}: this tokenizer has {count} pieces, ids 0 to {}. Were the ids made with \
             another tokenizer?",
            count.saturating_sub(1)
        ))
    }
}

/// Collects ids and spans; a token without characters waits for the start of the next one that has some.
struct Emitter {
    out: Encoding,
    /// Tokens at the end of `out` whose span waits.
    waiting: usize,
    /// The last token is the unknown piece, and a neighbour that is unknown too joins it.
    after_unknown: bool,
}

impl Emitter {
    fn with_capacity(tokens: usize) -> Self {
        let out = Encoding { ids: Vec::with_capacity(tokens), spans: Vec::with_capacity(2 * tokens) };
        Self { out, waiting: 0, after_unknown: false }
    }

    fn push(&mut self, id: u32, span: Option<(u32, u32)>) {
        if let Some((start, _)) = span {
            self.settle(start);
        } else {
            self.waiting += 1;
        }
        let (start, end) = span.unwrap_or_default();
        self.out.ids.push(id);
        self.out.spans.extend([start, end]);
    }

    /// The last token takes in these characters too.
    fn extend_last(&mut self, span: Option<(u32, u32)>) {
        let Some((start, end)) = span else { return };
        self.settle(start);
        if let Some(last) = self.out.spans.last_mut() {
            *last = end;
        }
    }

    /// Gives every waiting token its empty span.
    fn settle(&mut self, unit: u32) {
        let spans = &mut self.out.spans;
        let from = spans.len() - 2 * self.waiting;
        if let Some(waiting) = spans.get_mut(from..) {
            waiting.fill(unit);
        }
        self.waiting = 0;
    }

    fn finish(mut self, text: &str) -> Encoding {
        if self.waiting > 0 {
            let units = normalizer::utf16_units(text.as_bytes());
            self.settle(units);
        }
        self.out
    }
}

/// Appends bytes, each byte that belongs to no well-formed character as one U+FFFD.
fn push_utf8(text: &mut String, mut bytes: &[u8]) {
    while let Some(&lead) = bytes.first() {
        let len = pieces::char_len(lead).min(bytes.len());
        let (head, tail) = bytes.split_at(len);
        if let Ok(character) = core::str::from_utf8(head) {
            text.push_str(character);
            bytes = tail;
        } else {
            text.push(char::REPLACEMENT_CHARACTER);
            bytes = bytes.get(1..).unwrap_or_default();
        }
    }
}
