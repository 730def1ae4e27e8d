//! Rewrites text before it is cut (Unicode forms, quotes, spaces), and keeps the way back to the text as given.
//!
//! The way back is a short list of edits. Between two edits one character stands for one character of the same
//! length in UTF-16 units, and a `▁` for a space.

use super::pieces::{Pieces, SPACE, char_len};

/// The longest text, in bytes, that a rule may replace or put in its place. Far above any real rule (33); it keeps a
/// crafted model, whose trie may run in a circle, from filling memory and time.
const MAX_RULE: usize = 255;

/// The rules of a `NormalizerSpec`.
#[derive(Debug)]
pub(super) struct Normalizer {
    pub(super) dummy_prefix: bool,
    pub(super) remove_extra_spaces: bool,
    pub(super) escape_spaces: bool,
    /// The dummy space stands after the text, not before it.
    pub(super) space_as_suffix: bool,
    rules: Rules,
    /// By byte that a character starts with.
    starts: [Start; 256],
}

/// What can begin with a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing that is rewritten.
    Plain,
    /// Only rules that go on with a byte that is not ASCII: a letter before combining marks.
    PlainBeforeAscii,
    /// Anything.
    Look,
}

/// Character sequences and what replaces them: a double-array trie, as darts-clone lays it out, whose values are
/// places in a list of texts that end with a zero byte.
#[derive(Debug, Default)]
struct Rules {
    units: Vec<u32>,
    texts: Vec<u8>,
}

/// A text after normalisation.
#[derive(Debug, Default)]
pub(super) struct Normalized {
    pub(super) bytes: Vec<u8>,
    edits: Vec<Edit>,
}

/// `len` bytes at `at` stand for `units` UTF-16 units of the source, as one.
#[derive(Debug, Clone, Copy)]
struct Edit {
    at: usize,
    len: usize,
    units: u32,
    /// A `▁` in here was typed as such and is no space.
    literal: bool,
}

impl Default for Normalizer {
    fn default() -> Self {
        Self {
            dummy_prefix: true,
            remove_extra_spaces: true,
            escape_spaces: true,
            space_as_suffix: false,
            rules: Rules::default(),
            starts: [Start::Look; 256],
        }
    }
}

impl Normalizer {
    /// Takes in a precompiled charsmap: the trie's size in bytes, the trie, the texts. Says what is wrong with it.
    pub(super) fn set_rules(&mut self, charsmap: &[u8]) -> Result<(), &'static str> {
        self.rules = Rules::default();
        if charsmap.is_empty() {
            return Ok(());
        }
        let (size, rest) = charsmap.split_first_chunk::<4>().ok_or("its normalisation rules are cut off")?;
        let size = u32::from_le_bytes(*size) as usize;
        let (trie, texts) = rest.split_at_checked(size).ok_or("its normalisation rules are cut off")?;
        if texts.split(|byte| *byte == 0).any(|text| text.len() > MAX_RULE) {
            return Err("one of its normalisation rules is too long");
        }
        let unit = |bytes: &[u8]| bytes.iter().rev().fold(0, |unit, byte| unit << 8 | u32::from(*byte));
        self.rules = Rules { units: trie.chunks_exact(4).map(unit).collect(), texts: texts.to_vec() };
        Ok(())
    }

    /// Call once rules and pieces are known: finds out which characters can be copied without a look.
    pub(super) fn prepare(&mut self, symbols: Option<&Pieces>) {
        for byte in 0..=255u8 {
            let symbol = symbols.is_some_and(|pieces| pieces.any_user_defined && pieces.step(0, byte) != u32::MAX);
            let special = byte == b' ' || SPACE.as_bytes().first() == Some(&byte);
            let rules = &self.rules;
            let start = if (0x80..0xC0).contains(&byte) {
                Start::Plain
            } else if symbol || special {
                Start::Look
            } else {
                match rules.step(rules.root(), byte) {
                    None => Start::Plain,
                    Some((_, true)) => Start::Look,
                    Some((node, false))
                        if byte.is_ascii() && (0..0x80).all(|next| rules.step(node, next).is_none()) =>
                    {
                        Start::PlainBeforeAscii
                    }
                    Some(_) => Start::Look,
                }
            };
            self.starts[usize::from(byte)] = start;
        }
    }

    /// Normalises UTF-8 text; user-defined symbols among `symbols` are left as they are.
    pub(super) fn run(&self, text: &[u8], symbols: Option<&Pieces>) -> Normalized {
        let mut out = Normalized::default();
        let symbols = symbols.filter(|pieces| pieces.any_user_defined);
        let mut at = 0;
        if self.remove_extra_spaces {
            while at < text.len() {
                let (source, replaced) = self.prefix(&text[at..], symbols);
                if replaced.unwrap_or(source) != b" " {
                    break;
                }
                at += source.len();
            }
        }
        if at == text.len() {
            return out;
        }
        // Most text grows by the two bytes that ▁ is longer than a space.
        out.bytes.reserve(text.len() + text.len() / 4);
        out.edit(0, utf16_units(&text[..at]), false);
        if self.dummy_prefix && !self.space_as_suffix {
            self.add_dummy(&mut out);
        }

        let mut after_space = self.remove_extra_spaces;
        while at < text.len() {
            let plain = self.plain_run(&text[at..]);
            if plain > 0 {
                out.bytes.extend_from_slice(&text[at..at + plain]);
                after_space = false;
                at += plain;
                continue;
            }
            let (source, replaced) = self.prefix(&text[at..], symbols);
            let full = replaced.unwrap_or(source);
            let mut kept = full;
            while after_space && kept.first() == Some(&b' ') {
                kept = &kept[1..];
            }
            match replaced {
                None => {
                    out.edit(0, (full.len() - kept.len()) as u32, false);
                    self.copy(&mut out, kept);
                }
                Some(_) => self.replace(&mut out, kept, utf16_units(source)),
            }
            if let Some(last) = kept.last() {
                after_space = self.remove_extra_spaces && *last == b' ';
            }
            at += source.len();
        }

        if self.remove_extra_spaces {
            let space = if self.escape_spaces { SPACE } else { " " };
            while out.bytes.ends_with(space.as_bytes()) {
                out.bytes.truncate(out.bytes.len() - space.len());
            }
            out.drop_edits_past_end();
        }
        if self.dummy_prefix && self.space_as_suffix {
            self.add_dummy(&mut out);
        }
        out
    }

    /// Number of bytes to copy as they are.
    #[inline]
    fn plain_run(&self, text: &[u8]) -> usize {
        let mut len = 0;
        while let Some(&byte) = text.get(len) {
            match self.starts[usize::from(byte)] {
                Start::Plain => {}
                Start::PlainBeforeAscii if text.get(len + 1).is_none_or(u8::is_ascii) => {}
                _ => break,
            }
            len += 1;
        }
        len
    }

    /// What the text starts with, a user-defined symbol, a rule's key or a character, and the rule's replacement.
    /// `text` is not empty and starts a character.
    fn prefix<'a>(&'a self, text: &'a [u8], symbols: Option<&Pieces>) -> (&'a [u8], Option<&'a [u8]>) {
        let symbol = symbols.map_or(0, |pieces| pieces.user_defined_prefix(text));
        if symbol > 0 {
            return (&text[..symbol], None);
        }
        if let Some((len, replacement)) = self.rules.longest(text) {
            // A crafted key could end inside a character.
            if text.get(len).is_none_or(|next| next & 0xC0 != 0x80) {
                return (&text[..len], Some(replacement));
            }
        }
        (&text[..text.first().map_or(0, |lead| char_len(*lead)).min(text.len())], None)
    }

    fn add_dummy(&self, out: &mut Normalized) {
        let space = if self.escape_spaces { SPACE } else { " " };
        out.edit(space.len(), 0, false);
        out.bytes.extend_from_slice(space.as_bytes());
    }

    fn add(&self, out: &mut Normalized, text: &[u8]) {
        for &byte in text {
            if byte == b' ' && self.escape_spaces {
                out.bytes.extend_from_slice(SPACE.as_bytes());
            } else {
                out.bytes.push(byte);
            }
        }
    }

    /// Adds characters that stand for themselves.
    fn copy(&self, out: &mut Normalized, mut text: &[u8]) {
        while let Some(&lead) = text.first() {
            let (character, rest) = text.split_at(char_len(lead).min(text.len()));
            if character == SPACE.as_bytes() {
                out.edit(character.len(), 1, true);
            }
            self.add(out, character);
            text = rest;
        }
    }

    /// Adds characters that stand for `units` units of something else.
    fn replace(&self, out: &mut Normalized, text: &[u8], units: u32) {
        let single = text.first().is_some_and(|lead| char_len(*lead) == text.len());
        if single && utf16_units(text) == units {
            // One character for one of the same length, as without an edit.
            return self.add(out, text);
        }
        let at = out.bytes.len();
        self.add(out, text);
        let len = out.bytes.len() - at;
        out.edits.push(Edit { at, len, units, literal: false });
    }
}

impl Normalized {
    /// Notes that the next `len` bytes stand for `units` units.
    fn edit(&mut self, len: usize, units: u32, literal: bool) {
        if len > 0 || units > 0 {
            self.edits.push(Edit { at: self.bytes.len(), len, units, literal });
        }
    }

    fn drop_edits_past_end(&mut self) {
        let end = self.bytes.len();
        while self.edits.pop_if(|edit| edit.at >= end).is_some() {}
        if let Some(last) = self.edits.last_mut() {
            last.len = last.len.min(end - last.at);
        }
    }
}

impl Rules {
    fn root(&self) -> usize {
        self.units.first().map_or(0, |unit| offset(*unit))
    }

    /// The node one byte on, and whether a key ends there.
    #[inline]
    fn step(&self, node: usize, byte: u8) -> Option<(usize, bool)> {
        let place = node ^ usize::from(byte);
        let unit = *self.units.get(place)?;
        // The top bit marks a value, which is no node.
        (unit & 0x8000_00FF == u32::from(byte)).then(|| (place ^ offset(unit), unit & 0x100 != 0))
    }

    /// The longest key that `text` starts with, by its length, and its replacement.
    fn longest(&self, text: &[u8]) -> Option<(usize, &[u8])> {
        let mut found = None;
        let mut node = self.root();
        for (index, &byte) in text.iter().take(MAX_RULE).enumerate() {
            let Some((next, ends)) = self.step(node, byte) else { break };
            node = next;
            if ends && let Some(unit) = self.units.get(node) {
                found = Some((index + 1, (unit & 0x7FFF_FFFF) as usize));
            }
        }
        let (len, place) = found?;
        let texts = self.texts.get(place..).unwrap_or_default();
        let end = texts.iter().position(|byte| *byte == 0).unwrap_or(texts.len());
        Some((len, &texts[..end]))
    }
}

/// Distance from a unit of the double array to its children.
#[inline]
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}

/// Number of UTF-16 units of UTF-8 text.
pub(super) fn utf16_units(text: &[u8]) -> u32 {
    text.iter().map(|byte| u32::from(byte & 0xC0 != 0x80) + u32::from(*byte >= 0xF0)).sum()
}

/// Walks a normalised text from its start, character by character, with the place of each in the source.
pub(super) struct Origins<'a> {
    bytes: &'a [u8],
    edits: &'a [Edit],
    /// Next byte, and the source unit that it starts at.
    at: usize,
    unit: u32,
    /// The edit that `at` is in: its end, the end of what it stands for, and whether its `▁` is literal.
    inside: Option<(usize, u32, bool)>,
}

impl<'a> Origins<'a> {
    pub(super) fn new(text: &'a Normalized) -> Self {
        Self { bytes: &text.bytes, edits: &text.edits, at: 0, unit: 0, inside: None }
    }

    /// Walks on to byte `end`: the source span of the characters passed, spaces left out; none if all are spaces.
    pub(super) fn span_until(&mut self, end: usize) -> Option<(u32, u32)> {
        if self.inside.is_some() || self.edits.first().is_some_and(|edit| edit.at < end) {
            return self.edited_span_until(end);
        }
        let mut text = self.bytes.get(self.at..end).unwrap_or_default();
        self.at = end;
        while let Some(rest) = text.strip_prefix(SPACE.as_bytes()).or_else(|| text.strip_prefix(b" ")) {
            self.unit += 1;
            text = rest;
        }
        let start = self.unit;
        self.unit += utf16_units(text);
        let mut stop = self.unit;
        while let Some(rest) = text.strip_suffix(SPACE.as_bytes()).or_else(|| text.strip_suffix(b" ")) {
            stop -= 1;
            text = rest;
        }
        (!text.is_empty()).then_some((start, stop))
    }

    /// The same, character by character, where there are edits on the way.
    fn edited_span_until(&mut self, end: usize) -> Option<(u32, u32)> {
        let mut span = None;
        while self.at < end {
            let Some(&lead) = self.bytes.get(self.at) else { break };
            self.enter_edit();
            let len = char_len(lead).min(self.bytes.len() - self.at);
            let character = &self.bytes[self.at..self.at + len];
            self.at += len;
            let start = self.unit;
            let mut literal = false;
            let stop = match self.inside {
                Some((edit_end, stop, is_literal)) => {
                    literal = is_literal;
                    if self.at >= edit_end {
                        self.unit = stop;
                        self.inside = None;
                    }
                    stop
                }
                None => {
                    self.unit += if lead >= 0xF0 { 2 } else { 1 };
                    self.unit
                }
            };
            let space = character == b" " || (character == SPACE.as_bytes() && !literal);
            if !space {
                span = Some((span.map_or(start, |(first, _)| first), stop));
            }
        }
        span
    }

    fn enter_edit(&mut self) {
        while let Some((edit, rest)) = self.edits.split_first() {
            if self.inside.is_some() || edit.at > self.at {
                break;
            }
            self.edits = rest;
            if edit.len == 0 {
                self.unit += edit.units;
            } else {
                self.inside = Some((edit.at + edit.len, self.unit + edit.units, edit.literal));
            }
        }
    }
}
