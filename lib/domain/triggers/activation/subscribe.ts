import { findTrigger } from "#lib/connectors/registry";
import { ApiError } from "#lib/contract/error/api-error";
import { TRIGGER_KINDS } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { nextFire } from "#lib/core/schedules/next-fires";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import {
  SEALED_PREFIX,
  type TriggerConfig,
  triggerConfig,
  type WebhookConfig,
} from "#lib/core/steps/trigger/trigger-data";
import { recheckListeners } from "#lib/domain/connections/recheck-listeners";
import { requestListening, stopOwnListener } from "#lib/domain/triggers/listeners/listener";
import { type StoredWebhook, secretContext, toSchedule } from "#lib/domain/triggers/subscription";
import { describeSecretMisfit } from "#lib/domain/triggers/verification/describe-secret-misfit";
import { handshakeOf } from "#lib/domain/triggers/verification/webhook-rule";
import {
  array,
  boolean,
  bytea,
  enumOf,
  filled,
  jsonb,
  nullable,
  type RowOf,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal } from "#lib/platform/secrets/seal";
import { openText } from "#lib/platform/secrets/seal-text";
import { canonicalJson } from "#lib/support/json";
import { leaveOutNulls } from "#lib/support/leave-out-nulls";

interface Target {
  workspaceId: string;
  workflowId: string;
  definition: Definition;
}

const EXISTING_ROW = {
  id: uuid,
  kind: enumOf(TRIGGER_KINDS),
  config: jsonb<JsonObject>(),
  is_active: boolean,
  next_at: nullable(timestamptz),
  anchored_at: nullable(timestamptz),
  connection_id: nullable(uuid),
};

const findAndLock = defineStatement({
  name: "lock_subscription",
  params: { workspaceId: uuid, workflowId: uuid },
  row: EXISTING_ROW,
  sql: `select id, kind, config, is_active, next_at, anchored_at, connection_id from trigger_subscriptions
        where workspace_id = $1 and workflow_id = $2 for no key update`,
  isPrepared: false,
});

const upsertSubscription = defineStatement({
  name: "subscribe",
  params: {
    id: uuid,
    workspaceId: uuid,
    workflowId: uuid,
    kind: enumOf(TRIGGER_KINDS),
    config: jsonb<JsonObject>(),
    sealed: nullable(bytea),
    isActive: boolean,
    anchoredAt: timestamptz,
    nextAt: nullable(timestamptz),
    connectionId: nullable(uuid),
    keepsSecret: boolean,
  },
  sql: `insert into trigger_subscriptions as s (id, workspace_id, workflow_id, kind, config, secret_sealed, is_active,
          anchored_at, next_at, connection_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (workspace_id, workflow_id) do update
        set kind = excluded.kind, config = excluded.config,
          secret_sealed = case when $11 then s.secret_sealed else excluded.secret_sealed end,
          connection_id = excluded.connection_id,
          anchored_at = excluded.anchored_at, next_at = excluded.next_at, updated_at = now()`,
  isPrepared: false,
});

const findReserved = defineStatement({
  name: "find_reserved_subscription",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { id: filled(uuid) },
  sql: "select subscription_id as id from workflows where workspace_id = $1 and id = $2",
  isPrepared: false,
});

const findWorkflows = defineStatement({
  name: "find_watched_workflows",
  params: { workspaceId: uuid, workflowId: uuid, ids: array(uuid) },
  row: { id: uuid },
  sql: `select id from workflows
        where workspace_id = $1 and id = any($3) and id <> $2 and deleted_at is null`,
  isPrepared: false,
});

const selectClock = defineStatement({
  name: "read_clock",
  row: { now: timestamptz },
  sql: "select clock_timestamp()::timestamptz(3) as now",
  isPrepared: false,
});

/**
 * Points a workflow's subscription at its current trigger, in the transaction that deploys it; the first time, creates
 * the subscription. Its id is the webhook's address: the workflow has it from the start, and it never changes. A paused trigger stays paused: publishing does
 * not bypass a pause. An interval gets a new anchor if the schedule changed.
 * @throws ApiError PUBLISH_VALIDATION_FAILED for a secret that cannot be decrypted here, or that verifies nothing
 */
export async function subscribe(tx: Db, target: Target): Promise<void> {
  const { workspaceId, workflowId } = target;
  const node = target.definition.nodes.find((candidate) => STEP_KINDS[candidate.type].starts === "event_driven");
  if (!node) throw new Error(`workflow ${workflowId} has no trigger to subscribe`);
  const given = readTrigger(node);
  const config = storedConfig(given);
  const existing = await lockSubscription(tx, target);
  const now = await readClock(tx);
  const id = existing?.id ?? (await findReserved.one(tx, { workspaceId, workflowId })).id;
  const isActive = existing?.is_active ?? true;
  const isSame = existing?.kind === given.kind && canonicalJson(existing.config) === canonicalJson(config);
  const anchoredAt = (isSame && existing.anchored_at) || now;
  const nextAt = isSame ? existing.next_at : isActive ? firstFire(given, anchoredAt, now) : null;
  const secret = given.kind === "webhook" && given.secret ? openSecret(workspaceId, given.secret, node) : null;
  if (given.kind === "webhook" && secret !== null) assertUsable(given, secret, node);
  if (given.kind === "failure") await assertWorkflows(tx, target, given.workflow_ids ?? [], node);
  await upsertSubscription.run(tx, {
    id,
    workspaceId,
    workflowId,
    kind: given.kind,
    config,
    sealed: secret === null ? null : seal(workspaceId, secretContext(id), secret),
    isActive,
    anchoredAt,
    nextAt,
    connectionId: given.kind === "connector" ? (given.connection_id ?? null) : null,
    // Publishing again does not lose the secret that the sender brought.
    keepsSecret:
      config.brings_secret === true &&
      existing?.config.brings_secret === true &&
      existing.config.scheme === config.scheme,
  });
  await listen(tx, { id, workspaceId, before: existing?.connection_id ?? null }, given, !isSame);
}

/** Reads the data of a trigger as it was checked: null for an optional setting, or parameter of an event, is left out. */
function readTrigger({ data }: GraphNode): TriggerConfig {
  const config = triggerConfig.parse(leaveOutNulls(triggerConfig, data));
  if (config.kind !== "connector") return config;
  const schema = findTrigger(config.connector, config.event)?.params;
  return schema ? { ...config, params: leaveOutNulls(schema, config.params) as JsonObject } : config;
}

/** Requests the events of a connector trigger from its service, and ends what the previous trigger requested. */
async function listen(
  tx: Db,
  { id: subscriptionId, workspaceId, before }: { id: string; workspaceId: string; before: string | null },
  given: TriggerConfig,
  isAnew: boolean,
): Promise<void> {
  const connectionId = given.kind === "connector" ? given.connection_id : null;
  if (given.kind === "connector" && connectionId) {
    const { connector, event } = given;
    await requestListening(tx, { subscriptionId, workspaceId, connectionId, connector, event }, isAnew);
  } else {
    await stopOwnListener(tx, subscriptionId);
  }
  if (before !== null && before !== connectionId) await recheckListeners(tx, workspaceId, before);
}

/** Returns the first moment of a schedule that starts now, or null if the trigger is not a schedule. */
export function firstFire(config: TriggerConfig, anchoredAt: Date, now: Date): Date | null {
  return config.kind === "schedule" ? nextFire(toSchedule(config, anchoredAt), now) : null;
}

/** Reads the clock of the database, which all workers share. */
export async function readClock(tx: Db): Promise<Date> {
  return (await selectClock.one(tx)).now;
}

/** Locks the subscription of a workflow until the transaction ends. Returns null before the first activation. */
export function lockSubscription(
  tx: Db,
  { workspaceId, workflowId }: Pick<Target, "workspaceId" | "workflowId">,
): Promise<RowOf<typeof EXISTING_ROW> | null> {
  return findAndLock.first(tx, { workspaceId, workflowId });
}

function storedConfig(given: TriggerConfig): JsonObject {
  if (given.kind !== "webhook") return { ...given };
  const { kind: _kind, secret, ...rule } = given;
  if (secret) return { ...rule, is_signed: true } satisfies StoredWebhook;
  const isBrought = handshakeOf(rule) !== null;
  return { ...rule, is_signed: isBrought, ...(isBrought && { brings_secret: true }) } satisfies StoredWebhook;
}

function openSecret(workspaceId: string, text: string, node: GraphNode): string {
  const secret = text.startsWith(SEALED_PREFIX) ? openText(workspaceId, text) : text;
  if (secret !== null) return secret;
  throw refusal(node, "SECRET_UNREADABLE", "was encrypted in another workspace and cannot be read here; set it again");
}

/** @throws ApiError PUBLISH_VALIDATION_FAILED if the secret is no key of the kind that the sender's signatures need */
function assertUsable({ kind: _kind, secret: _secret, ...rule }: WebhookConfig, secret: string, node: GraphNode): void {
  const misfit = describeSecretMisfit(rule, secret);
  if (misfit !== null) throw refusal(node, "INVALID_DATA", misfit);
}

/** @throws ApiError PUBLISH_VALIDATION_FAILED for a workflow that is not in the workspace, or the trigger's own */
async function assertWorkflows(tx: Db, { workspaceId, workflowId }: Target, ids: string[], node: GraphNode) {
  if (ids.length === 0) return;
  const others = new Set((await findWorkflows.all(tx, { workspaceId, workflowId, ids })).map(({ id }) => id));
  const wrong = ids.findIndex((id) => !others.has(id));
  if (wrong === -1) return;
  throw refusal(node, "INVALID_DATA", "must be another workflow of this workspace", `workflow_ids.${wrong}`);
}

function refusal(node: GraphNode, code: ProblemCode, message: string, field = "secret"): ApiError {
  return new ApiError("PUBLISH_VALIDATION_FAILED", "The workflow cannot be published yet.", {
    details: [nodeProblem(node, code, `${field} ${message}`, field)],
  });
}
