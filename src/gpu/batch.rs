//! Calls begun together, with no `await` between them, go to the device together: a submission costs the browser several times what
//! the kernels of a short call take.
//!
//! They are recorded into one pass, which a microtask submits. Until then no buffer that it uses is leased to another call or
//! destroyed, and everything else that is submitted here submits the pass first.

use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::Poll;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use crate::browser::compute;
use crate::browser::futures::Guarded;
use crate::gpu::buffers::{Lease, Pool, SECTION_ALIGNMENT};
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Dispatch;
use crate::gpu::resident::{TOKENS, TOKENS_USAGE};
use crate::gpu::scope::{outcome, refused};

/// A batch with this many dispatches, or elements, is submitted at once: the device starts earlier, and fewer buffers are held.
const MAX_DISPATCHES: usize = 64;
const MAX_ELEMENTS: u64 = 1 << 28;
/// The first buffer of ids in a batch has room for one call's, since most batches are of one call; the next ones for those of so many
/// calls, up to so many bytes.
const CALLS_A_STAGE: u64 = 8;
const MAX_STAGE: u64 = 1 << 20;

/// What is to be done if a batch can't be submitted.
pub type Undo = Box<dyn FnOnce()>;

/// The open batch. `compute.js` has its other half, the pass: both are there from [`join`] to [`over`], or neither.
#[derive(Default)]
struct Recorded {
    pool: Rc<Pool>,
    /// Of the embeddings that take part: several may have been lent one device.
    refusals: Vec<Rc<Cell<u32>>>,
    dispatches: usize,
    elements: u64,
    undo: Vec<Undo>,
    stage: Option<Stage>,
}

/// A buffer for token ids of several calls, which are written together: a write costs a browser much the same whatever its length.
/// In bytes.
#[derive(Clone)]
struct Stage {
    lease: Rc<Lease>,
    used: u64,
    room: u64,
}

thread_local! {
    static RECORDED: RefCell<Option<Recorded>> = const { RefCell::new(None) };
    static OVER: Closure<dyn Fn(JsValue) -> JsValue> = Closure::wrap(Box::new(over));
}

/// Joins the open batch on this device, or opens one, before anything of a call is made: from here on no buffer that comes back is
/// leased again until the batch is submitted.
pub fn join(gpu: &Gpu) {
    OVER.with(|over| compute::join(gpu.handle(), gpu.js_queue(), over.as_ref()));
    // Nothing is borrowed while the browser is called: what it throws would leave it so.
    RECORDED.with_borrow_mut(|recorded| {
        let recorded = recorded.get_or_insert_with(|| {
            gpu.pool().hold();
            Recorded { pool: Rc::clone(gpu.pool()), ..Recorded::default() }
        });
        let refusals = gpu.refusal_count();
        if !recorded.refusals.iter().any(|known| Rc::ptr_eq(known, &refusals)) {
            recorded.refusals.push(refusals);
        }
    });
}

/// Records the dispatches of a call over so many elements, all of them or, should the browser throw, none.
pub fn record(dispatches: &[Dispatch], elements: u64, undo: Option<Undo>) {
    RECORDED.with_borrow_mut(|recorded| {
        if let Some(recorded) = recorded {
            recorded.undo.extend(undo);
        }
    });
    compute::mark_whole(false);
    dispatches.iter().for_each(Dispatch::record);
    compute::mark_whole(true);
    let is_full = RECORDED.with_borrow_mut(|recorded| {
        let Some(recorded) = recorded else { return false };
        recorded.dispatches += dispatches.len();
        recorded.elements = recorded.elements.saturating_add(elements);
        recorded.dispatches >= MAX_DISPATCHES || recorded.elements >= MAX_ELEMENTS
    });
    if is_full {
        flush();
    }
}

/// A place for token ids in a buffer that is written when the batch is submitted, and its offset in bytes; none where no batch is open.
pub fn stage_ids(gpu: &Gpu, ids: &[u32]) -> Option<(Rc<Lease>, u64)> {
    let before = RECORDED.with_borrow(|recorded| recorded.as_ref().map(|recorded| recorded.stage.clone()))?;
    let bytes = (ids.len() as u64 * 4).next_multiple_of(SECTION_ALIGNMENT as u64);
    let is_first = before.is_none();
    let stage = before.filter(|stage| stage.used + bytes <= stage.room);
    // Nothing is borrowed while a buffer is made.
    let Stage { lease, used, room } = stage.unwrap_or_else(|| {
        let room = if is_first { bytes } else { (bytes * CALLS_A_STAGE).min(MAX_STAGE).max(bytes) };
        Stage { lease: Rc::new(gpu.lease(TOKENS, room, TOKENS_USAGE)), used: 0, room }
    });
    compute::stage(lease.handle(), used as f64, ids);
    RECORDED.with_borrow_mut(|recorded| {
        if let Some(recorded) = recorded {
            recorded.stage = Some(Stage { lease: Rc::clone(&lease), used: used + bytes, room });
        }
    });
    Some((lease, used))
}

/// Submits what is recorded, should anything be.
pub fn flush() {
    compute::flush();
}

/// After a submission, or after what the browser threw instead; gives the error of the calls that were recorded.
fn over(thrown: JsValue) -> JsValue {
    let Some(recorded) = RECORDED.take() else { return JsValue::UNDEFINED };
    if !thrown.is_undefined() {
        // What was to be written holds what was there before.
        recorded.refusals.iter().for_each(|refusals| refusals.set(refusals.get() + 1));
        recorded.undo.into_iter().for_each(|undo| undo());
    }
    recorded.pool.release();
    if thrown.is_undefined() { thrown } else { refused(&thrown).into() }
}

/// Does what can be done of a call without waiting; its promise follows the submission of what it records.
pub fn begin(mut work: Guarded) -> Promise {
    drop(compute::take_joined());
    let begun = work.begin().map(outcome);
    let joined = compute::take_joined();
    match begun {
        Poll::Ready(Ok(value)) => compute::after_submission(&joined, &value),
        Poll::Ready(Err(error)) => Promise::reject(&error),
        Poll::Pending => future_to_promise(rest(work, joined)),
    }
}

/// What is left of such a call.
async fn rest(mut work: Guarded, mut joined: JsValue) -> core::result::Result<JsValue, JsValue> {
    let done = poll_fn(|context| {
        drop(compute::take_joined());
        let polled = Pin::new(&mut work).poll(context);
        let now = compute::take_joined();
        if !now.is_undefined() {
            joined = now;
        }
        polled
    });
    let value = outcome(done.await)?;
    JsFuture::from(compute::after_submission(&joined, &value)).await
}
