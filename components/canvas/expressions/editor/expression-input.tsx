"use client";

import { clsx } from "clsx";
import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ExpressionEditor } from "@/components/canvas/expressions/editor/expression-editor";
import type { ExpressionText } from "@/components/canvas/expressions/editor/expression-text";
import { loadExpressionEditor, loadedExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import {
  type Inserter,
  PlainExpression,
  type PlainPlace,
} from "@/components/canvas/expressions/editor/plain-expression";
import { type InsertTarget, mountInserts, takeInserts } from "@/components/canvas/expressions/insert-reference";
import { afterPointer, watchPointer } from "@/components/ui/after-pointer";
import "@/components/canvas/expressions/expressions.css";

/** The control of a text with expressions. Until its editor is loaded, it is a plain field of the same size. */
export function ExpressionInput(props: ExpressionText) {
  const area = useRef<HTMLTextAreaElement>(null);
  const inserter = useRef<Inserter>(() => undefined);
  const ready = useEditor(area);
  const box = useRef<HTMLDivElement>(null);
  const [target] = useState<InsertTarget>(() => ({
    insert: (expression) => inserter.current(expression),
    isIn: (part) => part.contains(box.current),
  }));
  useEffect(() => mountInserts(target), [target]);
  const shared = { ...props, inserter, onFocus: () => takeInserts(target) };
  return (
    <div
      ref={box}
      className={clsx(
        "min-h-control min-w-0 rounded-2 border focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
        props.isInvalid ? "border-err" : "border-border-strong",
        props.isReadOnly ? "bg-sunken" : "bg-surface",
      )}
    >
      {ready === null ? (
        <PlainExpression {...shared} area={area} />
      ) : (
        <ready.Editor key={props.isReadOnly ? "read" : "edit"} {...shared} from={ready.from} />
      )}
    </div>
  );
}

interface ReadyEditor {
  Editor: typeof ExpressionEditor;
  from: PlainPlace;
}

const START: PlainPlace = { anchor: 0, head: 0, hasFocus: false, isTyped: false };

function useEditor(area: RefObject<HTMLTextAreaElement | null>): ReadyEditor | null {
  const [ready, setReady] = useState<ReadyEditor | null>(() => {
    const Editor = loadedExpressionEditor();
    return Editor === null ? null : { Editor, from: START };
  });
  const isReady = ready !== null;
  useEffect(() => {
    watchPointer();
    if (isReady) return;
    let isGone = false;
    // If the code can't be loaded, the plain field stays.
    loadExpressionEditor().then(
      (Editor) =>
        afterPointer(() => {
          if (!isGone) replacePlain(area.current, (from) => setReady({ Editor, from }));
        }),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isReady, area]);
  return ready;
}

/**
 * Replaces the field in the same turn in which its caret and focus are read: a key or the focus that came between would be
 * lost. Never within a composed character.
 */
function replacePlain(area: HTMLTextAreaElement | null, replace: (from: PlainPlace) => void): void {
  if (area === null) replace(START);
  else if (area.dataset.composing !== undefined) {
    area.addEventListener("compositionend", () => setTimeout(() => replacePlain(area, replace)), { once: true });
  } else {
    const { selectionStart: anchor, selectionEnd: head } = area;
    const hasFocus = document.activeElement === area;
    const isTyped = area.dataset.typed !== undefined;
    flushSync(() => replace({ anchor, head, hasFocus, isTyped }));
  }
}
