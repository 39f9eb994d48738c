import { TRIGGER_KINDS, type TriggerKind } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { PLANS, type Plan } from "#lib/contract/workspace/plans";
import type { Schedule } from "#lib/core/schedules/next-fires";
import type { ScheduleConfig, TriggerConfig } from "#lib/core/steps/trigger/trigger-data";
import type { WebhookRule } from "#lib/domain/triggers/verification/webhook-rule";
import { bytea, enumOf, jsonb, nullable, type RowOf, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { UUID_PATTERN } from "#lib/support/ids";
import { remember } from "#lib/support/sized-cache";

/** Everything an event needs to become a run. */
export interface Subscription {
  id: string;
  workspaceId: string;
  workflowId: string;
  /** The values of the deployed version. */
  versionId: string;
  plan: Plan;
  /** The user that the hourly run limit counts against (decisions, Runs: user limit). */
  ownerId: string | null;
  kind: TriggerKind;
  config: JsonObject;
  /** Set for a webhook with a secret; null otherwise. */
  secret: string | null;
}

/** `config` of a webhook's row. The secret is stored separately, sealed; `is_signed` says that there must be one. */
export interface StoredWebhook extends WebhookRule {
  is_signed: boolean;
  /** Set if the sender chooses the secret. Until it has sent it, no delivery is genuine. */
  brings_secret?: true;
}

/** `config` of a connector trigger's row. */
export type ConnectorConfig = Extract<TriggerConfig, { kind: "connector" }>;

export const SUBSCRIPTION_ROW = {
  id: uuid,
  workspace_id: uuid,
  workflow_id: uuid,
  version_id: uuid,
  plan: enumOf(PLANS),
  owner_id: nullable(uuid),
  kind: enumOf(TRIGGER_KINDS),
  config: jsonb<JsonObject>(),
  secret_sealed: nullable(bytea),
  next_at: nullable(timestamptz),
  anchored_at: nullable(timestamptz),
};
export type SubscriptionRow = RowOf<typeof SUBSCRIPTION_ROW>;

/**
 * Selects SUBSCRIPTION_ROW for subscriptions that can start a run: active, with a workflow that is deployed and not
 * deleted.
 */
export const SELECT_SUBSCRIPTIONS = `
  select s.id, s.workspace_id, s.workflow_id, v.id as version_id, ws.plan, w.created_by as owner_id, s.kind, s.config,
    s.secret_sealed, s.next_at, s.anchored_at
  from trigger_subscriptions s
  join workspaces ws on ws.id = s.workspace_id
  join workflows w on w.workspace_id = s.workspace_id and w.id = s.workflow_id and w.deleted_at is null
  join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
  where s.is_active`;

const selectActive = defineStatement({
  name: "find_subscription",
  params: { id: uuid, kind: enumOf(TRIGGER_KINDS) },
  row: SUBSCRIPTION_ROW,
  sql: `${SELECT_SUBSCRIPTIONS} and s.id = $1 and s.kind = $2`,
});

/** Each webhook as it was last read: a guess, which check_events checks before it creates the run. */
const lastRead = new Map<string, Subscription>();
const LAST_READ_MAX = 1_000;

/** Returns the subscription as this process last read it, possibly outdated, or null if it has not read it. */
export function recallSubscription(id: string): Subscription | null {
  return lastRead.get(id) ?? null;
}

/**
 * Returns the active subscription with an id, and looks at nothing else: the id is the whole key. Null means unknown or
 * paused.
 */
export async function findSubscription(id: string, kind: TriggerKind): Promise<Subscription | null> {
  if (!UUID_PATTERN.test(id)) return null;
  const row = await selectActive.first(db(), { id, kind });
  if (!row) {
    lastRead.delete(id);
    return null;
  }
  const subscription = toSubscription(row);
  remember(lastRead, id, subscription, LAST_READ_MAX);
  return subscription;
}

export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    plan: row.plan,
    ownerId: row.owner_id,
    kind: row.kind,
    config: row.config,
    secret: row.secret_sealed && unseal<string>(row.workspace_id, secretContext(row.id), row.secret_sealed),
  };
}

export function secretContext(subscriptionId: string): string {
  return `trigger|${subscriptionId}`;
}

/** @param anchoredAt when an interval was activated */
export function toSchedule(config: ScheduleConfig, anchoredAt: Date): Schedule {
  return config.mode === "interval"
    ? { mode: "interval", seconds: config.seconds, anchoredAt }
    : { mode: "cron", expression: config.expression, timezone: config.timezone };
}

/** Builds the `trigger.output` of a schedule's run (contract, Triggers). */
export function scheduleOutput(config: ScheduleConfig, moment: Date): JsonObject {
  return {
    timestamp: moment.toISOString(),
    scheduleType: config.mode,
    expression: config.mode === "interval" ? `every ${config.seconds}s` : config.expression,
  };
}
