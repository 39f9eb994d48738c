import { type Row, zeroRow } from "#bench/faults/result-table";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";

/** The jobs of runs, as `j`. */
export const RUN_JOBS = `graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'execute_run'`;

/** Longer than the reconciler takes to remove a job. */
const PATIENCE_MS = 120_000;

interface Leftovers {
  /** Jobs of runs. */
  jobs: number;
  /** Places in the queue. */
  queued: number;
}

/** Reads what exists now. */
export async function readLeftovers(): Promise<Leftovers> {
  const { rows } = await db().query<Leftovers>({
    text: `select (select count(*)::int from ${RUN_JOBS}) as jobs, (select count(*)::int from run_queue) as queued`,
  });
  return rows[0] ?? { jobs: 0, queued: 0 };
}

/** Returns the rows for what is left when every run has ended, after the reconciler had time to remove it. */
export async function leftoverRows(id: string): Promise<Row[]> {
  const isEmpty = async () => Object.values(await readLeftovers()).every((count) => count === 0);
  await until("the last job to be removed", isEmpty, { deadlineMs: PATIENCE_MS }).catch(() => {});
  const { jobs, queued } = await readLeftovers();
  return [zeroRow(id, "jobs left of runs that ended", jobs), zeroRow(id, "runs left in the queue", queued)];
}
