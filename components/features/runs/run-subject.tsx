"use client";

import type { RunObject } from "#lib/contract/run/run";
import { useWorkflowNames } from "@/components/features/runs/use-workflow-names";
import { shortId } from "@/components/words/short-id";

/** Shows the called action, or the workflow whose draft was tested. */
export function RunSubject({ run }: { run: Pick<RunObject, "action_slug" | "workflow_id"> }) {
  if (run.action_slug !== null) return <span className="font-mono text-dense">{run.action_slug}</span>;
  return <WorkflowName workflowId={run.workflow_id} />;
}

function WorkflowName({ workflowId }: { workflowId: string }) {
  const name = useWorkflowNames().findName(workflowId);
  return name === undefined ? (
    <span className="font-mono text-dense text-text-2">{shortId(workflowId)}</span>
  ) : (
    <span>{name}</span>
  );
}
