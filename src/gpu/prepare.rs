//! Kernels that are made before a call needs them, while nobody waits for the device: a call must not wait for a compiler, and neither
//! must the table that goes up at start-up or the first lookup.

use core::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::abi::KernelAbi;
use crate::browser::futures::{pause, spawn_guarded, thrown};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines;

/// Milliseconds for which nobody may have waited for the device before it makes a kernel.
const IDLE_MILLISECONDS: i32 = 50;

/// Whether anybody waits for a device, and what it makes when nobody does.
#[derive(Debug, Default)]
pub struct Idle {
    /// Uploads of tables and calls that bring something home: under way, and begun so far.
    waiting: Rc<Cell<u32>>,
    begun: Cell<u32>,
    /// Kernels to be made, each for rows of so many columns; the last comes first.
    wanted: RefCell<Vec<(&'static KernelAbi, u32)>>,
    running: Cell<bool>,
}

/// Counts one who waits for a device, until it is dropped.
#[derive(Debug)]
pub struct Waiting(Rc<Cell<u32>>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl Idle {
    /// Says that somebody waits.
    pub fn mark_waiting(&self) -> Waiting {
        self.begun.set(self.begun.get().wrapping_add(1));
        self.waiting.set(self.waiting.get() + 1);
        Waiting(Rc::clone(&self.waiting))
    }
}

impl Gpu {
    /// Has these kernels made one by one while nobody waits. A call that comes earlier makes its own, and what is refused here is
    /// refused there again, and told.
    pub fn prepare(self: &Rc<Self>, kernels: impl IntoIterator<Item = &'static KernelAbi>, d_model: u32) {
        let idle = self.idle();
        idle.wanted.borrow_mut().extend(kernels.into_iter().map(|abi| (abi, d_model)));
        if idle.running.replace(true) {
            return;
        }
        let stop = |gpu: &Weak<Self>| {
            if let Some(gpu) = gpu.upgrade() {
                gpu.idle().running.set(false);
                gpu.idle().wanted.take();
            }
        };
        let (gpu, failed) = (Rc::downgrade(self), Rc::downgrade(self));
        let work = async move {
            prepare_all(&gpu).await;
            stop(&gpu);
            Ok(JsValue::UNDEFINED)
        };
        spawn_guarded(Box::pin(work), Box::new(move |_| stop(&failed)));
    }

    async fn prepare_one(&self, abi: &'static KernelAbi, d_model: u32) {
        if self.kernels().find(abi, d_model).is_some() {
            return;
        }
        let scope = self.open();
        let made = JsFuture::from(pipelines::prepare(self.handle(), abi, d_model));
        let verdict = scope.close();
        if let (Ok(object), Ok(()), false) = (made.await, verdict.wait().await, self.is_suspect()) {
            self.kernels().keep(abi, d_model, object);
        }
    }
}

/// Until all are made, or the device is gone or has refused something.
async fn prepare_all(gpu: &Weak<Gpu>) {
    // What is thrown runs no destructor, so whoever waited then seems to wait for ever.
    let seen = thrown();
    loop {
        let begun = gpu.upgrade().map(|gpu| gpu.idle().begun.get());
        pause(IDLE_MILLISECONDS).await;
        let Some(gpu) = gpu.upgrade() else { return };
        if gpu.is_lost() || gpu.is_suspect() || thrown() != seen {
            return;
        }
        let idle = gpu.idle();
        if idle.waiting.get() > 0 || begun != Some(idle.begun.get()) {
            continue;
        }
        let next = idle.wanted.borrow_mut().pop();
        let Some((abi, d_model)) = next else { return };
        gpu.prepare_one(abi, d_model).await;
    }
}
