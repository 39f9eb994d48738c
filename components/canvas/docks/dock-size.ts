"use client";

import { useCallback, useSyncExternalStore } from "react";
import { useSession } from "@/components/shell/session-context";

/** A part of the editor next to the drawing. Its size is a width on the right and a height below. */
export type DockName = "panel" | "test";

interface DockLimits {
  min: number;
  usual: number;
  max: number;
}

/** Sizes in pixels. The window may leave less than the size that the user chose, but never less than the minimum. */
export const DOCKS = {
  panel: { min: 320, usual: 372, max: 640 },
  test: { min: 160, usual: 300, max: 640 },
} as const satisfies Record<DockName, DockLimits>;

const listeners = new Set<() => void>();
/** Sizes that could not be stored, so that a dock can still be resized without storage. */
const unstored = new Map<string, number>();

/** Returns a dock's size in pixels, remembered for the user in this browser, and a function that changes it. */
export function useDockSize(dock: DockName): [size: number, resize: (size: number) => void] {
  const { user_id: userId } = useSession().user;
  const key = `signalbox.${dock}-size.${userId}`;
  const size = useSyncExternalStore(
    subscribe,
    () => readSize(dock, key),
    () => DOCKS[dock].usual,
  );
  const resize = useCallback((next: number) => writeSize(key, clampSize(dock, next)), [dock, key]);
  return [size, resize];
}

export function clampSize(dock: DockName, size: number): number {
  const { min, max } = DOCKS[dock];
  return Math.min(max, Math.max(min, Math.round(size)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function readSize(dock: DockName, key: string): number {
  const stored = unstored.get(key) ?? Number(readStored(key));
  return stored > 0 ? clampSize(dock, stored) : DOCKS[dock].usual;
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeSize(key: string, size: number): void {
  try {
    localStorage.setItem(key, String(size));
    unstored.delete(key);
  } catch {
    unstored.set(key, size);
  }
  for (const listener of listeners) listener();
}
