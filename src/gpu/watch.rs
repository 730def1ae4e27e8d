//! What the browser tells of a device without being asked.

use core::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::browser::futures::Event;
use crate::browser::webgpu;
use crate::gpu::scope::words;

/// A device's loss, and refusals that no scope saw.
#[derive(Debug)]
pub struct Watch {
    pub loss: Rc<Event>,
    /// Refusals that no scope saw, so far.
    pub uncaptured: Rc<Cell<u32>>,
    handle: webgpu::Device,
    listener: Closure<dyn Fn()>,
}

const UNCAPTURED: &str = "uncapturederror";

impl Watch {
    /// Listens to a device from now on.
    pub fn new(handle: &webgpu::Device) -> Self {
        let (loss, uncaptured) = (Rc::new(Event::default()), Rc::new(Cell::new(0)));
        let (lost, told) = (handle.lost(), Rc::clone(&loss));
        wasm_bindgen_futures::spawn_local(async move {
            let info = JsFuture::from(lost).await.unwrap_or(JsValue::UNDEFINED);
            told.set(words(&info));
        });
        let seen = Rc::clone(&uncaptured);
        let listener = Closure::wrap(Box::new(move || seen.set(seen.get() + 1)) as Box<dyn Fn()>);
        // Without it, refusals of results that stay on the GPU are not noticed before they are read.
        drop(handle.add_event_listener(UNCAPTURED, listener.as_ref().unchecked_ref()));
        Self { loss, uncaptured, handle: handle.clone(), listener }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.handle.remove_event_listener(UNCAPTURED, self.listener.as_ref().unchecked_ref()));
    }
}
