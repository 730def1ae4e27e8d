//! Every way a call can fail: one enum whose codes are part of the public API.
//!
//! In JavaScript each becomes an `Error` with `name === "GommeError"`, the stable `code` below, and a
//! message that says what was asked, what is possible and what to do.

use core::fmt;

/// A failure, by its stable code. The text inside is the whole message for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// `navigator.gpu` is missing and the GPU was demanded.
    NoWebgpu(String),
    /// The browser gave no adapter, or the adapter no device.
    NoAdapter(String),
    /// The device was lost during a call; the next call makes a new one, unless the page lent it.
    DeviceLost(String),
    /// A buffer would exceed the device's limits, or `N·D` a u32.
    LimitExceeded(String),
    /// `gradOut.length !== N·D`, or `table.length !== V·D`.
    ShapeMismatch(String),
    /// Table and tokenizer differ in size or fingerprint.
    VocabMismatch(String),
    /// An argument that no call of this kind can take.
    InvalidArgument(String),
    /// The bytes are not a SentencePiece model that this crate reads.
    InvalidModel(String),
    /// The browser refused what a call made on the GPU, or something failed that never should; the call has no result.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    /// The variant after this one: a new variant does not compile until it has its place in the chain.
    fn next(error: &Error) -> Option<Error> {
        let text = String::new();
        Some(match error {
            Error::NoWebgpu(_) => Error::NoAdapter(text),
            Error::NoAdapter(_) => Error::DeviceLost(text),
            Error::DeviceLost(_) => Error::LimitExceeded(text),
            Error::LimitExceeded(_) => Error::ShapeMismatch(text),
            Error::ShapeMismatch(_) => Error::VocabMismatch(text),
            Error::VocabMismatch(_) => Error::InvalidArgument(text),
            Error::InvalidArgument(_) => Error::InvalidModel(text),
            Error::InvalidModel(_) => Error::GpuError(text),
            Error::GpuError(_) => Error::NotInitialized(text),
            Error::NotInitialized(_) => return None,
        })
    }

    fn codes() -> BTreeSet<&'static str> {
        core::iter::successors(Some(Error::NoWebgpu(String::new())), next).map(|error| error.code()).collect()
    }

    /// The first word in quotes of a text, if it begins with one.
    fn quoted(text: &str) -> Option<&str> {
        text.trim_start().strip_prefix('"')?.split('"').next()
    }

    #[test]
    fn the_types_declare_these_codes() {
        let union = include_str!("api.d.ts").split("type ErrorCode =").nth(1).and_then(|rest| rest.split(';').next());
        let declared: BTreeSet<&str> =
            union.into_iter().flat_map(|union| union.split('|')).filter_map(quoted).collect();
        assert_eq!(declared, codes());
    }

    #[test]
    fn the_readme_explains_these_codes() {
        let table = include_str!("js/README.md").split("## Errors").nth(1).and_then(|rest| rest.split("\n## ").next());
        let rows = table.into_iter().flat_map(str::lines).filter(|line| line.starts_with("| `"));
        let names = rows.filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2));
        assert_eq!(names.collect::<BTreeSet<_>>(), codes());
    }

    #[test]
    fn the_scripts_throw_no_other_codes() {
        let mut thrown = 0;
        for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/js")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "js") {
                continue;
            }
            let script = fs::read_to_string(&path).unwrap().replace("function gommeError(", "");
            for call in script.split("gommeError(").skip(1) {
                let code = quoted(call);
                assert!(code.is_some_and(|code| codes().contains(code)), "{code:?} in {}", path.display());
                thrown += 1;
            }
        }
        assert!(thrown >= 8, "only {thrown} calls of gommeError were found");
    }
}
