"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

/** Offline requests wait instead of failing: without this notice, buttons would seem to do nothing. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, readOnline, assumeOnline);
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="flex items-center gap-2 border-b border-border bg-warn-bg px-4 py-2 text-warn">
          <WifiOff aria-hidden className="size-3.5 shrink-0" />
          You're offline. The page may be out of date, and your requests wait until the connection is back.
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
