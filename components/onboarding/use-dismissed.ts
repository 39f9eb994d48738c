"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Whether the first steps of a workspace were put away, in this browser. Counts as put away until that is known. */
export function useDismissed(workspaceId: string): [boolean, () => void] {
  const name = `signalbox.first-steps.${workspaceId}`;
  const isDismissed = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(name) === "dismissed",
    () => true,
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
