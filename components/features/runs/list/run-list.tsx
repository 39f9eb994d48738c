"use client";

import { Activity } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { DisplayButton, ViewsButton } from "@/components/features/runs/list/list-menus";
import { type ListSettings, useListSettings } from "@/components/features/runs/list/list-settings";
import { RowsSkeleton } from "@/components/features/runs/list/rows-skeleton";
import { ERROR_COLUMNS } from "@/components/features/runs/list/run-columns";
import { RunFilterBar } from "@/components/features/runs/list/run-filter-bar";
import {
  isRunListFiltered,
  type RunListFilters,
  toGroupsInput,
  toListInput,
  useRunFilters,
} from "@/components/features/runs/list/run-filters";
import { useRunList } from "@/components/features/runs/list/use-run-list";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { useEarly } from "@/components/ui/use-early";
import { useOnIntent } from "@/components/ui/use-on-intent";

const loadRows = () => import("@/components/features/runs/list/run-rows");
const loadGroups = () => import("@/components/features/runs/list/error-groups");
const RunRows = lazy(() => loadRows().then((m) => ({ default: m.RunRows })));
const ErrorGroupList = lazy(() => loadGroups().then((m) => ({ default: m.ErrorGroupList })));
const EARLY = [loadRows];
const ON_INTENT = [loadGroups];

interface RunListProps {
  /** Limits the list to one workflow, for a page of that workflow: without a page header and the filters by subject. */
  workflowId?: string;
}

/** The runs of the workspace, or of one workflow; or their errors, one row per problem. */
export function RunList({ workflowId }: RunListProps) {
  const isFixed = workflowId !== undefined;
  useEarly(EARLY);
  useOnIntent(ON_INTENT);
  const [settings, setSettings] = useListSettings();
  const paging = useCursorPaging();
  const [filters, change] = useListFilters(isFixed, paging.reset);
  const list = useRunList(useListInput(filters, workflowId), paging.cursor, { isEnabled: filters.view === "runs" });
  const groupsInput = useMemo(() => toGroupsInput(filters, Date.now(), workflowId), [filters, workflowId]);
  const isEmpty = list.query.data?.data.length === 0 && !isRunListFiltered(filters) && paging.isFirst;
  const isBare = isEmpty && filters.view === "runs";

  const display = (
    <DisplayButton
      settings={settings}
      onChange={setSettings}
      order={filters.order}
      onOrder={(order) => change({ order })}
    />
  );

  return (
    <>
      {isFixed ? null : (
        <RunListHeader isBare={isBare} filters={filters} settings={settings} setSettings={setSettings} change={change}>
          {display}
        </RunListHeader>
      )}
      {isBare ? null : (
        <RunFilterBar filters={filters} groupMessage={messageOf(filters, list)} isFixed={isFixed} onChange={change}>
          {isFixed ? display : null}
        </RunFilterBar>
      )}
      {filters.view === "errors" ? (
        <Suspense fallback={<TableSkeleton columns={ERROR_COLUMNS} label="Loading errors" />}>
          <ErrorGroupList
            input={groupsInput}
            times={settings.times}
            onOpen={({ error_group: group }) => change({ view: "runs", group })}
          />
        </Suspense>
      ) : (
        <Suspense fallback={<RowsSkeleton settings={settings} />}>
          <RunRows
            list={list}
            settings={settings}
            paging={paging}
            empty={
              isEmpty ? (
                <NoRuns isFixed={isFixed} />
              ) : (
                <NoMatch hasFilters={isRunListFiltered(filters)} onClear={() => change(null)} />
              )
            }
          />
        </Suspense>
      )}
    </>
  );
}

/** Every run of a group has its message, so the first one has it; the runs of the filters before do not. */
function messageOf({ group }: RunListFilters, { query, runs }: ReturnType<typeof useRunList>): string | null {
  return group === null || query.isPlaceholderData ? null : (runs[0]?.error?.message ?? null);
}

interface RunListHeaderProps {
  /** The workspace has no runs, so there is nothing to choose. */
  isBare: boolean;
  filters: RunListFilters;
  settings: ListSettings;
  setSettings: (changes: Partial<ListSettings>) => void;
  change: (next: Partial<RunListFilters>) => void;
  children: ReactNode;
}

function RunListHeader({ isBare, filters, settings, setSettings, change, children }: RunListHeaderProps) {
  if (isBare) return <PageHeader title="Runs" />;
  return (
    <PageHeader
      title="Runs"
      actions={
        <>
          <ViewsButton
            filters={filters}
            settings={settings}
            onApply={(viewFilters, columns) => {
              setSettings({ columns });
              change(viewFilters);
            }}
          />
          {children}
        </>
      }
    />
  );
}

/** The filters of the page's address, and what changes them; a list of one workflow has no filters by subject. */
function useListFilters(isFixed: boolean, onChange: () => void) {
  const [inAddress, setFilters] = useRunFilters();
  const filters = useMemo(
    () => (isFixed ? { ...inAddress, action: null, workflow: null } : inAddress),
    [inAddress, isFixed],
  );
  function change(next: Partial<RunListFilters> | null) {
    onChange();
    // Groups of errors do not follow these filters, so setting one shows runs.
    const showsRuns =
      next !== null && [next.version, next.error].some((value) => value !== undefined && value !== null);
    setFilters(showsRuns ? { ...next, view: "runs" } : next);
  }
  return [filters, change] as const;
}

/** Stays the same while the filters do: a range ends now, and now moves. */
function useListInput(filters: RunListFilters, workflowId: string | undefined) {
  return useMemo(() => toListInput(filters, Date.now(), workflowId), [filters, workflowId]);
}

function NoRuns({ isFixed }: { isFixed: boolean }) {
  return isFixed ? (
    <EmptyState icon={Activity} title="No runs yet">
      Every run of this workflow appears here, with each of its steps.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Activity}
      title="No runs yet"
      action={
        <Button asChild variant="primary">
          <Link href="/actions">Choose an action to call</Link>
        </Button>
      }
    >
      Every run appears here, with each of its steps.
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
