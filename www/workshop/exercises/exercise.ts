// What an exercise is: a kernel with one fault that compiles and fails one case, the cases, and a way out.
import type { Case, Job } from "../case";
import type { Rule } from "../rules";

export const IDS = ["bounds", "nan", "packed", "race", "sum", "free", "fixed"] as const;
export type Id = (typeof IDS)[number];

export interface Pass {
  readonly entry: string;
  /** One thread for each element of N·D, or for each cell of V·D. */
  readonly threads: "elements" | "cells";
}

export interface Exercise {
  readonly id: Id;
  readonly passes: readonly Pass[];
  /** Texts with `//= key` where a comment in the reader's language goes. */
  readonly start: string;
  readonly solution: string;
  /** The output is a gradient table of V·D cells, else N·D numbers. */
  readonly gradient: boolean;
  /** Several runs of a job must agree to the bit. */
  readonly sameBits: boolean;
  readonly rules: readonly Rule[];
  /** The output's name in the kernel. */
  readonly output: string;
  /** Cases for workgroups of so many threads, small jobs first. */
  readonly cases: (group: number) => readonly Case[];
  /** The small job that is drawn. */
  readonly drawn: Job;
}

/** Puts the comments in. */
export function inWords(text: string, comments: { readonly [key: string]: string }): string {
  return text.replace(/^([ \t]*)\/\/= (\w+)$/gm, (_, indent: string, key: string) =>
    (comments[key] ?? key)
      .split("\n")
      .map((line) => `${indent}// ${line}`)
      .join("\n"),
  );
}
