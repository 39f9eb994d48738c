"use client";

import { type KeyboardEvent, type PointerEvent, useState, useSyncExternalStore } from "react";

const STORAGE_KEY = "signalbox.test-height";
const HEIGHT = { min: 160, usual: 300, max: 640 } as const;
const KEY_STEP = 20;

function clampHeight(height: number): number {
  return Math.min(HEIGHT.max, Math.max(HEIGHT.min, Math.round(height)));
}

function readHeight(): number {
  const stored = Number(localStorage.getItem(STORAGE_KEY));
  return stored > 0 ? clampHeight(stored) : HEIGHT.usual;
}

const subscribeNever = () => () => undefined;

/** Returns the test panel's height in pixels, remembered in this browser. */
export function useTestHeight(): [number, (height: number) => void] {
  const stored = useSyncExternalStore(subscribeNever, readHeight, () => HEIGHT.usual);
  const [height, setHeight] = useState<number | null>(null);
  return [
    height ?? stored,
    (next) => {
      const clamped = clampHeight(next);
      localStorage.setItem(STORAGE_KEY, String(clamped));
      setHeight(clamped);
    },
  ];
}

interface TestHeightResizerProps {
  height: number;
  onResize: (height: number) => void;
}

/** The test panel's upper edge: drag it or move it with the arrow keys. */
export function TestHeightResizer({ height, onResize }: TestHeightResizerProps) {
  function onPointerMove(event: PointerEvent<HTMLHRElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const panel = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panel !== undefined) onResize(panel.bottom - event.clientY);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: KEY_STEP, ArrowDown: -KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onResize(height + step);
  }
  return (
    <hr
      aria-orientation="horizontal"
      aria-label="Test panel height"
      aria-valuenow={height}
      aria-valuemin={HEIGHT.min}
      aria-valuemax={HEIGHT.max}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="absolute inset-x-0 -top-1 z-10 m-0 h-2 w-auto cursor-row-resize touch-none border-0 -outline-offset-2 hover:bg-accent-weak"
    />
  );
}
