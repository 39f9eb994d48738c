"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { describeInstant, describeSince } from "@/components/words/format-time";

/**
 * "3 min ago", with the full moment on hover and for machines. Ticks while it is shown. What the server sends says the
 * moment; what the browser draws says at once how long ago it is, so that no column changes its width.
 */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const isInBrowser = useSyncExternalStore(subscribeToNothing, inBrowser, onServer);
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const shown = isInBrowser ? describeSince(Date.parse(at), Math.max(now, Date.now())) : describeInstant(at);
  return (
    <time dateTime={at} title={describeInstant(at)} className={className} suppressHydrationWarning>
      {shown}
    </time>
  );
}

const subscribeToNothing = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;
