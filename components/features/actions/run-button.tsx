"use client";

import { CirclePlay } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";

const RunDialog = lazy(() =>
  import("@/components/features/actions/run-dialog").then((m) => ({ default: m.RunDialog })),
);

/** What the button needs to know about a workflow. */
export type RunnableWorkflow = Pick<
  WorkflowDetailObject,
  "workflow_id" | "name" | "action" | "trigger" | "input_schema" | "deployed_version" | "archived_at"
>;

/** Runs the published version of a workflow. Not shown to members who may not, or if there is nothing to run. */
export function RunButton({ workflow }: { workflow: RunnableWorkflow }) {
  const canRun = useHasRole("editor");
  const [isOpen, setOpen] = useState(false);
  const { action, trigger, deployed_version: version, archived_at: archivedAt } = workflow;
  const isRunnable = trigger !== null || action?.status === "active";
  if (!canRun || version === null || archivedAt !== null || !isRunnable) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)} title={`Run the published version (v${version})`}>
        <CirclePlay aria-hidden className="size-3.5" />
        <span className="sr-only sm:not-sr-only">Run</span>
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <RunDialog workflow={workflow} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
