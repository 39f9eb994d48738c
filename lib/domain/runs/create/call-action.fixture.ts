import type { TestAction } from "#lib/domain/actions/action.fixture";
import { getRunnableAction } from "#lib/domain/actions/get-runnable-action";
import type { RunRequest } from "#lib/domain/runs/create/new-run";
import { type ActionCall, type AnsweredCall, runAction } from "#lib/domain/runs/create/run-actions";
import type { TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";

/** A workspace and the action that a test calls in it. */
export interface Stage {
  workspace: TestWorkspace;
  action: TestAction;
}

/** For tests: makes a valid call of the action. */
export function callAction({ workspace, action }: Stage, more: Partial<ActionCall> = {}): Promise<AnsweredCall> {
  const call: ActionCall = { ...workspace, slug: action.slug, input: { name: "Ada" }, dryRun: false, source: "action" };
  return runAction({ ...call, ...more });
}

/** For tests: builds the request that a valid call passes to createRun. */
export async function runRequest({ workspace, action }: Stage, more: Partial<RunRequest> = {}): Promise<RunRequest> {
  const target = await getRunnableAction(workspace.workspaceId, action.slug);
  const { workflowId, versionId, inputSchema } = target;
  return {
    ...workspace,
    source: "action",
    dryRun: false,
    input: { name: "Ada" },
    target: { workflowId, versionId, action: target, inputSchema },
    ...more,
  };
}

/** For tests: counts the workspace's rows of a table. */
export async function countRows({ workspace }: Stage, table: string, where = "true"): Promise<number> {
  const { rows } = await db().query(`select count(*)::int as n from ${table} where workspace_id = $1 and ${where}`, [
    workspace.workspaceId,
  ]);
  return rows[0].n;
}

/** For tests: reads the run's place in the queue. Returns an empty list if it has none. */
export async function jobsOf(runId: string): Promise<{ priority: number; is_suspect: boolean }[]> {
  const { rows } = await db().query("select priority, is_suspect from run_queue where run_id = $1", [runId]);
  return rows;
}
