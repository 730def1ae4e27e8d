//! Byte-pair encoding: join the two neighbours whose joined piece scores highest, the leftmost first, until none
//! can be joined.
//!
//! The text is worked on in stretches. Where no piece of the vocabulary has this character followed by that one, no
//! join can reach across, so the text falls apart there: between words, before punctuation, between digits. Equal
//! stretches are cut once per call. Inside a stretch a heap keeps the work at n log n.

use std::collections::BinaryHeap;
use std::ops::Range;

use super::Cut;
use super::pieces::{Kind, NONE, Pieces, ROOT, char_len};

/// Most stretches that a call remembers.
const CACHE_SLOTS: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct Bpe {
    /// A bit for each hash of two characters that stand side by side inside some piece.
    inside: Vec<u64>,
}

/// Part of a stretch. Its text ends where the next symbol starts.
#[derive(Clone, Copy)]
struct Symbol {
    start: u32,
    prev: u32,
    next: u32,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// With the trie node of its text, or `NONE`.
    Live(u32),
    /// A user-defined symbol, never joined to others.
    Frozen(u32),
    /// Was joined to the symbol before it.
    Gone,
}

/// A possible join, ordered by score and then from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Join {
    /// Score above, complement of the left symbol's index below.
    order: u64,
    /// Length of the joined text: once a neighbour has grown, it no longer fits, and the join is void.
    len: u32,
    node: u32,
}

/// A stretch that was cut before: where it stands in the text, and its cuts among those made.
#[derive(Clone, Copy, Default)]
struct Slot {
    start: u32,
    len: u32,
    first_cut: u32,
    cuts: u32,
}

/// Buffers that one call uses again and again.
struct Work<'a> {
    pieces: &'a Pieces,
    symbols: Vec<Symbol>,
    joins: BinaryHeap<Join>,
    /// For unused pieces, by id: length of the left part they were last joined from.
    left_parts: Vec<u32>,
}

impl Bpe {
    pub(super) fn new(pieces: &Pieces) -> Self {
        let words = (pieces.count() as usize / 4).clamp(64, 1 << 16).next_power_of_two();
        let mut model = Self { inside: vec![0; words] };
        for piece in pieces.in_text() {
            let mut before = None;
            let mut rest = piece.as_bytes();
            while let Some((code, len)) = first_char(rest) {
                if let Some(before) = before {
                    let (word, bit) = model.place(before, code);
                    model.inside[word] |= bit;
                }
                before = Some(code);
                rest = rest.get(len..).unwrap_or_default();
            }
        }
        model
    }

    pub(super) fn cut(&self, pieces: &Pieces, text: &[u8]) -> Vec<Cut> {
        let mut cuts = Vec::with_capacity(text.len() / 4);
        let mut work = Work::new(pieces);
        if pieces.any_unused {
            // An unused piece comes apart the way it was last joined anywhere in the text, so stretches would tell.
            work.cut(text, &mut cuts);
            return cuts;
        }
        let mut cache = Cache::new(text.len());
        let mut start = 0;
        let mut at = 0;
        let mut before = 0;
        let mut hash = 0;
        loop {
            let next = first_char(text.get(at..).unwrap_or_default());
            let falls_apart = next.is_none_or(|(code, _)| {
                let (word, bit) = self.place(before, code);
                self.inside[word] & bit == 0
            });
            if falls_apart && at > start {
                let stretch = &text[start..at];
                match cache.find(hash, text, stretch) {
                    Some(known) => cuts.extend_from_within(known),
                    None => {
                        let first_cut = cuts.len();
                        work.cut(stretch, &mut cuts);
                        cache.keep(hash, start..at, first_cut..cuts.len());
                    }
                }
                start = at;
                hash = 0;
            }
            let Some((code, len)) = next else { break };
            hash = mix(hash, code);
            before = code;
            at += len;
        }
        cuts
    }

    /// Word and bit for two characters side by side.
    #[inline]
    fn place(&self, left: u32, right: u32) -> (usize, u64) {
        let hash = mix(mix(0, left), right);
        ((hash >> 32) as usize & (self.inside.len() - 1), 1 << (hash >> 58))
    }
}

/// Pairs of slots by hash: the stretch seen last, and the one before.
struct Cache(Vec<[Slot; 2]>);

impl Cache {
    fn new(text_len: usize) -> Self {
        Self(vec![Default::default(); (text_len / 16).clamp(1, CACHE_SLOTS / 2).next_power_of_two()])
    }

    /// The cuts of an equal stretch, as a range of those made.
    fn find(&self, hash: u64, text: &[u8], stretch: &[u8]) -> Option<Range<usize>> {
        self.0[self.place(hash)].iter().find_map(|slot| {
            let (start, len, first) = (slot.start as usize, slot.len as usize, slot.first_cut as usize);
            (len == stretch.len() && text[start..start + len] == *stretch).then(|| first..first + slot.cuts as usize)
        })
    }

    fn keep(&mut self, hash: u64, at: Range<usize>, cuts: Range<usize>) {
        let place = self.place(hash);
        let [newer, older] = &mut self.0[place];
        *older = *newer;
        *newer = Slot {
            start: at.start as u32,
            len: at.len() as u32,
            first_cut: cuts.start as u32,
            cuts: cuts.len() as u32,
        };
    }

    fn place(&self, hash: u64) -> usize {
        (hash >> 40) as usize & (self.0.len() - 1)
    }
}

impl<'a> Work<'a> {
    fn new(pieces: &'a Pieces) -> Self {
        let left_parts = if pieces.any_unused { vec![0; pieces.count() as usize] } else { Vec::new() };
        Self { pieces, symbols: Vec::new(), joins: BinaryHeap::new(), left_parts }
    }

    fn cut(&mut self, text: &[u8], cuts: &mut Vec<Cut>) {
        self.split(text);
        self.joins.reserve(self.symbols.len());
        for left in 1..self.symbols.len() as u32 {
            self.offer(text, left - 1);
        }
        while let Some(join) = self.joins.pop() {
            let left = !(join.order as u32);
            let Some(&symbol) = self.symbols.get(left as usize) else { continue };
            let Some(&right) = self.symbols.get(symbol.next as usize) else { continue };
            if symbol.state == State::Gone || self.end(text, right) - symbol.start as usize != join.len as usize {
                continue;
            }
            self.symbols[left as usize].state = State::Live(join.node);
            self.symbols[left as usize].next = right.next;
            self.symbols[symbol.next as usize].state = State::Gone;
            if let Some(after) = self.symbols.get_mut(right.next as usize) {
                after.prev = left;
            }
            self.offer(text, symbol.prev);
            self.offer(text, left);
        }
        let mut index = 0;
        while let Some(&symbol) = self.symbols.get(index as usize) {
            let len = self.end(text, symbol) as u32 - symbol.start;
            let id = match symbol.state {
                State::Live(node) | State::Frozen(node) => self.pieces.at(node),
                State::Gone => NONE,
            };
            if self.left_parts.is_empty() {
                cuts.push(Cut { id, len });
            } else {
                self.take_apart(text, symbol.start as usize, Cut { id, len }, cuts);
            }
            index = symbol.next;
        }
    }

    /// The characters of the text as symbols, user-defined ones whole.
    fn split(&mut self, text: &[u8]) {
        self.symbols.clear();
        // Growing step by step would take twice the memory for one long word.
        self.symbols.reserve(text.len());
        let mut at = 0;
        while let Some(&lead) = text.get(at) {
            let rest = &text[at..];
            let frozen = if self.pieces.any_user_defined { self.pieces.user_defined_prefix(rest) } else { 0 };
            let len = if frozen > 0 { frozen } else { char_len(lead).min(rest.len()) };
            let node = self.pieces.walk(ROOT, &rest[..len]);
            let state = if frozen > 0 { State::Frozen(node) } else { State::Live(node) };
            let index = self.symbols.len() as u32;
            self.symbols.push(Symbol { start: at as u32, prev: index.wrapping_sub(1), next: index + 1, state });
            at += len;
        }
        if let Some(last) = self.symbols.last_mut() {
            last.next = NONE;
        }
    }

    /// Puts the join of this symbol and the next on the heap, if the two make a piece.
    fn offer(&mut self, text: &[u8], left: u32) {
        let Some(&symbol) = self.symbols.get(left as usize) else { return };
        let Some(&right) = self.symbols.get(symbol.next as usize) else { return };
        let (State::Live(node), State::Live(_)) = (symbol.state, right.state) else { return };
        if node == NONE {
            return;
        }
        let end = self.end(text, right);
        let node = self.pieces.walk(node, &text[right.start as usize..end]);
        let id = self.pieces.at(node);
        if id == NONE {
            return;
        }
        let order = u64::from(ascending(self.pieces.score(id))) << 32 | u64::from(!left);
        self.joins.push(Join { order, len: end as u32 - symbol.start, node });
        if self.pieces.kind(id) == Kind::Unused
            && let Some(part) = self.left_parts.get_mut(id as usize)
        {
            *part = right.start - symbol.start;
        }
    }

    fn end(&self, text: &[u8], symbol: Symbol) -> usize {
        self.symbols.get(symbol.next as usize).map_or(text.len(), |next| next.start as usize)
    }

    /// Adds a cut; an unused piece as the parts that it was joined from, or unknown if it is a single character.
    fn take_apart(&self, text: &[u8], mut start: usize, cut: Cut, cuts: &mut Vec<Cut>) {
        let mut parts = vec![cut];
        while let Some(Cut { id, len }) = parts.pop() {
            let left = self.left_parts.get(id as usize).copied().unwrap_or(0);
            if self.pieces.kind(id) != Kind::Unused {
                cuts.push(Cut { id, len });
                start += len as usize;
            } else if left > 0 && left < len {
                let middle = start + left as usize;
                let part = |from: usize, to: usize| {
                    let id = self.pieces.at(self.pieces.walk(ROOT, &text[from..to]));
                    Cut { id, len: (to - from) as u32 }
                };
                parts.push(part(middle, start + len as usize));
                parts.push(part(start, middle));
            } else {
                cuts.push(Cut { id: NONE, len });
                start += len as usize;
            }
        }
    }
}

/// The first character as a number (its bytes), and its length.
#[inline]
fn first_char(bytes: &[u8]) -> Option<(u32, usize)> {
    let lead = *bytes.first()?;
    if lead < 0x80 {
        return Some((u32::from(lead), 1));
    }
    let len = char_len(lead).min(bytes.len());
    let code = bytes[..len].iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
    Some((code, len))
}

#[inline]
fn mix(hash: u64, code: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(code)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A number that is greater where the score is greater.
fn ascending(score: f32) -> u32 {
    // Adding zero makes -0 and 0 the same.
    let bits = (score + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}
