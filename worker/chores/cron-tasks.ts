import { type ParsedCronItem, parseCronItems, type TaskList } from "graphile-worker";
import { requeueResetMails } from "#lib/domain/accounts/password-reset/claim-reset-mail";
import { forgetIdleBreakers } from "#lib/domain/connections/forget-idle-breakers";
import { evaluateAlerts } from "#lib/domain/outbound-events/alerts/evaluate-alerts";
import { ensureMailEndpoints } from "#lib/domain/outbound-events/endpoints/ensure-mail-endpoints";
import { createPartitions, MOVED_ROWS_MAX } from "#lib/domain/runs/retain/create-partitions";
import { forgetTestEvents } from "#lib/domain/triggers/tests/forget-test-events";
import { requeueInviteMails } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { listQueues, listUnservedQueues } from "#lib/domain/workspaces/list-queues";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";
import { keepHouse } from "#worker/chores/keep-house";
import { deleteExpired } from "#worker/chores/retention";

interface CronTask {
  /** As in a crontab, in UTC. */
  match: string;
  /** Must tolerate a second one at the same time: a worker may die, or take longer than the time between two. */
  run(stopping: AbortSignal): Promise<void>;
}

const EVERY_MINUTE = "* * * * *";

/**
 * What the whole installation does again and again, by the name of its job: one worker does it at a time, whichever
 * takes the job. What must be exact to the second is a loop of every worker instead (`chores.ts`).
 */
const CRON_TASKS: Readonly<Record<string, CronTask>> = {
  check_queues: { match: EVERY_MINUTE, run: warnOfUnservedQueues },
  evaluate_alerts: { match: EVERY_MINUTE, run: evaluateDueAlerts },
  set_up_mail: { match: EVERY_MINUTE, run: setMailUp },
  forget_test_events: { match: EVERY_MINUTE, run: forgetTestEvents },
  forget_idle_breakers: { match: EVERY_MINUTE, run: forgetIdleBreakers },
  delete_expired: { match: "*/10 * * * *", run: deleteExpired },
  create_partitions: { match: "7 * * * *", run: () => createPartitions(db(), MOVED_ROWS_MAX) },
  keep_house: { match: "23 3 * * *", run: keepHouse },
};

/** How to add the job of a task, by cron and when a worker starts: one that failed is not repeated before it is due again. */
export const CRON_JOB = { maxAttempts: 1, priority: -1 } as const;

export const CRON_TASK_NAMES = Object.keys(CRON_TASKS);

export const CRON_TASK_LIST: TaskList = Object.fromEntries(
  Object.entries(CRON_TASKS).map(([name, { run }]) => [
    name,
    async (_payload: unknown, { abortSignal }: { abortSignal: AbortSignal }) => run(abortSignal),
  ]),
);

/** @returns what graphile-worker adds as jobs when it is time, once for all workers */
export function cronItems(): ParsedCronItem[] {
  return parseCronItems(
    Object.entries(CRON_TASKS).map(([task, { match }]) => ({ task, match, options: { ...CRON_JOB, jobKey: task } })),
  );
}

async function evaluateDueAlerts(stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await evaluateAlerts()) > 0);
}

async function warnOfUnservedQueues(): Promise<void> {
  // Usually there are none, and counting reads the whole queue.
  if ((await listUnservedQueues()).length === 0) return;
  const waiting = (await listQueues()).filter((queue) => queue.workers === 0 && queue.waiting > 0);
  for (const { queue, waiting: runs } of waiting)
    log.warn({ queue, runs }, "no live worker serves a queue; its runs wait");
}

async function setMailUp(): Promise<void> {
  if (env().SMTP_URL === undefined) return;
  await ensureMailEndpoints();
  await requeueInviteMails();
  await requeueResetMails();
}
