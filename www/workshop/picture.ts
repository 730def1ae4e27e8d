// The small job of an exercise, drawn: threads on the left in their workgroups, cells on the right, and who wants and who
// wrote which.
import type { ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, svg, watch, widthOf } from "../dom";
import { floatOf } from "../format";
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
  const few = all.slice(0, busy + 1 + IDLE);
  // A line that says "and one more" takes as much room as that one.
  const rows = threads - few.length === 1 ? all : few;
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
    if (wide > 0) board.replaceChildren(draw(drawn.value, wide, words.value));
  });
}

/** Where threads and cells stand. */
interface Board {
  readonly root: SVGElement;
  readonly left: number;
  readonly right: number;
  readonly job: Job;
  readonly exercise: Exercise;
  readonly words: Words;
  readonly rows: readonly Row[];
  /** Cells of the output, and those drawn with the sentinels behind them. */
  readonly size: number;
  readonly shown: number;
  /** Threads that wrote each cell. */
  readonly writers: ReadonlyMap<number, number>;
  threadAt(k: number): number;
  cellAt(k: number): number;
}

function draw(drawn: Drawn, width: number, words: Words): SVGElement {
  const { rows, more } = rowsOf(drawn);
  const { exercise } = drawn;
  const job = exercise.drawn;
  const size = job.start.length;
  const behind = rows.flatMap(({ wrote }) => wrote.filter((cell) => cell >= size));
  const shown = size + Math.max(2, Math.min(MOST, Math.max(size, ...behind) - size + (behind.length > 0 ? 1 : 0)));
  const most = Math.max(rows.length, shown);
  const left = 54;
  const right = Math.max(left + 90, width - 128);
  const writers = new Map<number, number>();
  for (const { wrote } of rows) for (const cell of wrote) writers.set(cell, (writers.get(cell) ?? 0) + 1);
  const strays = rows.filter(({ wrote }) => wrote.some((cell) => cell >= size)).length;
  const shared = [...writers.values()].filter((many) => many > 1).length;
  const root = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${(most + 2) * ROW}`,
      width,
      height: (most + 2) * ROW,
      role: "img",
      "aria-label": words.threadsSay(rows.length + more, strays, shared),
    },
    svg("text", { class: "ws-head", x: 0, y: 14 }, words.thread),
    svg("text", { class: "ws-head", x: right + 8, y: 14 }, exercise.output),
  );
  // Both columns stand around the same middle.
  const at = (k: number, many: number) => ROW * (1.5 + k) + ((most - many) * ROW) / 2;
  const board: Board = {
    ...{ root, left, right, job, exercise, words, rows, size, shown, writers },
    threadAt: (k) => at(k, rows.length),
    cellAt: (k) => at(k, shown),
  };
  for (const row of rows) drawThread(board, row);
  for (let cell = 0; cell < shown; cell++) drawCell(board, cell);
  if (more > 0) {
    root.append(
      svg("text", { class: "ws-head", x: left - 12, y: board.threadAt(rows.length) + 4 }, words.moreThreads(more)),
    );
  }
  return root;
}

function drawThread(board: Board, { thread, group, wants, wrote }: Row): void {
  const { root, left, right, rows, size, shown, words } = board;
  const y = board.threadAt(thread);
  const line = (cell: number, kind: string) => {
    const to = board.cellAt(cell);
    const middle = (left + right) / 2;
    const d = `M${left + 8} ${y}C${middle} ${y} ${middle} ${to} ${right - 3} ${to}`;
    root.append(svg("path", { class: `ws-line ${kind}`, d }));
  };
  if (wants !== undefined && !wrote.includes(wants)) line(wants, "wants");
  for (const cell of wrote.filter((one) => one < shown).slice(0, 8)) {
    line(cell, cell >= size ? "stray" : cell === wants || wants === undefined ? "wrote" : "other");
  }
  const idle = wants === undefined && wrote.length === 0;
  root.append(
    svg("circle", { class: `ws-thread${idle ? " idle" : ""}`, cx: left, cy: y, r: 5 }),
    svg("text", { class: "ws-no", x: left - 12, y: y + 4, "text-anchor": "end" }, thread),
  );
  if (rows[thread - 1]?.group === group) return;
  const last = rows.filter((one) => one.group === group).at(-1)?.thread ?? thread;
  const bracket = `M8 ${y - 7}H4V${board.threadAt(last) + 7}H8`;
  root.append(svg("path", { class: "ws-group", d: bracket }, svg("title", `${words.workgroup} ${group}`)));
}

function drawCell({ root, right, job, exercise, words, size, writers, cellAt }: Board, cell: number): void {
  const y = cellAt(cell);
  const outside = cell >= size;
  const many = writers.get(cell) ?? 0;
  // In a table of several columns the label says how the index comes about.
  const address =
    exercise.gradient && job.d > 1 ? `[${Math.floor(cell / job.d)}·${job.d} + ${cell % job.d}]` : `[${cell}]`;
  const label = outside ? words.margin : address;
  const classes = ["ws-cell", outside && "margin", outside && many > 0 && "hit", many > 1 && "shared"].filter(Boolean);
  root.append(
    svg("rect", { class: classes.join(" "), x: right, y: y - 8, width: 16, height: 16 }),
    svg("text", { class: "ws-no", x: right + 22, y: y + 4 }, many > 1 ? `${label} ×${many}` : label),
  );
}
