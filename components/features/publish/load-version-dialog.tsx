"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { WorkflowDetailObject } from "#lib/contract/workflow";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface LoadVersionDialogProps {
  workflow: WorkflowDetailObject;
  version: number;
  onClose: () => void;
}

/** Makes an earlier version the draft. Refused when somebody saved the draft since this page was read. */
export function LoadVersionDialog({ workflow, version, onClose }: LoadVersionDialogProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { workflow_id: workflowId, draft_revision: revision } = workflow;
  const load = useMutation({
    mutationFn: async () => {
      const { definition } = await callOperation("get_workflow", { workflow_id: workflowId, version });
      return callOperation("update_workflow", { workflow_id: workflowId, expected_revision: revision, definition });
    },
    onSuccess: () => {
      toast(`The draft is version ${version} now.`);
      router.push(`/workflows/${workflowId}`);
    },
    onError: (error) => {
      const isStale = error instanceof ClientError && error.code === "REVISION_CONFLICT";
      if (isStale) void invalidateOperations(queryClient, ["get_workflow"]);
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Load version ${version} into the draft?`}
      confirmLabel="Replace the draft"
      isBusy={load.isPending || load.isSuccess}
      error={load.error?.message ?? null}
      onConfirm={() => load.mutate()}
    >
      <p>The drawing as it stands now is replaced. What is live stays as it is until you publish.</p>
      {workflow.has_unpublished_changes ? <p>The draft has changes that no version holds; they are lost.</p> : null}
    </AlertDialog>
  );
}
