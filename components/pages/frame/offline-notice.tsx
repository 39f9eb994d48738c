"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

/**
 * Offline, forms fail at once and other requests wait: without this notice, some buttons would seem to do nothing. It lies
 * over the page, so that nothing moves under the pointer. It is hidden while the editor itself says what happens to
 * changes.
 */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, readOnline, assumeOnline);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-toast flex justify-center [body:has([data-save-status=offline])_&]:hidden"
    >
      {isOnline ? null : (
        <p className="flex items-center gap-2 rounded-3 border border-border bg-warn-bg px-3 py-1.5 text-warn shadow-2">
          <WifiOff aria-hidden className="size-3.5 shrink-0" />
          You're offline. This page may be out of date.
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
