"use client";

import { useRouter } from "next/navigation";
import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { ConnectorUses } from "@/components/features/connectors/connector-uses";
import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/toast";

interface DeleteConnectorDialogProps {
  connector: CustomConnectorObject;
  onClose: () => void;
}

/** Deletes an unused connector; otherwise shows where it is used. */
export function DeleteConnectorDialog({ connector, onClose }: DeleteConnectorDialogProps) {
  const router = useRouter();
  const { name } = connector;
  const remove = useOperationMutation("delete_connector", {
    invalidates: ["list_custom_connectors", "list_connectors", "list_step_catalog"],
    onSuccess: () => {
      toast(`${name} deleted.`);
      router.push("/connections/connectors");
    },
  });
  if (connector.used_by.length > 0) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${name} is in use`}
        description="Replace the connector in these workflows and publish them first."
        footer={
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        <ConnectorUses connector={connector} />
      </Dialog>
    );
  }
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete connector"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ connector: connector.connector })}
    >
      <p>This deletes all its versions. Connections are kept.</p>
      <p>No draft or published workflow uses it. Earlier versions that use it can no longer call it.</p>
    </AlertDialog>
  );
}
