"use client";

import { lazy, Suspense } from "react";
import { RUN_COLUMNS } from "@/components/features/runs/list/run-columns";
import { WorkflowFrame } from "@/components/features/workflows/workflow-frame";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { useEarly } from "@/components/ui/use-early";

/** The list loads together with the workflow. */
const loadList = () => import("@/components/features/runs/list/run-list");
const RunList = lazy(() => loadList().then((m) => ({ default: m.RunList })));
const EARLY = [loadList];

/** The runs of one workflow, of every trigger and origin, tests included. */
export function WorkflowRuns({ workflowId }: { workflowId: string }) {
  useEarly(EARLY);
  return (
    <WorkflowFrame workflowId={workflowId} title="Runs" noun="the workflow" skeleton={<RunsSkeleton />}>
      {() => (
        <Suspense fallback={<RunsSkeleton />}>
          <RunList workflowId={workflowId} />
        </Suspense>
      )}
    </WorkflowFrame>
  );
}

function RunsSkeleton() {
  return <TableSkeleton columns={RUN_COLUMNS} label="Loading runs" rows={12} />;
}
