"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Dismissed, asked for again, or neither: then the first steps are shown until the first call arrives. */
type FirstSteps = "dismissed" | "asked" | "as_needed";

/** Returns how the user wants the first steps of a workspace shown in this browser, or null until that is known. */
export function useFirstSteps(workspaceId: string): [FirstSteps | null, (next: FirstSteps) => void] {
  const name = `signalbox.first-steps.${workspaceId}`;
  const state = useSyncExternalStore<FirstSteps | null>(
    subscribe,
    () => read(name),
    () => null,
  );
  function change(next: FirstSteps) {
    localStorage.setItem(name, next);
    for (const listener of listeners) listener();
  }
  return [state, change];
}

function read(name: string): FirstSteps {
  const stored = localStorage.getItem(name);
  return stored === "dismissed" || stored === "asked" ? stored : "as_needed";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
