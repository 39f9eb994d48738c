import { randomUUID } from "node:crypto";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import {
  type ClaimedListener,
  LISTENER_COLUMNS,
  LISTENER_ROW,
  toListener,
} from "#lib/domain/triggers/listeners/listener";
import { pollListener } from "#lib/domain/triggers/listeners/poll-listener";
import { syncListener } from "#lib/domain/triggers/listeners/sync-listener";
import { log } from "#lib/platform/config/log";
import { bigint, float8, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** The most listeners in one check; if more are due, the next check follows at once. */
const BATCH = 8;
/** Longer than the requests of one turn may take. After this, another worker takes over from one that died. */
const CLAIM_SECONDS = 60;
export const LISTENERS_LOOK_MS = 1_000;

const claimDue = defineStatement({
  name: "claim_listeners",
  params: { claim: uuid, claimSeconds: float8, limit: bigint },
  row: LISTENER_ROW,
  // The column keeps milliseconds and rounds up. The clock is rounded the same way; otherwise a listener that became
  // due a moment ago would not be found.
  sql: `update connector_listeners l
        set claim = $1, claimed_until = clock_timestamp() + make_interval(secs => $2)
        from connections c
        where c.workspace_id = l.workspace_id and c.id = l.connection_id and l.id in (
          select id from connector_listeners
          where next_at <= clock_timestamp()::timestamptz(3) and coalesce(claimed_until < clock_timestamp(), true)
          order by next_at limit $3 for update skip locked)
        returning ${LISTENER_COLUMNS}`,
});

/** SQL condition: a listener may be due. */
export const IS_LISTENER_DUE = `exists (select 1 from connector_listeners
  where next_at <= now()::timestamptz(3) and coalesce(claimed_until < now(), true))`;

/**
 * Processes the listeners that are due: updates their subscriptions, and polls those that poll. Any number of workers
 * may check at once; each listener has one worker at a time.
 * @param send the client that attaches credentials
 * @returns when to check again, in milliseconds
 */
export async function tendListeners(send: SendRequest): Promise<number> {
  const claim = randomUUID();
  const rows = await claimDue.all(db(), { claim, claimSeconds: CLAIM_SECONDS, limit: BATCH });
  const turns = await Promise.all(rows.map((row) => tend({ ...toListener(row), claim }, send)));
  return rows.length === BATCH || turns.includes(true) ? 0 : LISTENERS_LOOK_MS;
}

/** @returns whether there is more to do at once */
async function tend(listener: ClaimedListener, send: SendRequest): Promise<boolean> {
  try {
    if (listener.status === "pending" || listener.mode !== "polling") return await syncListener(listener, send);
    return await pollListener(listener, send);
  } catch (error) {
    log.error({ err: error, listener: listener.id }, "a listener could not be processed");
    return false;
  }
}
