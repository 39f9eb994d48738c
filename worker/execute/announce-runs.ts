import { RUNS_CHANNEL } from "#lib/domain/runs/notify/notify-runs";
import { log } from "#lib/platform/config/log";
import { array, text } from "#lib/platform/db/column-types";
import { statementOptions } from "#lib/platform/db/connection-options";
import { defineStatement } from "#lib/platform/db/define-statement";
import { createPool } from "#lib/platform/db/pool";

const INTERVAL_MS = 100;
/** A NOTIFY carries less than 8,000 bytes; a pair of ids takes 74. */
const PAIRS_PER_NOTICE = 100;

export interface Announcer {
  /** Notifies the web processes that a run changed, at once or within 100 ms. */
  announce(workspaceId: string, runId: string): void;
  close(): Promise<void>;
}

const sendNotices = defineStatement({
  name: "announce_runs",
  params: { channel: text, notices: array(text) },
  sql: "select pg_notify($1, n) from unnest($2::text[]) n",
});

/**
 * Batched notices of changed runs: NOTIFY takes a lock of the whole database while it commits, so it is sent at most
 * ten times a second, on a separate connection and never inside a run's transaction. A lost notice delays a page by one
 * poll.
 */
export function openAnnouncer(): Announcer {
  const pool = createPool({ ...statementOptions(), min: 1, max: 1, query_timeout: 2_000 });
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  const send = async () => {
    const pairs = [...waiting];
    waiting.clear();
    const notices = Array.from({ length: Math.ceil(pairs.length / PAIRS_PER_NOTICE) }, (_, index) =>
      pairs.slice(index * PAIRS_PER_NOTICE, (index + 1) * PAIRS_PER_NOTICE).join(","),
    );
    await sendNotices.run(pool, { channel: RUNS_CHANNEL, notices });
  };
  const tick = () => {
    if (waiting.size === 0) {
      timer = null;
      return;
    }
    timer = setTimeout(tick, INTERVAL_MS);
    send().catch((error: unknown) => log.debug({ err: error }, "a notice of changed runs was lost"));
  };

  return {
    announce: (workspaceId, runId) => {
      waiting.add(`${workspaceId}:${runId}`);
      // The first notice of a burst includes the other changes of this turn of the event loop.
      if (!timer) timer = setTimeout(tick, 0);
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
      if (waiting.size > 0) await send().catch(() => undefined);
      await pool.end();
    },
  };
}
