//! The few asynchronous tools the crate needs: a value to wait for, a race, a pause, and work shared by all who ask.

use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Poll, Waker};
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

/// A value that one side sets once and the other side waits for.
pub struct Signal<T>(Rc<RefCell<(Option<T>, Option<Waker>)>>);

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
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

/// Something made once and shared: those who ask while it is being made wait for the same one. A failure is told to
/// all of them and forgotten, so that the next one tries again.
pub struct Shared<T, E> {
    state: RefCell<State<T, E>>,
}

enum State<T, E> {
    Empty,
    Making(Vec<Signal<Result<T, E>>>),
    Made(T),
}

enum Turn<T, E> {
    Have(T),
    Wait(Signal<Result<T, E>>),
    Make,
}

impl<T, E> Default for Shared<T, E> {
    fn default() -> Self {
        Self { state: RefCell::new(State::Empty) }
    }
}

impl<T: Clone, E: Clone> Shared<T, E> {
    /// The shared value: the one there is if it is still `good`, else the result of `make`.
    ///
    /// # Errors
    /// What `make` fails with.
    pub async fn get<F: Future<Output = Result<T, E>>>(
        self: Rc<Self>,
        good: impl Fn(&T) -> bool,
        make: impl FnOnce() -> F,
    ) -> Result<T, E> {
        let turn = match &mut *self.state.borrow_mut() {
            State::Made(value) if good(value) => Turn::Have(value.clone()),
            State::Making(waiting) => {
                let signal = Signal::default();
                waiting.push(signal.clone());
                Turn::Wait(signal)
            }
            state => {
                *state = State::Making(Vec::new());
                Turn::Make
            }
        };
        match turn {
            Turn::Have(value) => Ok(value),
            Turn::Wait(signal) => signal.wait().await,
            Turn::Make => {
                let result = make().await;
                let next = match &result {
                    Ok(value) => State::Made(value.clone()),
                    Err(_) => State::Empty,
                };
                let before = self.state.replace(next);
                if let State::Making(waiting) = before {
                    for signal in waiting {
                        signal.set(result.clone());
                    }
                }
                result
            }
        }
    }
}
