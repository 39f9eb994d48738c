"use client";

import { CloudCheck, CloudOff, CloudUpload, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { formatRelative } from "#lib/support/format/format-relative";
import type { SaveState } from "@/components/canvas/store/autosave";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";

const TICK_MS = 5_000;

/** Always shows the draft's save state. States that need the user are also announced; the ticking time is not. */
export function SaveStatus() {
  const status = useDraft((draft) => draft.status);
  const { saveNow } = useDraftSession();
  const needsAttention = status.kind === "offline" || status.kind === "failed";
  return (
    <div className="flex min-w-0 items-center gap-1.5 text-dense text-text-3" data-save-status={status.kind}>
      <StatusIcon kind={status.kind} />
      <span role={needsAttention ? "status" : undefined} className="truncate max-sm:sr-only">
        <StatusWords status={status} />
      </span>
      {status.kind === "failed" ? (
        <button type="button" className="link shrink-0" onClick={() => void saveNow()}>
          Retry
        </button>
      ) : null}
    </div>
  );
}

/** Shown next to the words only if something is wrong; replaces the words on a narrow screen. */
function StatusIcon({ kind }: { kind: SaveState["kind"] }) {
  switch (kind) {
    case "saved":
      return <CloudCheck aria-hidden className="size-4 shrink-0 sm:hidden" strokeWidth={1.75} />;
    case "unsaved":
    case "saving":
      return <CloudUpload aria-hidden className="size-4 shrink-0 sm:hidden" strokeWidth={1.75} />;
    case "offline":
      return <CloudOff aria-hidden className="size-3.5 shrink-0 text-warn" />;
    case "failed":
      return <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-err" />;
    case "conflict":
      return <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-warn sm:hidden" />;
  }
}

function StatusWords({ status }: { status: SaveState }) {
  switch (status.kind) {
    case "saved":
      return <SavedSince key={status.at} atMs={status.at} />;
    case "unsaved":
      return "Unsaved changes";
    case "saving":
      return "Saving…";
    case "offline":
      return <span className="text-warn">Offline: changes kept in this browser</span>;
    case "failed":
      return (
        <span className="text-err" title={status.message}>
          Not saved: {status.message}
        </span>
      );
    case "conflict":
      return <span className="text-warn">Not saved: changed elsewhere</span>;
  }
}

function SavedSince({ atMs }: { atMs: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - atMs) / 1_000));
  if (seconds < 60) return seconds < 2 ? "Saved" : `Saved ${seconds}s ago`;
  return `Saved ${formatRelative(atMs, Math.max(now, atMs))}`;
}
