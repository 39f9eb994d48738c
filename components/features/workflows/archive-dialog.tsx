"use client";

import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface ArchiveDialogProps {
  workflows: readonly WorkflowObject[];
  onClose: () => void;
  onDone: () => void;
}

/** Shows what stops before archiving: calls of each action, and each trigger. */
export function ArchiveDialog({ workflows, onClose, onDone }: ArchiveDialogProps) {
  const slugs = workflows.flatMap(({ action }) => (action?.status === "active" ? [action.slug] : []));
  const triggers = workflows.filter(({ trigger }) => trigger?.status === "active").length;
  const archive = useOperationMutation("archive_workflows", {
    invalidates: ["list_workflows", "list_actions", "get_action", "get_workflow", "list_tags"],
    onSuccess: ({ data }) => {
      const failed = data.filter(({ error }) => error !== null);
      const done = data.length - failed.length;
      if (done > 0) toast(`${formatCount(done, "workflow")} archived.`);
      for (const { error } of failed) toast.error(error);
      onDone();
      onClose();
    },
  });
  const [only] = workflows;
  const title =
    workflows.length === 1 && only !== undefined
      ? `Archive “${only.name}”?`
      : `Archive ${formatCount(workflows.length, "workflow")}?`;
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={title}
      confirmLabel="Archive"
      isDestructive={slugs.length > 0}
      isBusy={archive.isPending}
      error={archive.error?.message ?? null}
      onConfirm={() =>
        archive.mutate({
          workflow_ids: workflows.map(({ workflow_id: id }) => id),
          ...(slugs.length > 0 ? { archive_action: true } : {}),
        })
      }
    >
      {slugs.length > 0 ? (
        <p>
          Callers of <span className="font-mono text-text [overflow-wrap:anywhere]">{slugs.join(", ")}</span> will get
          409 ACTION_UNAVAILABLE.
        </p>
      ) : null}
      {triggers > 0 ? (
        <p>{workflows.length === 1 ? "Its trigger" : formatCount(triggers, "trigger")} will no longer start runs.</p>
      ) : null}
      <p>Drafts, versions and runs are kept. You can restore everything; actions and triggers will be paused.</p>
    </AlertDialog>
  );
}
