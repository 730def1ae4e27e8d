//! `Tokenizer`.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Object, Promise, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::shell::Shell;
use super::{args, data, promise, set};
use crate::browser::futures::{Shared, pause};
use crate::error::{Error, Result};
use crate::gpu::scope::refused;
use crate::tokenizer::{Tokenizer, Unpacking};

const MODEL_FILE: &str = "turkish-16k.pack";

thread_local! {
    static TURKISH: Rc<Shared<Rc<Core>, Error>> = Rc::default();
}

/// A tokenizer and its pieces as JavaScript strings, each made at most once.
struct Core {
    tokenizer: Tokenizer,
    pieces: RefCell<Vec<Option<JsValue>>>,
}

impl Core {
    fn new(tokenizer: Tokenizer) -> Rc<Self> {
        let pieces = RefCell::new(vec![None; tokenizer.vocab_size() as usize]);
        Rc::new(Self { tokenizer, pieces })
    }

    /// The bundled model.
    async fn turkish() -> Result<Rc<Self>> {
        let bytes = data::bundled(MODEL_FILE, (None, 0, 0), None, Error::InvalidModel).await?;
        let mut unpacking = Unpacking::new(&bytes)?;
        while unpacking.advance()? {
            pause(0).await;
        }
        Ok(Self::new(unpacking.finish()?))
    }

    fn piece(&self, id: u32) -> Result<JsValue> {
        let text = self.tokenizer.piece(id)?;
        let mut pieces = self.pieces.borrow_mut();
        let place = &mut pieces[id as usize];
        Ok(place.get_or_insert_with(|| JsValue::from_str(text)).clone())
    }
}

#[wasm_bindgen(js_name = Tokenizer)]
pub struct JsTokenizer(Shell<Core>);

impl JsTokenizer {
    fn new(core: Rc<Core>) -> Self {
        Self(Shell::new(core, "Tokenizer"))
    }
}

#[wasm_bindgen(js_class = Tokenizer)]
impl JsTokenizer {
    pub fn turkish() -> Promise {
        promise(async {
            let shared = TURKISH.with(Rc::clone);
            Ok(Self::new(shared.get(|_| true, Core::turkish, refused).await?).into())
        })
    }

    #[wasm_bindgen(js_name = fromModel)]
    pub fn from_model(bytes: &JsValue) -> Result<Self> {
        let bytes = args::bytes(bytes, "A model")?;
        Ok(Self::new(Core::new(Tokenizer::from_model(&bytes)?)))
    }

    pub fn encode(&self, text: &JsValue) -> Result<Object> {
        let core = self.0.get()?;
        let encoding = core.tokenizer.encode(&args::text(text, "The text")?);
        let pieces = Array::new_with_length(encoding.ids.len() as u32);
        for (index, &id) in (0..).zip(&encoding.ids) {
            pieces.set(index, core.piece(id)?);
        }
        let object = Object::new();
        set(&object, "ids", Uint32Array::from(encoding.ids.as_slice()));
        set(&object, "pieces", pieces);
        set(&object, "spans", Uint32Array::from(encoding.spans.as_slice()));
        Ok(object)
    }

    pub fn decode(&self, ids: &JsValue) -> Result<String> {
        let core = self.0.get()?;
        core.tokenizer.decode(&args::tokens(ids)?)
    }

    pub fn piece(&self, id: &JsValue) -> Result<JsValue> {
        self.0.get()?.piece(args::id(id)?)
    }

    #[wasm_bindgen(getter, js_name = vocabSize)]
    pub fn vocab_size(&self) -> Result<u32> {
        Ok(self.0.get()?.tokenizer.vocab_size())
    }

    #[wasm_bindgen(getter)]
    pub fn fingerprint(&self) -> Result<String> {
        Ok(self.0.get()?.tokenizer.fingerprint().to_owned())
    }

    /// Takes the place of wasm-bindgen's own `free`, which would leave a null pointer behind.
    pub fn free(&self) {
        self.0.empty();
    }
}
