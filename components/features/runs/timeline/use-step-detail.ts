"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { StepItem } from "#lib/contract/run/journal";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

/**
 * Loads the payloads and the journal of the selected step, which the timeline leaves out; refetches them when the step
 * progresses.
 */
export function useStepDetail(runId: string, step: StepItem, occurrence: number) {
  const queryClient = useQueryClient();
  const input = { run_id: runId, step_id: step.step_id, occurrence };
  const progress = `${step.status} ${step.attempt}`;
  const known = useRef(progress);
  useEffect(() => {
    if (known.current === progress) return;
    known.current = progress;
    const again = { run_id: runId, step_id: step.step_id, occurrence };
    void queryClient.invalidateQueries({ queryKey: operationKey("get_run_step", again) });
  }, [progress, runId, step.step_id, occurrence, queryClient]);
  return useOperation("get_run_step", input);
}
