import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { expireApprovals } from "#lib/domain/runs/decide/expire-approvals";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import type { DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { countRepairs } from "#lib/domain/runs/recover/count-repairs";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { sweepWorkers } from "#lib/domain/runs/recover/sweep-workers";
import { startFailureRuns } from "#lib/domain/triggers/failures/start-failure-runs";
import { LISTENERS_LOOK_MS, tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { fireDueSchedules, LOOK_AHEAD_MS } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { log } from "#lib/platform/config/log";
import { findDueWork } from "#worker/chores/find-due-work";
import { startOutboundEvents } from "#worker/chores/outbound-events";
import { type Repeated, repeatWhenDue } from "#worker/chores/repeat-when-due";

/** A worker that replaces another first continues its runs. */
const SETTLE_MS = 1_000;
const RETRY_MS = 1_000;
/** The ticks without work after which a worker is at rest: what a run causes follows within seconds. */
const REST_AFTER_TICKS = 10;
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
  /** Called when a run waits that no notice may have announced. */
  onRun(): void;
  /** Called when a job of graphile-worker is due. */
  onJob(): void;
}

interface Chores {
  /**
   * Called every second, together with other work of this process. Looks for what is due: every time while there is work,
   * and every other time at rest.
   */
  tick(isBusy: boolean): void;
  /** Resolves when the deliveries that are under way have ended. */
  stop(): Promise<void>;
}

/**
 * What every worker repeats in addition to its runs because it must not wait for a free place of the job queue or for the
 * next minute (decisions, Jobs and loops); with several workers, locks let one at a time do it. All else is a job
 * (`cron-tasks.ts`, `mail-people.ts`). One statement looks for all of it, so that a worker without work rarely wakes.
 */
export function startChores(options: ChoreOptions): Chores {
  let isScheduleSoon = false;
  let ticksAtRest = 0;
  const sweeping = rouse("sweeping", () => sweep(options).then(rest));
  const expiring = rouse("expiring approvals", () => expire().then(rest));
  const schedules = rouse("firing due schedules", async () => {
    const { waitMs } = await fireDueSchedules();
    return isScheduleSoon || waitMs < LOOK_AHEAD_MS ? waitMs : null;
  });
  const listeners = rouse("tending due connector triggers", async () => {
    const waitMs = await tendListeners(options.send);
    return waitMs < LISTENERS_LOOK_MS ? waitMs : null;
  });
  const failures = rouse("starting the workflows of failure triggers", startFailureRuns);
  const events = startOutboundEvents(options.send);
  const looking = rouse("looking for due work", async () => {
    const due = await findDueWork();
    if (Object.values(due).includes(true)) ticksAtRest = 0;
    isScheduleSoon = due.schedule;
    if (due.sweep) sweeping.wake();
    if (due.expiry) expiring.wake();
    if (due.schedule) schedules.wake();
    if (due.listener) listeners.wake();
    if (due.delivery) events.wake();
    if (due.failure) failures.wake();
    if (due.run) options.onRun();
    if (due.job) options.onJob();
    return null;
  });
  const reconciling = repeatWhenDue({
    name: "reconciling",
    turn: () => reconcile().then(() => withJitter(RECONCILE_MS)),
    retryMs: RECONCILE_MS,
    firstMs: SETTLE_MS,
  });
  return {
    tick: (isBusy) => {
      ticksAtRest = isBusy ? 0 : ticksAtRest + 1;
      if (ticksAtRest < REST_AFTER_TICKS || ticksAtRest % 2 === 0) looking.wake();
    },
    stop: () => {
      // What these are doing may end with the process: another worker does it.
      for (const one of [looking, reconciling, sweeping, expiring, schedules, listeners, failures]) void one.stop();
      return events.stop();
    },
  };
}

/**
 * Does a chore when it is woken.
 * @param work returns ms until it has to be done again, if it knows that
 */
function rouse(name: string, work: () => Promise<number | null>): Repeated {
  return repeatWhenDue({ name, turn: work, retryMs: RETRY_MS });
}

const rest = () => null;

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
