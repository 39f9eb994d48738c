"use client";

import { useCallback, useEffect, useRef } from "react";

/**
 * Returns a function that runs `act` at once and then at most every `everyMs`, however often it is called; the last
 * call counts.
 */
export function useCoalesced(act: () => void, everyMs: number): () => void {
  const latest = useRef(act);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isAskedAgain = useRef(false);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return useCallback(() => {
    if (timer.current !== null) {
      isAskedAgain.current = true;
      return;
    }
    function go() {
      isAskedAgain.current = false;
      latest.current();
      timer.current = setTimeout(() => {
        timer.current = null;
        if (isAskedAgain.current) go();
      }, everyMs);
    }
    go();
  }, [everyMs]);
}
