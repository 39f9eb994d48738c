"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { operationKey, useOperation } from "@/components/api/operation-hooks";
import { isStreamOpen } from "@/components/api/run-stream";
import { useCoalesced } from "@/components/api/use-coalesced";
import { useRunChanges } from "@/components/api/use-run-changes";
import { arrangeRuns } from "@/components/features/runs/list/arrange-runs";

const REFRESH_MS = 1_000;
const POLL_MS = 5_000;

/**
 * A stable page of runs: rows change in place, and newer runs are counted instead of moving rows under the reader's
 * pointer, until `showNew` is called.
 */
export function useRunList(
  filters: WebOperations["list_runs"]["input"],
  cursor: string | null,
  { isEnabled }: { isEnabled: boolean },
) {
  const queryClient = useQueryClient();
  const input = { ...filters, limit: LIST_LIMITS.runsPageSize, ...(cursor === null ? {} : { cursor }) };
  const query = useOperation("list_runs", input, {
    enabled: isEnabled,
    keepPrevious: true,
    refetchInterval: (page) => (isStreamOpen() || !page?.data.some((run) => !isTerminal(run.status)) ? false : POLL_MS),
  });
  const refresh = useCoalesced(() => {
    void queryClient.invalidateQueries({ queryKey: operationKey("list_runs", input) });
  }, REFRESH_MS);
  useRunChanges(refresh);

  const pageKey = JSON.stringify(input);
  const [frozen, setFrozen] = useState<{ pageKey: string; runs: readonly RunObject[] } | null>(null);
  const isFresh = query.data !== undefined && !query.isPlaceholderData;
  const fresh = isFresh ? query.data.data : null;
  // The requested page has arrived: from now on its rows are stable. Set while rendering, so that no frame shows fewer
  // rows.
  if (fresh !== null && frozen?.pageKey !== pageKey) setFrozen({ pageKey, runs: fresh });
  const shown = frozen?.pageKey === pageKey ? frozen.runs : null;
  const { runs, newCount } = arrangeRuns(shown, fresh ?? query.data?.data ?? []);
  return {
    query,
    pageKey,
    runs,
    newCount: cursor === null && filters.order !== "asc" ? newCount : 0,
    showNew: () => setFrozen(fresh === null ? null : { pageKey, runs: fresh }),
  };
}
