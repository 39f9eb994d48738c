"use client";

import { CircleCheck, CirclePause, TriangleAlert } from "lucide-react";
import type { EventEndpointObject } from "#lib/contract/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import type { EndpointChoice } from "@/components/outbound-events/endpoint-list";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { Switch } from "@/components/ui/switch";

interface EndpointCardProps {
  endpoint: EventEndpointObject;
  onChoose: (choice: EndpointChoice) => void;
}

export function EndpointCard({ endpoint, onChoose }: EndpointCardProps) {
  const update = useOperationMutation("update_event_endpoint", { invalidates: ["list_event_endpoints"] });
  return (
    <li className="flex min-w-0 flex-col gap-2.5 rounded-3 border border-border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {endpoint.name === "" ? null : <span className="font-medium">{endpoint.name}</span>}
        <code className="min-w-0 flex-1 font-mono text-dense text-text-2 [overflow-wrap:anywhere]">{endpoint.url}</code>
        <EndpointState endpoint={endpoint} />
      </div>
      <p className="font-mono text-dense text-text-3">{endpoint.events.join(", ")}</p>
      {endpoint.disabled_reason === null ? null : (
        <p className="text-warn">Switched off by itself. {endpoint.disabled_reason}</p>
      )}
      {endpoint.is_enabled && endpoint.failing_since !== null ? (
        <p className="text-warn">
          Every delivery has failed since <RelativeTime at={endpoint.failing_since} />.
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => onChoose("log")}>
          Deliveries
        </Button>
        <Button size="sm" disabled={!endpoint.is_enabled} onClick={() => onChoose("test")}>
          Send a test
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
            label="On"
            isOn={endpoint.is_enabled}
            disabled={update.isPending}
            onChange={(isOn) => update.mutate({ endpoint_id: endpoint.endpoint_id, is_enabled: isOn })}
          />
        </div>
      </div>
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
