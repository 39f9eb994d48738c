"use client";

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit, syntaxTree } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { Annotation, EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder, tooltips } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import { completeCode, type InputValue } from "@/components/ui/code/code-completions";
import { EDITOR_LOOK } from "@/components/ui/code/editor-look";

export interface CodeEditorProps {
  /** The element that names it. */
  labelledBy: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  language: "typescript" | "json" | "text";
  value: string;
  /** As problems name the field. */
  fieldName?: string;
  /** What code can reach by `input.`. */
  inputValues?: readonly InputValue[];
  placeholderText?: string;
  /** What is chosen and brought into view; a new object does it again. */
  shown?: { from: number; to: number } | null;
  /** Lines shown at least. */
  rows: number;
  onChange: (text: string) => void;
  onLeave?: () => void;
}

/** Changes that come from outside: undo on the drawing, another version. They are not told as typed. */
const FROM_OUTSIDE = Annotation.define<true>();

/** Code with colours, brackets, completion and the places where it cannot be read. Tab leaves it, as it does every field. */
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
      state: EditorState.create({ doc: value, extensions: extensionsFor(latest) }),
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
    const content = view.current?.contentDOM;
    if (content === undefined) return;
    setOrRemove(content, "aria-describedby", props.describedBy);
    setOrRemove(content, "aria-invalid", props.isInvalid ? "true" : undefined);
  }, [props.describedBy, props.isInvalid]);
  return <div ref={holder} style={{ minHeight: props.rows * 18 + 14 }} />;
}

function setOrRemove(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
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
    // Outside of the panel, which cuts off what stands over its edge.
    tooltips({ parent: document.body, position: "fixed" }),
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

/** An empty field is no mistake of its writing. */
function lintJson(view: EditorView): readonly Diagnostic[] {
  return view.state.doc.toString().trim() === "" ? [] : jsonParseLinter()(view);
}

/** The first place where the code cannot be read; what follows from it says nothing more. */
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
        message: "This cannot be read as TypeScript.",
      });
    },
  });
  return found;
}
