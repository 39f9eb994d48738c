"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { shortId } from "@/components/words/short-id";

/**
 * Returns the newest workflows and the name of each. All lists of runs share the request; a workflow that is not among
 * the newest is named by its shortened ID.
 */
export function useWorkflowNames() {
  const { data } = useOperation("list_workflows", { limit: 100 }, { staleTime: 60_000 });
  const workflows = data?.data ?? [];
  const findName = (workflowId: string) => workflows.find((workflow) => workflow.workflow_id === workflowId)?.name;
  return { workflows, findName, nameOf: (workflowId: string) => findName(workflowId) ?? shortId(workflowId) };
}
