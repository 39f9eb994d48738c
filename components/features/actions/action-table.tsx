"use client";

import type { ActionActivity, ActionObject } from "#lib/contract/action/action";
import { useOperation } from "@/components/api/operation-hooks";
import { ActionStatusChip } from "@/components/features/actions/action-status-chip";
import { APPROVAL_POLICY_WORDS } from "@/components/features/actions/approval-policy";
import { showCalls, showDuration, showErrorRate } from "@/components/features/actions/show-activity";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import { RowLink } from "@/components/ui/lists/row-link";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { RelativeTime } from "@/components/words/relative-time";

export const ACTION_COLUMNS: readonly Column[] = [
  { key: "slug", label: "Slug", className: "max-w-0 w-1/2 sm:w-1/4" },
  { key: "name", label: "Workflow", className: `${FROM_SM} max-w-0 w-1/2` },
  { key: "status", label: "Status" },
  { key: "release", label: "Release" },
  { key: "calls", label: "Calls, 7 days", className: `${FROM_SM} text-right` },
  { key: "errors", label: "Failed", className: `${FROM_LG} text-right` },
  { key: "p95", label: "95% within", className: `${FROM_LG} text-right` },
  { key: "approval", label: "Approval", className: FROM_LG },
  { key: "updated", label: "Updated", className: FROM_LG },
];

export function ActionTable({ actions }: { actions: readonly ActionObject[] }) {
  const slugs = actions.map((action) => action.slug);
  const activity = useOperation("list_action_activity", { slugs }, { staleTime: 60_000 }).data?.data ?? [];
  const activityOf = new Map(activity.map((item) => [item.slug, item]));
  return (
    <Table caption="Actions">
      <ColumnHeads columns={ACTION_COLUMNS} />
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
            <ActivityCells activity={activityOf.get(action.slug)} />
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

/** Empty until it is loaded; nothing moves when the value appears. */
function ActivityCells({ activity }: { activity: ActionActivity | undefined }) {
  const isFailing = (activity?.error_rate ?? 0) >= 0.1;
  return (
    <>
      <TableCell className={`${FROM_SM} text-right font-mono text-dense`}>{activity && showCalls(activity)}</TableCell>
      <TableCell className={`${FROM_LG} text-right font-mono text-dense ${isFailing ? "text-err" : ""}`}>
        {activity && showErrorRate(activity)}
      </TableCell>
      <TableCell className={`${FROM_LG} text-right font-mono text-dense`}>
        {activity && showDuration(activity)}
      </TableCell>
    </>
  );
}
