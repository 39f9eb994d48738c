import {
  LISTENER_MODES,
  LISTENER_STATUSES,
  type ListenerMode,
  type ListenerStatus,
} from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { sanitize } from "#lib/core/redaction/sanitize";
import type { ClaimedListener } from "#lib/domain/triggers/listeners/listener";
import { array, boolean, enumOf, float8, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { storableText } from "#lib/support/json";

/** What a turn found out. A field that is left out does not change. */
interface Turn {
  status: ListenerStatus;
  mode?: ListenerMode;
  events?: readonly string[];
  state?: JsonObject | null;
  cursor?: JsonObject | null;
  /** Null after a turn without failure. The error is sanitized before it is stored, shown and reported. */
  error: string | null;
  /** The time until the next turn; null for none. */
  nextMs: number | null;
}

const writeTurn = defineStatement({
  name: "finish_turn",
  params: {
    id: uuid,
    claim: uuid,
    revision: integer,
    status: enumOf(LISTENER_STATUSES),
    nextMs: nullable(float8),
    mode: nullable(enumOf(LISTENER_MODES)),
    events: nullable(array(text)),
    hasState: boolean,
    state: nullable(jsonb<JsonObject>()),
    hasCursor: boolean,
    cursor: nullable(jsonb<JsonObject>()),
    error: nullable(text),
  },
  sql: `update connector_listeners set
          status = case when revision = $3 then $4 else status end,
          next_at = case when revision = $3 then clock_timestamp() + $5::float8 * interval '1 millisecond' else next_at end,
          mode = coalesce($6, mode), events = coalesce($7, events),
          state = case when $8 then $9::jsonb else state end,
          cursor = case when $10 then $11::jsonb else cursor end,
          last_error = $12, failures = case when $12::text is null then 0 else failures + 1 end,
          failing_since = case when $12::text is not null then coalesce(failing_since, clock_timestamp()) end,
          last_at = clock_timestamp(), claim = null, claimed_until = null, updated_at = now()
        where id = $1 and claim = $2`,
});

/**
 * Writes a turn and releases the listener. Changes requested meanwhile stay pending and due.
 * @returns false if the claim has expired and another worker may have the listener: nothing was written
 */
export async function finishTurn(listener: ClaimedListener, turn: Turn, tx: Db = db()): Promise<boolean> {
  const has = (name: keyof Turn) => Object.hasOwn(turn, name);
  const written = await writeTurn.run(tx, {
    id: listener.id,
    claim: listener.claim,
    revision: listener.revision,
    status: turn.status,
    nextMs: turn.nextMs,
    mode: turn.mode ?? null,
    events: turn.events ?? null,
    hasState: has("state"),
    state: turn.state ?? null,
    hasCursor: has("cursor"),
    cursor: turn.cursor ?? null,
    error: turn.error === null ? null : storableText(sanitize(turn.error)),
  });
  return written === 1;
}

const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 600_000;

/**
 * Returns a delay that doubles with every failure in a row, up to ten minutes: the service may be repaired at any time.
 */
export function retryMs(failures: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** failures);
}
