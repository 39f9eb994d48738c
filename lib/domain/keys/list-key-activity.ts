import { KEY_USAGE_HOURS, type KeyActivity } from "#lib/contract/key/key-usage";
import { integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectActivity = defineStatement({
  name: "list_key_activity",
  params: { workspaceId: uuid, hours: integer },
  row: { key_id: uuid, ago: integer, requests: integer },
  sql: `select r.key_id, (extract(epoch from date_trunc('hour', now()) - r.hour) / 3600)::integer as ago,
          sum(r.requests)::integer as requests
        from key_requests r join api_keys k on k.id = r.key_id
        where k.workspace_id = $1 and r.hour > now() - make_interval(hours => $2)
        group by 1, 2`,
});

/** Returns the requests of a workspace's keys per hour, without keys that were not used. */
export async function listKeyActivity(workspaceId: string): Promise<KeyActivity[]> {
  const rows = await selectActivity.all(db(), { workspaceId, hours: KEY_USAGE_HOURS });
  return [...Map.groupBy(rows, (row) => row.key_id)].map(([keyId, own]) => {
    const byAge = new Map(own.map((row) => [row.ago, row.requests]));
    const hours = Array.from({ length: KEY_USAGE_HOURS }, (_, index) => byAge.get(KEY_USAGE_HOURS - 1 - index) ?? 0);
    return { key_id: keyId, hours };
  });
}
