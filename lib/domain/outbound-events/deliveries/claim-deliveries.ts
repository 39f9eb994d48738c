import { EVENT_LIMITS } from "#lib/contract/event/outbound-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { ENDPOINT_KINDS } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import {
  array,
  bigint,
  bytea,
  enumOf,
  float8,
  integer,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const CLAIMED_DELIVERY = {
  id: uuid,
  event_id: uuid,
  workspace_id: uuid,
  endpoint_id: uuid,
  kind: enumOf(ENDPOINT_KINDS),
  url: nullable(text),
  secret_sealed: nullable(bytea),
  type: text,
  data: jsonb<JsonObject>(),
  group_key: nullable(text),
  /** Includes this attempt. */
  attempts: integer,
  created_at: timestamptz,
};
/** A delivery that this worker attempts now. */
export type ClaimedDelivery = RowOf<typeof CLAIMED_DELIVERY>;

/** The most deliveries of one endpoint in one turn: an endpoint that does not answer must not take every slot. */
const PER_ENDPOINT = 4;
/** After this, the attempt of a worker that died is made again. */
const LEASE_SECONDS = Math.ceil(EVENT_LIMITS.answerTimeoutMs / 1_000) * 4;

const claimDue = defineStatement({
  name: "claim_deliveries",
  params: { limit: bigint, busy: array(uuid), perEndpoint: bigint, leaseSeconds: float8 },
  row: CLAIMED_DELIVERY,
  sql: `with recursive waiting as (
          (select endpoint_id from event_deliveries where status = 'pending' order by endpoint_id limit 1)
          union all
          select (select d.endpoint_id from event_deliveries d
              where d.status = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
            from waiting w where w.endpoint_id is not null
        ), due as materialized (
          select d.id, d.next_attempt_at from waiting w join event_endpoints e on e.id = w.endpoint_id
          cross join lateral (
            select d.id, d.next_attempt_at from event_deliveries d
            where d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.next_attempt_at <= clock_timestamp()::timestamptz(3)
            order by d.next_attempt_at limit $3) d
          where e.is_enabled and w.endpoint_id <> all($2::uuid[])
          order by d.next_attempt_at limit $1
        ), taken as (
          select d.id from event_deliveries d
          where d.id = any(array(select id from due)) and d.status = 'pending' and d.next_attempt_at <= clock_timestamp()::timestamptz(3)
          for update skip locked
        )
        update event_deliveries d
          set attempts = d.attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => $4)
        from taken, event_endpoints e
        where d.id = taken.id and e.id = d.endpoint_id
        returning d.id, d.event_id, d.workspace_id, d.endpoint_id, e.kind, e.url, e.secret_sealed, d.type, d.data,
          d.group_key, d.attempts, d.created_at`,
});

/** SQL condition: a delivery waits. When it is due depends on its endpoint, which only the claim looks at. */
export const IS_DELIVERY_WAITING = "exists (select 1 from event_deliveries where status = 'pending')";

/**
 * Claims what is due. Endpoints with something to send are found one by one in the index, so that a long queue of one
 * does not slow down the others.
 * @param busy endpoints with attempts in flight
 */
export async function claimDeliveries(limit: number, busy: readonly string[]): Promise<ClaimedDelivery[]> {
  return claimDue.all(db(), { limit, busy, perEndpoint: PER_ENDPOINT, leaseSeconds: LEASE_SECONDS });
}
