"use client";

import { useEffect, useState } from "react";
import { formatInstant } from "#lib/support/format/format-moment";
import { formatRelative } from "#lib/support/format/format-relative";
import { DEFAULT_READER } from "#lib/support/format/reader";
import { useReader } from "@/components/words/use-reader";

/**
 * Shows "3 min. ago", with the full moment on hover and for machines, and updates while it is on the page. The server
 * renders the moment itself, because "ago" would differ by the time the browser reads it; what the browser draws is
 * relative from the first frame, so that no column changes its width.
 */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const reader = useReader();
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const exact = formatInstant(at, reader);
  const isOnServer = reader === DEFAULT_READER;
  return (
    <time dateTime={at} title={exact} className={className} suppressHydrationWarning>
      {isOnServer ? exact : formatRelative(Date.parse(at), Math.max(now, Date.now()), reader)}
    </time>
  );
}
