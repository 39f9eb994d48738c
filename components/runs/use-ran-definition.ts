"use client";

import type { Definition } from "#lib/contract/graph";
import type { RunObject } from "#lib/contract/run";
import { useOperation } from "@/components/api/operation-hooks";

/** The definition that ran; only a release's can be asked for by its number. Null while it is not known. */
export function useRanDefinition(run: RunObject): Definition | null {
  const version = run.action_release_version;
  const workflow = useOperation(
    "get_workflow",
    { workflow_id: run.workflow_id, version: version ?? "draft" },
    { enabled: version !== null && !run.dry_run, staleTime: Number.POSITIVE_INFINITY },
  );
  return version === null || run.dry_run ? null : (workflow.data?.definition ?? null);
}
