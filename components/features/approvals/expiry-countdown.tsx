"use client";

import { clsx } from "clsx";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatDateTime } from "#lib/support/format/format-moment";
import { useNow } from "@/components/words/use-now";

const SOON_MS = 600_000;

/** Shows how much time is left to decide a request; amber in the last ten minutes. */
export function ExpiryCountdown({ expiresAt }: { expiresAt: string }) {
  const leftMs = Date.parse(expiresAt) - useNow(true);
  const isSoon = leftMs < SOON_MS;
  return (
    <time
      dateTime={expiresAt}
      title={formatDateTime(expiresAt)}
      className={clsx("whitespace-nowrap", isSoon ? "font-medium text-warn" : "text-text-2")}
      suppressHydrationWarning
    >
      {leftMs > 0 ? `expires in ${formatDuration(isSoon ? leftMs : wholeMinutes(leftMs))}` : "time is up"}
    </time>
  );
}

/** Seconds matter only at the end; before that they would only flicker. */
function wholeMinutes(ms: number): number {
  return ms - (ms % 60_000);
}
