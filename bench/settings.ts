// What the address asks for.
//
//   ?run                 begin at once; `collect` implies it
//   ?collect             POST each figure to /log and the report to /result
//   ?parts=a,b           check,targets,growth,skew,memory,ratio,call,resident,tokenizer,train,rivals,startup (default: all)
//   ?n=8192 &from=512    longest and shortest sequence
//   ?v=16384             only this vocabulary size, in the table of targets
//   ?samples=20 &ms=10 &warm=200    samples, least length of one, warm-up before each
//   ?checked=262144      longest sequence whose result is compared with the oracle before it is timed (default: all)
//   ?cas=262144          longest sequence of the compare-exchange loop
//   ?calls=1000          calls waited for once, in the part `resident`
//   ?churn=100000        calls whose results are disposed of, in the same part
//   ?rivals=tfjs,jax,ort,hf         or `none`
//   ?rivalseconds=4      seconds for one function of one library at one shape
//   ?limit=180           seconds after which no measurement begins
//   ?quick               short sequences and few samples, for software adapters
//   ?torch=torch.json    the twin's figures beside ours, from a file beside the page
//   ?show=a.json,b.json  shows stored reports and measures nothing
//   ?lang=en|tr

import { type Part, parts } from "./report";

export interface Settings {
  readonly parts: ReadonlySet<Part>;
  /** Longest sequence; longer rows are left out. */
  readonly longest: number;
  readonly shortest: number;
  /** The only vocabulary size of the table of targets, or all of them. */
  readonly vocabulary: number | undefined;
  readonly samples: number;
  readonly minMilliseconds: number;
  readonly warmMilliseconds: number;
  /** Longest sequence that is compared with the oracle; a figure above it says that it was not. */
  readonly longestChecked: number;
  /** The document's compare-exchange loop is left out above this length: it takes 0.06 s a run at 262,144 on an H200. */
  readonly longestCas: number;
  /** Calls that are waited for once. */
  readonly calls: number;
  /** Calls over which memory must stay level. */
  readonly churn: number;
  /** Seconds after which no measurement begins. */
  readonly limitSeconds: number;
  /** Seconds for one rival's one function at one shape. */
  readonly rivalSeconds: number;
  readonly rivals: readonly string[];
}

const known = ["tfjs", "jax", "ort", "hf"];

/** Throws, in words, for a switch that can't be read. */
export function settings(query: URLSearchParams): Settings {
  const quick = query.has("quick");
  const number = (name: string, otherwise: number): number => {
    const given = Number(query.get(name) || otherwise);
    if (!Number.isFinite(given) || given < 0) throw new Error(`?${name}: a number, not "${query.get(name)}"`);
    return given;
  };
  const list = (name: string): string[] | undefined => query.get(name)?.split(",").filter(Boolean);
  const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name);
  const asked = list("parts") ?? parts;
  for (const part of asked) {
    if (!isPart(part)) throw new Error(`?parts: no part "${part}"; there are ${parts.join(", ")}`);
  }
  const rivals = list("rivals") ?? known;
  for (const rival of rivals) {
    if (rival !== "none" && !known.includes(rival)) {
      throw new Error(`?rivals: no library "${rival}"; there are ${known.join(", ")}, none`);
    }
  }
  return {
    parts: new Set(asked.filter(isPart)),
    longest: number("n", quick ? 4_096 : 1_048_576),
    shortest: number("from", 1),
    vocabulary: query.has("v") ? number("v", 16_384) : undefined,
    samples: Math.max(1, number("samples", quick ? 3 : 20)),
    minMilliseconds: number("ms", quick ? 2 : 10),
    warmMilliseconds: number("warm", quick ? 0 : 200),
    longestChecked: number("checked", 1_048_576),
    longestCas: number("cas", 262_144),
    calls: Math.max(1, number("calls", quick ? 20 : 1_000)),
    churn: Math.max(1, number("churn", quick ? 200 : 100_000)),
    limitSeconds: number("limit", 3_600),
    rivalSeconds: number("rivalseconds", quick ? 2 : 4),
    rivals: rivals.includes("none") ? [] : rivals,
  };
}
