import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type InsertTarget, useInsertTarget } from "@/components/canvas/panel/fields/panel-context";

/** Returns a function that replaces a part of a text area's text and puts the caret after the new part. */
export function useReplaceText(
  area: RefObject<HTMLTextAreaElement | null>,
  value: string,
  onChange: (text: string) => void,
): (start: number, end: number, text: string) => void {
  const nextCaret = useRef<number | null>(null);
  // React has written the value before this runs, which moves the caret to the end.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });
  return (start, end, text) => {
    nextCaret.current = start + text.length;
    // The current text of the field, rendered or not.
    const now = area.current?.value ?? value;
    onChange(now.slice(0, start) + text + now.slice(end));
  };
}

/**
 * Makes a field the target for inserted values, from its focus until another field has the focus or this one is
 * unmounted.
 * @param insert the latest callback is used, because the step may be renamed and earlier rows removed in the meantime
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
