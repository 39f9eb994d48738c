"use client";

import { useEffect } from "react";

const AFTER_MS = 300;

/**
 * Fetches code once the page stands, so that nobody waits for what they open.
 * @param loads made once, at module level
 */
export function useSoon(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of loads) load().catch(() => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [loads]);
}
