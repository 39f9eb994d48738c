"use client";

import { createEventEndpointInput, updateEventEndpointInput } from "#lib/contract/event/event-inputs";
import type { EndpointWithSecret, EventEndpointObject, EventType } from "#lib/contract/event/outbound-event";
import { FAILED_RUN_STATUSES } from "#lib/contract/run/run";
import { useOperationForm } from "@/components/api/use-operation-form";
import { EventChoice } from "@/components/features/outbound-events/event-choice";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface EndpointDialogProps {
  /** Null for a new endpoint. */
  endpoint: EventEndpointObject | null;
  onClose: () => void;
  onCreated: (endpoint: EndpointWithSecret) => void;
}

const USUAL: EventType[] = FAILED_RUN_STATUSES.map((status) => `run.${status}` as const);

interface EndpointValues {
  url: string;
  name: string;
  events: EventType[];
}

export function EndpointDialog({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const rules = {
    start: { url: endpoint?.url ?? "", name: endpoint?.name ?? "", events: endpoint?.events ?? USUAL },
    missing: { url: "Enter the URL that receives events." },
    check: ({ events }: EndpointValues) => (events.length === 0 ? { events: "Choose at least one event." } : {}),
    invalidates: ["list_event_endpoints"] as const,
  };
  const create = useOperationForm("create_event_endpoint", {
    ...rules,
    schema: createEventEndpointInput,
    toInput: trimmed,
    onSuccess: onCreated,
  });
  const update = useOperationForm("update_event_endpoint", {
    ...rules,
    schema: updateEventEndpointInput,
    toInput: (values) => ({ endpoint_id: endpoint?.endpoint_id ?? "", ...trimmed(values) }),
    onSuccess: onClose,
  });
  const form = endpoint === null ? create : update;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={endpoint === null ? "New endpoint" : "Edit endpoint"}
      description="Each event is a signed POST request with IDs, status, error and links. It never contains inputs or outputs."
      submitLabel={endpoint === null ? "Create endpoint" : "Save"}
      className="flex flex-col gap-5"
    >
      <Field label="Address" error={form.problem("url") ?? form.general} isRequired>
        {(control) => (
          <Input
            {...control}
            {...form.register("url")}
            type="url"
            autoFocus
            isMono
            placeholder="https://example.com/hooks/signalbox"
          />
        )}
      </Field>
      <Field label="Name" hint="optional" error={form.problem("name")}>
        {(control) => <Input {...control} {...form.register("name")} maxLength={100} />}
      </Field>
      <EventChoice
        legend="Send an event when"
        events={form.value("events")}
        onChange={(events) => form.set("events", events)}
        error={form.problem("events")}
      />
    </FormDialog>
  );
}

function trimmed({ url, name, events }: EndpointValues): EndpointValues {
  return { url: url.trim(), name: name.trim(), events };
}
