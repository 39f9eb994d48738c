"use client";

import { Plus, Workflow } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import { useOperation } from "@/components/api/operation-hooks";
import { OnboardingChecklist } from "@/components/features/onboarding/onboarding-checklist";
import { BulkBar } from "@/components/features/workflows/bulk-bar";
import { OtherStarts } from "@/components/features/workflows/other-starts";
import { useListKeys } from "@/components/features/workflows/use-list-keys";
import { useWorkflowActs } from "@/components/features/workflows/use-workflow-acts";
import {
  isWorkflowListFiltered,
  listInput,
  useListDialogs,
  useWorkflowFilters,
  type WorkflowFilters,
} from "@/components/features/workflows/use-workflow-filters";
import { WORKFLOW_COLUMNS } from "@/components/features/workflows/workflow-columns";
import { WorkflowDialogs } from "@/components/features/workflows/workflow-dialogs";
import { WorkflowFilterBar } from "@/components/features/workflows/workflow-filter-bar";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { useEarly } from "@/components/ui/use-early";

const loadTable = () => import("@/components/features/workflows/workflow-table");
const WorkflowTable = lazy(() => loadTable().then((m) => ({ default: m.WorkflowTable })));
const EARLY = [loadTable];
const CreateWorkflowDialog = lazy(() =>
  import("@/components/features/workflows/create-workflow-dialog").then((m) => ({ default: m.CreateWorkflowDialog })),
);
const ImportDialog = lazy(() =>
  import("@/components/features/workflows/import-dialog").then((m) => ({ default: m.ImportDialog })),
);

/** The list, and the dialogs that `?new=true` and `?import=true` open. */
export function WorkflowList() {
  const [dialogs, setDialogs] = useListDialogs();
  const canEdit = useHasRole("editor");
  const create = canEdit ? (
    <Button variant="primary" onClick={() => setDialogs({ new: true })}>
      <Plus aria-hidden className="size-4" />
      New workflow
    </Button>
  ) : undefined;
  const others = canEdit ? <OtherStarts onImport={() => setDialogs({ import: true })} /> : undefined;
  useShortcuts(canEdit ? { n: () => setDialogs({ new: true }) } : {});
  return (
    <>
      <WorkflowResults canEdit={canEdit} create={create} others={others} />
      <Suspense>
        {dialogs.new && canEdit ? <CreateWorkflowDialog onClose={() => setDialogs({ new: false })} /> : null}
        {dialogs.import && canEdit ? <ImportDialog onClose={() => setDialogs({ import: false })} /> : null}
      </Suspense>
    </>
  );
}

interface WorkflowResultsProps {
  canEdit: boolean;
  /** The buttons for a new workflow: in the header, or in the middle while the list is empty. */
  create: ReactNode;
  others: ReactNode;
}

function WorkflowResults({ canEdit, create, others }: WorkflowResultsProps) {
  useEarly(EARLY);
  const [filters, setFilters] = useWorkflowFilters();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { act, question, closeQuestion } = useWorkflowActs();
  const paging = useCursorPaging();
  const { cursor, reset } = paging;
  // Every field is read here: React Query reports only changes of fields that were read, and the checklist may hide the
  // list.
  const { data, error, isPending, isFetching, refetch } = useOperation(
    "list_workflows",
    { limit: LIST_LIMITS.pageSizeDefault, ...listInput(filters), ...(cursor === null ? {} : { cursor }) },
    { keepPrevious: true },
  );
  const change = useCallback(
    (next: Partial<WorkflowFilters> | null) => {
      reset();
      setChosen(new Set());
      setFilters(next);
    },
    [reset, setFilters],
  );
  const toggle = useCallback((id: string) => {
    setChosen((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  }, []);
  const rows = useListKeys(canEdit ? toggle : null);
  const isEmpty = data?.data.length === 0 && !isWorkflowListFiltered(filters) && paging.isFirst;
  // Only workflows on this page can be selected.
  const shownChosen = data?.data.filter(({ workflow_id: id }) => chosen.has(id)) ?? [];
  return (
    <>
      <PageHeader
        title="Workflows"
        actions={
          isEmpty || create === undefined ? undefined : (
            <>
              {others}
              {create}
            </>
          )
        }
      />
      <OnboardingChecklist skeleton={<ListSkeleton />}>
        {isEmpty ? null : <WorkflowFilterBar filters={filters} onChange={change} />}
        <QueryView
          query={{ data, error, isPending, isFetching, refetch }}
          skeleton={<TableSkeleton columns={WORKFLOW_COLUMNS} label="Loading workflows" />}
          errorTitle="Couldn't load the workflows."
        >
          {(page) =>
            isEmpty ? (
              <NoWorkflows create={create} others={others} />
            ) : page.data.length === 0 ? (
              <NoMatch filters={filters} onClear={() => change(null)} />
            ) : (
              <Suspense fallback={<TableSkeleton columns={WORKFLOW_COLUMNS} label="Loading workflows" />}>
                <div ref={rows}>
                  <WorkflowTable
                    workflows={page.data}
                    chosen={chosen}
                    onToggle={canEdit ? toggle : null}
                    onAct={(kind, workflow) => act(kind, [workflow])}
                  />
                  <Pager paging={paging} nextCursor={page.next_cursor} noun="workflows" />
                </div>
              </Suspense>
            )
          }
        </QueryView>
      </OnboardingChecklist>
      {shownChosen.length === 0 ? null : (
        <BulkBar chosen={shownChosen} onAct={(kind) => act(kind, shownChosen)} onClear={() => setChosen(new Set())} />
      )}
      <WorkflowDialogs question={question} onClose={closeQuestion} onArchived={() => setChosen(new Set())} />
    </>
  );
}

function ListSkeleton() {
  return (
    <>
      <Toolbar>
        <Skeleton className="h-control w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton columns={WORKFLOW_COLUMNS} label="Loading workflows" />
    </>
  );
}

function NoWorkflows({ create, others }: { create: ReactNode; others: ReactNode }) {
  return (
    <EmptyState
      icon={Workflow}
      title="No workflows yet"
      action={
        <span className="flex gap-2">
          {others}
          {create}
        </span>
      }
    >
      Create a workflow, publish it as an action, and let an agent call it.
    </EmptyState>
  );
}

function NoMatch({ filters, onClear }: { filters: WorkflowFilters; onClear: () => void }) {
  const { text, action } = noMatchWords(filters);
  return (
    <EmptyState title="No results" action={<Button onClick={onClear}>{action}</Button>}>
      {text}
    </EmptyState>
  );
}

function noMatchWords(filters: WorkflowFilters): { text: string; action: string } {
  const { q } = filters;
  if (q === "") return { text: "No workflow matches the filters.", action: "Clear filters" };
  return isWorkflowListFiltered({ ...filters, q: "" })
    ? {
        text: `No workflow that matches the filters has “${q}” in its name, slug or tags.`,
        action: "Clear search and filters",
      }
    : { text: `No workflow has “${q}” in its name, slug or tags.`, action: "Clear search" };
}
