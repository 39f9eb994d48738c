"use client";

import type { EndpointWithSecret, EventEndpointObject } from "#lib/contract/event/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface EndpointQuestionProps {
  endpoint: EventEndpointObject;
  onClose: () => void;
}

export function RotateDialog({
  endpoint,
  onClose,
  onRotated,
}: EndpointQuestionProps & { onRotated: (endpoint: EndpointWithSecret) => void }) {
  const rotate = useOperationMutation("rotate_event_secret", { onSuccess: onRotated });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title="Rotate the signing secret?"
      confirmLabel="Rotate"
      isBusy={rotate.isPending}
      error={rotate.error?.message ?? null}
      onConfirm={() => rotate.mutate({ endpoint_id: endpoint.endpoint_id })}
    >
      <p>The new secret is shown once. Both secrets sign events for one day, so that you can update the receiver.</p>
    </AlertDialog>
  );
}

export function DeleteDialog({ endpoint, onClose }: EndpointQuestionProps) {
  const remove = useOperationMutation("delete_event_endpoint", {
    invalidates: ["list_event_endpoints"],
    onSuccess: () => {
      toast("Endpoint deleted. It gets no more events.");
      onClose();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title="Delete this endpoint?"
      confirmLabel="Delete endpoint"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ endpoint_id: endpoint.endpoint_id })}
    >
      <p className="[overflow-wrap:anywhere]">
        {endpoint.url} gets no more events, including those that are waiting. Its log is deleted too.
      </p>
    </AlertDialog>
  );
}
