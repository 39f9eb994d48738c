import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { limitRefusal, runLimits } from "#lib/domain/runs/create/run-limits";
import { noteDelivery } from "#lib/domain/triggers/deliveries/note-delivery";
import type { Subscription } from "#lib/domain/triggers/subscription";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const findLimit = defineStatement({
  name: "find_event_limit",
  params: {
    subscriptionId: uuid,
    dedupeKey: nullable(text),
    dedupeHours: integer,
    ownerId: nullable(uuid),
    userLimit: integer,
    eventLimit: integer,
    workspaceId: uuid,
    monthLimit: integer,
  },
  row: { retry_after: nullable(integer), is_over_month: boolean },
  // A repeated delivery gets its answer from check_events, whatever the limits say.
  sql: `select case when $4::uuid is not null and $5 > 0 then seconds_until_run($4, $5, $6) end as retry_after,
          $8 > 0 and exists (select 1 from usage_months u where u.workspace_id = $7
            and u.month = date_trunc('month', now() at time zone 'UTC')::date and u.runs >= $8) as is_over_month
        where $2::text is null or (known_event($1, $2, $3)).id is null`,
});

/**
 * Refuses a delivery above the owner's limit or the month's quota before its body is read, because reading a large one
 * costs 100 times as much. It takes no locks: check_events decides about what passes.
 * @throws ApiError RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function refuseOverLimit(
  subscription: Subscription,
  { dedupeKey, facts }: { dedupeKey: string | null; facts: JsonObject },
): Promise<void> {
  const { id, workspaceId, ownerId, plan } = subscription;
  const limits = runLimits(plan);
  const found = await findLimit.first(db(), {
    subscriptionId: id,
    dedupeKey,
    dedupeHours: LIMITS.deliveryIdHours,
    ownerId,
    workspaceId,
    userLimit: limits.perUserPerHour,
    eventLimit: limits.eventsPerUserPerHour,
    monthLimit: limits.perMonth,
  });
  if (!found) return;
  const { retry_after: retryAfterSeconds, is_over_month: isOverMonth } = found;
  if (retryAfterSeconds === null && !isOverMonth) return;
  const limit = retryAfterSeconds === null ? "month_limit" : "user_limit";
  await noteDelivery(subscription, limit === "user_limit" ? "over_run_limit" : "over_run_quota", facts);
  throw limitRefusal({ limit, plan, isEvent: true, retryAfterSeconds });
}
