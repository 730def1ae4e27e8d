//! What every class has in common: a shell around an `Rc`. `free()` empties the shell, calls under way keep the rest alive until
//! they are done, and whoever uses an empty shell gets `invalid-argument` (instead of wasm-bindgen's null pointer).

use core::any::Any;
use core::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Error, Result};

/// What an object of a class holds until it is freed.
pub struct Shell<T> {
    core: RefCell<Option<Rc<T>>>,
    class: &'static str,
}

thread_local! {
    /// On its way from `Shell::lend` to `lent`, within one call of JavaScript.
    static LENT: RefCell<Option<Result<Rc<dyn Any>>>> = const { RefCell::new(None) };
}

impl<T: 'static> Shell<T> {
    pub fn new(core: Rc<T>, class: &'static str) -> Self {
        Self { core: RefCell::new(Some(core)), class }
    }

    /// What it holds.
    ///
    /// # Errors
    /// `invalid-argument` after `free`.
    pub fn get(&self) -> Result<Rc<T>> {
        self.core.borrow().clone().ok_or_else(|| {
            Error::InvalidArgument(format!(
                "This {} was freed. Make a new one, or free it after its last use.",
                self.class
            ))
        })
    }

    /// Forgets what it holds.
    pub fn empty(&self) {
        // Not dropped while it is borrowed: what a browser throws then would leave it so.
        drop(self.core.take());
    }

    /// Has what it holds ready for [`lent`].
    pub fn lend(&self) {
        let core = self.get().map(|core| core as Rc<dyn Any>);
        LENT.with(|lent| lent.replace(Some(core)));
    }
}

#[wasm_bindgen(module = "/src/js/arguments.js")]
extern "C" {
    #[wasm_bindgen(js_name = lend)]
    fn ask_to_lend(object: &JsValue);
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn warn(message: &str);
}

thread_local! {
    static WARNED: Cell<bool> = const { Cell::new(false) };
}

/// Says once that an object was collected that still held a buffer on the device.
pub fn warn_undisposed<T>(shell: &Shell<T>) {
    if shell.core.borrow().is_some() && !WARNED.replace(true) {
        warn(&format!(
            "gomme: a {} was collected without dispose(). Its GPU memory is released now, but a browser collects when it \
             likes: call dispose() when it is no longer needed.",
            shell.class
        ));
    }
}

/// What a JavaScript object of one of our classes holds; none where `object` is something else. It is asked to lend it:
/// wasm-bindgen itself takes the object over, or throws an error without a code.
///
/// # Errors
/// `invalid-argument` after its `free`.
pub fn lent<T: 'static>(object: &JsValue) -> Result<Option<Rc<T>>> {
    LENT.with(|lent| lent.replace(None));
    ask_to_lend(object);
    match LENT.with(|lent| lent.replace(None)) {
        Some(core) => Ok(core?.downcast().ok()),
        None => Ok(None),
    }
}

/// The getters that `Embedding` and `Lab` share. wasm-bindgen knows no inheritance.
macro_rules! shape_and_device_getters {
    ($class:ident, $rust:ty) => {
        #[wasm_bindgen(js_class = $class)]
        impl $rust {
            #[wasm_bindgen(getter, js_name = vocabSize)]
            pub fn vocab_size(&self) -> Result<u32> {
                Ok(self.0.get()?.shape().vocab_size)
            }

            #[wasm_bindgen(getter, js_name = dModel)]
            pub fn d_model(&self) -> Result<u32> {
                Ok(self.0.get()?.shape().d_model)
            }

            #[wasm_bindgen(getter)]
            pub fn backend(&self) -> Result<String> {
                let on_gpu = self.0.get()?.device_now().is_some();
                Ok(if on_gpu { "gpu" } else { "cpu" }.to_owned())
            }

            #[wasm_bindgen(getter)]
            pub fn adapter(&self) -> Result<JsValue> {
                Ok($crate::js::embedding::adapter_facts(&*self.0.get()?))
            }

            #[wasm_bindgen(getter, js_name = fallbackReason)]
            pub fn fallback_reason(&self) -> Result<JsValue> {
                Ok(self.0.get()?.fallback_reason().map_or(JsValue::UNDEFINED, JsValue::from))
            }

            /// Takes the place of wasm-bindgen's own `free`, which would leave a null pointer behind.
            pub fn free(&self) {
                self.0.empty();
            }
        }
    };
}
pub(super) use shape_and_device_getters;

/// The methods of the classes that hold buffers on the device. `free` is wasm-bindgen's own: package.js has more to do in it.
macro_rules! dispose_methods {
    ($class:ident, $rust:ty) => {
        #[wasm_bindgen(js_class = $class)]
        impl $rust {
            pub fn dispose(&self) {
                self.0.empty();
            }

            #[wasm_bindgen(js_name = __lend)]
            pub fn lend(&self) {
                self.0.lend();
            }
        }
    };
}
pub(super) use dispose_methods;
