import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { expireApprovals } from "#lib/domain/runs/decide/expire-approvals";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import type { DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { countRepairs } from "#lib/domain/runs/recover/count-repairs";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { sweepWorkers } from "#lib/domain/runs/recover/sweep-workers";
import { LISTENERS_LOOK_MS, tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { fireDueSchedules, LOOK_AHEAD_MS } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { log } from "#lib/platform/config/log";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** A worker that replaces another first continues its runs. */
const SETTLE_MS = 1_000;
const SWEEP_MS = 1_000;
const EXPIRE_MS = 1_000;
/** How many per turn; when more are due, the next turn follows at once. */
const EXPIRE_BATCHES_MAX = 10;
const RECONCILE_MS = 30_000;
const JITTER = 0.25;

interface ChoreOptions {
  /** The client that attaches credentials. */
  send: SendRequest;
  /** Whether this worker may judge others by their heartbeats. */
  isSteady(): boolean;
  onQuarantineNeeded(): void;
}

/**
 * What every worker repeats in addition to its runs because it must not wait for a free place of the job queue or for the
 * next minute (decisions, Jobs and loops); with several workers, locks let one at a time do it. All else is a job
 * (`cron-tasks.ts`, `mail-people.ts`).
 */
export function startChores(options: ChoreOptions): { stop(): void } {
  const stops = [
    repeat("sweeping", SWEEP_MS, SWEEP_MS, () => sweep(options)),
    repeat("expiring approvals", EXPIRE_MS, EXPIRE_MS, expire),
    repeat("reconciling", RECONCILE_MS, SETTLE_MS, reconcile),
    repeatWhenDue({
      name: "looking for due schedules",
      turn: async () => (await fireDueSchedules()).waitMs,
      retryMs: LOOK_AHEAD_MS,
    }).stop,
    repeatWhenDue({
      name: "looking for due connector triggers",
      turn: () => tendListeners(options.send),
      retryMs: LISTENERS_LOOK_MS,
    }).stop,
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
    await notifyEndedRuns(ended);
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
