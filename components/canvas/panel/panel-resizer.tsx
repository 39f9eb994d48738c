"use client";

import { type KeyboardEvent, type PointerEvent, useState, useSyncExternalStore } from "react";

const STORAGE_KEY = "signalbox.panel-width";
export const PANEL_WIDTH = { min: 320, usual: 372, max: 640 } as const;
const KEY_STEP = 20;

function clampWidth(width: number): number {
  return Math.min(PANEL_WIDTH.max, Math.max(PANEL_WIDTH.min, Math.round(width)));
}

function readWidth(): number {
  const stored = Number(localStorage.getItem(STORAGE_KEY));
  return stored > 0 ? clampWidth(stored) : PANEL_WIDTH.usual;
}

const subscribeNever = () => () => undefined;

/** Returns the panel's width in pixels, remembered in this browser. */
export function usePanelWidth(): [number, (width: number) => void] {
  const stored = useSyncExternalStore(subscribeNever, readWidth, () => PANEL_WIDTH.usual);
  const [width, setWidth] = useState<number | null>(null);
  return [
    width ?? stored,
    (next) => {
      const clamped = clampWidth(next);
      localStorage.setItem(STORAGE_KEY, String(clamped));
      setWidth(clamped);
    },
  ];
}

interface PanelResizerProps {
  width: number;
  onResize: (width: number) => void;
}

/** The panel's left edge: drag it or move it with the arrow keys. */
export function PanelResizer({ width, onResize }: PanelResizerProps) {
  function onPointerMove(event: PointerEvent<HTMLHRElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const panel = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panel !== undefined) onResize(panel.right - event.clientX);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowLeft: KEY_STEP, ArrowRight: -KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onResize(width + step);
  }
  return (
    // In WAI-ARIA, a focusable separator is a window splitter.
    <hr
      aria-orientation="vertical"
      aria-label="Panel width"
      aria-valuenow={width}
      aria-valuemin={PANEL_WIDTH.min}
      aria-valuemax={PANEL_WIDTH.max}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-10 m-0 hidden h-auto w-2 border-0 cursor-col-resize touch-none -outline-offset-2 hover:bg-accent-weak md:block"
    />
  );
}
