// What worker.html starts: a text comes in, a gradient goes out.

import init, { Embedding, Tokenizer } from "../pkg/gomme.js";

const ready = (async () => {
  await init();
  return Promise.all([Tokenizer.turkish(), Embedding.turkish()]);
})();

self.onmessage = async ({ data: text }) => {
  const [tokenizer, table] = await ready;
  const { ids, pieces } = tokenizer.encode(text);
  const gradient = await table.embedGrad(ids, new Float32Array(ids.length * table.dModel).fill(1));
  self.postMessage({ backend: table.backend, pieces, gradient }); // a plain object: it can be posted as it is
};
