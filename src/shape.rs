//! The shape of a table.

/// V rows of D values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// V.
    pub vocab_size: u32,
    /// D.
    pub d_model: u32,
}

impl Shape {
    /// `vocab_size` rows of `d_model` values.
    pub const fn new(vocab_size: u32, d_model: u32) -> Self {
        Self { vocab_size, d_model }
    }

    /// V·D.
    pub fn cells(self) -> u64 {
        u64::from(self.vocab_size) * u64::from(self.d_model)
    }

    /// D as the length of a slice.
    pub fn width(self) -> usize {
        self.d_model as usize
    }
}
