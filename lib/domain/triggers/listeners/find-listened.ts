import { findTrigger } from "#lib/connectors/registry";
import type { JsonObject } from "#lib/contract/json-schema";
import type { Listener } from "#lib/domain/triggers/listeners/listener";
import {
  type ConnectorConfig,
  SELECT_SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionRow,
  toSubscription,
} from "#lib/domain/triggers/subscription";
import type { Db } from "#lib/platform/db/pool";

/** An activated trigger that a listener serves. */
export interface Listened {
  subscription: Subscription;
  event: string;
  params: JsonObject;
}

/** The triggers that a listener brings events to: its own one, or those of its connection that do not poll themselves. */
export async function findListened(tx: Db, listener: Listener): Promise<Listened[]> {
  const { rows } = await tx.query<SubscriptionRow>({
    name: "find_listened",
    text: `${SELECT_SUBSCRIPTIONS} and s.kind = 'connector' and s.workspace_id = $1 and s.connection_id = $2
             and ($3::uuid is null or s.id = $3) order by s.id`,
    values: [listener.workspaceId, listener.connectionId, listener.subscriptionId],
  });
  return rows.flatMap((row) => {
    const { connector, event, params } = row.config as unknown as ConnectorConfig;
    const trigger = connector === listener.connector ? findTrigger(connector, event) : null;
    const isOwn = trigger?.poll !== undefined;
    if (!trigger || isOwn !== (listener.subscriptionId !== null)) return [];
    return [{ subscription: toSubscription(row), event, params }];
  });
}
