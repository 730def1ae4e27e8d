// The small job of an exercise, drawn: threads on the left in their workgroups, cells on the right, and who wants and who
// wrote which.
import type { ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, svg, watch, widthOf } from "../dom";
import { exact, floatOf } from "../format";
import type { State } from "../state";
import { type Column, cellText, tableData } from "../ui";
import { figure } from "../views/figure";
import type { Job } from "./case";
import type { Exercise } from "./exercises/exercise";
import type { Words } from "./strings/tr";

export interface Drawn {
  readonly exercise: Exercise;
  /** Threads of a workgroup. */
  readonly group: number;
  /** Cells that each thread wrote alone; undefined before a run, "unseen" where it can't be told. */
  readonly traces: readonly (readonly number[])[] | "unseen" | undefined;
}

/** Most threads that fit a picture. */
const MOST = 24;
const ROW = 22;

interface Row {
  readonly thread: number;
  readonly group: number;
  readonly wants: number | undefined;
  readonly wrote: readonly number[];
}

/** The cell that a thread of the job is for; undefined for one with nothing to do. */
export function wanted({ gradient }: Exercise, job: Job, thread: number): number | undefined {
  if (thread >= job.n * job.d) return undefined;
  if (!gradient) return thread;
  const token = job.tokens[Math.floor(thread / job.d)] ?? job.v;
  const value = floatOf(job.values[thread] ?? 0);
  if (token >= job.v || !Number.isFinite(value) || value === 0) return undefined;
  return token * job.d + (thread % job.d);
}

/** Idle threads that are drawn after the last one with something to do. */
const IDLE = 3;

function rowsOf({ exercise, group, traces }: Drawn): { rows: Row[]; more: number } {
  const job = exercise.drawn;
  const size = Math.max(1, group);
  const threads = Math.max(1, Math.ceil((job.n * job.d) / size)) * size;
  const all = Array.from({ length: Math.min(MOST, threads) }, (_, thread) => ({
    thread,
    group: Math.floor(thread / size),
    wants: wanted(exercise, job, thread),
    wrote: (typeof traces === "object" ? traces[thread] : undefined) ?? [],
  }));
  const busy = all.reduce(
    (last, { thread, wants, wrote }) => (wants === undefined && wrote.length === 0 ? last : thread),
    -1,
  );
  const rows = all.slice(0, busy + 1 + IDLE);
  return { rows, more: threads - rows.length };
}

export function pictureView(
  container: HTMLElement,
  state: State,
  words: ReadonlySignal<Words>,
  drawn: ReadonlySignal<Drawn>,
): void {
  const { lang } = state;
  const name = (cell: number) => `${drawn.value.exercise.output}[${cell}]`;
  const cells = (list: readonly number[]) => list.map(name).join(", ");
  const columns = (): Column<Row>[] => [
    { key: "thread", label: () => words.value.thread, numeric: true, value: ({ thread }) => thread },
    { key: "workgroup", label: () => words.value.workgroup, numeric: true, value: ({ group }) => group },
    { key: "wants", label: () => words.value.wants, value: ({ wants }) => (wants === undefined ? "–" : name(wants)) },
    { key: "wrote", label: () => words.value.wrote, value: ({ wrote }) => cells(wrote) || "–" },
  ];
  const board = h("div", { class: "ws-picture" });
  const width = widthOf(board);
  figure(
    container,
    state,
    {
      id: "workshop-threads",
      title: () => {
        const { exercise, group } = drawn.value;
        const { tokens, d } = exercise.drawn;
        return [
          words.value.picture,
          " ",
          h("small", words.value.pictureSmall([...tokens].join(", "), String(d), cellText(lang.value, group))),
        ];
      },
      name: () => words.value.picture,
      data: () => tableData(columns(), rowsOf(drawn.value).rows),
    },
    board,
    h("p", { class: "note" }, (): Kid => {
      const { traces } = drawn.value;
      if (traces === "unseen") return words.value.pictureUnseen;
      return traces ? words.value.pictureAfter : words.value.pictureBefore;
    }),
  );
  watch(() => {
    const wide = width.value;
    if (wide > 0) board.replaceChildren(draw(drawn.value, wide, words.value, (value) => exact(lang.value, value)));
  });
}

function draw(drawn: Drawn, width: number, words: Words, number: (value: number) => string): SVGElement {
  const { rows, more } = rowsOf(drawn);
  const { exercise } = drawn;
  const job = exercise.drawn;
  const size = job.start.length;
  const strays = rows.flatMap(({ wrote }) => wrote.filter((cell) => cell >= size));
  const behind = Math.max(strays.length > 0 ? Math.min(MOST, Math.max(...strays) - size + 1) : 0, 2);
  const shown = size + behind;
  const tall = (Math.max(rows.length, shown) + 2) * ROW;
  const left = 54;
  const right = Math.max(left + 90, width - 128);
  // Both columns stand around the same middle.
  const y = (k: number, many: number) => ROW * (1.5 + k) + ((Math.max(rows.length, shown) - many) * ROW) / 2;
  const writers = new Map<number, number>();
  for (const { wrote } of rows) for (const cell of wrote) writers.set(cell, (writers.get(cell) ?? 0) + 1);
  const shared = [...writers.values()].filter((many) => many > 1).length;
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${tall}`,
    width,
    height: tall,
    role: "img",
    "aria-label": words.threadsSay(
      rows.length + more,
      rows.filter(({ wrote }) => wrote.some((cell) => cell >= size)).length,
      shared,
    ),
  });
  root.append(
    svg("text", { class: "ws-head", x: 0, y: 14 }, words.thread),
    svg("text", { class: "ws-head", x: right + 8, y: 14 }, exercise.output),
  );
  for (const { thread, group, wants, wrote } of rows) {
    const at = y(thread, rows.length);
    const line = (cell: number, kind: string) => {
      const to = y(cell, shown);
      const middle = (left + right) / 2;
      root.append(
        svg("path", {
          class: `ws-line ${kind}`,
          d: `M${left + 8} ${at}C${middle} ${at} ${middle} ${to} ${right - 3} ${to}`,
        }),
      );
    };
    if (wants !== undefined && !wrote.includes(wants)) line(wants, "wants");
    for (const cell of wrote.slice(0, 8)) {
      if (cell >= shown) continue;
      line(cell, cell >= size ? "stray" : cell === wants || wants === undefined ? "wrote" : "other");
    }
    const first = thread === 0 || rows[thread - 1]?.group !== group;
    root.append(
      svg("circle", {
        class: `ws-thread${wants === undefined && wrote.length === 0 ? " idle" : ""}`,
        cx: left,
        cy: at,
        r: 5,
      }),
      svg("text", { class: "ws-no", x: left - 12, y: at + 4, "text-anchor": "end" }, thread),
    );
    if (first) {
      const last = rows.filter((one) => one.group === group).at(-1)?.thread ?? thread;
      root.append(
        svg("path", { class: "ws-group", d: `M8 ${at - 7}H4V${y(last, rows.length) + 7}H8` }),
        svg("title", `${words.workgroup} ${group}`),
      );
    }
  }
  for (let cell = 0; cell < shown; cell++) {
    const at = y(cell, shown);
    const outside = cell >= size;
    const many = writers.get(cell) ?? 0;
    const box = 16;
    const row = Math.floor(cell / job.d);
    const inTable = exercise.gradient && job.d > 1;
    const label = outside ? words.margin : inTable ? `[${row}·${job.d} + ${cell % job.d}]` : `[${cell}]`;
    root.append(
      svg("rect", {
        class: `ws-cell${outside ? " margin" : ""}${outside && many > 0 ? " hit" : ""}${many > 1 ? " shared" : ""}`,
        x: right,
        y: at - box / 2,
        width: box,
        height: box,
      }),
      svg("text", { class: "ws-no", x: right + 22, y: at + 4 }, many > 1 ? `${label} ×${number(many)}` : label),
    );
  }
  if (more > 0) {
    const at = y(rows.length, rows.length) + 4;
    root.append(svg("text", { class: "ws-head", x: left - 12, y: at }, words.moreThreads(more)));
  }
  return root;
}
