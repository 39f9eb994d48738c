"use client";

import { lazy, Suspense, useEffect, useState } from "react";

const ThemedToaster = lazy(() =>
  import("@/components/pages/frame/toaster").then((m) => ({ default: m.ThemedToaster })),
);

/** Shows messages. A page has none in its first moments, so this code loads last. */
export function Toasts() {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled ? (
    <Suspense>
      <ThemedToaster />
    </Suspense>
  ) : null;
}

const SETTLED_MS = 1_000;
