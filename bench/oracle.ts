// What every kernel and every rival is compared with before it is timed: the definition, on the CPU, in f64.

export interface Verdict {
  readonly ok: boolean;
  /** Largest error over what is allowed (gradient), or number of wrong elements (lookup). */
  readonly worst: number;
  readonly text: string;
}

/**
 * out[s,d] = table[tokens[s],d], 0 where tokens[s] >= V; bit for bit. `half`: the table was rounded by `halfTable`, and a
 * device may flush its subnormals to zero.
 */
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
  tokens.forEach((token, s) => {
    for (let d = 0; d < width; d++) {
      const got = out[s * width + d];
      const want = token < vocabulary ? (table[token * width + d] ?? Number.NaN) : 0;
      const flushed = half && got === 0 && Math.abs(want) < 2 ** -14;
      if (got !== want && !flushed) {
        wrong++;
        first ||= `[${s},${d}] is ${got} instead of ${want}`;
      }
    }
  });
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

export const halfTable = (table: Float32Array): Float32Array => table.map(toHalf);

/** A gradient of the rows that were used, ascending: what `EmbeddingGradient` has. */
export interface SparseGradient {
  readonly rows: Uint32Array;
  readonly grad: Float32Array;
}

/** The table's gradient: exact sums (f64) of the used rows, and what f32 addition in any order may deviate from them. */
export class GradientOracle {
  /** The used rows, ascending. */
  readonly rows: Uint32Array;
  readonly #sums: Float64Array;
  readonly #magnitudes: Float64Array;
  readonly #hits: Uint32Array;

  constructor(
    tokens: Uint32Array,
    gradOut: Float32Array,
    readonly width: number,
    readonly vocabulary: number,
  ) {
    const used = new Set<number>();
    for (const token of tokens) if (token < vocabulary) used.add(token);
    this.rows = Uint32Array.from(used).sort();
    const slots = new Map([...this.rows].map((row, slot) => [row, slot]));
    const cells = this.rows.length * width;
    const [sums, magnitudes] = [new Float64Array(cells), new Float64Array(cells)];
    const hits = new Uint32Array(this.rows.length);
    tokens.forEach((token, s) => {
      const slot = slots.get(token);
      if (slot === undefined) return;
      hits[slot] = (hits[slot] ?? 0) + 1;
      for (let d = 0; d < width; d++) {
        const g = gradOut[s * width + d] ?? Number.NaN;
        // NaN and the infinities are skipped, by the definition.
        if (g - g !== 0) continue;
        const cell = slot * width + d;
        sums[cell] = (sums[cell] ?? 0) + g;
        magnitudes[cell] = (magnitudes[cell] ?? 0) + Math.abs(g);
      }
    });
    this.#sums = sums;
    this.#magnitudes = magnitudes;
    this.#hits = hits;
  }

  /** |result - exact| <= hits · (2^-24 · Σ|g| + 2^-126), and the rows are the used ones. */
  check({ rows, grad }: SparseGradient): Verdict {
    const wrong = (text: string): Verdict => ({ ok: false, worst: Number.POSITIVE_INFINITY, text });
    if (rows.length !== this.rows.length) return wrong(`${rows.length} rows instead of ${this.rows.length}`);
    const other = rows.findIndex((row, slot) => row !== this.rows[slot]);
    if (other >= 0) return wrong(`row ${rows[other]} instead of ${this.rows[other]}`);
    if (grad.length !== this.#sums.length) return wrong(`${grad.length} values instead of ${this.#sums.length}`);
    let worst = 0;
    let where = 0;
    for (let cell = 0; cell < grad.length; cell++) {
      const hits = this.#hits[Math.floor(cell / this.width)] ?? 0;
      const allowed = hits * (2 ** -24 * (this.#magnitudes[cell] ?? 0) + 2 ** -126);
      const error = Math.abs((grad[cell] ?? Number.NaN) - (this.#sums[cell] ?? Number.NaN));
      const share = error === 0 ? 0 : error / allowed;
      // Not `share > worst`: a NaN must count as wrong.
      if (!(share <= worst)) {
        worst = share;
        where = cell;
        if (Number.isNaN(share)) break;
      }
    }
    if (worst <= 1) return { ok: true, worst, text: `error at most ${worst.toPrecision(2)} of the bound` };
    const place = `[${this.rows[Math.floor(where / this.width)]},${where % this.width}]`;
    return { ok: false, worst, text: `${place} is ${grad[where]} instead of ${this.#sums[where]}` };
  }

  /** The same for V·D values, in which every other row must be zeros. */
  checkDense(dense: Float32Array): Verdict {
    const { width, rows, vocabulary } = this;
    if (dense.length !== vocabulary * width) {
      const text = `${dense.length} values instead of ${vocabulary * width}`;
      return { ok: false, worst: Number.POSITIVE_INFINITY, text };
    }
    const grad = new Float32Array(rows.length * width);
    let next = 0;
    for (let row = 0; row < vocabulary; row++) {
      const values = dense.subarray(row * width, (row + 1) * width);
      if (row === rows[next]) grad.set(values, next++ * width);
      else if (values.some((value) => value !== 0)) {
        return { ok: false, worst: Number.POSITIVE_INFINITY, text: `row ${row} is not zeros, but no token has it` };
      }
    }
    return this.check({ rows, grad });
  }
}
