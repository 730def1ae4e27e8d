// What every kernel and every rival is compared with before it is timed: the definition, on the CPU, in f64.

export interface Verdict {
  readonly ok: boolean;
  /** Largest error over what is allowed (gradient), or number of wrong elements (lookup). */
  readonly worst: number;
  readonly text: string;
}

/** out[s,d] = table[tokens[s],d], 0 where tokens[s] >= V; bit for bit. With `half`, from the table rounded to f16. */
export function checkLookup(
  out: Float32Array,
  table: Float32Array,
  tokens: Uint32Array,
  width: number,
  half = false,
): Verdict {
  if (out.length !== tokens.length * width) {
    return { ok: false, worst: out.length, text: `${out.length} values instead of ${tokens.length * width}` };
  }
  const vocabulary = table.length / width;
  let wrong = 0;
  let first = "";
  for (let s = 0; s < tokens.length; s++) {
    const token = tokens[s] as number;
    for (let d = 0; d < width; d++) {
      const got = out[s * width + d] as number;
      const stored = token < vocabulary ? (table[token * width + d] as number) : 0;
      const want = half ? toHalf(stored) : stored;
      // A device may flush f16 subnormals to zero.
      const flushed = half && got === 0 && Math.abs(want) < 2 ** -14;
      if (got !== want && !flushed) {
        wrong++;
        first ||= `[${s},${d}] is ${got} instead of ${want}`;
      }
    }
  }
  return { ok: wrong === 0, worst: wrong, text: wrong === 0 ? "equal" : `${wrong} wrong, first ${first}` };
}

/** Round to nearest even f16 and back, in f64 arithmetic; finite values below 65,520 only, which the tables are. */
export function toHalf(value: number): number {
  const magnitude = Math.abs(value);
  const exponent = Math.max(Math.floor(Math.log2(magnitude || 1)), -14);
  const step = 2 ** (exponent - 10);
  const scaled = magnitude / step;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return Math.sign(value) * rounded * step;
}

/** The table's gradient: exact sums (f64), and what f32 addition in any order may deviate from them. */
export class GradientOracle {
  readonly #sums: Float64Array;
  readonly #magnitudes: Float64Array;
  readonly #hits: Uint32Array;

  constructor(
    tokens: Uint32Array,
    gradOut: Float32Array,
    readonly width: number,
    readonly vocabulary: number,
  ) {
    this.#sums = new Float64Array(vocabulary * width);
    this.#magnitudes = new Float64Array(vocabulary * width);
    this.#hits = new Uint32Array(vocabulary);
    tokens.forEach((token, s) => {
      if (token >= vocabulary) return;
      this.#hits[token] = (this.#hits[token] as number) + 1;
      for (let d = 0; d < width; d++) {
        const g = gradOut[s * width + d] as number;
        if (!Number.isFinite(g)) continue;
        const cell = token * width + d;
        this.#sums[cell] = (this.#sums[cell] as number) + g;
        this.#magnitudes[cell] = (this.#magnitudes[cell] as number) + Math.abs(g);
      }
    });
  }

  /** `dense` is V·D. |result - exact| <= hits · (2^-24 · Σ|g| + 2^-126). */
  check(dense: Float32Array): Verdict {
    if (dense.length !== this.#sums.length) {
      return { ok: false, worst: dense.length, text: `${dense.length} values instead of ${this.#sums.length}` };
    }
    let worst = 0;
    let where = 0;
    for (let cell = 0; cell < dense.length; cell++) {
      const hits = this.#hits[Math.floor(cell / this.width)] as number;
      const allowed = hits * (2 ** -24 * (this.#magnitudes[cell] as number) + 2 ** -126);
      const error = Math.abs((dense[cell] as number) - (this.#sums[cell] as number));
      const share = error === 0 ? 0 : error / allowed;
      // Not `share > worst`: a NaN must count as wrong.
      if (!(share <= worst)) {
        worst = share;
        where = cell;
        if (Number.isNaN(share)) break;
      }
    }
    const place = `[${Math.floor(where / this.width)},${where % this.width}]`;
    return {
      ok: worst <= 1,
      worst,
      text:
        worst <= 1
          ? `error at most ${worst.toPrecision(2)} of the bound`
          : `${place} is ${dense[where]} instead of ${this.#sums[where]}`,
    };
  }
}
