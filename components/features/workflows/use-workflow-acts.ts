"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { exportWorkflows } from "@/components/features/workflows/export-workflows";
import type { ListQuestion } from "@/components/features/workflows/workflow-dialogs";
import type { WorkflowAct } from "@/components/features/workflows/workflow-menu";
import { toast } from "@/components/ui/toast";

/** Runs what a menu or the bulk bar asks for, immediately or after a confirmation. */
export function useWorkflowActs() {
  const router = useRouter();
  const [question, setQuestion] = useState<ListQuestion | null>(null);
  const restore = useOperationMutation("restore_workflows", {
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow", "list_tags"],
    onSuccess: ({ data }) =>
      toast(`${formatCount(data.length, "workflow")} restored. Actions and triggers are paused.`),
  });
  const duplicate = useOperationMutation("duplicate_workflow", {
    invalidates: ["list_workflows"],
    onSuccess: (copy) => router.push(`/workflows/${copy.workflow_id}`),
  });
  function act(kind: WorkflowAct, workflows: readonly WorkflowObject[]) {
    const [first] = workflows;
    if (first === undefined) return;
    const failed = (error: Error) => void toast.error(error.message);
    if (kind === "export") void exportWorkflows(workflows).catch(failed);
    else if (kind === "duplicate") duplicate.mutate({ workflow_id: first.workflow_id }, { onError: failed });
    else if (kind === "restore") {
      restore.mutate({ workflow_ids: workflows.map(({ workflow_id: id }) => id) }, { onError: failed });
    } else setQuestion({ act: kind, workflows });
  }
  return { act, question, closeQuestion: () => setQuestion(null) };
}
