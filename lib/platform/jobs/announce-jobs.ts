import type pg from "pg";
import { log } from "#lib/platform/config/log";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

/** Between two notices of a burst. A worker takes all jobs it finds, not only those it was notified of. */
const INTERVAL_MS = 5;

const sendNotice = defineStatement({
  name: "announce_jobs",
  params: { count: integer },
  // As graphile-worker's add_jobs sends it; `r` keeps equal notices distinct.
  sql: "select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::integer)::text)",
});

/** Makes idle workers look for jobs. */
export async function notifyOfJobs(on: Db, count: number): Promise<void> {
  await sendNotice.run(on, { count });
}

let waiting = 0;
let timer: NodeJS.Timeout | null = null;

/**
 * Notifies the workers that a job was committed: at once, or in a burst together with the jobs of the next few
 * milliseconds. For jobs that were written without a notice (`prisma/functions/queue_job.sql` says why). No caller
 * waits for it; if a notice is lost, a poll finds the job.
 */
export function announceJob(): void {
  waiting += 1;
  if (!timer) send(db());
}

function send(pool: pg.Pool): void {
  const count = waiting;
  waiting = 0;
  timer = null;
  if (count === 0) return;
  timer = setTimeout(send, INTERVAL_MS, pool);
  notifyOfJobs(pool, count).catch((error: unknown) => log.debug({ err: error }, "queued jobs wait for a poll"));
}
