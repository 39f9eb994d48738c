import { EVENT_LIMITS, type EventAttempt } from "#lib/contract/outbound-event";
import type { ClaimedDelivery } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** Kept of one delivery, the newest. */
const LOGGED_MAX = 20;
const GONE = 410;

/**
 * Writes what came of an attempt: delivered, to be tried again, or failed for good. An endpoint that answers that it is
 * gone, or that has taken nothing for days, is switched off, and what waits for it has failed.
 */
export async function settleDelivery(delivery: ClaimedDelivery, attempt: EventAttempt): Promise<void> {
  const delayMs = EVENT_LIMITS.retryDelaysMs[delivery.attempts - 1];
  const isDone = attempt.error === null;
  await transaction(async (tx) => {
    const endpoint = isDone ? await noteSuccess(tx, delivery) : await noteFailure(tx, delivery, attempt);
    const isOver = isDone || delayMs === undefined || !endpoint.isEnabled;
    await tx.query({
      name: "settle_delivery",
      text: `update event_deliveries set status = $2, completed_at = case when $2 <> 'pending' then clock_timestamp() end,
               next_attempt_at = clock_timestamp() + make_interval(secs => $3),
               attempt_log = case when jsonb_array_length(attempt_log) >= $5 then attempt_log - 0 else attempt_log end
                 || $4::jsonb
             where id = $1`,
      values: [
        delivery.id,
        isDone ? "succeeded" : isOver ? "failed" : "pending",
        (delayMs ?? 0) / 1_000,
        JSON.stringify([attempt]),
        LOGGED_MAX,
      ],
    });
  });
}

async function noteSuccess(tx: Db, { endpoint_id: id }: ClaimedDelivery): Promise<{ isEnabled: boolean }> {
  await tx.query({
    name: "note_endpoint_success",
    text: "update event_endpoints set failing_since = null where id = $1 and failing_since is not null",
    values: [id],
  });
  return { isEnabled: true };
}

async function noteFailure(
  tx: Db,
  { endpoint_id: id, kind }: ClaimedDelivery,
  { status }: EventAttempt,
): Promise<{ isEnabled: boolean }> {
  const { rows } = await tx.query<{ is_enabled: boolean }>({
    name: "note_endpoint_failure",
    text: `update event_endpoints set failing_since = coalesce(failing_since, now()),
             is_enabled = is_enabled and not o.is_over,
             disabled_reason = case when is_enabled and o.is_over then $4 else disabled_reason end
           from (select e.id, e.kind = 'webhook'
                   and ($2 or e.failing_since < now() - make_interval(days => $3)) is true as is_over
                 from event_endpoints e where e.id = $1) o
           where event_endpoints.id = o.id returning is_enabled`,
    values: [
      id,
      status === GONE,
      EVENT_LIMITS.failingDaysMax,
      status === GONE ? "It answered 410 Gone." : `Every delivery failed for ${EVENT_LIMITS.failingDaysMax} days.`,
    ],
  });
  const isEnabled = rows[0]?.is_enabled ?? false;
  if (!isEnabled && kind === "webhook") {
    await tx.query({
      name: "fail_waiting_deliveries",
      text: `update event_deliveries set status = 'failed', completed_at = clock_timestamp()
             where endpoint_id = $1 and status = 'pending'`,
      values: [id],
    });
  }
  return { isEnabled };
}
