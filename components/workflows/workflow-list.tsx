"use client";

import { Plus, Workflow } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { WorkflowObject } from "#lib/contract/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { QueryView } from "@/components/ui/query-view";
import { TableSkeleton } from "@/components/ui/table-skeleton";
import { flagCodec, textCodec } from "@/components/ui/url-codecs";
import { useCursorPaging } from "@/components/ui/use-cursor-paging";
import { useUrlState } from "@/components/ui/use-url-state";
import { WorkflowSearch } from "@/components/workflows/workflow-search";
import { WORKFLOW_COLUMNS, WorkflowTable } from "@/components/workflows/workflow-table";

const CreateWorkflowDialog = lazy(() =>
  import("@/components/workflows/create-workflow-dialog").then((m) => ({ default: m.CreateWorkflowDialog })),
);
const DeleteWorkflowDialog = lazy(() =>
  import("@/components/workflows/delete-workflow-dialog").then((m) => ({ default: m.DeleteWorkflowDialog })),
);

const CODECS = { q: textCodec, new: flagCodec };

/** The list, and the dialog that `?new=true` opens. */
export function WorkflowList() {
  const [{ new: isCreating }, setUrl] = useUrlState(CODECS);
  const canEdit = useHasRole("editor");
  const create = canEdit ? (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus aria-hidden className="size-4" />
      New workflow
    </Button>
  ) : undefined;
  useShortcuts(canEdit ? { n: () => setUrl({ new: true }) } : {});
  return (
    <>
      <WorkflowResults canEdit={canEdit} create={create} />
      <Suspense>
        {isCreating && canEdit ? <CreateWorkflowDialog onClose={() => setUrl({ new: false })} /> : null}
      </Suspense>
    </>
  );
}

interface WorkflowResultsProps {
  canEdit: boolean;
  /** The button to a new workflow: in the header, or in the middle while there is none yet. */
  create: ReactNode;
}

function WorkflowResults({ canEdit, create }: WorkflowResultsProps) {
  const [{ q }, setUrl] = useUrlState(CODECS);
  const [doomed, setDoomed] = useState<WorkflowObject | null>(null);
  const paging = useCursorPaging();
  const { cursor, reset } = paging;
  const list = useOperation(
    "list_workflows",
    { limit: LIMITS.pageSizeDefault, ...(q === "" ? {} : { q }), ...(cursor === null ? {} : { cursor }) },
    { keepPrevious: true },
  );
  const changeSearch = useCallback(
    (next: string) => {
      reset();
      setUrl({ q: next.trim() });
    },
    [reset, setUrl],
  );
  const isEmpty = list.data?.data.length === 0 && q === "" && paging.isFirst;
  return (
    <>
      <PageHeader title="Workflows" actions={isEmpty ? undefined : create} />
      {isEmpty ? null : <WorkflowSearch value={q} onChange={changeSearch} />}
      <QueryView
        query={list}
        skeleton={<TableSkeleton columns={WORKFLOW_COLUMNS} label="Loading workflows" />}
        errorTitle="The workflows could not be loaded."
      >
        {(page) =>
          isEmpty ? (
            <NoWorkflows create={create} />
          ) : page.data.length === 0 ? (
            <NoMatch q={q} onClear={() => changeSearch("")} />
          ) : (
            <>
              <WorkflowTable workflows={page.data} onDelete={canEdit ? setDoomed : null} />
              <Pager paging={paging} nextCursor={page.next_cursor} noun="workflows" />
            </>
          )
        }
      </QueryView>
      <Suspense>
        {doomed === null ? null : <DeleteWorkflowDialog workflow={doomed} onClose={() => setDoomed(null)} />}
      </Suspense>
    </>
  );
}

function NoWorkflows({ create }: { create: ReactNode }) {
  return (
    <EmptyState icon={Workflow} title="No workflows yet" action={create}>
      Draw one, publish it as an action, and let an agent call it.
    </EmptyState>
  );
}

function NoMatch({ q, onClear }: { q: string; onClear: () => void }) {
  return (
    <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear the search</Button>}>
      No workflow has “{q}” in its name.
    </EmptyState>
  );
}
