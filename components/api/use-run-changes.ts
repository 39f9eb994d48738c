"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { isStreamOpen, subscribeToRunChanges, subscribeToStreamState } from "@/components/api/run-stream";

/**
 * Calls `onChange` with the id of every run of the workspace that changed, and once with null when the stream opens
 * again, because changes in between were not reported.
 * @returns whether the stream is open; poll while it is not
 */
export function useRunChanges(onChange: (runId: string | null) => void, isEnabled = true): boolean {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => (isEnabled ? subscribeToRunChanges((runId) => latest.current(runId)) : undefined), [isEnabled]);
  const isOpen = useSyncExternalStore(subscribeToStreamState, isStreamOpen, () => false);
  useEffect(() => {
    if (isOpen && isEnabled) latest.current(null);
  }, [isOpen, isEnabled]);
  return isOpen;
}
