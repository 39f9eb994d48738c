"use client";

import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { dropCursor, EditorView, placeholder } from "@codemirror/view";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { CHIP_POINTER } from "@/components/canvas/expressions/editor/chip-commands";
import { completeTyped, expressionCompletion } from "@/components/canvas/expressions/editor/expression-completion";
import { expressionKeys } from "@/components/canvas/expressions/editor/expression-keys";
import { expressionMarks, refreshChips } from "@/components/canvas/expressions/editor/expression-marks";
import type { ExpressionText } from "@/components/canvas/expressions/editor/expression-text";
import { expressionAround } from "@/components/canvas/expressions/editor/find-expressions";
import { DROP_REFERENCES, insertExpression } from "@/components/canvas/expressions/editor/insert-expression";
import type { Inserter, PlainPlace } from "@/components/canvas/expressions/editor/plain-expression";
import { afterPointer } from "@/components/ui/after-pointer";
import { FROM_OUTSIDE, floatingTooltips, setContentAttribute } from "@/components/ui/code/editor-base";
import { EDITOR_THEME } from "@/components/ui/code/editor-look";

export interface ExpressionEditorProps extends ExpressionText {
  /** Where the plain field that this editor replaces was, so that the user keeps typing there. */
  from: PlainPlace;
  /** Set to what inserts a reference at the caret. */
  inserter: RefObject<Inserter>;
  onFocus: () => void;
}

/** What the editor reads when it needs it. */
interface Live {
  props: RefObject<ExpressionEditorProps>;
  view: RefObject<EditorView | null>;
}

/** Edits text with expressions: draws references as chips, and completes what is typed between braces. */
export function ExpressionEditor(props: ExpressionEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const live = useLive(props);
  const { view } = live;
  // Before the browser paints, so that the plain field is replaced without a flash.
  useLayoutEffect(() => {
    const { from, value, inserter } = live.props.current;
    const parent = holder.current;
    if (parent === null) return;
    const made = new EditorView({ parent, state: createState(live, parent, value, from) });
    live.view.current = made;
    inserter.current = (expression) => insertExpression(made, expression, made.state.selection.main);
    if (from.hasFocus) made.focus();
    if (from.hasFocus && from.isTyped) completeTyped(made);
    return () => {
      live.view.current = null;
      made.destroy();
    };
  }, [live]);
  const { value, factsKey } = props;
  useLayoutEffect(() => {
    if (view.current !== null && view.current.state.doc.toString() !== value) restart(live, view.current, value);
  }, [value, live, view]);
  useLayoutEffect(() => view.current?.dispatch({ effects: refreshChips.of(factsKey) }), [factsKey, view]);
  const attributes = JSON.stringify(attributesOf(props));
  useLayoutEffect(() => {
    const named: ReturnType<typeof attributesOf> = JSON.parse(attributes);
    const { current } = view;
    if (current !== null) for (const [name, set] of Object.entries(named)) setContentAttribute(current, name, set);
  }, [attributes, view]);
  return <div ref={holder} />;
}

function useLive(props: ExpressionEditorProps): Live {
  const latest = useRef(props);
  const view = useRef<EditorView | null>(null);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [live] = useState<Live>(() => ({ props: latest, view }));
  return live;
}

/** Starts again with a text and an empty history: a change from outside can't be undone step by step in the field. */
function restart(live: Live, view: EditorView, text: string): void {
  const { anchor, head } = view.state.selection.main;
  const parent = view.dom.parentElement ?? view.dom;
  view.setState(createState(live, parent, text, { anchor, head }));
}

function createState(
  live: Live,
  parent: HTMLElement,
  doc: string,
  { anchor, head }: { anchor: number; head: number },
): EditorState {
  const within = (position: number) => Math.min(position, doc.length);
  return EditorState.create({
    doc,
    selection: EditorSelection.single(within(anchor), within(head)),
    extensions: [extensionsFor(live), floatingTooltips(parent)],
  });
}

function extensionsFor(live: Live): Extension {
  const { id, rows = 1, placeholder: example = "", isReadOnly = false } = live.props.current;
  return [
    EDITOR_THEME,
    EditorView.lineWrapping,
    EditorView.theme({ ".cm-content": { minHeight: `${rows * 18 + 12}px` } }),
    expressionKeys(rows > 1, {
      undoBefore: () => live.props.current.onUndo?.(),
      redoAfter: () => live.props.current.onRedo?.(),
    }),
    expressionMarks((source) => live.props.current.describe(source)),
    expressionCompletion(() => live.props.current.sources),
    ...[CHIP_POINTER, DROP_REFERENCES, dropCursor(), placeholder(example)],
    rows > 1 ? [] : SINGLE_LINE,
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.contentAttributes.of({
      id,
      class: "expression-text",
      spellcheck: "false",
      "aria-multiline": String(rows > 1),
      ...(isReadOnly ? { "aria-readonly": "true" } : {}),
    }),
    focusHandlers(live),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) live.props.current.onChange(state.doc.toString());
    }),
  ];
}

/** The attributes that can change while the field is shown; null removes one. */
function attributesOf({ label, labelledBy, describedBy, fieldName, isInvalid = false }: ExpressionEditorProps) {
  return {
    "aria-label": label ?? null,
    "aria-labelledby": labelledBy ?? null,
    "aria-describedby": describedBy ?? null,
    "aria-invalid": isInvalid ? "true" : null,
    "data-field": fieldName,
  };
}

/**
 * Leaving the field closes what is open in it, and its history: from then on, one undo on the canvas reverts the whole
 * edit.
 */
function focusHandlers(live: Live): Extension {
  return EditorView.domEventHandlers({
    focus: () => {
      live.props.current.onFocus();
      afterPointer(() => live.props.current.onEnter?.());
    },
    blur: (_, view) => {
      afterPointer(() => {
        if (view.hasFocus || live.view.current !== view) return;
        const text = view.state.doc.toString();
        const { head } = view.state.selection.main;
        const caret = expressionAround(text, head)?.to ?? head;
        const parent = view.dom.parentElement ?? view.dom;
        view.setState(createState(live, parent, text, { anchor: caret, head: caret }));
        live.props.current.onLeave?.();
      });
    },
  });
}

const BREAK = /\s*\n\s*/g;

/** Turns a pasted or dropped line break into a space. */
const SINGLE_LINE: Extension = EditorState.transactionFilter.of((transaction) => {
  const hasBreak = transaction.docChanged && transaction.newDoc.lines > 1;
  if (!hasBreak || transaction.annotation(FROM_OUTSIDE)) return transaction;
  const breaks = [...transaction.newDoc.toString().matchAll(BREAK)];
  const changes = breaks.map(({ index, 0: found }) => ({ from: index, to: index + found.length, insert: " " }));
  return [transaction, { changes, sequential: true }];
});
