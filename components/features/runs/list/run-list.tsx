"use client";

import { Activity, ArrowUp } from "lucide-react";
import Link from "next/link";
import { useMemo } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { ChosenRunsBar } from "@/components/features/runs/list/chosen-runs-bar";
import { CHOICE_COLUMN, RUN_COLUMNS } from "@/components/features/runs/list/run-columns";
import { RunFilterBar } from "@/components/features/runs/list/run-filter-bar";
import {
  isRunListFiltered,
  type RunListFilters,
  toListInput,
  useRunFilters,
} from "@/components/features/runs/list/run-filters";
import { RunTable } from "@/components/features/runs/list/run-table";
import { useRowShortcuts, useRunChoice } from "@/components/features/runs/list/use-run-choice";
import { useRunList } from "@/components/features/runs/list/use-run-list";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";

const CHOICE_COLUMNS = [CHOICE_COLUMN, ...RUN_COLUMNS];

export function RunList() {
  const [filters, setFilters] = useRunFilters();
  const paging = useCursorPaging();
  const input = useMemo(() => toListInput(filters, Date.now()), [filters]);
  const { query, runs, newCount, showNew } = useRunList(input, paging.cursor);
  const hasFilters = isRunListFiltered(filters);
  const isEmpty = query.data?.data.length === 0 && !hasFilters && paging.isFirst;
  const nextCursor = query.data?.next_cursor;
  const chosen = useRunChoice(JSON.stringify([input, paging.cursor]));
  const choice = useHasRole("editor") ? chosen : undefined;
  const columns = choice === undefined ? RUN_COLUMNS : CHOICE_COLUMNS;
  useRowShortcuts(choice);

  function change(next: Partial<RunListFilters> | null) {
    paging.reset();
    setFilters(next);
  }

  useShortcuts({
    j: () => (nextCursor ? paging.next(nextCursor) : undefined),
    k: () => (paging.isFirst ? undefined : paging.previous()),
  });

  return (
    <>
      <PageHeader title="Runs" />
      {isEmpty ? null : <RunFilterBar filters={filters} onChange={change} />}
      <NewRunsPill count={newCount} onShow={showNew} />
      <QueryView
        query={query}
        skeleton={<TableSkeleton columns={columns} label="Loading runs" rows={12} />}
        errorTitle="Couldn't load the runs."
      >
        {(page) =>
          isEmpty ? (
            <NoRuns />
          ) : runs.length === 0 ? (
            <NoMatch hasFilters={hasFilters} onClear={() => change(null)} />
          ) : (
            <>
              <RunTable runs={runs} choice={choice} />
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
    <div role="status" className="flex justify-center">
      {count === 0 ? null : (
        <Button size="sm" className="my-1.5 rounded-full" onClick={onShow}>
          <ArrowUp aria-hidden className="size-3.5" />
          {formatCount(count, "new run")}
        </Button>
      )}
    </div>
  );
}

function NoRuns() {
  return (
    <EmptyState
      icon={Activity}
      title="No runs yet"
      action={
        <Button asChild variant="primary">
          <Link href="/actions">Choose an action to call</Link>
        </Button>
      }
    >
      Every call of an action appears here, with each of its steps.
    </EmptyState>
  );
}

function NoMatch({ hasFilters, onClear }: { hasFilters: boolean; onClear: () => void }) {
  return (
    <EmptyState title="No results" action={<Button onClick={onClear}>Clear filters</Button>}>
      {hasFilters ? "No run matches the filters." : "There are no more runs."}
    </EmptyState>
  );
}
