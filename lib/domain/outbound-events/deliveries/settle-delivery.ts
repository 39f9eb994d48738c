import { EVENT_DELIVERY_STATUSES, EVENT_LIMITS, type EventAttempt } from "#lib/contract/event/outbound-event";
import type { ClaimedDelivery } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { boolean, enumOf, float8, integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { count } from "#lib/platform/metrics/counters";

/** How many attempts of one delivery are kept, the newest. */
const LOGGED_MAX = 20;
const GONE = 410;

const writeAttempt = defineStatement({
  name: "settle_delivery",
  params: {
    id: uuid,
    status: enumOf(EVENT_DELIVERY_STATUSES),
    delaySeconds: float8,
    attempts: jsonb<EventAttempt[]>(),
    loggedMax: integer,
  },
  sql: `update event_deliveries set status = $2, completed_at = case when $2 <> 'pending' then clock_timestamp() end,
          next_attempt_at = clock_timestamp() + make_interval(secs => $3),
          attempt_log = case when jsonb_array_length(attempt_log) >= $5 then attempt_log - 0 else attempt_log end
            || $4::jsonb
        where id = $1`,
});

const clearFailing = defineStatement({
  name: "note_endpoint_success",
  params: { id: uuid },
  sql: "update event_endpoints set failing_since = null where id = $1 and failing_since is not null",
});

const markFailing = defineStatement({
  name: "note_endpoint_failure",
  params: { id: uuid, isGone: boolean, failingDaysMax: integer, reason: text },
  row: { is_enabled: boolean },
  sql: `update event_endpoints set failing_since = coalesce(failing_since, now()),
          is_enabled = is_enabled and not o.is_over,
          disabled_reason = case when is_enabled and o.is_over then $4 else disabled_reason end
        from (select e.id, e.kind = 'webhook'
                and ($2 or e.failing_since < now() - make_interval(days => $3)) is true as is_over
              from event_endpoints e where e.id = $1) o
        where event_endpoints.id = o.id returning is_enabled`,
});

const failWaiting = defineStatement({
  name: "fail_waiting_deliveries",
  params: { endpointId: uuid },
  sql: `update event_deliveries set status = 'failed', completed_at = clock_timestamp()
        where endpoint_id = $1 and status = 'pending'`,
});

/**
 * Writes the result of an attempt: delivered, to be retried, or failed for good. An endpoint that answers 410, or has
 * accepted nothing for days, is switched off, and everything that waits for it has failed.
 */
export async function settleDelivery(delivery: ClaimedDelivery, attempt: EventAttempt): Promise<void> {
  const delayMs = EVENT_LIMITS.retryDelaysMs[delivery.attempts - 1];
  const isDone = attempt.error === null;
  await transaction(async (tx) => {
    const endpoint = isDone ? await noteSuccess(tx, delivery) : await noteFailure(tx, delivery, attempt);
    const isOver = isDone || delayMs === undefined || !endpoint.isEnabled;
    await writeAttempt.run(tx, {
      id: delivery.id,
      status: isDone ? "succeeded" : isOver ? "failed" : "pending",
      delaySeconds: (delayMs ?? 0) / 1_000,
      attempts: [attempt],
      loggedMax: LOGGED_MAX,
    });
  });
  count("signalbox_event_deliveries_total", { result: isDone ? "succeeded" : "failed" });
}

async function noteSuccess(tx: Db, { endpoint_id: id }: ClaimedDelivery): Promise<{ isEnabled: boolean }> {
  await clearFailing.run(tx, { id });
  return { isEnabled: true };
}

async function noteFailure(
  tx: Db,
  { endpoint_id: endpointId, kind }: ClaimedDelivery,
  { status }: EventAttempt,
): Promise<{ isEnabled: boolean }> {
  const isGone = status === GONE;
  const { failingDaysMax } = EVENT_LIMITS;
  const reason = isGone ? "It answered 410 Gone." : `Every delivery failed for ${failingDaysMax} days.`;
  const endpoint = await markFailing.first(tx, { id: endpointId, isGone, failingDaysMax, reason });
  const isEnabled = endpoint?.is_enabled ?? false;
  if (!isEnabled && kind === "webhook") await failWaiting.run(tx, { endpointId });
  return { isEnabled };
}
