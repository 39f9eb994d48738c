"use client";

import Link from "next/link";
import type { ConnectionObject } from "#lib/contract/connection";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { whereUsed } from "@/components/features/connections/where-used";
import { Button } from "@/components/ui/button";
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
    invalidates: ["list_connections"],
    onSuccess: () => {
      toast(`${subject.name} is deleted.`);
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
      <p>Its credentials are erased here and cannot be brought back. At the other service they stay valid.</p>
      <p>No draft and no published workflow uses it. Earlier versions that did cannot call with it any more.</p>
    </AlertDialog>
  );
}

/** Deleting would break calls of others, so it says where the connection has to be replaced first. */
function StillUsed({ subject, onClose }: DeleteConnectionDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${subject.name} is in use`}
      description="Choose another connection in these workflows first, and publish them."
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
