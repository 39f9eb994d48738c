"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { EndpointWithSecret, EventEndpointObject } from "#lib/contract/event/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { EndpointCard } from "@/components/features/outbound-events/endpoint-card";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/forms/form-error";
import { useOnIntent } from "@/components/ui/use-on-intent";

const loadDialog = () => import("@/components/features/outbound-events/endpoint-dialog");
const loadLog = () => import("@/components/features/outbound-events/endpoint-log");
const loadSecret = () => import("@/components/features/outbound-events/secret-dialog");
const loadQuestions = () => import("@/components/features/outbound-events/endpoint-questions");
const ON_INTENT = [loadDialog, loadLog, loadSecret, loadQuestions];
const EndpointDialog = lazy(() => loadDialog().then((m) => ({ default: m.EndpointDialog })));
const EndpointLog = lazy(() => loadLog().then((m) => ({ default: m.EndpointLog })));
const SecretDialog = lazy(() => loadSecret().then((m) => ({ default: m.SecretDialog })));
const RotateDialog = lazy(() => loadQuestions().then((m) => ({ default: m.RotateDialog })));
const DeleteDialog = lazy(() => loadQuestions().then((m) => ({ default: m.DeleteDialog })));

export type EndpointChoice = "change" | "log" | "rotate" | "delete" | "test";
type Open =
  | { kind: "new" }
  | { kind: Exclude<EndpointChoice, "test">; endpoint: EventEndpointObject }
  | { kind: "secret"; endpoint: EndpointWithSecret; isRotation: boolean }
  | null;

export function EndpointList({ endpoints }: { endpoints: readonly EventEndpointObject[] }) {
  const [open, setOpen] = useState<Open>(null);
  useOnIntent(ON_INTENT);
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
          No endpoints yet. Add one to notify your own systems when a run fails or waits.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {endpoints.map((endpoint) => (
            <EndpointCard key={endpoint.endpoint_id} endpoint={endpoint} onChoose={(kind) => choose(kind, endpoint)} />
          ))}
        </ul>
      )}
      <FormError>{test.error?.message ?? null}</FormError>
      <div>{create}</div>
      <Suspense>
        <OpenDialog open={open} onOpen={setOpen} />
      </Suspense>
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
