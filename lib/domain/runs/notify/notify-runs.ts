import { log } from "#lib/platform/config/log";
import { array, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** Carries comma-joined `<workspace_id>:<run_id>` of runs that changed. */
export const RUNS_CHANNEL = "runs_changed";

export interface ChangedRun {
  id: string;
  workspaceId: string;
}

interface Notice {
  channel: string;
  payload: string;
}

const sendNotices = defineStatement({
  name: "notify_runs",
  params: { channels: array(text), payloads: array(text) },
  sql: "select pg_notify(n.channel, n.payload) from unnest($1::text[], $2::text[]) as n (channel, payload)",
});

/**
 * Notifies pages of changed runs. Called after the commit: NOTIFY inside it would hold a lock of the whole database. A
 * lost notice is made up for by a page's next poll.
 * @param others sent with the same statement
 */
export async function notifyRuns(runs: readonly ChangedRun[], others: readonly Notice[] = []): Promise<void> {
  if (runs.length === 0) return;
  const changes = runs.map(({ id, workspaceId }) => ({ channel: RUNS_CHANNEL, payload: `${workspaceId}:${id}` }));
  const notices = [...changes, ...others];
  try {
    await sendNotices.run(db(), {
      channels: notices.map((notice) => notice.channel),
      payloads: notices.map((notice) => notice.payload),
    });
  } catch (error) {
    log.debug({ err: error }, "a notice of changed runs was lost");
  }
}
