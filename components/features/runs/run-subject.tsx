"use client";

import type { RunObject } from "#lib/contract/run";
import { useOperation } from "@/components/api/operation-hooks";
import { shortId } from "@/components/words/short-id";

/** Shows the called action, or the workflow whose draft was tested. */
export function RunSubject({ run }: { run: Pick<RunObject, "action_slug" | "workflow_id"> }) {
  if (run.action_slug !== null) return <span className="font-mono text-dense">{run.action_slug}</span>;
  return <WorkflowName workflowId={run.workflow_id} />;
}

/** All rows share one request for names; a workflow that is not among the newest shows its ID. */
function WorkflowName({ workflowId }: { workflowId: string }) {
  const workflows = useOperation("list_workflows", { limit: 100 }, { staleTime: 60_000 });
  const name = workflows.data?.data.find((workflow) => workflow.workflow_id === workflowId)?.name;
  return name === undefined ? (
    <span className="font-mono text-dense text-text-2">{shortId(workflowId)}</span>
  ) : (
    <span>{name}</span>
  );
}
