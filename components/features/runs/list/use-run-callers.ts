"use client";

import { useMemo } from "react";
import type { RunObject } from "#lib/contract/run";
import type { RunCaller } from "#lib/contract/web/run-list";
import { useOperation } from "@/components/api/operation-hooks";

/** Returns who started each run of a page, with one request for all of them; none while the column is hidden. */
export function useRunCallers(runs: readonly RunObject[], isShown: boolean): ReadonlyMap<string, RunCaller> {
  const runIds = runs.map((run) => run.run_id);
  const { data } = useOperation(
    "list_run_callers",
    { run_ids: runIds },
    { enabled: isShown && runIds.length > 0, keepPrevious: true, staleTime: Number.POSITIVE_INFINITY },
  );
  return useMemo(() => new Map(data?.data.map((caller) => [caller.run_id, caller])), [data]);
}
