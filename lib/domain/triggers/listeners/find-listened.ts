import { findTrigger } from "#lib/connectors/registry";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Listener } from "#lib/domain/triggers/listeners/listener";
import {
  type ConnectorConfig,
  SELECT_SUBSCRIPTIONS,
  SUBSCRIPTION_ROW,
  type Subscription,
  toSubscription,
} from "#lib/domain/triggers/subscription";
import { nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** An activated trigger that a listener serves. */
export interface Listened {
  subscription: Subscription;
  event: string;
  params: JsonObject;
}

const selectListened = defineStatement({
  name: "find_listened",
  params: { workspaceId: uuid, connectionId: uuid, subscriptionId: nullable(uuid) },
  row: SUBSCRIPTION_ROW,
  sql: `${SELECT_SUBSCRIPTIONS} and s.kind = 'connector' and s.workspace_id = $1 and s.connection_id = $2
          and ($3::uuid is null or s.id = $3) order by s.id`,
});

/**
 * Returns the triggers that a listener serves: its own one, or those of its connection that do not poll for themselves.
 */
export async function findListened(tx: Db, listener: Listener): Promise<Listened[]> {
  const { workspaceId, connectionId, subscriptionId } = listener;
  const rows = await selectListened.all(tx, { workspaceId, connectionId, subscriptionId });
  return rows.flatMap((row) => {
    const { connector, event, params } = row.config as unknown as ConnectorConfig;
    const trigger = connector === listener.connector ? findTrigger(connector, event) : null;
    const isOwn = trigger?.poll !== undefined;
    if (!trigger || isOwn !== (listener.subscriptionId !== null)) return [];
    return [{ subscription: toSubscription(row), event, params }];
  });
}
