//! The rows of an embedding table, wherever they come from: the bundled int8 vectors, a seed, or the caller.
//!
//! Kept in the form they came in (6 MB instead of 25 for the bundled ones), because a lost device wants them again.

use crate::error::{Error, Result};
use crate::normal::normal;
use crate::shape::Shape;

/// Where the values of a table come from.
#[derive(Debug)]
enum Source {
    /// int8 rows with one scale each: a unit vector is `q · (scale / 127)`.
    Quantized { values: Vec<i8>, scales: Vec<f32> },
    /// normal(0, 0.02), made anew from the seed whenever a row is wanted.
    Seeded(u64),
    /// V·D values as given.
    Given(Vec<f32>),
}

/// V rows of D values.
#[derive(Debug)]
pub struct Table {
    shape: Shape,
    source: Source,
    fingerprint: Option<String>,
}

/// D of the bundled vectors.
pub const TURKISH_D_MODEL: u32 = 384;
/// V of the bundled vectors.
pub const TURKISH_VOCAB_SIZE: u32 = 16_384;
/// Fingerprint of the vocabulary that the bundled vectors were made for (a test compares it with the model's).
pub const TURKISH_FINGERPRINT: &str = "d462e8c92730075ea21a48bc21bc3df243e84b9dc016dc6285873268554303f0";

impl Table {
    /// The bundled table, from its two files: V·D int8 and V little-endian f32.
    ///
    /// # Errors
    /// `shape-mismatch` unless both have the length of 16,384 rows of 384.
    pub fn turkish(vectors: Vec<u8>, scales: &[u8]) -> Result<Self> {
        let (rows, width) = (TURKISH_VOCAB_SIZE as usize, TURKISH_D_MODEL as usize);
        if vectors.len() != rows * width || scales.len() != rows * 4 {
            return Err(Error::ShapeMismatch(format!(
                "The bundled vectors must have {} bytes and their scales {}, but these have {} and {}. \
                 The files in data/ are cut off or of another version: build or download them again.",
                rows * width,
                rows * 4,
                vectors.len(),
                scales.len()
            )));
        }
        let values = vectors.into_iter().map(|byte| byte as i8).collect(); // in place
        let scales = scales.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]) / 127.0).collect();
        Ok(Self {
            shape: Shape { vocab_size: TURKISH_VOCAB_SIZE, d_model: TURKISH_D_MODEL },
            source: Source::Quantized { values, scales },
            fingerprint: Some(TURKISH_FINGERPRINT.to_owned()),
        })
    }

    /// A table of normal(0, 0.02): element k of the table (row-major) is the normal quantile (Wichura's AS 241, PPND16) of
    /// output k of SplitMix64 started at `seed`, as a uniform in (0, 1).
    pub fn seeded(shape: Shape, seed: u64, fingerprint: Option<String>) -> Self {
        Self { shape, source: Source::Seeded(seed), fingerprint }
    }

    /// The caller's own values, V·D of them, row-major.
    ///
    /// # Errors
    /// `shape-mismatch` for another number of values.
    pub fn given(shape: Shape, values: Vec<f32>, fingerprint: Option<String>) -> Result<Self> {
        let wanted = shape.cells();
        if values.len() as u64 != wanted {
            return Err(Error::ShapeMismatch(format!(
                "A table of {} rows of {} has {wanted} values, but `table` has {}. Give V·D values, row after row.",
                shape.vocab_size,
                shape.d_model,
                values.len()
            )));
        }
        Ok(Self { shape, source: Source::Given(values), fingerprint })
    }

    /// V and D.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The fingerprint of the vocabulary that the rows were made for, if it is known.
    pub fn fingerprint(&self) -> Option<&str> {
        self.fingerprint.as_deref()
    }

    /// Values from element `first` on (row-major), as many as `out` takes. The caller stays inside V·D.
    pub fn read(&self, first: usize, out: &mut [f32]) {
        match &self.source {
            Source::Quantized { values, scales } => {
                // Row by row: a division for each value would take longer than all else.
                let width = self.shape.width();
                let (mut k, mut out) = (first, out);
                while !out.is_empty() {
                    let (row, end) = out.split_at_mut((width - k % width).min(out.len()));
                    let scale = scales[k / width];
                    for (value, &quantized) in row.iter_mut().zip(&values[k..]) {
                        *value = f32::from(quantized) * scale;
                    }
                    k += row.len();
                    out = end;
                }
            }
            Source::Seeded(seed) => {
                for (k, value) in (first as u64..).zip(out) {
                    *value = normal(*seed, k) * 0.02;
                }
            }
            Source::Given(values) => out.copy_from_slice(&values[first..first + out.len()]),
        }
    }

    /// The whole table, V·D values.
    pub fn to_vec(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.shape.cells() as usize];
        self.read(0, &mut values);
        values
    }

    /// The rows nearest to row `id` by cosine, the row itself first, and their cosines; of all rows, or of those in
    /// `among`. A row of zeros is near to nothing (cosine 0).
    ///
    /// # Errors
    /// `invalid-argument` for an id outside the vocabulary.
    pub fn nearest(&self, id: u32, count: usize, among: Option<&[u32]>) -> Result<Vec<(u32, f32)>> {
        let width = self.shape.width();
        let outside = |row: u32| {
            Error::InvalidArgument(format!(
                "Row {row} is outside this table of {} rows. Give ids below that.",
                self.shape.vocab_size
            ))
        };
        if id >= self.shape.vocab_size {
            return Err(outside(id));
        }
        if let Some(&row) = among.into_iter().flatten().find(|&&row| row >= self.shape.vocab_size) {
            return Err(outside(row));
        }
        let mut target = vec![0.0; width];
        self.read(id as usize * width, &mut target);
        let mut row = vec![0.0; width];
        let mut cosine = |r: u32| {
            self.read(r as usize * width, &mut row);
            let (mut dot, mut a, mut b) = (0.0f32, 0.0f32, 0.0f32);
            for (&x, &y) in target.iter().zip(&row) {
                dot += x * y;
                a += x * x;
                b += y * y;
            }
            let norm = (a * b).sqrt();
            if norm > 0.0 { dot / norm } else { 0.0 }
        };
        let found: Vec<(u32, f32)> = match among {
            Some(rows) => rows.iter().map(|&r| (r, cosine(r))).collect(),
            None => (0..self.shape.vocab_size).map(|r| (r, cosine(r))).collect(),
        };
        // The row itself first, even among equals; then by cosine, and equal cosines by id. Only the `count` nearest are
        // ever in order: a few of very many are wanted.
        let nearer = |a: &(u32, f32), b: &(u32, f32)| {
            (b.0 == id).cmp(&(a.0 == id)).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)).is_lt()
        };
        let mut nearest: Vec<(u32, f32)> = Vec::new();
        for row in found {
            if nearest.len() == count && nearest.last().is_none_or(|last| !nearer(&row, last)) {
                continue;
            }
            let place = nearest.partition_point(|other| nearer(other, &row));
            nearest.insert(place, row);
            nearest.truncate(count);
        }
        Ok(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_normal_values_again() {
        let values = Table::seeded(Shape::new(500, 40), 7, None).to_vec();
        let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len() as f64;
        let deviation = (values.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
        assert!(mean.abs() < 0.001 && (deviation - 0.02).abs() < 0.0005, "{mean} {deviation}");
        let mut middle = vec![0.0; 33];
        Table::seeded(Shape::new(500, 40), 7, None).read(1_235, &mut middle);
        assert_eq!(middle, values[1_235..1_268]);
        assert_ne!(Table::seeded(Shape::new(500, 40), 8, None).to_vec(), values);
    }

    #[test]
    fn the_bundled_vectors_belong_to_the_bundled_vocabulary() {
        let model = include_bytes!("../data/turkish-16k.model");
        let tokenizer = crate::tokenizer::Tokenizer::from_model(model).unwrap();
        assert_eq!(tokenizer.fingerprint(), TURKISH_FINGERPRINT);
        assert_eq!(tokenizer.vocab_size(), TURKISH_VOCAB_SIZE);
        let vectors = include_bytes!("../data/turkish-16k-384.i8").to_vec();
        let table = Table::turkish(vectors, include_bytes!("../data/turkish-16k-384.scale.f32")).unwrap();
        let id = |word: &str| tokenizer.encode(word).ids[0];
        let cosine = |a: &str, b: &str| table.nearest(id(a), 2, Some(&[id(a), id(b)])).unwrap()[1].1;
        for (a, b, wanted) in [
            ("kedi", "köpek", 0.915),
            ("kedi", "kamyon", 0.227),
            ("İstanbul", "Ankara", 0.926),
            ("kırmızı", "mavi", 0.907),
            ("anne", "baba", 0.630),
        ] {
            assert!((cosine(a, b) - wanted).abs() < 0.0006, "{a} {b} {}", cosine(a, b));
        }
        let mut kedi = vec![0.0; 384];
        table.read(id("kedi") as usize * 384, &mut kedi);
        let norm: f32 = kedi.iter().map(|v| v * v).sum::<f32>().sqrt();
        assert!((norm - 1.0).abs() < 0.002, "{norm}");
    }

    #[test]
    fn shapes_are_checked() {
        assert_eq!(Table::given(Shape::new(2, 3), vec![0.0; 5], None).unwrap_err().code(), "shape-mismatch");
        assert_eq!(Table::turkish(vec![0; 10], &[0; 4]).unwrap_err().code(), "shape-mismatch");
        let table = Table::given(Shape::new(2, 2), vec![1.0, 0.0, 3.0, 4.0], None).unwrap();
        assert_eq!(table.nearest(2, 1, None).unwrap_err().code(), "invalid-argument");
        let near = table.nearest(0, 5, None).unwrap();
        assert_eq!(near[0], (0, 1.0));
        assert!((near[1].1 - 0.6).abs() < 1e-6);
    }
}
