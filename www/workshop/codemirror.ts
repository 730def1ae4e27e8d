// The editor with colours: CodeMirror 6 in an open shadow root, where its styles are adopted sheets, which the page's
// Content-Security-Policy leaves alone. Loaded when the workshop opens.
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Field, FieldOptions } from "./field";
import type { Message } from "./types";
import { blockComment, roleOf, tokenAt } from "./wgsl";

interface Reading {
  /** Block comments that are open. */
  depth: number;
  /** Brackets that are open. */
  level: number;
}

const NAMES = {
  comment: "comment",
  keyword: "keyword",
  type: "typeName",
  number: "number",
  attribute: "meta",
  call: "variableName",
  bool: "bool",
} as const;

const wgsl = StreamLanguage.define<Reading>({
  name: "wgsl",
  startState: () => ({ depth: 0, level: 0 }),
  copyState: (reading) => ({ ...reading }),
  token: (stream: StringStream, reading) => {
    const inComment = reading.depth > 0;
    if (inComment || stream.string.startsWith("/*", stream.pos)) {
      const from = inComment ? stream.pos : stream.pos + 2;
      const { to, depth } = blockComment(stream.string, from, inComment ? reading.depth : 1);
      reading.depth = depth;
      stream.pos = Math.max(to, stream.pos + 1);
      return "comment";
    }
    const token = tokenAt(stream.string, stream.pos);
    if (!token) {
      stream.skipToEnd();
      return null;
    }
    stream.pos = token.to;
    if (/^[{([]$/.test(token.text)) reading.level += 1;
    else if (/^[})\]]$/.test(token.text)) reading.level = Math.max(0, reading.level - 1);
    const role = roleOf(token, stream.string.charAt(token.to));
    return role ? NAMES[role] : null;
  },
  indent: ({ level }, textAfter, { unit }) => Math.max(0, level - (/^\s*[})\]]/.test(textAfter) ? 1 : 0)) * unit,
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, indentOnInput: /^\s*[})\]]$/ },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool], fontWeight: "650" },
  { tag: tags.typeName, color: "var(--count-4)" },
  { tag: tags.number, color: "var(--count-4)" },
  { tag: tags.meta, color: "var(--ink-3)" },
]);

const looks = EditorView.theme({
  "&": { color: "var(--ink)", background: "var(--raised)", fontSize: "inherit" },
  ".cm-content, .cm-gutter": { minHeight: "var(--tall)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "1.55",
    overflowX: "auto",
    scrollbarColor: "var(--edge) transparent",
    scrollbarWidth: "thin",
  },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 0.75rem 0 0.25rem" },
  ".cm-gutters": {
    background: "var(--sunken)",
    color: "var(--ink-3)",
    border: "0",
    borderRight: "1px solid var(--line)",
  },
  ".cm-gutter-lint": { width: "0.9rem" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "0.7rem", height: "0.7rem", margin: "0.4rem 0.1rem" },
  ".cm-lint-marker-info": { display: "none" },
  ".cm-lint-marker-error, .cm-lint-marker-warning": { content: '""', background: "var(--warn)", borderRadius: "50%" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)", fontWeight: "600" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--tint)",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--tint)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "var(--warn-tint)", outline: "1px solid var(--warn)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline dotted var(--warn)" },
  ".cm-lintRange-info": { backgroundImage: "none" },
  ".cm-tooltip": {
    background: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--radius)",
    maxWidth: "min(32rem, 80vw)",
  },
  ".cm-diagnostic": { borderLeft: "0", padding: "0.4rem 0.6rem", whiteSpace: "pre-wrap", fontFamily: "var(--sans)" },
});

export function codeField({ label, readOnly, changed, run, follow }: FieldOptions): Field {
  const host = document.createElement("div");
  host.className = "ws-cm";
  const root = host.attachShadow({ mode: "open" });
  const labelled = new Compartment();
  const writable = new Compartment();
  const attributes = () =>
    EditorView.contentAttributes.of({
      "aria-label": label(),
      // Focus works without it; it is for tools that read the attributes.
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
      "aria-invalid": String(wrong),
    });
  const locked = () => [EditorState.readOnly.of(readOnly.peek()), EditorView.editable.of(true)];
  let wrong = false;
  let quiet = false;
  /** What each exercise's editor was when it was left: its text, its caret, its undo. */
  const states = new Map<string, EditorState>();
  let shown: string | undefined;
  const extensions: Extension[] = [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    indentOnInput(),
    indentUnit.of("    "),
    EditorState.tabSize.of(4),
    bracketMatching(),
    wgsl,
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    looks,
    labelled.of(attributes()),
    writable.of(locked()),
    keymap.of([
      {
        key: "Mod-Enter",
        run: () => {
          run();
          return true;
        },
      },
      indentWithTab,
      ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
      ...historyKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !quiet) changed(update.state.doc.toString());
    }),
  ];
  const stateOf = (doc: string) => EditorState.create({ doc, extensions });
  const view = new EditorView({ state: stateOf(""), parent: root, root });
  follow(() => {
    readOnly.value;
    label();
    view.dispatch({ effects: [labelled.reconfigure(attributes()), writable.reconfigure(locked())] });
  });
  return {
    element: host,
    code: () => view.state.doc.toString(),
    put: (code, of, silent) => {
      quiet = true;
      if (of !== shown) {
        if (shown !== undefined) states.set(shown, view.state);
        shown = of;
        view.setState(states.get(of) ?? stateOf(code));
        view.dispatch({ effects: [labelled.reconfigure(attributes()), writable.reconfigure(locked())] });
        view.scrollDOM.scrollTo(0, 0);
      }
      const before = view.state.doc.toString();
      if (before !== code) {
        view.dispatch({
          changes: { from: 0, to: before.length, insert: code },
          // A step of its own, however soon it comes after the keys.
          annotations: silent(before) ? Transaction.addToHistory.of(false) : isolateHistory.of("full"),
        });
      }
      quiet = false;
    },
    mark: (messages) => {
      const now = messages.some(({ kind }) => kind === "error");
      const diagnostics = messages.map((message) => diagnosticOf(view.state, message));
      view.dispatch(setDiagnostics(view.state, diagnostics));
      if (now === wrong) return;
      wrong = now;
      view.dispatch({ effects: labelled.reconfigure(attributes()) });
    },
    goTo: (from, to) => {
      const { length } = view.state.doc;
      const at = (offset: number) => Math.max(0, Math.min(length, offset));
      view.dispatch({ selection: { anchor: at(from), head: at(to) }, scrollIntoView: true });
      view.focus();
    },
  };
}

function diagnosticOf(state: EditorState, { kind, from, to, text }: Message): Diagnostic {
  const { length } = state.doc;
  const start = Math.max(0, Math.min(length, from));
  return { from: start, to: Math.max(start, Math.min(length, to)), severity: kind, message: text };
}
