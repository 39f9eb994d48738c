import { OPEN_RUN_STATUSES } from "#lib/contract/run/run";
import { sqlSet } from "#lib/platform/db/sql-set";

/**
 * SQL of the runs that have not ended, for `from`. Accepted runs are found in the queue: no index of `runs` holds them, so
 * that the end of a run changes no index (`prisma/migrations/20261130060000_initial`).
 */
export const OPEN_RUNS = `(
    select * from runs where indexed_status in ${sqlSet(OPEN_RUN_STATUSES.filter((status) => status !== "accepted"))}
    union all
    select a.* from run_queue q join runs a on a.id = q.run_id where a.status = 'accepted'
  )`;
