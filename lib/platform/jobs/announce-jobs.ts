import type pg from "pg";
import { log } from "#lib/platform/config/log";
import { text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** Between two notices of a burst. A worker takes all runs it finds, not only those it was notified of. */
const INTERVAL_MS = 5;

/** Notices that runs were queued, with the names of their queues; without names for any queue. */
export const QUEUE_CHANNEL = "runs_queued";

/** @param queues the queues that a worker serves; null for all */
export function isNoticeFor(queues: readonly string[] | null, notice: string | undefined): boolean {
  return !notice || queues === null || notice.split(",").some((queue) => queues.includes(queue));
}

const sendNotice = defineStatement({
  name: "announce_runs_queued",
  params: { channel: text },
  sql: "select pg_notify($1, '')",
});

let isWaiting = false;
let timer: NodeJS.Timeout | null = null;

/**
 * Notifies the workers that a run was queued and committed: at once, or in a burst together with the runs of the next
 * few milliseconds. For runs that were written without a notice (`prisma/functions/create_runs.sql` says why). No caller
 * waits for it; if a notice is lost, a poll finds the run.
 */
export function announceJob(): void {
  isWaiting = true;
  if (!timer) send(db());
}

function send(pool: pg.Pool): void {
  timer = null;
  if (!isWaiting) return;
  isWaiting = false;
  timer = setTimeout(send, INTERVAL_MS, pool);
  sendNotice
    .run(pool, { channel: QUEUE_CHANNEL })
    .catch((error: unknown) => log.debug({ err: error }, "queued runs wait for a poll"));
}
