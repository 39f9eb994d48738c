"use client";

import { CircleCheck, CirclePause, TriangleAlert } from "lucide-react";
import type { EventEndpointObject } from "#lib/contract/event/outbound-event";
import { formatInstant } from "#lib/support/format/format-moment";
import { useOperationMutation } from "@/components/api/operation-hooks";
import type { EndpointChoice } from "@/components/features/outbound-events/endpoint-list";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { FormError } from "@/components/ui/forms/form-error";
import { Switch } from "@/components/ui/forms/switch";

interface EndpointCardProps {
  endpoint: EventEndpointObject;
  onChoose: (choice: EndpointChoice) => void;
}

export function EndpointCard({ endpoint, onChoose }: EndpointCardProps) {
  const update = useOperationMutation("update_event_endpoint", { invalidates: ["list_event_endpoints"] });
  return (
    <li className="flex min-w-0 flex-col gap-2.5 rounded-3 border border-border bg-surface p-3">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5">
          {endpoint.name === "" ? null : <span className="font-medium">{endpoint.name}</span>}
          <code className="font-mono text-dense text-text-2 [overflow-wrap:anywhere]">{endpoint.url}</code>
        </div>
        <EndpointState endpoint={endpoint} />
      </div>
      <p className="font-mono text-dense text-text-3">{endpoint.events.join(", ")}</p>
      {endpoint.disabled_reason === null ? null : (
        <p className="text-warn">Disabled automatically. {endpoint.disabled_reason}</p>
      )}
      {endpoint.is_enabled && endpoint.failing_since !== null ? (
        <p className="text-warn">
          No deliveries have succeeded since {formatInstant(endpoint.failing_since)}. Failed deliveries are retried.
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => onChoose("log")}>
          Deliveries
        </Button>
        <Button size="sm" disabled={!endpoint.is_enabled} onClick={() => onChoose("test")}>
          Send test event
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onChoose("change")}>
          Change
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onChoose("rotate")}>
          Rotate secret
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onChoose("delete")}>
          Delete
        </Button>
        <div className="ml-auto">
          <Switch
            label={<span className="sr-only">{`On: ${endpoint.name || endpoint.url}`}</span>}
            isOn={endpoint.is_enabled}
            disabled={update.isPending}
            onChange={(isOn) => update.mutate({ endpoint_id: endpoint.endpoint_id, is_enabled: isOn })}
          />
        </div>
      </div>
      <FormError>{update.error?.message ?? null}</FormError>
    </li>
  );
}

function EndpointState({ endpoint }: { endpoint: EventEndpointObject }) {
  if (!endpoint.is_enabled) {
    return (
      <Chip tone="idle" icon={CirclePause}>
        Off
      </Chip>
    );
  }
  return endpoint.failing_since === null ? (
    <Chip tone="ok" icon={CircleCheck}>
      On
    </Chip>
  ) : (
    <Chip tone="warn" icon={TriangleAlert}>
      Failing
    </Chip>
  );
}
