import type { Tracked } from "@/components/canvas/store/editor-store";

/** Returns true if nothing differs that undo restores and autosave saves. */
export function isSameTracked(past: Tracked, current: Tracked): boolean {
  return (
    past.definition === current.definition && past.notes === current.notes && past.orientation === current.orientation
  );
}
