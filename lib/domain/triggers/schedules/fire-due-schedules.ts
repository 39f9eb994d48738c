import { prepareInput } from "#lib/core/redaction/sanitize";
import { type DueFires, dueFires } from "#lib/core/schedules/next-fires";
import type { ScheduleConfig } from "#lib/core/steps/trigger/trigger-data";
import { acceptEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { noteDelivery } from "#lib/domain/triggers/deliveries/note-delivery";
import {
  SELECT_SUBSCRIPTIONS,
  SUBSCRIPTION_ROW,
  scheduleOutput,
  toSchedule,
  toSubscription,
} from "#lib/domain/triggers/subscription";
import { log } from "#lib/platform/config/log";
import {
  bigint,
  filled,
  float8,
  integer,
  nullable,
  type RowOf,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { formatCount } from "#lib/support/format/format-number";

/** The most schedules in one check; if more are due, the next check follows at once. */
const BATCH = 100;
/** Concurrent fires: each waits for a commit. */
const LANES = 8;
/** How far a check looks ahead, so that it can report when the next check is due. */
export const LOOK_AHEAD_MS = 1_000;

/** The most failures named in one log line. */
const FAILURES_NAMED = 5;

/** The moment to check for: the given one, or the database's clock. */
const NOW = "coalesce($1::timestamptz, statement_timestamp())";

const SCHEDULE_ROW = { ...SUBSCRIPTION_ROW, next_at: filled(timestamptz), now: timestamptz };
type ScheduleRow = RowOf<typeof SCHEDULE_ROW>;

const selectDue = defineStatement({
  name: "due_schedules",
  params: { now: nullable(timestamptz), aheadMs: float8, limit: bigint, offset: bigint },
  row: SCHEDULE_ROW,
  // next_at is compared only with parameters and stable functions, so that the index scan stops at the last due row.
  sql: `select found.*, ${NOW}::timestamptz(3) as now
        from (${SELECT_SUBSCRIPTIONS} and s.kind = 'schedule'
          and s.next_at <= ${NOW} + $2::float8 * interval '1 millisecond') as found
        order by found.next_at, found.id limit $3 offset $4`,
});

/** SQL condition: a schedule is due, or will be within three seconds. */
export const IS_SCHEDULE_DUE_SOON = `exists (select 1 from trigger_subscriptions
  where is_active and next_at <= now() + interval '3 seconds')`;

const skipMoments = defineStatement({
  name: "pass_over_schedule",
  params: { id: uuid, expected: timestamptz, nextAt: nullable(timestamptz), missed: integer },
  sql: `update trigger_subscriptions set next_at = $3, missed = missed + $4
        where id = $1 and is_active and next_at = $2`,
});

interface Look {
  fired: number;
  missed: number;
  /** When to check again: 0 while there is more to do, LOOK_AHEAD_MS if nothing is due soon. */
  waitMs: number;
}

/**
 * Fires the schedules that are due (decisions, Schedules). Any number of workers may check at once: each fire is one
 * statement that takes the schedule's row, or leaves it to the worker that has it. The row is the only registry;
 * nothing is kept in memory. Schedules that cannot fire stay due and are tried at the next check, and do not delay
 * those behind them.
 * @param now defaults to the database's clock, which all workers share
 */
export async function fireDueSchedules(now: Date | null = null): Promise<Look> {
  const look = { fired: 0, missed: 0 };
  for (let failed = 0; ; ) {
    const rows = await listDue(now, failed);
    const due = rows.filter((row) => row.next_at <= row.now);
    const fires = await fireAll(due);
    for (const { fired, missed } of fires) {
      look.fired += fired;
      look.missed += missed;
    }
    if (due.length < BATCH) return { ...look, waitMs: waitUntil(rows[due.length]) };
    failed += fires.filter((done) => done.hasFailed).length;
    // Other workers are firing these: don't check again in a tight loop.
    if (fires.every((done) => done.fired + done.missed === 0 && !done.hasFailed)) return { ...look, waitMs: 0 };
  }
}

/** Lists the next BATCH that are due or soon will be, after skipping as many as could not fire. */
function listDue(now: Date | null, offset: number): Promise<ScheduleRow[]> {
  return selectDue.all(db(), { now, aheadMs: LOOK_AHEAD_MS, limit: BATCH, offset });
}

interface Fired {
  fired: number;
  missed: number;
  hasFailed?: boolean;
}

async function fireAll(due: readonly ScheduleRow[]): Promise<Fired[]> {
  // All workers see the same rows in the same order. Each starts at a random one, so they rarely collide.
  const first = Math.floor(Math.random() * due.length);
  const queue = [...due.slice(first), ...due.slice(0, first)];
  const fires: Fired[] = [];
  const failures: { id: string; error: unknown }[] = [];
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let row = queue.shift(); row; row = queue.shift()) {
        const { id } = row;
        const done = await fire(row).catch((error: unknown) => {
          failures.push({ id, error });
          return { fired: 0, missed: 0, hasFailed: true };
        });
        fires.push(done);
      }
    }),
  );
  // One line, however many: they are tried again with every check.
  const [failure] = failures;
  if (failure) {
    const subscriptions = failures.slice(0, FAILURES_NAMED).map((each) => each.id);
    log.error({ err: failure.error, count: failures.length, subscriptions }, "schedules could not fire");
  }
  return fires;
}

function waitUntil(next: ScheduleRow | undefined): number {
  return next ? next.next_at.getTime() - next.now.getTime() : LOOK_AHEAD_MS;
}

async function fire(row: ScheduleRow): Promise<Fired> {
  const config = row.config as unknown as ScheduleConfig;
  const due = dueFires(toSchedule(config, row.anchored_at ?? row.next_at), row.next_at, row.now);
  if (due.fire === null) return { fired: 0, missed: await passOver(row, due) };
  const accepted = await acceptEvent({
    subscription: toSubscription(row),
    source: "schedule",
    input: prepareInput({ output: scheduleOutput(config, due.fire) }),
    dedupeKey: due.fire.toISOString(),
    facts: { detail: `for ${due.fire.toISOString()}` },
    overLimit: "fail",
    moment: { expected: row.next_at, fired: due.fire, next_at: due.next, missed: due.missed },
  });
  if (accepted.outcome === "taken" || accepted.outcome === "stale") return { fired: 0, missed: 0 };
  if (due.missed > 0) await noteMissed(row, due.missed);
  return { fired: accepted.outcome === "accepted" ? 1 : 0, missed: due.missed };
}

/** Every due moment is too late to fire: the first worker to get here counts them, once. */
async function passOver(row: ScheduleRow, due: DueFires): Promise<number> {
  const passed = await skipMoments.run(db(), {
    id: row.id,
    expected: row.next_at,
    nextAt: due.next,
    missed: due.missed,
  });
  if (passed === 0) return 0;
  await noteMissed(row, due.missed);
  return due.missed;
}

function noteMissed(row: ScheduleRow, missed: number): Promise<void> {
  const detail = `${formatCount(missed, "time")}, starting at ${row.next_at.toISOString()}`;
  return noteDelivery({ id: row.id, workspaceId: row.workspace_id }, "missed", { detail });
}
