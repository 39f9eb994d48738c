import {
  type ListenerMode,
  type ListenerStatus,
  TRIGGER_KINDS,
  type TriggerObject,
  WEBHOOK_SCHEMES,
} from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { type DeliveryRow, presentDelivery } from "#lib/domain/triggers/deliveries/present-delivery";
import type { ConnectorConfig } from "#lib/domain/triggers/subscription";
import { triggerUrl } from "#lib/domain/workflows/webhook-url";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import {
  boolean,
  enumOf,
  integer,
  jsonb,
  nullable,
  type RowOf,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

interface ListenerState {
  mode: ListenerMode | null;
  status: ListenerStatus;
  last_error: string | null;
  last_at: string | null;
  failing_since: string | null;
  next_at: string | null;
}

/** Without a subscription, `id` and everything after it is null. */
const TRIGGER_ROW = {
  workflow_id: uuid,
  id: nullable(uuid),
  kind: enumOf(TRIGGER_KINDS),
  is_active: boolean,
  scheme: nullable(enumOf(WEBHOOK_SCHEMES)),
  next_at: nullable(timestamptz),
  last_at: nullable(timestamptz),
  missed: integer,
  last_delivery: nullable(jsonb<DeliveryRow>()),
  config: nullable(jsonb<JsonObject>()),
  connection_id: nullable(uuid),
  listener: nullable(jsonb<ListenerState>()),
};
type TriggerRow = RowOf<typeof TRIGGER_ROW>;

const findTriggerRow = defineStatement({
  name: "get_trigger",
  params: { workspaceId: uuid, workflowId: uuid },
  row: TRIGGER_ROW,
  sql: `select w.id as workflow_id, s.id, s.kind, s.is_active,
          case when s.kind = 'webhook' and (s.config ->> 'is_signed')::boolean then s.config ->> 'scheme' end as scheme,
          s.next_at, s.last_at, s.missed, to_jsonb(d) as last_delivery, s.config, s.connection_id, to_jsonb(l) as listener
        from workflows w
        left join trigger_subscriptions s on s.workspace_id = w.workspace_id and s.workflow_id = w.id
        left join lateral (select id, verdict, received_at, request, run_id from trigger_deliveries
                           where subscription_id = s.id order by received_at desc, id desc limit 1) d on true
        left join lateral (select mode, status, last_error, last_at, failing_since, next_at from connector_listeners
                           where subscription_id = s.id or (connection_id = s.connection_id and subscription_id is null)
                           order by subscription_id nulls last limit 1) l on true
        where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
  isPrepared: false,
});

/**
 * Returns the deployed trigger of a workflow; null before the first activation and for callable workflows.
 * @throws ApiError NOT_FOUND
 */
export async function getTrigger(
  workspaceId: string,
  workflowId: string,
  tx: Db = db(),
): Promise<TriggerObject | null> {
  const row = await findTriggerRow.first(tx, { workspaceId, workflowId });
  if (!row) throw workflowNotFound();
  return row.id === null ? null : presentTrigger({ ...row, id: row.id });
}

function presentTrigger(row: TriggerRow & { id: string }): TriggerObject {
  const isSchedule = row.kind === "schedule";
  return {
    subscription_id: row.id,
    workflow_id: row.workflow_id,
    kind: row.kind,
    status: row.is_active ? "active" : "paused",
    url: triggerUrl(row.kind, row.id),
    scheme: row.scheme,
    next_at: isSchedule ? (row.next_at?.toISOString() ?? null) : null,
    last_at: isSchedule ? (row.last_at?.toISOString() ?? null) : null,
    missed: row.missed,
    listening: presentListening(row),
    last_delivery: row.last_delivery && presentDelivery(row.last_delivery),
  };
}

function presentListening(row: TriggerRow): TriggerObject["listening"] {
  if (row.kind !== "connector" || row.connection_id === null) return null;
  const { connector, event } = row.config as unknown as ConnectorConfig;
  const { mode = null, status = "pending", last_error: error = null } = row.listener ?? {};
  const iso = (time: string | null | undefined) => (time ? new Date(time).toISOString() : null);
  return {
    connector,
    event,
    connection_id: row.connection_id,
    mode,
    status,
    error,
    failing_since: iso(row.listener?.failing_since),
    retry_at: status === "failed" ? iso(row.listener?.next_at) : null,
    last_at: iso(row.listener?.last_at),
  };
}
