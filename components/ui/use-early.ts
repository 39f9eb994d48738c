"use client";

import { useEffect } from "react";

/**
 * Fetches the code of parts that show a page's data, while the data loads.
 * @param loads created once, at module level
 */
export function useEarly(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    // A part that could not be fetched is fetched again when it is rendered.
    for (const load of loads) load().catch(() => undefined);
  }, [loads]);
}
