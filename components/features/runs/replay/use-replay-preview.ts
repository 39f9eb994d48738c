"use client";

import type { RunObject } from "#lib/contract/run";
import type { ReplayPreviewObject } from "#lib/contract/web/web";
import { useOperation } from "@/components/api/operation-hooks";

/**
 * Returns what a replay on the published version would do. Null while that is unknown, if the run executed that version
 * itself, and if it cannot be replayed on another one.
 */
export function useReplayPreview(run: RunObject): ReplayPreviewObject | null {
  const isPossible = run.workflow_version_id !== null && !run.dry_run;
  const preview = useOperation("preview_replay", { run_id: run.run_id }, { enabled: isPossible });
  return preview.data === undefined || preview.data.is_same ? null : preview.data;
}
