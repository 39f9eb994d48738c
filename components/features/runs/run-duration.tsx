"use client";

import { isExecuting, type RunObject } from "#lib/contract/run/run";
import { formatDuration } from "#lib/support/format/format-duration";
import { useNow } from "@/components/words/use-now";

/** Shows how long the run took, or how long it has been running. */
export function RunDuration({ run }: { run: Pick<RunObject, "status" | "started_at" | "duration_ms"> }) {
  const isRunning = isExecuting(run.status) && run.started_at !== null && run.duration_ms === null;
  const now = useNow(isRunning);
  if (run.duration_ms !== null) return <span className="font-mono text-dense">{formatDuration(run.duration_ms)}</span>;
  if (!isRunning || run.started_at === null) return <span className="text-text-3">–</span>;
  const elapsedMs = Math.max(0, now - Date.parse(run.started_at));
  return (
    <span className="font-mono text-dense" suppressHydrationWarning>
      {formatDuration(elapsedMs)}
    </span>
  );
}
