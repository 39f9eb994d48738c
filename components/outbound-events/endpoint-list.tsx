"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import type { EndpointWithSecret, EventEndpointObject } from "#lib/contract/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { EndpointCard } from "@/components/outbound-events/endpoint-card";
import { EndpointDialog } from "@/components/outbound-events/endpoint-dialog";
import { EndpointLog } from "@/components/outbound-events/endpoint-log";
import { SecretDialog } from "@/components/outbound-events/secret-dialog";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

export type EndpointChoice = "change" | "log" | "rotate" | "delete" | "test";
type Open =
  | { kind: "new" }
  | { kind: Exclude<EndpointChoice, "test">; endpoint: EventEndpointObject }
  | { kind: "secret"; endpoint: EndpointWithSecret; isRotation: boolean }
  | null;

export function EndpointList({ endpoints }: { endpoints: readonly EventEndpointObject[] }) {
  const [open, setOpen] = useState<Open>(null);
  const test = useOperationMutation("test_event_endpoint", { invalidates: ["list_event_deliveries"] });
  const create = (
    <Button onClick={() => setOpen({ kind: "new" })}>
      <Plus aria-hidden className="size-4" />
      New endpoint
    </Button>
  );
  function choose(kind: EndpointChoice, endpoint: EventEndpointObject) {
    if (kind !== "test") return setOpen({ kind, endpoint });
    test.mutate({ endpoint_id: endpoint.endpoint_id }, { onSuccess: () => setOpen({ kind: "log", endpoint }) });
  }
  return (
    <>
      {endpoints.length === 0 ? (
        <p className="rounded-3 border border-border p-3 text-text-2">
          No endpoint yet. Have your own systems told when a run fails or waits.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {endpoints.map((endpoint) => (
            <EndpointCard key={endpoint.endpoint_id} endpoint={endpoint} onChoose={(kind) => choose(kind, endpoint)} />
          ))}
        </ul>
      )}
      <div>{create}</div>
      <OpenDialog open={open} onOpen={setOpen} />
    </>
  );
}

function OpenDialog({ open, onOpen }: { open: Open; onOpen: (open: Open) => void }) {
  const close = () => onOpen(null);
  if (open === null) return null;
  if (open.kind === "log") return <EndpointLog endpoint={open.endpoint} onClose={close} />;
  if (open.kind === "secret") {
    return <SecretDialog endpoint={open.endpoint} isRotation={open.isRotation} onClose={close} />;
  }
  if (open.kind === "rotate") {
    const showSecret = (endpoint: EndpointWithSecret) => onOpen({ kind: "secret", endpoint, isRotation: true });
    return <RotateDialog endpoint={open.endpoint} onClose={close} onRotated={showSecret} />;
  }
  if (open.kind === "delete") return <DeleteDialog endpoint={open.endpoint} onClose={close} />;
  return (
    <EndpointDialog
      endpoint={open.kind === "new" ? null : open.endpoint}
      onClose={close}
      onCreated={(endpoint) => onOpen({ kind: "secret", endpoint, isRotation: false })}
    />
  );
}

interface EndpointQuestionProps {
  endpoint: EventEndpointObject;
  onClose: () => void;
}

function RotateDialog({
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
      <p>The new secret is shown once. For a day both sign, so that the receiver can change over.</p>
    </AlertDialog>
  );
}

function DeleteDialog({ endpoint, onClose }: EndpointQuestionProps) {
  const remove = useOperationMutation("delete_event_endpoint", {
    invalidates: ["list_event_endpoints"],
    onSuccess: () => {
      toast("Endpoint deleted. Nothing more is sent there.");
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
        {endpoint.url} gets nothing more, not even what waits. Its log is deleted with it.
      </p>
    </AlertDialog>
  );
}
