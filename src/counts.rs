//! What a gradient kernel counted, and what that says about each used row.

use crate::abi::{ROW_COUNT_WORDS, ROW_SKIP_WORDS};
use crate::group::Groups;

/// The words that a kernel, or its twin, counted into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counts {
    /// For each of the U rows, the elements skipped: (zero, non-finite).
    Skips(Vec<u32>),
    /// For each of U + 1 rows, (hits, zero, non-finite, retries); the last row is for the tokens outside the vocabulary.
    Rows(Vec<u32>),
}

/// What is known of a gradient beside its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// U ids, ascending.
    pub rows: Vec<u32>,
    /// U: positions of each row.
    pub hits: Vec<u32>,
    /// U: additions, at most `hits`·D.
    pub adds: Vec<u32>,
    /// U: failed exchanges, where they were counted.
    pub retries: Option<Vec<u32>>,
    /// Positions whose token is outside the vocabulary.
    pub outside: u32,
    /// Elements skipped because they are ±0.
    pub zero: u64,
    /// Elements skipped because they are NaN or ±Inf.
    pub non_finite: u64,
}

impl Tally {
    /// From what the host grouped and what the kernel counted, for rows of `d_model` values. If the kernel counted positions,
    /// its count is what the caller sees, who can check it against the ids.
    pub fn new(groups: Groups, counts: &Counts, d_model: u32) -> Self {
        let (hits, retries, outside, skips): (Vec<u32>, _, _, Vec<(u32, u32)>) = match counts {
            Counts::Skips(words) => (
                groups.hits,
                None,
                groups.outside,
                words.chunks_exact(ROW_SKIP_WORDS).map(|row| (row[0], row[1])).collect(),
            ),
            Counts::Rows(words) => {
                let (rows, last) = words.split_at(words.len().saturating_sub(ROW_COUNT_WORDS));
                let column = |index: usize| rows.chunks_exact(ROW_COUNT_WORDS).map(move |row| row[index]);
                let outside = last.first().copied().unwrap_or(0);
                (column(0).collect(), Some(column(3).collect()), outside, column(1).zip(column(2)).collect())
            }
        };
        let adds = hits
            .iter()
            .zip(&skips)
            .map(|(&hits, &(zero, non_finite))| (hits * d_model).saturating_sub(zero + non_finite));
        Self {
            rows: groups.rows,
            adds: adds.collect(),
            retries,
            outside,
            zero: skips.iter().map(|&(zero, _)| u64::from(zero)).sum(),
            non_finite: skips.iter().map(|&(_, non_finite)| u64::from(non_finite)).sum(),
            hits,
        }
    }
}

/// What kernels without counters skip, counted on the host: (zero, non-finite) for each of the U rows.
pub fn count_skips(groups: &Groups, grad_out: &[f32], d_model: usize) -> Counts {
    let mut skips = Vec::with_capacity(groups.rows.len() * ROW_SKIP_WORDS);
    let mut order = groups.order.iter();
    for &hits in &groups.hits {
        let (mut zero, mut non_finite) = (0, 0);
        for &s in order.by_ref().take(hits as usize) {
            for value in &grad_out[s as usize * d_model..(s as usize + 1) * d_model] {
                zero += u32::from(*value == 0.0);
                non_finite += u32::from(!value.is_finite());
            }
        }
        skips.extend([zero, non_finite]);
    }
    Counts::Skips(skips)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::Grouper;

    #[test]
    fn both_kinds_of_counts_give_the_same_tally() {
        let groups = Grouper::new(4).group(&[2, 0, 2, 9]);
        let skips = Tally::new(groups.clone(), &Counts::Skips(vec![1, 0, 2, 3]), 8);
        assert_eq!((skips.rows.as_slice(), skips.hits.as_slice()), ([0, 2].as_slice(), [1, 2].as_slice()));
        assert_eq!(skips.adds, [7, 11]);
        assert_eq!((skips.outside, skips.zero, skips.non_finite), (1, 3, 3));
        let rows = Tally::new(groups, &Counts::Rows(vec![1, 1, 0, 5, 2, 2, 3, 6, 1, 0, 0, 0]), 8);
        assert_eq!(rows, Tally { retries: Some(vec![5, 6]), ..skips });
    }

    #[test]
    fn no_tokens_give_no_counts() {
        let groups = Grouper::new(4).group(&[]);
        let tally = Tally::new(groups.clone(), &Counts::Rows(vec![0; ROW_COUNT_WORDS]), 8);
        assert_eq!(tally.retries, Some(vec![]));
        assert_eq!(Tally::new(groups, &Counts::Skips(vec![]), 8), Tally { retries: None, ..tally });
    }

    #[test]
    fn the_host_counts_what_is_skipped() {
        let groups = Grouper::new(4).group(&[1, 9, 1]);
        let counts = count_skips(&groups, &[0.0, f32::NAN, f32::INFINITY, 0.0, -0.0, 1.0], 2);
        assert_eq!(counts, Counts::Skips(vec![2, 1]));
    }
}
