"use client";

import { Plus, Workflow } from "lucide-react";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { WorkflowObject } from "#lib/contract/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { SearchField } from "@/components/ui/search-field";
import { TableSkeleton } from "@/components/ui/table-skeleton";
import { Toolbar } from "@/components/ui/toolbar";
import { flagCodec, textCodec } from "@/components/ui/url-codecs";
import { useCursorPaging } from "@/components/ui/use-cursor-paging";
import { useUrlState } from "@/components/ui/use-url-state";
import { WORKFLOW_COLUMNS, WorkflowTable } from "@/components/workflows/workflow-table";

const CreateWorkflowDialog = lazy(() =>
  import("@/components/workflows/create-workflow-dialog").then((m) => ({ default: m.CreateWorkflowDialog })),
);
const DeleteWorkflowDialog = lazy(() =>
  import("@/components/workflows/delete-workflow-dialog").then((m) => ({ default: m.DeleteWorkflowDialog })),
);

const CODECS = { q: textCodec, new: flagCodec };

export function WorkflowList() {
  const [{ q, new: isCreating }, setUrl] = useUrlState(CODECS);
  const [doomed, setDoomed] = useState<WorkflowObject | null>(null);
  const canEdit = useHasRole("editor");
  const search = useRef<HTMLInputElement>(null);
  const paging = useCursorPaging();
  const { reset } = paging;
  const list = useOperation(
    "list_workflows",
    {
      limit: LIMITS.pageSizeDefault,
      ...(q === "" ? {} : { q }),
      ...(paging.cursor === null ? {} : { cursor: paging.cursor }),
    },
    { keepPrevious: true },
  );
  const changeSearch = useCallback(
    (next: string) => {
      reset();
      setUrl({ q: next.trim() });
    },
    [reset, setUrl],
  );
  useShortcuts({
    "/": () => search.current?.focus(),
    ...(canEdit ? { n: () => setUrl({ new: true }) } : {}),
  });

  const create = canEdit ? (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus aria-hidden className="size-4" />
      New workflow
    </Button>
  ) : undefined;
  const isEmpty = list.data?.data.length === 0 && q === "" && paging.isFirst;

  return (
    <>
      <PageHeader title="Workflows" actions={isEmpty ? undefined : create} />
      {isEmpty ? null : (
        <Toolbar>
          <SearchField
            label="Search workflows"
            value={q}
            onChange={changeSearch}
            inputRef={search}
            className="w-full sm:w-72"
          />
        </Toolbar>
      )}
      {list.isPending ? (
        <TableSkeleton columns={WORKFLOW_COLUMNS} label="Loading workflows" />
      ) : list.data === undefined ? (
        <ErrorState
          title="The workflows could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : isEmpty ? (
        <EmptyState icon={Workflow} title="No workflows yet" action={create}>
          Draw one, publish it as an action, and let an agent call it.
        </EmptyState>
      ) : list.data.data.length === 0 ? (
        <EmptyState title="Nothing matches" action={<Button onClick={() => changeSearch("")}>Clear the search</Button>}>
          No workflow has “{q}” in its name.
        </EmptyState>
      ) : (
        <>
          <WorkflowTable workflows={list.data.data} onDelete={canEdit ? setDoomed : null} />
          <Pager paging={paging} nextCursor={list.data.next_cursor} noun="workflows" />
        </>
      )}
      <Suspense>
        {isCreating && canEdit ? <CreateWorkflowDialog onClose={() => setUrl({ new: false })} /> : null}
        {doomed === null ? null : <DeleteWorkflowDialog workflow={doomed} onClose={() => setDoomed(null)} />}
      </Suspense>
    </>
  );
}
