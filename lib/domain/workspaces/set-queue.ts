import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";

const updateQueue = defineStatement({
  name: "set_workspace_queue",
  params: { workspaceId: uuid, queue: text, channel: text },
  sql: `with changed as (update workspaces set queue = $2, updated_at = now() where id = $1 returning 1)
        select pg_notify($3, '') from changed`,
  isPrepared: false,
});

/** Assigns a workspace to a queue. Its waiting runs move with it, and the workers of the queue are notified. */
export async function setQueue(tx: Db, workspaceId: string, queue: string): Promise<void> {
  await updateQueue.run(tx, { workspaceId, queue, channel: QUEUE_CHANNEL });
}
