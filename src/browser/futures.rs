//! The few asynchronous tools the crate needs: a value to wait for, an event that many wait for, a race, a pause, work shared
//! by all who ask, and a guard that turns whatever is thrown into a rejection.

use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::browser::compute;
use crate::error::Result;

/// A value that one side sets once and the other side waits for.
pub struct Signal<T>(Rc<RefCell<(Option<T>, Option<Waker>)>>);

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> core::fmt::Debug for Signal<T> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Signal")
    }
}

impl<T> Default for Signal<T> {
    fn default() -> Self {
        Self(Rc::new(RefCell::new((None, None))))
    }
}

impl<T> Signal<T> {
    /// Sets the value and wakes the waiting side.
    pub fn set(&self, value: T) {
        let waker = {
            let mut inner = self.0.borrow_mut();
            inner.0 = Some(value);
            inner.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The value, once it is set.
    pub async fn wait(&self) -> T {
        poll_fn(|context| {
            let mut inner = self.0.borrow_mut();
            match inner.0.take() {
                Some(value) => Poll::Ready(value),
                None => {
                    inner.1 = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

/// Something that happens at most once and that any number of calls wait for. A call that stops waiting leaves nothing
/// behind, so that memory stays level however many calls go by before it happens.
#[derive(Debug, Default)]
pub struct Event {
    what: RefCell<Option<String>>,
    waiting: RefCell<Vec<(u64, Waker)>>,
    tickets: Cell<u64>,
}

impl Event {
    /// It happened; the first account of it stands.
    pub fn set(&self, what: String) {
        self.what.borrow_mut().get_or_insert(what);
        for (_, waker) in self.waiting.take() {
            waker.wake();
        }
    }

    /// What happened, if it did.
    pub fn get(&self) -> Option<String> {
        self.what.borrow().clone()
    }

    /// Whether it happened.
    pub fn is_set(&self) -> bool {
        self.what.borrow().is_some()
    }

    /// Resolves when it happens.
    pub fn wait(&self) -> Waiting<'_> {
        let ticket = self.tickets.get();
        self.tickets.set(ticket + 1);
        Waiting { event: self, ticket }
    }

    /// Number of calls that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.borrow().len()
    }
}

/// Waiting for an [`Event`]; dropped, it no longer waits.
#[derive(Debug)]
pub struct Waiting<'a> {
    event: &'a Event,
    ticket: u64,
}

impl Future for Waiting<'_> {
    type Output = String;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<String> {
        if let Some(what) = self.event.get() {
            return Poll::Ready(what);
        }
        let mut waiting = self.event.waiting.borrow_mut();
        match waiting.iter_mut().find(|(ticket, _)| *ticket == self.ticket) {
            Some((_, waker)) => waker.clone_from(context.waker()),
            None => waiting.push((self.ticket, context.waker().clone())),
        }
        Poll::Pending
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.event.waiting.borrow_mut().retain(|(ticket, _)| *ticket != self.ticket);
    }
}

/// Whichever of two futures is ready first; `left` where both are.
pub enum Either<L, R> {
    Left(L),
    Right(R),
}

/// Waits for the first of two.
pub async fn race<L: Future, R: Future>(left: L, right: R) -> Either<L::Output, R::Output> {
    let mut left = pin!(left);
    let mut right = pin!(right);
    poll_fn(move |context| {
        if let Poll::Ready(value) = left.as_mut().poll(context) {
            return Poll::Ready(Either::Left(value));
        }
        right.as_mut().poll(context).map(Either::Right)
    })
    .await
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: i32) -> JsValue;

    /// Milliseconds since some moment.
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;
}

/// A pause of at least this long, in which the page goes on.
pub async fn pause(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        set_timeout(&resolve, milliseconds);
    });
    drop(JsFuture::from(promise).await);
}

/// The next turn of the event loop: shorter than any [`pause`], of which browsers make 4 ms after a few.
pub async fn turn() {
    drop(JsFuture::from(compute::turn()).await);
}

/// Waits for both.
pub async fn both<L: Future, R: Future>(left: L, right: R) -> (L::Output, R::Output) {
    let (mut left, mut right) = (pin!(left), pin!(right));
    let (mut first, mut second) = (None, None);
    poll_fn(move |context| {
        if first.is_none()
            && let Poll::Ready(value) = left.as_mut().poll(context)
        {
            first = Some(value);
        }
        if second.is_none()
            && let Poll::Ready(value) = right.as_mut().poll(context)
        {
            second = Some(value);
        }
        match (first.take(), second.take()) {
            (Some(first), Some(second)) => Poll::Ready((first, second)),
            (one, other) => {
                (first, second) = (one, other);
                Poll::Pending
            }
        }
    })
    .await
}

/// Something made once and shared: those who ask while it is being made wait for the same one. A failure is told to
/// all of them and forgotten, so that the next one tries again.
pub struct Shared<T, E> {
    state: RefCell<State<T, E>>,
}

enum State<T, E> {
    Empty,
    Making(Vec<Signal<core::result::Result<T, E>>>),
    Made(T),
}

impl<T, E> Default for Shared<T, E> {
    fn default() -> Self {
        Self { state: RefCell::new(State::Empty) }
    }
}

impl<T, E> core::fmt::Debug for Shared<T, E> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Shared")
    }
}

impl<T: Clone + 'static, E: Clone + 'static> Shared<T, E> {
    /// The shared value: the one there is if it is still `good`, else the result of `make`. It is made on its own: those who
    /// ask may be given up, and whatever it throws becomes a failure, told as `thrown` says.
    ///
    /// # Errors
    /// What `make` fails with.
    pub async fn get<F: Future<Output = core::result::Result<T, E>> + 'static>(
        self: Rc<Self>,
        good: impl Fn(&T) -> bool,
        make: impl FnOnce() -> F,
        thrown: fn(&JsValue) -> E,
    ) -> core::result::Result<T, E> {
        let signal = Signal::default();
        let making = match &mut *self.state.borrow_mut() {
            State::Made(value) if good(value) => return Ok(value.clone()),
            State::Making(waiting) => {
                waiting.push(signal.clone());
                None
            }
            state => {
                *state = State::Making(vec![signal.clone()]);
                Some(make())
            }
        };
        if let Some(making) = making {
            let (shared, failed) = (Rc::clone(&self), self);
            let work = async move {
                shared.finish(making.await);
                Ok(JsValue::UNDEFINED)
            };
            spawn_guarded(Box::pin(work), Box::new(move |error| failed.finish(Err(thrown(error)))));
        }
        signal.wait().await
    }

    fn finish(&self, result: core::result::Result<T, E>) {
        let next = match &result {
            Ok(value) => State::Made(value.clone()),
            Err(_) => State::Empty,
        };
        if let State::Making(waiting) = self.state.replace(next) {
            for signal in waiting {
                signal.set(result.clone());
            }
        }
    }
}

/// The work of a call.
pub type Work = Pin<Box<dyn Future<Output = Result<JsValue>>>>;

/// One poll on its way through JavaScript and back.
enum Turn {
    Due(Work, Waker),
    Done(Work, Poll<Result<JsValue>>),
}

thread_local! {
    static THROWN: Cell<u32> = const { Cell::new(0) };
    static TURN: Cell<Option<Turn>> = const { Cell::new(None) };
    static POLL: Closure<dyn Fn()> = Closure::wrap(Box::new(|| {
        if let Some(Turn::Due(mut work, waker)) = TURN.take() {
            let polled = work.as_mut().poll(&mut Context::from_waker(&waker));
            TURN.set(Some(Turn::Done(work, polled)));
        }
    }));
}

/// How often something was thrown in the middle of a step. No destructor of that step ran: what it has changed for a while, it has
/// changed for good, so that whoever keeps such a state compares this number.
pub fn thrown() -> u32 {
    THROWN.get()
}

/// What came of some work, or what was thrown on the way: a browser's method may throw where it should not, and a trap of the
/// wasm is an exception too. Each poll goes through JavaScript, which catches it; otherwise whoever waits would wait forever.
#[must_use]
pub struct Guarded(Option<Work>);

/// Guards work; nothing of it is done yet.
pub fn guarded(work: Work) -> Guarded {
    Guarded(Some(work))
}

impl Guarded {
    /// Does what can be done without waiting.
    pub fn begin(&mut self) -> Poll<<Self as Future>::Output> {
        // Whoever waits for the rest polls again, and is woken then.
        Pin::new(self).poll(&mut Context::from_waker(Waker::noop()))
    }
}

impl Future for Guarded {
    type Output = core::result::Result<Result<JsValue>, JsValue>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(work) = self.0.take() else { return Poll::Ready(Err(JsValue::UNDEFINED)) };
        TURN.set(Some(Turn::Due(work, context.waker().clone())));
        // What was left in the middle of a step by what it threw can't be dropped, and is not.
        let thrown = POLL.with(|poll| poll.as_ref().unchecked_ref::<Function>().call0(&JsValue::UNDEFINED)).err();
        match (thrown, TURN.take()) {
            (None, Some(Turn::Done(_, Poll::Ready(result)))) => Poll::Ready(Ok(result)),
            (None, Some(Turn::Done(work, Poll::Pending))) => {
                self.0 = Some(work);
                Poll::Pending
            }
            (thrown, _) => {
                THROWN.set(THROWN.get().wrapping_add(1));
                compute::abandon();
                Poll::Ready(Err(thrown.unwrap_or_default()))
            }
        }
    }
}

/// Does something at once that the browser may throw in.
///
/// # Errors
/// What was thrown.
pub fn caught<T: 'static>(work: impl FnOnce() -> T + 'static) -> core::result::Result<T, JsValue> {
    let made = Rc::new(Cell::new(None));
    let place = Rc::clone(&made);
    let work = async move {
        place.set(Some(work()));
        Ok(JsValue::UNDEFINED)
    };
    match guarded(Box::pin(work)).begin() {
        Poll::Ready(Err(thrown)) => Err(thrown),
        _ => made.take().ok_or(JsValue::UNDEFINED),
    }
}

/// Runs work on its own; `failed` is told what was thrown.
pub fn spawn_guarded(work: Work, failed: Box<dyn FnOnce(&JsValue)>) {
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(error) = guarded(work).await {
            failed(&error);
        }
    });
}
