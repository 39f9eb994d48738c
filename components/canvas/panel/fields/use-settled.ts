"use client";

import { useEffect, useState } from "react";

const SETTLE_MS = 250;

/**
 * Returns the latest value once the user stops typing.
 * @param value any JSON value; equal JSON counts as the same value
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
