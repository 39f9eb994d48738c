"use client";

import { clsx } from "clsx";
import { describeDuration, describeInstant } from "@/components/words/format-time";
import { useNow } from "@/components/words/use-now";

const SOON_MS = 600_000;

/** How long a request can still be decided; amber in the last ten minutes. */
export function ExpiryCountdown({ expiresAt }: { expiresAt: string }) {
  const leftMs = Date.parse(expiresAt) - useNow(true);
  const isSoon = leftMs < SOON_MS;
  return (
    <time
      dateTime={expiresAt}
      title={describeInstant(expiresAt)}
      className={clsx("whitespace-nowrap", isSoon ? "font-medium text-warn" : "text-text-2")}
      suppressHydrationWarning
    >
      {leftMs > 0 ? `expires in ${describeDuration(isSoon ? leftMs : wholeMinutes(leftMs))}` : "the time is up"}
    </time>
  );
}

/** Seconds matter at the end alone; before that they would only flicker. */
function wholeMinutes(ms: number): number {
  return ms - (ms % 60_000);
}
