"use client";

import type { ConnectionObject } from "#lib/contract/connection/connection";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { whereUsed } from "@/components/features/connections/where-used";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/toast";

interface DeleteConnectionDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

export function DeleteConnectionDialog({ subject, onClose }: DeleteConnectionDialogProps) {
  return subject.used_by.length === 0 ? (
    <DeleteUnused subject={subject} onClose={onClose} />
  ) : (
    <StillUsed subject={subject} onClose={onClose} />
  );
}

function DeleteUnused({ subject, onClose }: DeleteConnectionDialogProps) {
  const remove = useOperationMutation("delete_connection", {
    invalidates: ["list_connections", "list_step_catalog"],
    onSuccess: () => {
      toast(`${subject.name} deleted.`);
      onClose();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Delete ${subject.name}?`}
      confirmLabel="Delete connection"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ connection_id: subject.connection_id })}
    >
      <p>This permanently deletes its credentials from Signalbox. They stay valid at the service.</p>
      <p>No draft or published workflow uses it. Earlier versions that use it can no longer call the service.</p>
    </AlertDialog>
  );
}

/** Deleting would break steps that use the connection, so this lists where to replace it first. */
function StillUsed({ subject, onClose }: DeleteConnectionDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${subject.name} is in use`}
      description="Choose another connection in these workflows and publish them first."
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className="flex flex-col gap-2">
        {subject.used_by.map((use) => (
          <li key={use.workflow_id}>
            <Link href={`/workflows/${use.workflow_id}`} className="link">
              {use.name}
            </Link>{" "}
            <span className="text-text-2">{whereUsed(use)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
