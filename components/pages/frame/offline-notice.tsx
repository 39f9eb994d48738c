"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

/** Offline, forms fail at once and other requests wait: without this notice, some buttons would seem to do nothing. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, readOnline, assumeOnline);
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="flex items-center gap-2 border-b border-border bg-warn-bg px-4 py-2 text-warn">
          <WifiOff aria-hidden className="size-3.5 shrink-0" />
          You're offline. This page may be out of date, and changes may not be saved until you're back online.
        </p>
      )}
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

const readOnline = () => navigator.onLine;
const assumeOnline = () => true;
