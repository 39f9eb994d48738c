import { db, transaction } from "#lib/platform/db/pool";

/** Lets time pass for parked runs by moving all of their stored events and due times into the past. */
export async function shiftDueTimes(seconds: number): Promise<void> {
  const by = "make_interval(secs => $1)";
  await transaction(async (tx) => {
    await tx.query({ text: `update run_queue set run_at = run_at - ${by} where is_later`, values: [seconds] });
    await tx.query({ text: `update execution_events set at = at - ${by}`, values: [seconds] });
    await tx.query({
      text: `update runs set retries = (
               select jsonb_agg(r || jsonb_build_object('dueMs', (r ->> 'dueMs')::float8 - $1 * 1000.0))
               from jsonb_array_elements(retries) r)
             where retries is not null`,
      values: [seconds],
    });
    await tx.query({
      text: `update callbacks set opened_at = opened_at - ${by}, expires_at = expires_at - ${by} where status = 'waiting'`,
      values: [seconds],
    });
  });
}

/** @returns the number of runs that wait in the queue for a time and have no worker */
export async function countParked(): Promise<number> {
  const { rows } = await db().query<{ parked: number }>({
    text: `select count(*)::int as parked from runs r join run_queue q on q.run_id = r.id
           where r.status = 'running' and r.lease_owner is null and q.is_later`,
  });
  return rows[0]?.parked ?? 0;
}

/** @returns the seconds until the first wait ends */
export async function untilNextDue(): Promise<number> {
  const { rows } = await db().query<{ seconds: number }>({
    text: "select extract(epoch from min(run_at) - clock_timestamp())::float8 as seconds from run_queue where is_later",
  });
  return rows[0]?.seconds ?? 0;
}

/** @returns when each run's wait ends, in ms since 1970 */
export async function readDueTimes(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db().query<{ run_id: string; due_ms: number }>({
    text: "select run_id, (extract(epoch from run_at) * 1000)::float8 as due_ms from run_queue where is_later",
  });
  return new Map(rows.map((row) => [row.run_id, row.due_ms]));
}

/** Reads how the runs ended. */
export async function readWakeUps(): Promise<{ succeeded: ReadonlySet<string>; waitsCompletedTwice: number }> {
  const { rows } = await db().query<{ succeeded: string[]; twice: number }>({
    text: `select array(select id::text from runs where status = 'succeeded' and output ->> 'n' is not null) as succeeded,
             (select count(*)::int from (
               select 1 from runs r cross join lateral journal_events(r.id) where kind = 'step_completed' and node_id = 'wait'
               group by run_id having count(*) > 1) w) as twice`,
  });
  return { succeeded: new Set(rows[0]?.succeeded), waitsCompletedTwice: rows[0]?.twice ?? 0 };
}
