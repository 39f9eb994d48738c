"use client";

import { ArrowUp } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { RunObject } from "#lib/contract/run/run";
import type { RunCaller } from "#lib/contract/run/run-list";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { ChosenRunsBar } from "@/components/features/runs/list/chosen-runs-bar";
import type { ListSettings } from "@/components/features/runs/list/list-settings";
import { RowsSkeleton } from "@/components/features/runs/list/rows-skeleton";
import { RunTable } from "@/components/features/runs/list/run-table";
import { useRowShortcuts, useRunChoice } from "@/components/features/runs/list/use-run-choice";
import type { useRunList } from "@/components/features/runs/list/use-run-list";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import type { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";

interface RunRowsProps {
  list: ReturnType<typeof useRunList>;
  settings: ListSettings;
  paging: ReturnType<typeof useCursorPaging>;
  /** Shown if there is no run. */
  empty: ReactNode;
}

/** One page of runs, with the selection of rows and its actions. */
export function RunRows({ list: { query, runs, newCount, showNew, pageKey }, settings, paging, empty }: RunRowsProps) {
  const nextCursor = query.data?.next_cursor;
  const chosen = useRunChoice(pageKey);
  const choice = useHasRole("editor") ? chosen : undefined;
  const callers = useRunCallers(runs, settings.columns.includes("caller"));
  useRowShortcuts(choice);
  useShortcuts({
    j: () => (nextCursor ? paging.next(nextCursor) : undefined),
    k: () => (paging.isFirst ? undefined : paging.previous()),
  });
  return (
    <>
      <NewRunsPill count={newCount} onShow={showNew} />
      <QueryView query={query} skeleton={<RowsSkeleton settings={settings} />} errorTitle="Couldn't load the runs.">
        {(page) =>
          runs.length === 0 ? (
            empty
          ) : (
            <>
              <RunTable runs={runs} view={{ ...settings, callers }} choice={choice} />
              {choice === undefined ? null : <ChosenRunsBar runs={runs} choice={choice} />}
              <Pager paging={paging} nextCursor={page.next_cursor} noun="runs" />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function NewRunsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    // Without a height of its own, so that the rows below it stay where they are.
    <div role="status" className="pointer-events-none sticky top-bar z-20 flex h-0 justify-center">
      {count === 0 ? null : (
        <Button size="sm" className="pointer-events-auto mt-10 rounded-full shadow-2" onClick={onShow}>
          <ArrowUp aria-hidden className="size-3.5" />
          {formatCount(count, "new run")}
        </Button>
      )}
    </div>
  );
}

/** Returns who started each run of a page, with one request for all of them; none while the column is hidden. */
function useRunCallers(runs: readonly RunObject[], isShown: boolean): ReadonlyMap<string, RunCaller> {
  const runIds = runs.map((run) => run.run_id);
  const { data } = useOperation(
    "list_run_callers",
    { run_ids: runIds },
    { enabled: isShown && runIds.length > 0, keepPrevious: true, staleTime: Number.POSITIVE_INFINITY },
  );
  return useMemo(() => new Map(data?.data.map((caller) => [caller.run_id, caller])), [data]);
}
