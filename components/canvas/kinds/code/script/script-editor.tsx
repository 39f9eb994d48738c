"use client";

import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { history, historyField } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { highlightSelectionMatches, search } from "@codemirror/search";
import { EditorState, type Extension, StateEffect } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLineGutter, lineNumbers } from "@codemirror/view";
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import { completeScript } from "@/components/canvas/kinds/code/script/complete-script";
import { hoverTypes } from "@/components/canvas/kinds/code/script/hover-types";
import { lintScript, type ScriptFacts } from "@/components/canvas/kinds/code/script/lint-script";
import { scriptKeys, setTabIndenting } from "@/components/canvas/kinds/code/script/script-keys";
import { SCRIPT_LOOK } from "@/components/canvas/kinds/code/script/script-look";
import { FROM_OUTSIDE, floatingTooltips, setContentAttribute } from "@/components/ui/code/editor-base";
import { EDITOR_LOOK } from "@/components/ui/code/editor-look";

/** Something to know about a place in the code. */
export interface ScriptProblem extends Pick<Diagnostic, "from" | "message" | "source"> {
  severity: "error" | "warning";
  line: number;
  column: number;
}

/** What a parent can ask of the editor. */
export interface ScriptHandle {
  goTo(position: number): void;
  setTabIndenting(isIndenting: boolean): void;
}

export interface ScriptEditorProps {
  handle: Ref<ScriptHandle>;
  labelledBy: string;
  describedBy: string;
  fieldName: string;
  isInvalid: boolean;
  isReadOnly: boolean;
  value: string;
  facts: ScriptFacts;
  /** Keeps the caret and the undo history while the editor is closed. */
  memory: Map<string, unknown>;
  memoryKey: string;
  onChange(text: string): void;
  onLeave(): void;
  onTest(): void;
  onExpand(): void;
  onTabMode(isIndenting: boolean): void;
  onProblems(problems: readonly ScriptProblem[]): void;
}

/** What is known about the code has changed, so its problems are listed again. */
const FACTS_CHANGED = StateEffect.define<null>();
const LINT_DELAY_MS = 250;

/** The editor of a code step: it fills its container. */
export function ScriptEditor(props: ScriptEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (holder.current === null) return;
    const made = new EditorView({ parent: holder.current, state: openState(latest, holder.current) });
    setTabIndenting(made, false);
    view.current = made;
    const { memory, memoryKey } = latest.current;
    return () => {
      memory.set(memoryKey, made.state.toJSON({ history: historyField }));
      view.current = null;
      made.destroy();
    };
  }, []);
  useImperativeHandle(props.handle, () => ({
    goTo: (position) => {
      const { current } = view;
      if (current === null) return;
      const anchor = Math.min(position, current.state.doc.length);
      current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      current.focus();
    },
    setTabIndenting: (isIndenting) => {
      if (view.current === null) return;
      setTabIndenting(view.current, isIndenting);
      latest.current.onTabMode(isIndenting);
      view.current.focus();
    },
  }));
  const { value, facts, isInvalid } = props;
  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === value) return;
    const changes = { from: 0, to: current.state.doc.length, insert: value };
    current.dispatch({ changes, annotations: FROM_OUTSIDE.of(true) });
  }, [value]);
  useEffect(() => {
    if (facts !== null) view.current?.dispatch({ effects: FACTS_CHANGED.of(null) });
  }, [facts]);
  useEffect(() => {
    if (view.current !== null) setContentAttribute(view.current, "aria-invalid", isInvalid ? "true" : null);
  }, [isInvalid]);
  return <div ref={holder} className="flex min-h-0 flex-1 flex-col" />;
}

function openState(latest: RefObject<ScriptEditorProps>, holder: HTMLElement): EditorState {
  const { memory, memoryKey, value } = latest.current;
  const config = { extensions: [extensionsOf(latest), floatingTooltips(holder)] };
  const before = memory.get(memoryKey);
  if (before !== undefined) {
    const kept = EditorState.fromJSON(before, config, { history: historyField });
    if (kept.doc.toString() === value) return kept;
  }
  return EditorState.create({ ...config, doc: value });
}

function extensionsOf(latest: RefObject<ScriptEditorProps>): Extension[] {
  const { labelledBy, describedBy, fieldName, isReadOnly } = latest.current;
  return [
    EDITOR_LOOK,
    SCRIPT_LOOK,
    history(),
    lineNumbers(),
    foldGutter(),
    highlightActiveLineGutter(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    indentUnit.of("  "),
    highlightSelectionMatches(),
    search({ top: true }),
    scriptKeys(() => latest.current),
    javascript({ typescript: true }),
    autocompletion({
      override: [(context) => completeScript(context, latest.current.facts.input)],
      icons: false,
      // Enter chooses as soon as the list is shown; a pause would make it a line break for a fast typist.
      interactionDelay: 0,
    }),
    hoverTypes(() => latest.current.facts.input),
    linter((view) => report(view.state, latest.current), {
      delay: LINT_DELAY_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(FACTS_CHANGED))),
    }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      "aria-labelledby": labelledBy,
      "aria-describedby": describedBy,
      spellcheck: "false",
      "data-field": fieldName,
      ...(isReadOnly ? { "aria-readonly": "true" } : {}),
    }),
    EditorView.domEventHandlers({ blur: () => latest.current.onLeave() }),
    EditorView.updateListener.of((update) => {
      const isTyped = update.docChanged && !update.transactions.some((each) => each.annotation(FROM_OUTSIDE));
      if (isTyped) latest.current.onChange(update.state.doc.toString());
    }),
  ];
}

function report(state: EditorState, { facts, onProblems }: ScriptEditorProps): Diagnostic[] {
  const found = lintScript(state, facts);
  onProblems(
    found.map(({ from, message, severity, source }) => {
      const line = state.doc.lineAt(from);
      const shown = severity === "warning" ? ("warning" as const) : ("error" as const);
      return { from, message, source, severity: shown, line: line.number, column: from - line.from + 1 };
    }),
  );
  return found;
}
