"use client";

import { CircleCheck } from "lucide-react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { ErrorGroup } from "#lib/contract/run/run-list";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import type { ListSettings } from "@/components/features/runs/list/list-settings";
import { Created } from "@/components/features/runs/list/run-cells";
import { ERROR_COLUMNS } from "@/components/features/runs/list/run-columns";
import { FROM_SM } from "@/components/ui/lists/column-widths";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { QueryView } from "@/components/ui/lists/query-view";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { ColumnHeads, TableSkeleton } from "@/components/ui/lists/table-skeleton";

interface ErrorGroupsProps {
  input: WebOperations["list_error_groups"]["input"];
  times: ListSettings["times"];
  /** Lists the runs of a group. */
  onOpen: (group: ErrorGroup) => void;
}

/** The errors of the filtered runs, one row per problem: "14 times: api.example.com answered 500". */
export function ErrorGroupList({ input, times, onOpen }: ErrorGroupsProps) {
  const query = useOperation("list_error_groups", input, { keepPrevious: true });
  return (
    <QueryView
      query={query}
      skeleton={<TableSkeleton columns={ERROR_COLUMNS} label="Loading errors" />}
      errorTitle="Couldn't load the errors."
    >
      {({ data: groups, is_partial: isPartial }) =>
        groups.length === 0 ? (
          <EmptyState icon={CircleCheck} title="No errors">
            No run that matches the filters has failed.
          </EmptyState>
        ) : (
          <>
            <Table caption="Errors">
              <ColumnHeads columns={ERROR_COLUMNS} />
              <tbody>
                {groups.map((group) => (
                  <GroupRow key={group.error_group} group={group} times={times} onOpen={() => onOpen(group)} />
                ))}
              </tbody>
            </Table>
            {isPartial || groups.length === LIST_LIMITS.errorGroups ? (
              <p className="px-4 py-3 text-dense text-text-2">
                {isPartial ? `Counts the newest ${formatNumber(LIST_LIMITS.errorGroupRuns)} errors. ` : ""}
                {groups.length === LIST_LIMITS.errorGroups
                  ? `Shows the ${LIST_LIMITS.errorGroups} largest groups.`
                  : ""}
              </p>
            ) : null}
          </>
        )
      }
    </QueryView>
  );
}

interface GroupRowProps {
  group: ErrorGroup;
  times: ListSettings["times"];
  onOpen: () => void;
}

function GroupRow({ group, times, onOpen }: GroupRowProps) {
  return (
    <TableRow>
      <TableCell className="text-right font-medium tabular-nums">{formatNumber(group.runs)}</TableCell>
      <TableCell className="w-full max-w-0 truncate">
        <button
          type="button"
          onClick={onOpen}
          title={group.message}
          aria-label={`${formatCount(group.runs, "time")}: ${group.message}`}
          className="max-w-full truncate rounded-1 text-left after:absolute after:inset-0"
        >
          {group.message}
        </button>
        <span className="ml-3 hidden font-mono text-dense text-text-3 xl:inline">{group.code}</span>
      </TableCell>
      <TableCell className={`${FROM_SM} max-w-40 truncate text-text-2`}>{group.step_name ?? "–"}</TableCell>
      <TableCell className="hidden max-w-48 truncate text-text-2 lg:table-cell">{group.workflow_name}</TableCell>
      <TableCell className="text-text-2">
        <Created at={group.last_at} times={times} />
      </TableCell>
    </TableRow>
  );
}
