//! Unigram: of all ways to cut the text into pieces, the one with the highest sum of scores (Viterbi).
//!
//! The sums are rounded as the reference rounds them, since ties and near ties decide ids.

use super::Cut;
use super::pieces::{Kind, NONE, Pieces, ROOT, char_len};

/// How much worse than the worst piece an unknown character is.
const UNKNOWN_PENALTY: f32 = 10.0;

#[derive(Debug)]
pub(super) struct Unigram {
    lowest: f32,
    highest: f32,
}

/// The best way that ends at one byte of the text.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    /// Length of the last piece; 0 where nothing ends.
    len: u32,
    id: u32,
}

impl Unigram {
    pub(super) fn new(pieces: &Pieces) -> Self {
        let mut model = Self { lowest: f32::MAX, highest: f32::MIN_POSITIVE };
        for id in 0..pieces.count() {
            if pieces.kind(id) == Kind::Normal {
                model.lowest = model.lowest.min(pieces.score(id));
                model.highest = model.highest.max(pieces.score(id));
            }
        }
        model
    }

    pub(super) fn cut(&self, pieces: &Pieces, text: &[u8]) -> Vec<Cut> {
        let unknown_score = self.lowest - UNKNOWN_PENALTY;
        let mut best = vec![Best { score: 0.0, len: 0, id: NONE }; text.len() + 1];
        let mut start = 0;
        while let (Some(here), Some(&lead)) = (best.get(start).map(|best| best.score), text.get(start)) {
            let character = char_len(lead).min(text.len() - start);
            let mut has_character = false;
            let mut node = ROOT;
            for (index, &byte) in text[start..].iter().enumerate() {
                node = pieces.step(node, byte);
                if node == NONE {
                    break;
                }
                let id = pieces.at(node);
                if id == NONE {
                    continue;
                }
                let len = index + 1;
                let score = match pieces.kind(id) {
                    Kind::Unused => continue,
                    // So high that a user-defined symbol is always taken.
                    Kind::UserDefined => len as f32 * self.highest - 0.1,
                    _ => pieces.score(id),
                };
                offer(&mut best[start + len], score + here, len, id);
                has_character |= len == character;
            }
            if !has_character {
                offer(&mut best[start + character], unknown_score + here, character, NONE);
            }
            start += character;
        }

        let mut cuts = Vec::new();
        let mut end = text.len();
        while let Some(&Best { len, id, .. }) = best.get(end) {
            if len == 0 {
                break;
            }
            cuts.push(Cut { id, len });
            end = end.saturating_sub(len as usize);
        }
        cuts.reverse();
        cuts
    }
}

fn offer(best: &mut Best, score: f32, len: usize, id: u32) {
    if best.len == 0 || score > best.score {
        *best = Best { score, len: len as u32, id };
    }
}
