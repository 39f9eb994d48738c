import { makeWorkerUtils } from "graphile-worker";
import type pg from "pg";
import { KEY_USAGE_DAYS } from "#lib/contract/web/key-usage";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { deleteOldSignInAttempts } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { deleteOldSessions } from "#lib/domain/accounts/list-sessions";
import { deleteExpiredSignInTokens } from "#lib/domain/accounts/two-step/sign-in-token";
import { forgetIdleBreakers } from "#lib/domain/connections/forget-idle-breakers";
import { evaluateAlerts } from "#lib/domain/outbound-events/alerts/evaluate-alerts";
import { ensureMailEndpoints } from "#lib/domain/outbound-events/endpoints/ensure-mail-endpoints";
import { CALL_KEYS_BATCH, deleteOldCallKeys } from "#lib/domain/repeats/delete-old-call-keys";
import { expireApprovals } from "#lib/domain/runs/decide/expire-approvals";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import type { DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { countRepairs } from "#lib/domain/runs/recover/count-repairs";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { sweepWorkers } from "#lib/domain/runs/recover/sweep-workers";
import { createPartitions, MOVED_ROWS_MAX } from "#lib/domain/runs/retain/create-partitions";
import { deleteLeftSteps } from "#lib/domain/runs/retain/delete-left-steps";
import { deleteOldDeliveries } from "#lib/domain/runs/retain/delete-old-deliveries";
import { deleteOldIdempotencyKeys, KEYS_BATCH } from "#lib/domain/runs/retain/delete-old-idempotency-keys";
import { deleteOldRuns, RETENTION_BATCH } from "#lib/domain/runs/retain/delete-old-runs";
import { dropOldPartitions } from "#lib/domain/runs/retain/drop-old-partitions";
import { forgetTestEvents } from "#lib/domain/triggers/tests/forget-test-events";
import { emptyDeletedWorkflows } from "#lib/domain/workflows/empty-deleted-workflows";
import { deleteOldInviteMails } from "#lib/domain/workspaces/invites/take-invite-mail";
import { listQueues, listUnservedQueues } from "#lib/domain/workspaces/list-queues";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { startConnectorTriggers } from "#worker/chores/connector-triggers";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";
import { startSchedules } from "#worker/chores/schedules";

/** A worker that replaces another first continues its runs. */
const SETTLE_MS = 1_000;
const SWEEP_MS = 1_000;
const EXPIRE_MS = 1_000;
/** How many per turn; when more are due, the next turn follows at once. */
const EXPIRE_BATCHES_MAX = 10;
const RECONCILE_MS = 30_000;
const RETAIN_MS = 600_000;
/** The pause between batches while there is more to delete: the runs need the disk. */
const RETAIN_PAUSE_MS = 200;
const ALERT_MS = 10_000;
const MAIL_MS = 60_000;
const FORGET_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const JITTER = 0.25;

interface ChoreOptions {
  pool: pg.Pool;
  /** The client that attaches credentials. */
  send: SendRequest;
  /** Whether this worker may judge others by their heartbeats. */
  isSteady(): boolean;
  onQuarantineNeeded(): void;
}

/** What every worker does in addition to its runs; with several workers, locks let one at a time do it. */
export function startChores(options: ChoreOptions): { stop(): void } {
  const stops = [
    repeat("sweeping", SWEEP_MS, SWEEP_MS, () => sweep(options)),
    repeat("expiring approvals", EXPIRE_MS, EXPIRE_MS, expire),
    repeat("reconciling", RECONCILE_MS, SETTLE_MS, reconcile),
    repeatRetention(),
    repeat("checking queues", RECONCILE_MS, RECONCILE_MS, warnOfUnservedQueues),
    repeat("evaluating alerts", ALERT_MS, ALERT_MS, evaluateDue),
    repeat("setting up mail", MAIL_MS, SETTLE_MS, setMailUp),
    repeat("forgetting test events", FORGET_MS, FORGET_MS, forgetTestEvents),
    repeat("forgetting circuit breakers", FORGET_MS, FORGET_MS, forgetIdleBreakers),
    repeat("creating partitions", HOUR_MS, SETTLE_MS, () => createPartitions(db(), MOVED_ROWS_MAX)),
    repeat("housekeeping", DAY_MS, SETTLE_MS, () => keepHouse(options.pool)),
    startSchedules().stop,
    startConnectorTriggers(options.send).stop,
  ];
  return { stop: () => stops.forEach((stop) => void stop()) };
}

/** Repeats a chore with 25% jitter. */
function repeat(name: string, everyMs: number, firstMs: number, work: () => Promise<void>): () => void {
  const turn = () => work().then(() => withJitter(everyMs));
  return repeatWhenDue({ name, turn, retryMs: everyMs, firstMs }).stop;
}

function withJitter(ms: number): number {
  return ms * (1 + JITTER * (2 * Math.random() - 1));
}

async function sweep({ isSteady, onQuarantineNeeded }: ChoreOptions): Promise<void> {
  const { dead, needsQuarantine } = await sweepWorkers(isSteady());
  if (needsQuarantine) onQuarantineNeeded();
  if (dead) log.warn(summaryOf(dead), "a silent worker was declared dead");
}

function summaryOf({ resumed, failed }: DeclaredDead) {
  return { resumed: resumed.length, failed: failed.map(({ id }) => id) };
}

async function expire(): Promise<void> {
  for (let batch = 0; batch < EXPIRE_BATCHES_MAX; batch += 1) {
    const { ended, isMore } = await expireApprovals();
    await notifyRuns(ended, { haveEnded: true });
    countRepairs("approval_expired", ended.length);
    if (!isMore) return;
  }
}

async function reconcile(): Promise<void> {
  const done = await reconcileRuns();
  if (!done) return;
  const { dead, requeued, timedOut } = done;
  if (dead) log.warn(summaryOf(dead), "the reconciler released the runs and jobs of workers that have ended");
  if (requeued + timedOut.length > 0) {
    log.warn({ requeued, timed_out: timedOut.length }, "the reconciler requeued or timed out runs");
  }
}

/** decisions, Retention. While there is more than a batch, the next one follows soon. */
function repeatRetention(): () => void {
  const turn = async () => withJitter((await retain()) ? RETAIN_PAUSE_MS : RETAIN_MS);
  return repeatWhenDue({ name: "retention", turn, retryMs: RETAIN_MS, firstMs: RETAIN_PAUSE_MS }).stop;
}

/** @returns whether there may be more to delete */
async function retain(): Promise<boolean> {
  const runs = await deleteOldRuns(env().RUN_RETENTION_DAYS);
  const keys = await deleteOldIdempotencyKeys();
  const hasMoreCallKeys = (await deleteOldCallKeys()) === CALL_KEYS_BATCH;
  if (runs) log.info({ runs }, "runs beyond their retention were deleted");
  const hasMoreDeliveries = await deleteOldDeliveries();
  if (runs === RETENTION_BATCH || keys === KEYS_BATCH || hasMoreCallKeys || hasMoreDeliveries) return true;
  if (await deleteLeftSteps(env().RUN_RETENTION_DAYS)) return true;
  const partitions = await dropOldPartitions(env().AUDIT_RETENTION_DAYS);
  if (partitions.length > 0) log.info({ partitions }, "partitions beyond their retention were dropped");
  return false;
}

async function evaluateDue(): Promise<void> {
  while ((await evaluateAlerts()) > 0);
}

async function warnOfUnservedQueues(): Promise<void> {
  // Usually there are none, and counting reads the whole queue.
  if ((await listUnservedQueues()).length === 0) return;
  const waiting = (await listQueues()).filter((queue) => queue.workers === 0 && queue.waiting > 0);
  for (const { queue, waiting: runs } of waiting)
    log.warn({ queue, runs }, "no live worker serves a queue; its runs wait");
}

async function setMailUp(): Promise<void> {
  if (env().SMTP_URL !== undefined) await ensureMailEndpoints();
}

const isPrepared = false;
const deleteDeadWorkers = defineStatement({
  name: "delete_dead_workers",
  sql: "delete from worker_heartbeats where dead_at < now() - interval '1 day'",
  isPrepared,
});
const deleteOldKeyRequests = defineStatement({
  name: "delete_old_key_requests",
  params: { days: integer },
  sql: "delete from key_requests where hour < now() - make_interval(days => $1)",
  isPrepared,
});

async function keepHouse(pool: pg.Pool): Promise<void> {
  await deleteDeadWorkers.run(db());
  await deleteOldSessions();
  await deleteExpiredSignInTokens(db());
  await deleteOldSignInAttempts(db());
  await deleteOldInviteMails();
  await emptyDeletedWorkflows();
  await deleteOldKeyRequests.run(db(), { days: KEY_USAGE_DAYS + 1 });
  const queue = await makeWorkerUtils({ pgPool: pool });
  try {
    await queue.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
  } finally {
    await queue.release();
  }
}
