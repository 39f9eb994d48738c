"use client";

import { clsx } from "clsx";
import type { KeyboardEvent, PointerEvent } from "react";
import { DOCKS, type DockName } from "@/components/canvas/docks/dock-size";

const KEY_STEP = 20;
const KEY_LEAP = 100;

/** Each dock has its resizer on the edge that faces the drawing. */
const EDGES = {
  panel: { label: "Panel width", orientation: "vertical", grow: "ArrowLeft", shrink: "ArrowRight" },
  test: { label: "Test panel height", orientation: "horizontal", grow: "ArrowUp", shrink: "ArrowDown" },
} as const satisfies Record<DockName, object>;

interface DockResizerProps {
  dock: DockName;
  size: number;
  onResize: (size: number) => void;
}

/**
 * A dock's edge: drag it, or move it with the arrow keys, faster with Shift; Home and End choose the smallest and the
 * largest size. A double-click or Enter restores the usual size. Must be a child of the dock's element.
 */
export function DockResizer({ dock, size, onResize }: DockResizerProps) {
  const { label, orientation, grow, shrink } = EDGES[dock];
  const { min, usual, max } = DOCKS[dock];
  const isWidth = orientation === "vertical";
  function onPointerMove(event: PointerEvent<HTMLHRElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box !== undefined) onResize(isWidth ? box.right - event.clientX : box.bottom - event.clientY);
  }
  function onKeyDown(event: KeyboardEvent<HTMLHRElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? KEY_LEAP : KEY_STEP;
    // The window may leave less than the chosen size; a key must change the size that the user sees.
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    const shown = Math.round((isWidth ? box?.width : box?.height) || size);
    const next = { [grow]: shown + step, [shrink]: shown - step, Home: min, End: max, Enter: usual }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(next);
  }
  return (
    // In WAI-ARIA, a focusable separator is a window splitter.
    <hr
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onResize(usual)}
      onKeyDown={onKeyDown}
      className={clsx(
        "absolute z-10 m-0 touch-none border-0 -outline-offset-2 hover:bg-accent-weak",
        isWidth
          ? "inset-y-0 -left-1 hidden h-auto w-2 cursor-col-resize md:block"
          : "inset-x-0 -top-1 h-2 w-auto cursor-row-resize",
      )}
    />
  );
}
