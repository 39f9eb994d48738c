"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
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

/** Replaces the draft with an earlier version. Refused if someone saved the draft since this page loaded. */
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
      toast(`The draft is now version ${version}.`);
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
      <p>This replaces the current draft. The live version doesn't change until you publish.</p>
      {workflow.has_unpublished_changes ? <p>The draft has unpublished changes that will be lost.</p> : null}
    </AlertDialog>
  );
}
