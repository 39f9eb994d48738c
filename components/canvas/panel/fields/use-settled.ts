"use client";

import { useEffect, useState } from "react";

const SETTLE_MS = 250;

/**
 * Returns what was typed once the typing stops.
 * @param value anything that JSON can hold; the same when it says the same
 */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text ? value : JSON.parse(settled);
}
