import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type InsertTarget, useInsertTarget } from "@/components/canvas/panel/fields/panel-context";

/** Returns a function that replaces a part of a text area's text and leaves the caret behind the new part. */
export function useReplaceText(
  area: RefObject<HTMLTextAreaElement | null>,
  value: string,
  onChange: (text: string) => void,
): (start: number, end: number, text: string) => void {
  const nextCaret = useRef<number | null>(null);
  // React writes the value before this runs, which puts the caret at the end.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });
  return (start, end, text) => {
    nextCaret.current = start + text.length;
    // What is in the field now, drawn or not.
    const now = area.current?.value ?? value;
    onChange(now.slice(0, start) + text + now.slice(end));
  };
}

/**
 * Makes a field the one that values go into, from its focus until another field has the focus or this one is gone.
 * @param insert the latest one is called: the step may be renamed, and rows before this one removed, in the meantime
 */
export function useTakeInserts(insert: (expression: string) => void): () => void {
  const insertTarget = useInsertTarget();
  const latest = useRef(insert);
  const [own] = useState<InsertTarget>(() => ({ insert: (expression) => latest.current(expression) }));
  useLayoutEffect(() => {
    latest.current = insert;
  });
  useEffect(
    () => () => {
      if (insertTarget.current === own) insertTarget.current = null;
    },
    [insertTarget, own],
  );
  return () => {
    insertTarget.current = own;
  };
}
