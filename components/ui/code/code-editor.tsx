"use client";

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit, syntaxTree } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import { completeCode, type InputValue } from "@/components/ui/code/code-completions";
import { FROM_OUTSIDE, floatingTooltips, setContentAttribute } from "@/components/ui/code/editor-base";
import { EDITOR_LOOK } from "@/components/ui/code/editor-look";

export interface CodeEditorProps {
  /** The id of the element that labels it. */
  labelledBy: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  language: "typescript" | "json" | "text";
  value: string;
  /** The field's name in problems. */
  fieldName?: string;
  /** What the code can reach through `input.`. */
  inputValues?: readonly InputValue[];
  placeholderText?: string;
  /** The range to select and scroll to; a new object selects it again. */
  shown?: { from: number; to: number } | null;
  /** The smallest number of visible lines. */
  rows: number;
  onChange: (text: string) => void;
  onLeave?: () => void;
}

/** An editor with colors, brackets, completion and syntax errors. Tab leaves it, as it leaves every field. */
export function CodeEditor(props: CodeEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (holder.current === null) return;
    const { value } = latest.current;
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({ doc: value, extensions: [extensionsFor(latest), floatingTooltips(holder.current)] }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);
  const { value } = props;
  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === value) return;
    const changes = { from: 0, to: current.state.doc.length, insert: value };
    current.dispatch({ changes, annotations: FROM_OUTSIDE.of(true) });
  }, [value]);
  const { shown = null } = props;
  useEffect(() => {
    const { current } = view;
    if (current === null || shown === null || shown.to > current.state.doc.length) return;
    const range = EditorSelection.range(shown.from, shown.to);
    current.dispatch({ selection: range, effects: EditorView.scrollIntoView(range, { y: "center" }) });
    current.focus();
  }, [shown]);
  useEffect(() => {
    const { current } = view;
    if (current === null) return;
    setContentAttribute(current, "aria-describedby", props.describedBy ?? null);
    setContentAttribute(current, "aria-invalid", props.isInvalid ? "true" : null);
  }, [props.describedBy, props.isInvalid]);
  return <div ref={holder} style={{ minHeight: props.rows * 18 + 14 }} />;
}

/** ⌘↵ runs the draft. */
const KEYS = [...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap].filter(
  ({ key }) => key !== "Mod-Enter",
);

function extensionsFor(latest: RefObject<CodeEditorProps>): Extension[] {
  const { labelledBy, fieldName, placeholderText, rows, isReadOnly = false } = latest.current;
  return [
    EDITOR_LOOK,
    history(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    indentUnit.of("  "),
    keymap.of(KEYS),
    languageOf(latest),
    placeholderText === undefined ? [] : placeholder(placeholderText),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.theme({ ".cm-content": { minHeight: `${rows * 18 + 12}px` } }),
    EditorView.contentAttributes.of({
      "aria-labelledby": labelledBy,
      spellcheck: "false",
      ...(fieldName === undefined ? {} : { "data-field": fieldName }),
    }),
    EditorView.domEventHandlers({ blur: () => latest.current.onLeave?.() }),
    EditorView.updateListener.of((update) => {
      const isTyped = update.docChanged && !update.transactions.some((each) => each.annotation(FROM_OUTSIDE));
      if (isTyped) latest.current.onChange(update.state.doc.toString());
    }),
  ];
}

function languageOf(latest: RefObject<CodeEditorProps>): Extension {
  switch (latest.current.language) {
    case "text":
      return [];
    case "json":
      return [json(), linter(lintJson)];
    case "typescript":
      return [
        javascript({ typescript: true }),
        linter(lintSyntax),
        autocompletion({
          override: [(context) => completeCode(context, latest.current.inputValues ?? [])],
          icons: false,
        }),
      ];
  }
}

/** An empty field is not a syntax error. */
function lintJson(view: EditorView): readonly Diagnostic[] {
  return view.state.doc.toString().trim() === "" ? [] : jsonParseLinter()(view);
}

/** Returns the first syntax error; the ones that follow from it add nothing. */
function lintSyntax(view: EditorView): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (!type.isError || found.length > 0) return;
      const end = Math.min(view.state.doc.length, Math.max(to, from + 1));
      found.push({
        from: Math.min(from, end),
        to: end,
        severity: "error",
        message: "This isn't valid TypeScript.",
      });
    },
  });
  return found;
}
