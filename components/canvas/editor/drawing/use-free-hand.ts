import { type RefObject, useEffect, useRef } from "react";

const EVENTS = ["pointermove", "keydown", "keyup"] as const;

/** Returns whether the user holds ⌘ or Ctrl now, which turns snapping off during a drag. */
export function useFreeHand(): RefObject<boolean> {
  const isFree = useRef(false);
  useEffect(() => {
    const read = (event: PointerEvent | KeyboardEvent) => {
      isFree.current = event.metaKey || event.ctrlKey;
    };
    for (const name of EVENTS) window.addEventListener(name, read, true);
    return () => {
      for (const name of EVENTS) window.removeEventListener(name, read, true);
    };
  }, []);
  return isFree;
}
