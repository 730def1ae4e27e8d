//! The vocabulary: spelling, score and kind of every piece, and a byte trie over those that text can be cut into.
//!
//! A trie and not a hash table: unigram search needs every piece that starts at a place, BPE needs "these two
//! neighbours joined", which is a walk onward from the left one, and no crafted vocabulary can make it slow.

use crate::sort::sort_by;

/// U+2581, which stands for a space.
pub(super) const SPACE: &str = "\u{2581}";
/// No piece, or no trie node.
pub(super) const NONE: u32 = u32::MAX;
/// The trie node of the empty string.
pub(super) const ROOT: u32 = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte(u8),
}

impl Kind {
    /// Whether text can be cut into pieces of this kind; the others only come about in other ways.
    pub(super) fn in_text(self) -> bool {
        matches!(self, Self::Normal | Self::UserDefined | Self::Unused)
    }
}

#[derive(Debug, Default)]
pub(super) struct Pieces {
    spelling: String,
    ends: Vec<u32>,
    scores: Vec<f32>,
    kinds: Vec<Kind>,
    trie: Trie,
    pub(super) any_user_defined: bool,
    pub(super) any_unused: bool,
}

/// Nodes in breadth-first order, so that the children of a node are neighbours, in the order of their bytes.
#[derive(Debug, Default)]
struct Trie {
    nodes: Vec<Node>,
    branches: Vec<Branch>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    piece: u32,
    first_child: u32,
    children: Children,
}

/// Most nodes have one child, and need no more than a comparison.
#[derive(Debug, Clone, Copy)]
enum Children {
    None,
    One(u8),
    /// With an index into `branches`.
    Many(u32),
}

/// A set of bytes that tells how many of them come before one.
#[derive(Debug, Clone, Copy, Default)]
struct Branch {
    bits: [u64; 4],
    before: [u8; 4],
}

impl Pieces {
    pub(super) fn add(&mut self, text: &str, score: f32, kind: Kind) {
        self.spelling.push_str(text);
        self.ends.push(self.spelling.len() as u32);
        self.scores.push(score);
        self.kinds.push(kind);
        self.any_user_defined |= kind == Kind::UserDefined;
        self.any_unused |= kind == Kind::Unused;
    }

    pub(super) fn count(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn text(&self, id: u32) -> Option<&str> {
        let id = id as usize;
        let end = *self.ends.get(id)? as usize;
        let start = match id.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.spelling.get(start..end)
    }

    /// `Unknown` for an id out of range.
    pub(super) fn kind(&self, id: u32) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(Kind::Unknown)
    }

    pub(super) fn score(&self, id: u32) -> f32 {
        self.scores.get(id as usize).copied().unwrap_or(0.0)
    }

    /// Builds the trie, once all pieces are in. Gives back a piece that is there twice, if one is.
    pub(super) fn index(&mut self) -> Option<u32> {
        let mut ids: Vec<u32> = (0..self.count()).filter(|id| self.kind(*id).in_text()).collect();
        sort_by(&mut ids, &|a, b| self.text(a).cmp(&self.text(b)).then(a.cmp(&b)));
        let sorted: Vec<(&str, u32)> = ids.into_iter().filter_map(|id| Some((self.text(id)?, id))).collect();
        if let Some(twins) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Some(twins[1].1);
        }
        self.trie = Trie::new(&sorted);
        None
    }

    /// One byte onward in the trie, or `NONE`.
    #[inline]
    pub(super) fn step(&self, node: u32, byte: u8) -> u32 {
        let Some(node) = self.trie.nodes.get(node as usize) else { return NONE };
        match node.children {
            Children::None => NONE,
            Children::One(label) => {
                if label == byte {
                    node.first_child
                } else {
                    NONE
                }
            }
            Children::Many(branch) => {
                let rank = self.trie.branches.get(branch as usize).and_then(|branch| branch.rank(byte));
                rank.map_or(NONE, |rank| node.first_child + rank)
            }
        }
    }

    /// Several bytes onward, or `NONE`.
    #[inline]
    pub(super) fn walk(&self, mut node: u32, bytes: &[u8]) -> u32 {
        for &byte in bytes {
            node = self.step(node, byte);
            if node == NONE {
                break;
            }
        }
        node
    }

    /// The piece that is spelled by the way to this node, or `NONE`.
    #[inline]
    pub(super) fn at(&self, node: u32) -> u32 {
        self.trie.nodes.get(node as usize).map_or(NONE, |node| node.piece)
    }

    /// Length of the longest user-defined symbol that `bytes` starts with; 0 for none.
    pub(super) fn user_defined_prefix(&self, bytes: &[u8]) -> usize {
        let mut longest = 0;
        let mut node = ROOT;
        for (index, &byte) in bytes.iter().enumerate() {
            node = self.step(node, byte);
            if node == NONE {
                break;
            }
            let id = self.at(node);
            if id != NONE && self.kind(id) == Kind::UserDefined {
                longest = index + 1;
            }
        }
        longest
    }

    /// The pieces that text can be cut into.
    pub(super) fn in_text(&self) -> impl Iterator<Item = &str> {
        (0..self.count()).filter(|id| self.kind(*id).in_text()).filter_map(|id| self.text(id))
    }
}

impl Trie {
    /// `sorted`: different texts, none empty, in the order of their bytes, each with its id.
    fn new(sorted: &[(&str, u32)]) -> Self {
        let mut trie = Self::default();
        // What lies under each node: a range of `sorted`, and the number of bytes they share.
        let mut under = vec![(0, sorted.len(), 0)];
        let mut node = 0;
        while let Some(&(mut from, to, depth)) = under.get(node) {
            let byte_at = |index: usize| sorted.get(index).and_then(|(text, _)| text.as_bytes().get(depth)).copied();
            let mut piece = NONE;
            if from < to && byte_at(from).is_none() {
                piece = sorted.get(from).map_or(NONE, |(_, id)| *id);
                from += 1;
            }
            let first_child = under.len() as u32;
            let mut children = Children::None;
            let mut branch = Branch::default();
            while let Some(byte) = byte_at(from).filter(|_| from < to) {
                let start = from;
                while from < to && byte_at(from) == Some(byte) {
                    from += 1;
                }
                under.push((start, from, depth + 1));
                branch.insert(byte);
                children = match children {
                    Children::None => Children::One(byte),
                    _ => Children::Many(trie.branches.len() as u32),
                };
            }
            if let Children::Many(_) = children {
                branch.count();
                trie.branches.push(branch);
            }
            trie.nodes.push(Node { piece, first_child, children });
            node += 1;
        }
        trie
    }
}

impl Branch {
    fn insert(&mut self, byte: u8) {
        self.bits[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn count(&mut self) {
        let mut sum = 0;
        for (before, bits) in self.before.iter_mut().zip(self.bits) {
            *before = sum;
            // 256 only after the last word, where it is not used.
            sum = sum.wrapping_add(bits.count_ones() as u8);
        }
    }

    #[inline]
    fn rank(&self, byte: u8) -> Option<u32> {
        let word = usize::from(byte >> 6);
        let bits = self.bits[word];
        let bit = 1 << (byte & 63);
        (bits & bit != 0).then(|| u32::from(self.before[word]) + (bits & (bit - 1)).count_ones())
    }
}

/// Length in bytes of the UTF-8 character with this first byte; 1 for a byte that starts none.
#[inline]
pub(super) fn char_len(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}
