import { createHash, randomBytes, randomUUID } from "node:crypto";
import { findTrigger } from "#lib/connectors/registry";
import type { JsonObject } from "#lib/contract/json-schema";
import type { ListenerMode, ListenerStatus } from "#lib/contract/trigger";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** What listens to a service (decisions, Connector events): a row of connector_listeners. */
export interface Listener {
  id: string;
  workspaceId: string;
  connectionId: string;
  /** The one trigger it polls for; null where it serves all of the connection's. */
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

export interface ListenerRow {
  id: string;
  workspace_id: string;
  connection_id: string;
  subscription_id: string | null;
  connector: string;
  mode: ListenerMode | null;
  status: ListenerStatus;
  events: string[];
  secret_sealed: Buffer;
  state: JsonObject | null;
  cursor: JsonObject | null;
  revision: number;
  failures: number;
}

/** Of connector_listeners l joined with connections c. */
export const LISTENER_COLUMNS = `l.id, l.workspace_id, l.connection_id, l.subscription_id, c.connector, l.mode, l.status,
  l.events, l.secret_sealed, l.state, l.cursor, l.revision, l.failures`;

export function toListener(row: ListenerRow): Listener {
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

/** A listener that this process sees to; what it finds out is written only while the claim is its own. */
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

/**
 * Has a worker see to it, within a second or so, that the trigger's events come: in the transaction that activates it.
 * @param isAnew where a trigger that polls begins from now on, whatever it read before
 */
export async function requestListening(tx: Db, trigger: ListenedTrigger, isAnew: boolean): Promise<void> {
  const { subscriptionId, workspaceId, connectionId } = trigger;
  const isOwn = findTrigger(trigger.connector, trigger.event)?.poll !== undefined;
  if (!isOwn) await stopOwnListener(tx, subscriptionId);
  const id = randomUUID();
  const secret = createHash("sha256").update(randomBytes(32)).digest("hex");
  const target = isOwn ? "(subscription_id)" : "(connection_id) where subscription_id is null";
  await tx.query({
    text: `insert into connector_listeners as l (id, workspace_id, connection_id, subscription_id, secret_sealed, next_at)
           values ($1, $2, $3, $4, $5, clock_timestamp())
           on conflict ${target} do update set connection_id = excluded.connection_id, status = 'pending',
             revision = l.revision + 1, failures = 0, next_at = clock_timestamp(), updated_at = now(),
             cursor = case when $6 and l.subscription_id is not null then null else l.cursor end`,
    values: [
      id,
      workspaceId,
      connectionId,
      isOwn ? subscriptionId : null,
      seal(workspaceId, secretContext(id), secret),
      isAnew,
    ],
  });
}

/** A trigger that polled for itself does not any more. */
export async function stopOwnListener(tx: Db, subscriptionId: string): Promise<void> {
  await tx.query({ text: "delete from connector_listeners where subscription_id = $1", values: [subscriptionId] });
}

/**
 * What a connection's triggers want may be another by now: a worker compares it with what the service was asked for.
 * In the transaction that pauses, deletes or moves a trigger, or replaces the connection's credentials.
 */
export async function recheckListeners(tx: Db, workspaceId: string, connectionId: string): Promise<void> {
  await tx.query({ text: "select recheck_listeners($1, $2)", values: [workspaceId, connectionId] });
}
