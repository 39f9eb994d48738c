"use client";

import { Zap } from "lucide-react";
import Link from "next/link";
import { useCallback, useRef } from "react";
import { ACTION_STATUSES, type ActionObject } from "#lib/contract/action";
import { LIMITS } from "#lib/contract/limits";
import { ActionStatusChip } from "@/components/actions/action-status-chip";
import { APPROVAL_POLICY_WORDS } from "@/components/actions/approval-policy";
import { useOperation } from "@/components/api/operation-hooks";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowLink } from "@/components/ui/row-link";
import { SearchField } from "@/components/ui/search-field";
import { Select } from "@/components/ui/select";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { type Column, ColumnHeads, TableSkeleton } from "@/components/ui/table-skeleton";
import { Toolbar } from "@/components/ui/toolbar";
import { choiceCodec, textCodec } from "@/components/ui/url-codecs";
import { useCursorPaging } from "@/components/ui/use-cursor-paging";
import { useUrlState } from "@/components/ui/use-url-state";

const FROM_SM = "hidden sm:table-cell";
const FROM_LG = "hidden lg:table-cell";

const COLUMNS: readonly Column[] = [
  { key: "slug", label: "Slug", className: "max-w-0 w-1/2 sm:w-1/4" },
  { key: "name", label: "Workflow", className: `${FROM_SM} max-w-0 w-1/2` },
  { key: "status", label: "Status" },
  { key: "release", label: "Release" },
  { key: "approval", label: "On a call", className: FROM_LG },
  { key: "updated", label: "Updated", className: FROM_LG },
];

const STATUS_FILTERS = ["all", ...ACTION_STATUSES] as const;
const CODECS = { q: textCodec, status: choiceCodec(STATUS_FILTERS, "all") };
const STATUS_LABELS = { all: "Any status", active: "Active", paused: "Paused", archived: "Archived" } as const;

export function ActionList() {
  const [filters, setFilters] = useUrlState(CODECS);
  const search = useRef<HTMLInputElement>(null);
  const paging = useCursorPaging();
  const { reset } = paging;
  const change = useCallback(
    (next: Partial<typeof filters> | null) => {
      reset();
      setFilters(next);
    },
    [reset, setFilters],
  );
  const changeSearch = useCallback((q: string) => change({ q: q.trim() }), [change]);
  useShortcuts({ "/": () => search.current?.focus() });
  const list = useOperation(
    "list_actions",
    {
      limit: LIMITS.pageSizeDefault,
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
      {isEmpty ? null : (
        <Toolbar>
          <SearchField
            label="Search actions"
            value={filters.q}
            onChange={changeSearch}
            inputRef={search}
            className="min-w-40 flex-1 sm:max-w-72"
          />
          <Select
            aria-label="Status"
            value={filters.status}
            onChange={(event) =>
              change({ status: STATUS_FILTERS.find((status) => status === event.target.value) ?? "all" })
            }
            className="w-34"
          >
            {STATUS_FILTERS.map((status) => (
              <option key={status} value={status}>
                {STATUS_LABELS[status]}
              </option>
            ))}
          </Select>
        </Toolbar>
      )}
      {list.isPending ? (
        <TableSkeleton columns={COLUMNS} label="Loading actions" />
      ) : list.data === undefined ? (
        <ErrorState
          title="The actions could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : isEmpty ? (
        <EmptyState
          icon={Zap}
          title="No actions yet"
          action={
            <Button asChild variant="primary">
              <Link href="/workflows">Go to workflows</Link>
            </Button>
          }
        >
          An action is a published workflow that agents call by its slug. Publish one from its canvas.
        </EmptyState>
      ) : list.data.data.length === 0 ? (
        <EmptyState title="Nothing matches" action={<Button onClick={() => change(null)}>Clear the filters</Button>}>
          No action fits the search and the status.
        </EmptyState>
      ) : (
        <>
          <ActionTable actions={list.data.data} />
          <Pager paging={paging} nextCursor={list.data.next_cursor} noun="actions" />
        </>
      )}
    </>
  );
}

function ActionTable({ actions }: { actions: readonly ActionObject[] }) {
  return (
    <Table caption="Actions">
      <ColumnHeads columns={COLUMNS} />
      <tbody>
        {actions.map((action) => (
          <TableRow key={action.slug}>
            <TableCell className="w-1/2 max-w-0 sm:w-1/4">
              <RowLink href={`/actions/${action.slug}`} className="block truncate font-mono text-dense">
                {action.slug}
              </RowLink>
            </TableCell>
            <TableCell className={`${FROM_SM} w-1/2 max-w-0 truncate`}>{action.name}</TableCell>
            <TableCell>
              <ActionStatusChip status={action.status} />
            </TableCell>
            <TableCell className="font-mono text-dense">v{action.release_version}</TableCell>
            <TableCell className={`${FROM_LG} text-text-2`}>
              {APPROVAL_POLICY_WORDS[action.approval_policy].short}
            </TableCell>
            <TableCell className={`${FROM_LG} text-text-2`}>
              <RelativeTime at={action.updated_at} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
