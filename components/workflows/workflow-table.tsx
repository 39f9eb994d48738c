"use client";

import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import type { WorkflowObject } from "#lib/contract/workflow";
import { RunStatusLink } from "@/components/runs/run-status-link";
import { IconButton } from "@/components/ui/icon-button";
import { LazyMenu } from "@/components/ui/lazy-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowLink } from "@/components/ui/row-link";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { type Column, ColumnHeads } from "@/components/ui/table-skeleton";
import { WorkflowStart } from "@/components/workflows/workflow-start";
import { WorkflowState } from "@/components/workflows/workflow-state";
import { WorkflowTypeBadge } from "@/components/workflows/workflow-type";

const loadMenu = () => import("@/components/workflows/workflow-menu");
const WorkflowMenu = lazy(() => loadMenu().then((m) => ({ default: m.WorkflowMenu })));

const FROM_SM = "hidden sm:table-cell";
const FROM_LG = "hidden lg:table-cell";

export const WORKFLOW_COLUMNS: readonly Column[] = [
  { key: "name", label: "Name", className: "w-full max-w-0 min-w-32" },
  { key: "state", label: "State" },
  { key: "type", label: "Type", className: FROM_LG },
  { key: "slug", label: "Slug or trigger", className: FROM_LG },
  { key: "last-run", label: "Last run", className: FROM_SM },
  { key: "updated", label: "Updated", className: FROM_SM },
  { key: "menu", label: "More", isLabelHidden: true, className: "w-10" },
];

interface WorkflowTableProps {
  workflows: readonly WorkflowObject[];
  /** Null when the person may not delete. */
  onDelete: ((workflow: WorkflowObject) => void) | null;
}

export function WorkflowTable({ workflows, onDelete }: WorkflowTableProps) {
  return (
    <Table caption="Workflows">
      <ColumnHeads columns={WORKFLOW_COLUMNS} />
      <tbody>
        {workflows.map((workflow) => (
          <WorkflowRow key={workflow.workflow_id} workflow={workflow} onDelete={onDelete} />
        ))}
      </tbody>
    </Table>
  );
}

interface WorkflowRowProps {
  workflow: WorkflowObject;
  onDelete: WorkflowTableProps["onDelete"];
}

function WorkflowRow({ workflow, onDelete }: WorkflowRowProps) {
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-32">
        <RowLink href={`/workflows/${workflow.workflow_id}`} className="block truncate">
          {workflow.name}
        </RowLink>
      </TableCell>
      <TableCell>
        <WorkflowState workflow={workflow} />
      </TableCell>
      <TableCell className={FROM_LG}>
        <WorkflowTypeBadge type={workflow.type} />
      </TableCell>
      <TableCell className={FROM_LG}>
        <WorkflowStart workflow={workflow} />
      </TableCell>
      <TableCell className={FROM_SM}>
        {workflow.last_run === null ? (
          <span className="text-text-3">Never</span>
        ) : (
          <RunStatusLink run={workflow.last_run} />
        )}
      </TableCell>
      <TableCell className={`${FROM_SM} text-text-2`}>
        <RelativeTime at={workflow.updated_at} />
      </TableCell>
      <TableCell className="w-10">
        <span className="relative flex justify-end">
          <LazyMenu
            preload={loadMenu}
            trigger={<IconButton icon={Ellipsis} size="sm" label={`More for ${workflow.name}`} />}
          >
            {(menu) => <WorkflowMenu {...menu} workflow={workflow} onDelete={onDelete} />}
          </LazyMenu>
        </span>
      </TableCell>
    </TableRow>
  );
}
