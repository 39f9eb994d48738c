"use client";

import { useEffect } from "react";

const AFTER_MS = 300;

/**
 * Fetches code after the page is shown, so that opening a part of it doesn't wait.
 * @param loads created once, at module level
 */
export function useSoon(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of loads) load().catch(() => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [loads]);
}
