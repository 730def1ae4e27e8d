// Types that the parts of the workshop share.

/** One message of the browser's compiler, placed in the reader's text. */
export interface Message {
  readonly kind: "error" | "warning" | "info";
  /** From 1. */
  readonly line: number;
  /** UTF-16 offsets into the reader's text. */
  readonly from: number;
  readonly to: number;
  /** Its first line, in the browser's words. */
  readonly text: string;
  /** All of it. */
  readonly all: string;
}

/** Why a kernel brought no result. */
export type Trouble =
  | { readonly kind: "no-device" }
  | { readonly kind: "lost" }
  | { readonly kind: "hanging"; readonly seconds: number }
  | { readonly kind: "memory"; readonly said: string }
  | { readonly kind: "refused"; readonly said: string }
  | { readonly kind: "no-entry"; readonly entry: string }
  | { readonly kind: "group-unknown"; readonly entry: string }
  | {
      readonly kind: "group-limit";
      readonly asked: number;
      readonly most: number;
      readonly axis: "x" | "y" | "z" | "all";
    };
