"use client";

import type { WorkflowObject } from "#lib/contract/workflow";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface DeleteWorkflowDialogProps {
  workflow: WorkflowObject;
  onClose: () => void;
}

/** A workflow that agents can call takes its action along, which has to be said and typed. */
export function DeleteWorkflowDialog({ workflow, onClose }: DeleteWorkflowDialogProps) {
  const { action } = workflow;
  const isCallableNow = action !== null && action.status !== "archived";
  const remove = useOperationMutation("delete_workflow", {
    invalidates: ["list_workflows", "list_actions", "get_action"],
    onSuccess: () => {
      toast(`Workflow “${workflow.name}” deleted.`);
      onClose();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Delete “${workflow.name}”?`}
      confirmLabel={isCallableNow ? "Archive the action and delete" : "Delete workflow"}
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
          Its action <code className="font-mono text-text">{action.slug}</code> is archived with it: callers get 409
          ACTION_UNAVAILABLE from then on, and the slug stays reserved.
        </p>
      ) : null}
      {workflow.trigger === null ? null : (
        <p>
          {workflow.trigger.kind === "webhook"
            ? "Its address is gone with it: whoever calls it gets 404 from then on."
            : "It starts no more runs from then on."}
        </p>
      )}
      <p>Its runs stay readable.</p>
    </AlertDialog>
  );
}
