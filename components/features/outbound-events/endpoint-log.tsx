"use client";

import { CircleCheck, CircleX, Clock, RotateCw } from "lucide-react";
import type { EventDeliveryObject, EventEndpointObject } from "#lib/contract/event/outbound-event";
import { LIMITS } from "#lib/contract/limits";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { FormError } from "@/components/ui/forms/form-error";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/toast";
import { RelativeTime } from "@/components/words/relative-time";

const POLL_MS = 2_000;
const LOOKS = {
  pending: { icon: Clock, word: "Waiting", text: "text-wait" },
  succeeded: { icon: CircleCheck, word: "Delivered", text: "text-ok" },
  failed: { icon: CircleX, word: "Failed", text: "text-err" },
} as const;

/** A delivery that failed and will be retried is shown as failing, not only as waiting. */
function lookOf({ status, attempts }: EventDeliveryObject) {
  return status === "pending" && attempts.length > 0
    ? { icon: RotateCw, word: "Retrying", text: "text-warn" }
    : LOOKS[status];
}

/** Lists the deliveries to one endpoint, with every attempt; an open log refreshes itself. */
export function EndpointLog({ endpoint, onClose }: { endpoint: EventEndpointObject; onClose: () => void }) {
  const paging = useCursorPaging();
  const cursor = paging.cursor === null ? {} : { cursor: paging.cursor };
  const input = { endpoint_id: endpoint.endpoint_id, ...cursor };
  const query = useOperation("list_event_deliveries", input, { refetchInterval: POLL_MS, keepPrevious: true });
  const resend = useOperationMutation("resend_event", {
    invalidates: ["list_event_deliveries"],
    onSuccess: () => toast("Sending it again with the same ID."),
  });
  function close() {
    paging.reset();
    onClose();
  }
  return (
    <Dialog isOpen onClose={close} size="lg" title="Deliveries" description={endpoint.url}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24 w-full" />}
        errorTitle="Couldn't load the deliveries."
      >
        {(page) =>
          page.data.length === 0 ? (
            <p className="text-text-2">
              No deliveries yet. Deliveries appear here and are kept for {formatCount(LIMITS.deliveryLogDays, "day")}.
            </p>
          ) : (
            <>
              <FormError>{resend.error?.message ?? null}</FormError>
              <ul className="flex flex-col divide-y divide-border rounded-3 border border-border">
                {page.data.map((delivery) => (
                  <DeliveryItem
                    key={delivery.delivery_id}
                    delivery={delivery}
                    onResend={() => resend.mutate({ delivery_id: delivery.delivery_id })}
                  />
                ))}
              </ul>
              <Pager paging={paging} nextCursor={page.next_cursor} noun="deliveries" />
            </>
          )
        }
      </QueryView>
    </Dialog>
  );
}

function DeliveryItem({ delivery, onResend }: { delivery: EventDeliveryObject; onResend: () => void }) {
  const { icon: Icon, word, text } = lookOf(delivery);
  return (
    <li className="flex items-start gap-2.5 px-3 py-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${text}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <code className="font-mono text-dense">{delivery.type}</code>
          <span className={`text-dense font-medium ${text}`}>{word}</span>
          <RelativeTime at={delivery.created_at} className="text-dense text-text-3" />
          {delivery.run_id === null ? null : (
            <Link href={`/runs/${delivery.run_id}`} className="text-dense text-accent hover:underline">
              Run
            </Link>
          )}
        </p>
        <ol className="text-dense text-text-2">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at} className="[overflow-wrap:anywhere]">
              {attempt.error ?? `Responded with ${attempt.status}.`}{" "}
              <span className="text-text-3">
                {formatDuration(attempt.latency_ms)}, <RelativeTime at={attempt.at} />
              </span>
            </li>
          ))}
          {delivery.next_attempt_at === null || delivery.attempts.length === 0 ? null : (
            <li className="text-text-3">
              Next retry <RelativeTime at={delivery.next_attempt_at} />
            </li>
          )}
        </ol>
      </div>
      <IconButton icon={RotateCw} label="Send again" size="sm" onClick={onResend} />
    </li>
  );
}
