"use client";

import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { isTerminal, type RunObject, type StepsView } from "#lib/contract/run/run";
import { operationKey, useOperation } from "@/components/api/operation-hooks";
import { isStreamOpen } from "@/components/api/run-stream";
import { useRunChanges } from "@/components/api/use-run-changes";

/**
 * The poll interval of a run in progress without the stream; with the stream it is polled rarely, in case a
 * notification was lost.
 */
const POLL_MS = 1_500;
const STREAMED_POLL_MS = 10_000;

/**
 * Returns a run with its timeline, refreshed until it is terminal. Step payloads are usually left out: for a thousand
 * steps they are megabytes, and only one is shown at a time.
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
