// What a rival must offer to be measured. Each is a module of its own, loaded when it is there: a build without it,
// or a site it was left out of, says so and goes on.

import type { Operation } from "../meter";

export interface Shape {
  readonly vocabulary: number;
  readonly width: number;
}

/** A library with one table on its own GPU device. */
export interface Session {
  readonly device: GPUDevice;
  /** N·D rows of the table; ids on the GPU before the first run. */
  lookup(tokens: Uint32Array): Promise<Operation>;
  /** The dense V·D gradient; ids and upstream gradient on the GPU before the first run. */
  gradient(tokens: Uint32Array, gradOut: Float32Array): Promise<Operation>;
  close(): void;
}

export interface Rival {
  readonly name: string;
  /** The functions measured, as the library names them. */
  readonly lookup: string;
  readonly gradient: string;
  open(shape: Shape, table: Float32Array): Promise<Session>;
}

/** A tokenizer beside ours, from the same SentencePiece model. */
export interface TokenizerRival {
  readonly name: string;
  open(model: Uint8Array): Promise<(text: string) => ArrayLike<number>>;
}
