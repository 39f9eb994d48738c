import type { Definition } from "#lib/contract/workflow/graph";
import { addAction } from "#lib/domain/actions/action.fixture";
import { openApproval } from "#lib/domain/approvals/open-gate";
import type { Actor } from "#lib/domain/audit/record-audit";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import type { RunDecision } from "#lib/domain/runs/decide/decide-run";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import type { TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";

export const ANN: Actor = { type: "user", id: "01900000-0000-7000-8000-00000000000a", name: "Ann" };

/** For tests: creates runs of one action that wait for approval. */
export async function holdingAction(workspace: TestWorkspace): Promise<() => Promise<RunReference>> {
  const action = await addAction(workspace, { approvalPolicy: "always" });
  return async () => {
    const { run } = await callAction({ workspace, action });
    return { workspaceId: workspace.workspaceId, runId: run.run_id, actionSlugs: null };
  };
}

/** For tests: builds a decision by Ann. An empty `more` approves. */
export function decisionOf(reference: RunReference, more: Partial<RunDecision> = {}): RunDecision {
  return { ...reference, decision: "approved", comment: null, approvalId: null, actor: ANN, userId: "", ...more };
}

/** in > one > end and in > two > end. `one` has a branch for a rejection, and `two` has none. */
const GATES: Definition = {
  nodes: [
    node("in", "action_input"),
    node("one", "condition", { name: "First gate" }),
    node("two", "condition", { name: "Second gate" }),
    node("end", "return_output"),
  ],
  edges: edges("in>one", "in>two", "one.approved>end", "one.rejected>end", "two.approved>end"),
};

/** For tests: creates runs that wait at approval nodes, with the gates `one` and `two` open. */
export async function gatedAction(workspace: TestWorkspace) {
  const action = await addAction(workspace, { definition: GATES });
  return async (status: "waiting_for_approval" | "running" = "waiting_for_approval") => {
    const { run } = await callAction({ workspace, action });
    const { workspaceId } = workspace;
    await db().query("update runs set status = $2, started_at = now(), lease_token = 1 where id = $1", [
      run.run_id,
      status,
    ]);
    await db().query("delete from run_queue where run_id = $1", [run.run_id]);
    const gate = async (nodeId: string) =>
      (await openApproval(db(), { workspaceId, runId: run.run_id, kind: "gate", nodeId, iteration: "" })).id;
    const [one, two] = [await gate("one"), await gate("two")];
    return { reference: { workspaceId, runId: run.run_id, actionSlugs: null }, one, two };
  };
}

/** For tests: reads everything that a decision, an expiry, or a cancel may leave behind. */
export async function outcomeOf(runId: string) {
  const { rows } = await db().query<{ status: string; error: string | null; approval: string; jobs: number }>(
    `select r.status, r.error ->> 'code' as error, string_agg(a.status, ',' order by a.node_id) as approval,
       (select count(*)::int from run_queue q where q.run_id = r.id) as jobs
     from runs r left join approvals a on a.run_id = r.id where r.id = $1 group by r.id`,
    [runId],
  );
  return rows[0];
}
