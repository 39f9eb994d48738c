"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Put away, asked for again, or neither: then they are shown until the first call came. */
type FirstSteps = "dismissed" | "asked" | "as_needed";

/** What a person wants of the first steps of a workspace, in this browser; null until that is known. */
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
