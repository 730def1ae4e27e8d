//! Whether the browser accepted what a call made and submitted.
//!
//! WebGPU reports a refusal beside the call, not by it: the buffers then hold what was there before. So everything that a
//! call makes, encodes, submits and maps stands between the opening and the closing of a scope, in one turn, and its
//! result is believed only when the scope has nothing to say. Pushed and popped on the browser's own object: wgpu's
//! scopes trap on a `GPUInternalError`.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::browser::webgpu::Device;
use crate::browser::{compute, reflect};
use crate::error::{Error, Result};

/// An open scope. Nothing may be awaited while it is open: scopes are one stack for the whole device.
#[derive(Debug)]
#[must_use]
pub struct Scope(bool);

impl Scope {
    /// Opens a scope.
    pub fn open(device: &Device) -> Self {
        compute::push_scopes(device);
        Self(true)
    }

    /// Closes it. The answer comes no later than the work that was submitted inside.
    pub fn close(mut self) -> Verdict {
        self.0 = false;
        Verdict(JsFuture::from(compute::pop_scopes()))
    }
}

impl Drop for Scope {
    /// Left open by a call that ends early: its errors are its own affair no longer.
    fn drop(&mut self) {
        if self.0 {
            drop(compute::pop_scopes());
        }
    }
}

/// What a closed scope has to say.
#[derive(Debug)]
#[must_use]
pub struct Verdict(JsFuture);

impl Verdict {
    /// The verdict, once the browser gives it.
    ///
    /// # Errors
    /// `gpu-error`; `limit-exceeded` for want of memory.
    pub async fn wait(self) -> Result<()> {
        let answer = self.0.await.unwrap_or_else(|error| error);
        match Some(answer).filter(JsValue::is_object) {
            Some(error) if is_out_of_memory(&error) => Err(Error::LimitExceeded(format!(
                "The device has no memory for this call: {}. Split the call into smaller batches, or free what is no longer \
                 needed.",
                words(&error)
            ))),
            Some(error) => Err(refused(&error)),
            None => Ok(()),
        }
    }
}

/// By the name of its class: an object of another window is of no class of this one.
fn is_out_of_memory(error: &JsValue) -> bool {
    reflect::get(&reflect::get(error, "constructor"), "name")
        .as_string()
        .is_some_and(|name| name == "GPUOutOfMemoryError")
}

/// `gpu-error`, for what the browser says.
pub fn refused(error: &JsValue) -> Error {
    Error::GpuError(format!(
        "The browser refused this call's work on the GPU, so it has no result: {}. {ADVICE}",
        words(error)
    ))
}

/// A call's result for JavaScript, whatever it failed by: an error of ours, or what was thrown.
///
/// # Errors
/// A `GommeError`.
pub fn outcome(done: core::result::Result<Result<JsValue>, JsValue>) -> core::result::Result<JsValue, JsValue> {
    done.unwrap_or_else(|thrown| Err(refused(&thrown))).map_err(JsValue::from)
}

const ADVICE: &str = "Call again; if it stays so, update the browser or the graphics driver, or use backend \"cpu\".";

/// The error of a call that was given a `GPUBuffer`: the likeliest cause, which no script can see beforehand, comes first.
pub fn with_given_buffer(error: Error) -> Error {
    match error {
        Error::GpuError(text) => {
            let said = text.strip_suffix(ADVICE).unwrap_or(&text);
            Error::GpuError(format!(
                "{said} A GPUBuffer that is passed must be of this embedding's device (embedding.device), and not destroyed."
            ))
        }
        other => other,
    }
}

/// The browser's own words, without the full stop.
pub fn words(error: &JsValue) -> String {
    let text = reflect::get(error, "message").as_string().or_else(|| error.as_string()).unwrap_or_default();
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() { "it gives no reason".to_owned() } else { text.to_owned() }
}
