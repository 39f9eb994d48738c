"use client";

import { Ellipsis } from "lucide-react";
import { lazy, Suspense } from "react";
import type { GraphOutline, WorkflowObject, WorkflowType } from "#lib/contract/workflow/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { RunStatusLink } from "@/components/features/runs/run-status-link";
import { NoSparkLine, SparkLine } from "@/components/features/workflows/spark-line";
import {
  FROM_2XL,
  FROM_1440,
  FROM_XL,
  UNTIL_XL_AND_FROM_1440,
  WORKFLOW_COLUMNS,
} from "@/components/features/workflows/workflow-columns";
import type { WorkflowAct } from "@/components/features/workflows/workflow-menu";
import { WorkflowStart } from "@/components/features/workflows/workflow-start";
import { WorkflowStateBadge } from "@/components/features/workflows/workflow-state-badge";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import { RowLink } from "@/components/ui/lists/row-link";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";
import { RelativeTime } from "@/components/words/relative-time";

const loadMenu = () => import("@/components/features/workflows/workflow-menu");
const WorkflowMenu = lazy(() => loadMenu().then((m) => ({ default: m.WorkflowMenu })));

/** Reserves the space; the content arrives with its own request, and the list waits for neither. */
const GraphThumbnail = lazy(() =>
  import("@/components/canvas/view/graph-thumbnail").then((m) => ({ default: m.GraphThumbnail })),
);

export interface WorkflowTableProps {
  workflows: readonly WorkflowObject[];
  chosen: ReadonlySet<string>;
  /** Null if the user can't edit: then there is nothing to select for. */
  onToggle: ((workflowId: string) => void) | null;
  onAct: (act: WorkflowAct, workflow: WorkflowObject) => void;
}

export function WorkflowTable({ workflows, chosen, onToggle, onAct }: WorkflowTableProps) {
  const ids = workflows.map((workflow) => workflow.workflow_id);
  const activity = useOperation("list_workflow_activity", { workflow_ids: ids }, { staleTime: 60_000 }).data;
  const daysOf = new Map(activity?.data.map((item) => [item.workflow_id, item.days]));
  const outlines = useOperation("list_workflow_outlines", { workflow_ids: ids }).data;
  const outlineOf = new Map(outlines?.data.map((outline) => [outline.workflow_id, outline]));
  return (
    <Table caption="Workflows">
      <ColumnHeads columns={WORKFLOW_COLUMNS} />
      <tbody>
        {workflows.map((workflow) => (
          <WorkflowRow
            key={workflow.workflow_id}
            workflow={workflow}
            days={daysOf.get(workflow.workflow_id) ?? null}
            outline={outlineOf.get(workflow.workflow_id) ?? null}
            countedMax={activity?.counted_max ?? 0}
            isChosen={chosen.has(workflow.workflow_id)}
            onToggle={onToggle}
            onAct={onAct}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface WorkflowRowProps extends Pick<WorkflowTableProps, "onToggle" | "onAct"> {
  workflow: WorkflowObject;
  /** Null until they are loaded. */
  days: readonly number[] | null;
  /** Null until it is loaded. */
  outline: GraphOutline | null;
  countedMax: number;
  isChosen: boolean;
}

function WorkflowRow({ workflow, days, outline, countedMax, isChosen, onToggle, onAct }: WorkflowRowProps) {
  return (
    <TableRow data-row={workflow.workflow_id} isChosen={isChosen}>
      <TableCell className="w-8 pr-0">
        {onToggle === null ? null : (
          // Large enough for a finger, above the row's own link.
          <label className="relative z-1 -m-2 block w-fit cursor-pointer p-2">
            <input
              type="checkbox"
              aria-label={`Choose ${workflow.name}`}
              checked={isChosen}
              onChange={() => onToggle(workflow.workflow_id)}
              className="block size-4 cursor-pointer accent-accent-solid"
            />
          </label>
        )}
      </TableCell>
      <TableCell className={`${FROM_LG} w-14 pr-0`}>
        <span aria-hidden data-drawing className="block h-8 w-14 rounded-1 border border-border bg-canvas">
          <Suspense>{outline === null ? null : <GraphThumbnail outline={outline} />}</Suspense>
        </span>
      </TableCell>
      <TableCell className="w-full max-w-0 min-w-32">
        <span className="flex min-w-0 items-center gap-2">
          <RowLink data-row-link href={`/workflows/${workflow.workflow_id}`} className="min-w-0 truncate">
            {workflow.name}
          </RowLink>
          <TagList tags={workflow.tags} />
        </span>
      </TableCell>
      <TableCell>
        <WorkflowStateBadge workflow={workflow} />
      </TableCell>
      <TableCell className={FROM_XL}>
        <WorkflowTypeBadge type={workflow.type} />
      </TableCell>
      <TableCell className={FROM_XL}>
        <WorkflowStart workflow={workflow} />
      </TableCell>
      <TableCell className={FROM_SM}>
        {workflow.last_run === null ? (
          <span className="text-text-3">Never</span>
        ) : (
          <RunStatusLink run={workflow.last_run} />
        )}
      </TableCell>
      <TableCell className={FROM_1440}>
        {days === null ? <NoSparkLine /> : <SparkLine days={days} countedMax={countedMax} />}
      </TableCell>
      <TableCell className={`${FROM_2XL} max-w-24 truncate text-text-2`}>{workflow.owner ?? "No owner"}</TableCell>
      <TableCell className={`${UNTIL_XL_AND_FROM_1440} text-text-2`}>
        <RelativeTime at={workflow.updated_at} />
      </TableCell>
      <TableCell className="w-10">
        <span className="relative flex justify-end">
          <LazyMenu
            preload={loadMenu}
            trigger={<IconButton icon={Ellipsis} size="sm" label={`More for ${workflow.name}`} />}
          >
            {(menu) => (
              <WorkflowMenu
                {...menu}
                workflow={workflow}
                canEdit={onToggle !== null}
                onAct={(act) => onAct(act, workflow)}
              />
            )}
          </LazyMenu>
        </span>
      </TableCell>
    </TableRow>
  );
}

const TAGS_SHOWN = 2;

function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  const more = tags.length - TAGS_SHOWN;
  return (
    <span className="hidden shrink-0 gap-1 md:inline-flex" title={tags.join(", ")}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {more > 0 ? <Badge>+{more}</Badge> : null}
    </span>
  );
}

const MEANING: Record<WorkflowType, { word: string; title: string }> = {
  callable: { word: "Callable", title: "Published as an action that agents call" },
  event_driven: { word: "Event-driven", title: "Started by a trigger" },
};

function WorkflowTypeBadge({ type }: { type: WorkflowType }) {
  return <Badge title={MEANING[type].title}>{MEANING[type].word}</Badge>;
}
