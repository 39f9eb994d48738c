"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

const REDUCED = "(prefers-reduced-motion: reduce)";
const TICK_MS = 500;
const CALM_TICK_MS = 2_000;

/**
 * Returns the time in epoch milliseconds and updates it every half second while `isTicking`, or every two seconds for
 * people who ask for less motion.
 */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  const isReduced = useSyncExternalStore(
    subscribeToMotion,
    () => matchMedia(REDUCED).matches,
    () => false,
  );
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), isReduced ? CALM_TICK_MS : TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking, isReduced]);
  return now;
}

function subscribeToMotion(onChange: () => void): () => void {
  const query = matchMedia(REDUCED);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}
