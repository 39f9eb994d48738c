import type { EventTestObject } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { bytea, integer, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { unseal } from "#lib/platform/secrets/seal";

/** How long the canvas waits for an event. */
export const LISTEN_SECONDS = 120;
/** How long a received event is kept for the canvas that waited. */
export const KEPT_MINUTES = 60;

/** A row of webhook_tests, by the database's clock. */
export const EVENT_TEST_ROW = {
  id: uuid,
  workspace_id: uuid,
  received_at: nullable(timestamptz),
  event_sealed: nullable(bytea),
  problem: nullable(text),
  /** Null while no one listens. */
  remaining_ms: nullable(integer),
};

export const EVENT_TEST_COLUMNS = `t.id, t.workspace_id, t.received_at, t.event_sealed, t.problem,
  case when t.listens_until > now()
    then (extract(epoch from t.listens_until - clock_timestamp()) * 1000)::int end as remaining_ms`;

/** The context that binds a sealed event to its row. */
export function eventTestContext(id: string): string {
  return `event_test|${id}`;
}

export function presentEventTest(row: RowOf<typeof EVENT_TEST_ROW>): EventTestObject {
  const { id, workspace_id: workspaceId, received_at: at, event_sealed: sealed } = row;
  return {
    url: webhookUrl(`test/${id}`),
    remaining_ms: row.remaining_ms,
    problem: row.problem,
    received_at: at?.toISOString() ?? null,
    output: sealed && unseal<JsonObject>(workspaceId, eventTestContext(id), sealed),
  };
}
