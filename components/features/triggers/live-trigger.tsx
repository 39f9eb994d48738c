"use client";

import { CirclePause, CirclePlay, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ListeningObject, TriggerObject, WebhookScheme } from "#lib/contract/trigger/trigger";
import type { WebhookSender } from "#lib/contract/webhooks/sender";
import { WEBHOOK_SENDER_NAMES, WEBHOOK_SENDERS } from "#lib/contract/webhooks/senders";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { RetryListeners } from "@/components/features/connections/retry-listeners";
import { DeliveryList } from "@/components/features/triggers/delivery-list";
import { TriggerAddress } from "@/components/features/triggers/trigger-address";
import { TriggerStatusChip } from "@/components/features/triggers/trigger-status-chip";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/lists/facts";
import { toast } from "@/components/ui/toast";
import { RelativeTime } from "@/components/words/relative-time";

const REFRESH_MS = 3_000;
/** The senders that bring a secret, and do not get it back in the response. */
const ASKS_TOKEN = new Set<WebhookScheme>(
  WEBHOOK_SENDER_NAMES.filter((name) => {
    const { handshake }: WebhookSender = WEBHOOK_SENDERS[name];
    return handshake !== undefined && handshake.echo === undefined;
  }),
);

/** Shows the activated trigger: its status, its URL or next time, and its latest deliveries. */
export function LiveTrigger({ workflowId }: { workflowId: string }) {
  const query = useOperation("get_trigger", { workflow_id: workflowId }, { refetchInterval: REFRESH_MS });
  const trigger = query.data?.trigger;
  const isEditor = useHasRole("editor");
  if (!trigger) return null;
  return (
    <section aria-label="Live" className="flex flex-col gap-3 border-t border-border pt-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Live</h2>
        <TriggerStatusChip status={trigger.status} />
      </div>
      <TriggerAddress trigger={trigger} workflowId={workflowId} />
      {isEditor && trigger.status === "active" && trigger.scheme && ASKS_TOKEN.has(trigger.scheme) ? (
        <HandshakeToken workflowId={workflowId} refreshMs={REFRESH_MS} />
      ) : null}
      {trigger.kind === "schedule" ? <ScheduleFacts trigger={trigger} /> : null}
      {trigger.listening === null ? null : <ListeningFacts listening={trigger.listening} />}
      <TriggerButtons trigger={trigger} />
      <DeliveryList workflowId={workflowId} refreshMs={REFRESH_MS} />
    </section>
  );
}

const LISTENING: Record<ListeningObject["status"], string> = {
  pending: "Setting up at the service",
  active: "Listening",
  failed: "Not receiving",
  off: "Off",
};
const MODES = { webhook: "Webhook", polling: "Polling" };

/** Shows whether the events of a service can be received, and if not, why. */
function ListeningFacts({ listening }: { listening: ListeningObject }) {
  const { status, mode, error, last_at: lastAt } = listening;
  return (
    <>
      <Facts
        facts={[
          { label: "Events", value: LISTENING[status] },
          { label: "Delivery", value: mode === null ? "Unknown" : MODES[mode] },
          { label: "Last contact", value: lastAt === null ? "Not yet" : <RelativeTime at={lastAt} /> },
        ]}
      />
      {error === null ? null : (
        <p role="alert" className="text-dense text-err [overflow-wrap:anywhere]">
          {error}
        </p>
      )}
      {status === "failed" ? (
        <RetryListeners
          connectionId={listening.connection_id}
          failingSince={listening.failing_since}
          retryAt={listening.retry_at}
        />
      ) : null}
    </>
  );
}

function ScheduleFacts({ trigger }: { trigger: TriggerObject }) {
  const moment = (at: string | null, none: string) => (at === null ? none : <RelativeTime at={at} />);
  return (
    <Facts
      facts={[
        { label: "Next run", value: moment(trigger.next_at, trigger.status === "paused" ? "Paused" : "None") },
        { label: "Last scheduled run", value: moment(trigger.last_at, "Not yet") },
        { label: "Missed", value: trigger.missed },
      ]}
    />
  );
}

function TriggerButtons({ trigger }: { trigger: TriggerObject }) {
  const canEdit = useHasRole("editor");
  const router = useRouter();
  const isPaused = trigger.status === "paused";
  const input = { workflow_id: trigger.workflow_id };
  const setStatus = useOperationMutation("set_trigger_status", {
    invalidates: ["get_trigger", "list_workflows"],
  });
  const fire = useOperationMutation("run_workflow", {
    onSuccess: (run) => {
      const action = { label: "View run", onClick: () => router.push(`/runs/${run.run_id}`) };
      toast.success("Run started.", { action });
    },
  });
  const error = setStatus.error ?? fire.error;
  if (!canEdit) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="sm"
        isBusy={setStatus.isPending}
        onClick={() => setStatus.mutate({ ...input, status: isPaused ? "active" : "paused" })}
      >
        {isPaused ? <CirclePlay aria-hidden className="size-3.5" /> : <CirclePause aria-hidden className="size-3.5" />}
        {isPaused ? "Resume" : "Pause"}
      </Button>
      {trigger.kind === "schedule" ? (
        <Button size="sm" isBusy={fire.isPending} onClick={() => fire.mutate(input)}>
          <Play aria-hidden className="size-3.5" />
          Run now
        </Button>
      ) : null}
      {error === null ? null : (
        <p role="alert" className="w-full text-dense text-err">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** Shows the token that the sender brought, which a person must enter there before the sender sends events. */
function HandshakeToken({ workflowId, refreshMs }: { workflowId: string; refreshMs: number }) {
  const query = useOperation("get_handshake_token", { workflow_id: workflowId }, { refetchInterval: refreshMs });
  const token = query.data?.token;
  if (token === undefined) return null;
  if (token === null) {
    return <p className="text-dense text-text-2">Waiting for the sender to send its verification token.</p>;
  }
  return (
    <div className="flex flex-col gap-1">
      <p className="text-dense text-text-2">The sender asks for this verification token:</p>
      <div className="flex items-center gap-2 rounded-2 border border-border bg-sunken py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">{token}</code>
        <CopyButton value={token} label="Copy verification token" />
      </div>
    </div>
  );
}
