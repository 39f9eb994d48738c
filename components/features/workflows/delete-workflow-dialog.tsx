"use client";

import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface DeleteWorkflowDialogProps {
  workflow: WorkflowObject;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

/**
 * Deletes a workflow. If agents can call it, its action is archived with it, which the user confirms by typing the
 * slug.
 */
export function DeleteWorkflowDialog({ workflow, onClose, onDeleted }: DeleteWorkflowDialogProps) {
  const { action } = workflow;
  const isCallableNow = action !== null && action.status !== "archived";
  const remove = useOperationMutation("delete_workflow", {
    invalidates: ["list_workflows", "list_actions", "get_action"],
    onSuccess: () => {
      toast(`Workflow “${workflow.name}” deleted.`);
      onClose();
      onDeleted?.();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Delete “${workflow.name}”?`}
      confirmLabel={isCallableNow ? "Archive action and delete" : "Delete workflow"}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      {...(isCallableNow ? { typeToConfirm: action.slug } : {})}
      onConfirm={() =>
        remove.mutate({ workflow_id: workflow.workflow_id, ...(isCallableNow ? { archive_action: true } : {}) })
      }
    >
      {isCallableNow ? (
        <p>
          Its action <code className="font-mono text-text">{action.slug}</code> is archived with it: callers will get
          409 ACTION_UNAVAILABLE, and the slug stays reserved.
        </p>
      ) : null}
      {workflow.trigger === null ? null : (
        <p>
          {workflow.trigger.kind === "webhook" ? "Its webhook URL is deleted too: callers will get 404." : null}
          {workflow.trigger.kind === "form" ? "Its form is closed too." : null}
          {["webhook", "form"].includes(workflow.trigger.kind) ? null : "It won't start any more runs."}
        </p>
      )}
      <p>You can still view its runs.</p>
    </AlertDialog>
  );
}
