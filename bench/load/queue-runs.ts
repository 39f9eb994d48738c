import { INPUT } from "#bench/load/workflows";
import type { LeanStage } from "#bench/stage/lean-stage";
import type { TestAction } from "#lib/domain/actions/action.fixture";

/** Queues runs of an action at once. Returns a time before the first run. */
export async function queueRuns({ db, workspace }: LeanStage, action: TestAction, runs: number): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>("select clock_timestamp() as at");
  await db.query(
    `with made as (
       insert into runs (id, workspace_id, workflow_id, workflow_version_id, action_id, action_slug,
         action_release_version, source, input, correlation_id)
       select new_uuidv7(), $1, $2, $3, $4, $5, 1, 'action', $6, 'benchmark' from generate_series(1, $7::int)
       returning id, workspace_id)
     insert into run_queue (run_id, workspace_id) select id, workspace_id from made`,
    [workspace.workspaceId, action.workflowId, action.versionId, action.actionId, action.slug, INPUT, runs],
  );
  await db.query("analyze runs; analyze run_queue");
  return rows[0]?.at ?? new Date(0);
}
