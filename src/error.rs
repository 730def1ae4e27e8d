//! Every way a call can fail: one enum whose codes are part of the public API.
//!
//! In JavaScript each becomes an `Error` with `name === "GommeError"`, the stable `code` below, and a
//! message that says what was asked, what is possible and what to do.

use core::fmt;

/// A failure, by its stable code. The text inside is the whole message for the person who called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// `navigator.gpu` is missing and the GPU was demanded.
    NoWebgpu(String),
    /// The browser gave no adapter, or the adapter no device.
    NoAdapter(String),
    /// The device was lost during a call; the next call makes a new one.
    DeviceLost(String),
    /// A buffer would pass the device's limits, or `N·D` a u32.
    LimitExceeded(String),
    /// `gradOut.length !== N·D`, or `table.length !== V·D`.
    ShapeMismatch(String),
    /// Table and tokenizer have another size or fingerprint.
    VocabMismatch(String),
    /// An argument that no call of this kind can take.
    InvalidArgument(String),
    /// The SentencePiece bytes are no model this crate reads.
    InvalidModel(String),
    /// The browser refused what a call made on the GPU, or something failed that should not; the call has no result.
    GpuError(String),
    /// A call before `init()` was awaited.
    NotInitialized(String),
}

impl Error {
    /// The stable code, as JavaScript sees it in `error.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoWebgpu(_) => "no-webgpu",
            Self::NoAdapter(_) => "no-adapter",
            Self::DeviceLost(_) => "device-lost",
            Self::LimitExceeded(_) => "limit-exceeded",
            Self::ShapeMismatch(_) => "shape-mismatch",
            Self::VocabMismatch(_) => "vocab-mismatch",
            Self::InvalidArgument(_) => "invalid-argument",
            Self::InvalidModel(_) => "invalid-model",
            Self::GpuError(_) => "gpu-error",
            Self::NotInitialized(_) => "not-initialized",
        }
    }

    /// The message alone, without the code.
    pub fn message(&self) -> &str {
        match self {
            Self::NoWebgpu(text)
            | Self::NoAdapter(text)
            | Self::DeviceLost(text)
            | Self::LimitExceeded(text)
            | Self::ShapeMismatch(text)
            | Self::VocabMismatch(text)
            | Self::InvalidArgument(text)
            | Self::InvalidModel(text)
            | Self::GpuError(text)
            | Self::NotInitialized(text) => text,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code(), self.message())
    }
}

impl core::error::Error for Error {}

/// What every fallible function of this crate returns.
pub type Result<T> = core::result::Result<T, Error>;
