"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
/** Notices are shown for a week, so a browser never has to remember more. */
const KEPT = 100;

/** Returns the ids of the notices that the user dismissed in this browser, or null until that is known. */
export function useDismissed(workspaceId: string): [readonly string[] | null, (id: string) => void] {
  const name = `signalbox.dismissed-notices.${workspaceId}`;
  const stored = useSyncExternalStore<string | null>(
    subscribe,
    () => localStorage.getItem(name) ?? "",
    () => null,
  );
  const ids = stored === null ? null : stored.split(" ").filter((id) => id !== "");
  function dismiss(id: string) {
    localStorage.setItem(name, [id, ...(ids ?? [])].slice(0, KEPT).join(" "));
    for (const listener of listeners) listener();
  }
  return [ids, dismiss];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
