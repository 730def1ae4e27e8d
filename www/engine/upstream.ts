// The gradient that arrives from above, as the reader chose it: ones, random, one position, with a NaN or an Inf put in.
import { bell } from "../random";
import type { Gradient, Tokens } from "../results";
import { inSlices } from "../schedule";
import { D, KERNEL_LIMIT, type State } from "../state";
import { widened } from "./own";

interface Upstream {
  upstream: Float32Array;
  planted: Gradient["planted"];
  /** Additions expected per id: elements that are neither ±0, NaN nor Inf. */
  expectedAdds: Map<number, number>;
}

/** Random gradients by position, kept because the next text usually needs the same ones. */
const noise = { seed: -1, rows: 0, values: new Float32Array(0), adds: new Uint16Array(0) };

async function noiseFor(seed: number, rows: number, stale: () => boolean): Promise<boolean> {
  if (noise.seed !== seed || noise.values.length < rows * D) {
    const room = Math.min(KERNEL_LIMIT, Math.max(256, 2 * rows));
    const kept = noise.seed === seed ? noise.rows : 0;
    const values = new Float32Array(room * D);
    values.set(noise.values.subarray(0, kept * D));
    const adds = new Uint16Array(room);
    adds.set(noise.adds.subarray(0, kept));
    Object.assign(noise, { seed, rows: kept, values, adds });
  }
  const { values, adds } = noise;
  const first = noise.rows;
  const step = (from: number, to: number) => {
    for (let s = first + from; s < first + to; s++) {
      let some = 0;
      for (let i = s * D; i < (s + 1) * D; i++) {
        const value = bell(seed, i);
        values[i] = value;
        if (value !== 0) some += 1;
      }
      adds[s] = some;
      if (noise.values === values) noise.rows = s + 1;
    }
  };
  return first >= rows || (await inSlices(rows - first, 16, step, stale));
}

export async function upstreamFor(state: State, tokens: Tokens, stale: () => boolean): Promise<Upstream | undefined> {
  const kind = state.upstream.peek();
  const seed = state.seed.peek();
  const only = state.chosen.peek()?.s ?? 0;
  const n = tokens.ids.length;
  const own = state.ownGradient.peek() ? state.ownTable.peek() : undefined;
  let upstream: Float32Array;
  if (own) {
    upstream = widened(own.gradient(tokens.ids), own.width, n);
  } else if (kind === "random") {
    if (!(await noiseFor(seed, n, stale))) return undefined;
    upstream = noise.values.subarray(0, n * D);
  } else {
    upstream = new Float32Array(n * D);
    if (kind === "ones") upstream.fill(1);
    else upstream.fill(1, only * D, (only + 1) * D);
  }
  const addsAt = (s: number) => {
    if (own) return upstream.subarray(s * D, (s + 1) * D).reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0);
    if (kind === "random") return noise.adds[s] ?? 0;
    return kind === "ones" || s === only ? D : 0;
  };
  // Planted where a reader can find them: at positions 3 and 5, or at the last one there is.
  const place = (wish: number, d: number) => (n === 0 ? undefined : Math.min(wish, n - 1) * D + d);
  const nan = state.nan.peek() ? place(3, 12) : undefined;
  const inf = state.inf.peek() ? place(5, 200) : undefined;
  const expectedAdds = new Map<number, number>();
  const count = (s: number, adds: number) => {
    const id = tokens.ids[s] ?? 0;
    if (id < state.vocabSize.peek()) expectedAdds.set(id, (expectedAdds.get(id) ?? 0) + adds);
  };
  for (let s = 0; s < n; s++) count(s, addsAt(s));
  if (nan !== undefined || inf !== undefined) {
    if (kind === "random" && !own) upstream = upstream.slice();
    for (const [i, value] of [
      [nan, Number.NaN],
      [inf, Number.POSITIVE_INFINITY],
    ] as const) {
      if (i === undefined) continue;
      if (upstream[i] !== 0) count(Math.floor(i / D), -1);
      upstream[i] = value;
    }
  }
  return { upstream, planted: { nan, inf }, expectedAdds };
}
