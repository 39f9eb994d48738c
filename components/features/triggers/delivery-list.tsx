"use client";

import {
  CalendarX,
  CircleCheck,
  CircleSlash,
  Clock,
  CopyCheck,
  Gauge,
  type LucideIcon,
  RotateCw,
  ShieldAlert,
} from "lucide-react";
import { LIMITS } from "#lib/contract/limits";
import type { DeliveryObject, DeliveryVerdict } from "#lib/contract/trigger/trigger";
import { formatBytes, formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import type { Tone } from "@/components/ui/chip";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";
import { TONE_TEXT } from "@/components/words/tone-text";

const LOOKS: Record<DeliveryVerdict, { icon: LucideIcon; word: string; tone: Tone }> = {
  accepted: { icon: CircleCheck, word: "Accepted", tone: "ok" },
  duplicate: { icon: CopyCheck, word: "Duplicate", tone: "idle" },
  invalid_signature: { icon: ShieldAlert, word: "Wrong signature", tone: "err" },
  bad_request: { icon: CircleSlash, word: "Invalid JSON", tone: "err" },
  missed: { icon: Clock, word: "Missed", tone: "wait" },
  over_run_limit: { icon: Gauge, word: "Over the hourly run limit", tone: "err" },
  over_run_quota: { icon: CalendarX, word: "Over the monthly run quota", tone: "err" },
};
const SHOWN = 8;

/** Lists the latest deliveries of the trigger: whether each was accepted, its size, and the run it started. */
export function DeliveryList({ workflowId, refreshMs }: { workflowId: string; refreshMs: number }) {
  const canEdit = useHasRole("editor");
  const query = useOperation(
    "list_deliveries",
    { workflow_id: workflowId, limit: SHOWN },
    { refetchInterval: refreshMs },
  );
  const redeliver = useOperationMutation("redeliver_event", { invalidates: ["list_deliveries", "get_trigger"] });
  const deliveries = query.data?.data ?? [];
  return (
    <section aria-label="Recent events" className="flex flex-col gap-2">
      <h3 className="font-medium">Recent events</h3>
      {deliveries.length === 0 ? (
        <p className="text-dense text-text-3">
          {query.isPending
            ? "Loading"
            : `No events yet. Events appear here and are kept for ${formatCount(LIMITS.deliveryLogDays, "day")}.`}
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-border rounded-2 border border-border">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.delivery_id}
              delivery={delivery}
              onRedeliver={
                canEdit && delivery.verdict === "accepted" && delivery.run_id !== null
                  ? () => redeliver.mutate({ delivery_id: delivery.delivery_id })
                  : null
              }
            />
          ))}
        </ul>
      )}
      {redeliver.error === null ? null : (
        <p role="alert" className="text-dense text-err">
          {redeliver.error.message}
        </p>
      )}
    </section>
  );
}

interface DeliveryRowProps {
  delivery: DeliveryObject;
  /** Null if there is nothing to deliver again. */
  onRedeliver: (() => void) | null;
}

function DeliveryRow({ delivery, onRedeliver }: DeliveryRowProps) {
  const { icon: Icon, word, tone } = LOOKS[delivery.verdict];
  return (
    <li className="flex items-center gap-2 py-1 pr-1 pl-2.5 text-dense">
      <Icon aria-hidden className={`size-3.5 shrink-0 ${TONE_TEXT[tone]}`} strokeWidth={2.25} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {delivery.run_id === null ? (
            <span className={TONE_TEXT[tone]}>{word}</span>
          ) : (
            <Link href={`/runs/${delivery.run_id}`} className={`hover:underline ${TONE_TEXT[tone]}`}>
              {word}
            </Link>
          )}
          <RelativeTime at={delivery.received_at} className="text-text-3" />
          {delivery.bytes === null ? null : <span className="text-text-3">{formatBytes(delivery.bytes)}</span>}
        </p>
        {delivery.detail === null ? null : <p className="text-text-3 [overflow-wrap:anywhere]">{delivery.detail}</p>}
      </div>
      {onRedeliver === null ? null : (
        <IconButton icon={RotateCw} label="Deliver again" size="sm" onClick={onRedeliver} />
      )}
    </li>
  );
}
