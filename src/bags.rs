//! Bags: runs of positions whose rows are added up.

use crate::abi::Bag;
use crate::error::{Error, Result};

/// The bags that begin at `offsets`, of `seq_len` positions: each ends where the next begins, the last one at the end.
///
/// # Errors
/// `invalid-argument` unless the offsets ascend from 0 and none is past the end.
pub fn bags(offsets: &[u32], seq_len: usize, sum: bool) -> Result<Vec<Bag>> {
    let wrong = |what: String| Err(Error::InvalidArgument(format!("{what} Offsets ascend from 0 to at most N.")));
    let Some(&first) = offsets.first() else {
        return if seq_len == 0 { Ok(Vec::new()) } else { wrong("There are tokens, but no offset.".to_owned()) };
    };
    if first != 0 {
        return wrong(format!("The first offset is {first}, so the tokens before it are in no bag."));
    }
    if let Some(pair) = offsets.windows(2).find(|pair| pair[0] > pair[1]) {
        return wrong(format!("Offset {} comes after {}.", pair[1], pair[0]));
    }
    let end = seq_len as u32;
    if let Some(last) = offsets.last().filter(|&&last| last > end) {
        return wrong(format!("Offset {last} is past the end of {seq_len} tokens."));
    }
    let ends = offsets.iter().skip(1).copied().chain([end]);
    let scale = |count: u32| if sum { 1.0 } else { (1.0 / f64::from(count.max(1))) as f32 };
    Ok(offsets.iter().zip(ends).map(|(&first, last)| Bag { first, last, scale: scale(last - first) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_cover_all_positions() {
        let found = bags(&[0, 2, 2, 5], 9, false).unwrap();
        let wanted = [(0, 2, 0.5), (2, 2, 1.0), (2, 5, 1.0 / 3.0), (5, 9, 0.25)];
        assert_eq!(found, wanted.map(|(first, last, scale)| Bag { first, last, scale }));
        assert!(bags(&[0, 3], 9, true).unwrap().iter().all(|bag| bag.scale == 1.0));
        assert_eq!(bags(&[], 0, false).unwrap(), []);
        assert_eq!(bags(&[0], 0, false).unwrap(), [Bag { first: 0, last: 0, scale: 1.0 }]);
    }

    #[test]
    fn offsets_that_are_none() {
        for (offsets, seq_len) in [(&[][..], 1), (&[1], 2), (&[0, 3, 2], 5), (&[0, 6], 5)] {
            assert_eq!(bags(offsets, seq_len, true).unwrap_err().code(), "invalid-argument");
        }
    }
}
