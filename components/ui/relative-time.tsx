"use client";

import { useEffect, useState } from "react";
import { describeInstant, describeSince } from "@/components/ui/format-time";

/** "3 min ago", with the full moment on hover and for machines. Ticks while it is shown. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const shown = now === null ? describeInstant(at) : describeSince(Date.parse(at), Math.max(now, Date.now()));
  return (
    <time dateTime={at} title={describeInstant(at)} className={className} suppressHydrationWarning>
      {shown}
    </time>
  );
}
