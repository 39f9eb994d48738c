"use client";

import { Zap } from "lucide-react";
import { useCallback } from "react";
import type { ActionObject } from "#lib/contract/action/action";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { Page } from "#lib/contract/wire/page";
import { useOperation } from "@/components/api/operation-hooks";
import { ActionFilterBar, type ActionFilters, useActionFilters } from "@/components/features/actions/action-filter-bar";
import { ACTION_COLUMNS, ActionTable } from "@/components/features/actions/action-table";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { type CursorPaging, useCursorPaging } from "@/components/ui/lists/use-cursor-paging";

export function ActionList() {
  const [filters, setFilters] = useActionFilters();
  const paging = useCursorPaging();
  const { reset } = paging;
  const change = useCallback(
    (next: Partial<ActionFilters> | null) => {
      reset();
      setFilters(next);
    },
    [reset, setFilters],
  );
  const list = useOperation(
    "list_actions",
    {
      limit: LIST_LIMITS.pageSizeDefault,
      status: filters.status,
      ...(filters.q === "" ? {} : { q: filters.q }),
      ...(paging.cursor === null ? {} : { cursor: paging.cursor }),
    },
    { keepPrevious: true },
  );
  const isFiltered = filters.q !== "" || filters.status !== "all";
  const isEmpty = list.data?.data.length === 0 && !isFiltered && paging.isFirst;
  return (
    <>
      <PageHeader title="Actions" />
      {isEmpty ? null : <ActionFilterBar filters={filters} onChange={change} />}
      <QueryView
        query={list}
        skeleton={<TableSkeleton columns={ACTION_COLUMNS} label="Loading actions" />}
        errorTitle="Couldn't load the actions."
      >
        {(page) => (isEmpty ? <NoActions /> : <Results page={page} paging={paging} onClear={() => change(null)} />)}
      </QueryView>
    </>
  );
}

function NoActions() {
  return (
    <EmptyState
      icon={Zap}
      title="No actions yet"
      action={
        <Button asChild variant="primary">
          <Link href="/workflows">Go to workflows</Link>
        </Button>
      }
    >
      An action is a published workflow that agents call by its slug. Open a workflow and publish it.
    </EmptyState>
  );
}

interface ResultsProps {
  page: Page<ActionObject>;
  paging: CursorPaging;
  onClear: () => void;
}

function Results({ page, paging, onClear }: ResultsProps) {
  if (page.data.length === 0) {
    return (
      <EmptyState title="No results" action={<Button onClick={onClear}>Clear filters</Button>}>
        No action matches the search and the status.
      </EmptyState>
    );
  }
  return (
    <>
      <ActionTable actions={page.data} />
      <Pager paging={paging} nextCursor={page.next_cursor} noun="actions" />
    </>
  );
}
