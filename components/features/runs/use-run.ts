"use client";

import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { isTerminal, type RunObject, type StepsView } from "#lib/contract/run";
import { operationKey, useOperation } from "@/components/api/operation-hooks";
import { isStreamOpen } from "@/components/api/run-stream";
import { useRunChanges } from "@/components/api/use-run-changes";

/** Without the stream a run in progress is asked for this often; with it, seldom, in case a notice was lost. */
const POLL_MS = 1_500;
const STREAMED_POLL_MS = 10_000;

/**
 * A run with its timeline, kept fresh until it is terminal. Usually without the payloads of its steps: of a thousand steps
 * they are megabytes, and one is looked at at a time.
 */
export function useRun(runId: string, steps: StepsView = "summary"): UseQueryResult<RunObject, Error> {
  const queryClient = useQueryClient();
  const input = { run_id: runId, steps };
  const run = useOperation("get_run_status", input, {
    refetchInterval: (data) => (data && isTerminal(data.status) ? false : isStreamOpen() ? STREAMED_POLL_MS : POLL_MS),
  });
  const isLive = run.data === undefined || !isTerminal(run.data.status);
  useRunChanges((changed) => {
    if (changed !== null && changed !== runId) return;
    void queryClient.invalidateQueries({ queryKey: operationKey("get_run_status", input) });
  }, isLive);
  return run;
}
