import { createHash, randomBytes, randomUUID } from "node:crypto";
import { findTrigger } from "#lib/connectors/registry";
import {
  LISTENER_MODES,
  LISTENER_STATUSES,
  type ListenerMode,
  type ListenerStatus,
} from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import {
  array,
  boolean,
  bytea,
  enumOf,
  integer,
  jsonb,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** A row of connector_listeners: how events of a service arrive (decisions, Connector events). */
export interface Listener {
  id: string;
  workspaceId: string;
  connectionId: string;
  /** The one trigger it polls for; null if it serves all triggers of the connection. */
  subscriptionId: string | null;
  connector: string;
  mode: ListenerMode | null;
  status: ListenerStatus;
  events: string[];
  secret: string;
  state: JsonObject | null;
  cursor: JsonObject | null;
  revision: number;
  failures: number;
}

export const LISTENER_ROW = {
  id: uuid,
  workspace_id: uuid,
  connection_id: uuid,
  subscription_id: nullable(uuid),
  connector: text,
  mode: nullable(enumOf(LISTENER_MODES)),
  status: enumOf(LISTENER_STATUSES),
  events: array(text),
  secret_sealed: bytea,
  state: nullable(jsonb<JsonObject>()),
  cursor: nullable(jsonb<JsonObject>()),
  revision: integer,
  failures: integer,
};

/** The columns of connector_listeners l joined with connections c. */
export const LISTENER_COLUMNS = `l.id, l.workspace_id, l.connection_id, l.subscription_id, c.connector, l.mode, l.status,
  l.events, l.secret_sealed, l.state, l.cursor, l.revision, l.failures`;

export function toListener(row: RowOf<typeof LISTENER_ROW>): Listener {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    connectionId: row.connection_id,
    subscriptionId: row.subscription_id,
    connector: row.connector,
    mode: row.mode,
    status: row.status,
    events: row.events,
    secret: unseal<string>(row.workspace_id, secretContext(row.id), row.secret_sealed),
    state: row.state,
    cursor: row.cursor,
    revision: row.revision,
    failures: row.failures,
  };
}

function secretContext(listenerId: string): string {
  return `listener|${listenerId}`;
}

/** A listener that this process has claimed. Its results are written only while the claim is valid. */
export interface ClaimedListener extends Listener {
  claim: string;
}

/** A connector trigger, as it is activated. */
export interface ListenedTrigger {
  subscriptionId: string;
  workspaceId: string;
  connectionId: string;
  connector: string;
  event: string;
}

function defineRequest(name: string, target: string) {
  return defineStatement({
    name,
    params: {
      id: uuid,
      workspaceId: uuid,
      connectionId: uuid,
      subscriptionId: nullable(uuid),
      sealed: bytea,
      isAnew: boolean,
    },
    sql: `insert into connector_listeners as l (id, workspace_id, connection_id, subscription_id, secret_sealed, next_at)
          values ($1, $2, $3, $4, $5, clock_timestamp())
          on conflict ${target} do update set connection_id = excluded.connection_id, status = 'pending',
            revision = l.revision + 1, failures = 0, next_at = clock_timestamp(), updated_at = now(),
            cursor = case when $6 and l.subscription_id is not null then null else l.cursor end,
            mode = case when $6 and l.status = 'off' then null else l.mode end`,
    isPrepared: false,
  });
}

const requestOwn = defineRequest("request_own_listener", "(subscription_id)");
const requestShared = defineRequest("request_shared_listener", "(connection_id) where subscription_id is null");

const deleteOwn = defineStatement({
  name: "stop_own_listener",
  params: { subscriptionId: uuid },
  sql: "delete from connector_listeners where subscription_id = $1",
  isPrepared: false,
});

/**
 * Makes a worker listen for the trigger's events within about a second. Call it in the transaction that activates the
 * trigger.
 * @param isAnew true if the trigger starts from now: one that polls, whatever it read before, and a connection without
 *   other active triggers, whatever its service still keeps
 */
export async function requestListening(tx: Db, trigger: ListenedTrigger, isAnew: boolean): Promise<void> {
  const { subscriptionId, workspaceId, connectionId } = trigger;
  const isOwn = findTrigger(trigger.connector, trigger.event)?.poll !== undefined;
  if (!isOwn) await stopOwnListener(tx, subscriptionId);
  const id = randomUUID();
  const secret = createHash("sha256").update(randomBytes(32)).digest("hex");
  await (isOwn ? requestOwn : requestShared).run(tx, {
    id,
    workspaceId,
    connectionId,
    subscriptionId: isOwn ? subscriptionId : null,
    sealed: seal(workspaceId, secretContext(id), secret),
    isAnew,
  });
}

/** Removes the listener of a trigger that no longer polls for itself. */
export async function stopOwnListener(tx: Db, subscriptionId: string): Promise<void> {
  await deleteOwn.run(tx, { subscriptionId });
}
