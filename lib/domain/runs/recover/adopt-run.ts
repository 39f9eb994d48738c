import { EXECUTABLE_RUN_STATUSES } from "#lib/contract/run";
import { integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";
import { SUSPECT_STALLED } from "#lib/platform/jobs/payloads";

const adopt = defineStatement({
  name: "adopt_run",
  params: { runId: uuid, suspectFrom: integer, channel: text },
  sql: `with adopted as (
      insert into run_queue (run_id, workspace_id, is_suspect)
      select id, workspace_id, stalled >= $2 from runs
      where id = $1 and status in ${sqlSet(EXECUTABLE_RUN_STATUSES)} and lease_owner is null
      on conflict do nothing
      returning 1
    )
    select pg_notify($3, '') where exists (select 1 from adopted)`,
});

/**
 * Moves a run from a job of graphile-worker to the queue of runs. An older version queued runs that way; its processes
 * still do while they run next to this version's during an upgrade.
 */
export async function adoptRun(db: Db, runId: string): Promise<void> {
  await adopt.run(db, { runId, suspectFrom: SUSPECT_STALLED, channel: QUEUE_CHANNEL });
}
