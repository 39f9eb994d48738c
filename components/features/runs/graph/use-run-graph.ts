"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

/** Returns the definition and the path that a run takes, updated with the run. Null until it is known. */
export function useRunGraph(run: RunObject): RunGraphObject | null {
  const queryClient = useQueryClient();
  const graph = useOperation("get_run_graph", { run_id: run.run_id }, { staleTime: Number.POSITIVE_INFINITY });
  const progress = `${run.status} ${run.steps.map((step) => `${step.status}${step.attempt}`).join()}`;
  const known = useRef(progress);
  useEffect(() => {
    if (known.current === progress) return;
    known.current = progress;
    void queryClient.invalidateQueries({ queryKey: operationKey("get_run_graph", { run_id: run.run_id }) });
  }, [progress, run.run_id, queryClient]);
  return graph.data ?? null;
}
