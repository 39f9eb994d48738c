"use client";

import { type FormEvent, useId, useState } from "react";
import type { EndpointWithSecret, EventEndpointObject, EventType } from "#lib/contract/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { EventChoice } from "@/components/features/outbound-events/event-choice";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Dialog } from "@/components/ui/overlays/dialog";

interface EndpointDialogProps {
  /** Null: a new one. */
  endpoint: EventEndpointObject | null;
  onClose: () => void;
  onCreated: (endpoint: EndpointWithSecret) => void;
}

const USUAL: EventType[] = ["run.failed", "run.timed_out"];

export function EndpointDialog({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const formId = useId();
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [name, setName] = useState(endpoint?.name ?? "");
  const [events, setEvents] = useState<EventType[]>(endpoint?.events ?? USUAL);
  const [problem, setProblem] = useState<string>();
  const invalidates = ["list_event_endpoints"] as const;
  const create = useOperationMutation("create_event_endpoint", { invalidates, onSuccess: onCreated });
  const update = useOperationMutation("update_event_endpoint", { invalidates, onSuccess: onClose });
  const error = create.error ?? update.error;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (events.length === 0) return setProblem("Choose at least one event.");
    setProblem(undefined);
    const given = { url: url.trim(), name: name.trim(), events };
    if (endpoint === null) create.mutate(given);
    else update.mutate({ endpoint_id: endpoint.endpoint_id, ...given });
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={endpoint === null ? "New endpoint" : "Change endpoint"}
      description="Every event is one signed POST with ids, status, error and links; never an input or an output."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending || update.isPending}>
            {endpoint === null ? "Create endpoint" : "Save"}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Address" error={error?.message} isRequired>
          {(control) => (
            <Input
              {...control}
              type="url"
              autoFocus
              isMono
              placeholder="https://example.com/hooks/signalbox"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Name" hint="optional">
          {(control) => (
            <Input {...control} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <EventChoice legend="Tell it when" events={events} onChange={setEvents} error={problem} />
      </form>
    </Dialog>
  );
}
