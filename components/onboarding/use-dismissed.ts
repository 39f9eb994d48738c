"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Whether the first steps of a workspace were put away, in this browser; null until that is known. */
export function useDismissed(workspaceId: string): [boolean | null, () => void] {
  const name = `signalbox.first-steps.${workspaceId}`;
  const isDismissed = useSyncExternalStore<boolean | null>(
    subscribe,
    () => localStorage.getItem(name) === "dismissed",
    () => null,
  );
  function dismiss() {
    localStorage.setItem(name, "dismissed");
    for (const listener of listeners) listener();
  }
  return [isDismissed, dismiss];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
