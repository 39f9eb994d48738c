import { describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addRelease, TEST_DEFINITION } from "#lib/domain/actions/action.fixture";
import { useEndedRuns } from "#lib/domain/runs/create/ended-runs.fixture";
import { type ReplayRequest, replayRun } from "#lib/domain/runs/create/replay-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const { stage, requestOf, endedRun, journal, reusedIn } = useEndedRuns();

describe("a replay on the published version", () => {
  const latest = (runId: string, more: Partial<ReplayRequest> = {}) => requestOf(runId, { version: "latest", ...more });
  const releaseOf = async (runId: string) => {
    const { rows } = await db().query("select action_release_version as version from runs where id = $1", [runId]);
    return rows[0].version;
  };

  test("waits for a publish that has started, and runs what it published", async () => {
    const runId = await endedRun();
    const { workspaceId } = stage.workspace;
    let replay: Promise<{ run_id: string }> | null = null;
    await transaction(async (tx) => {
      await lockWorkflow(tx, workspaceId, stage.action.workflowId);
      replay = replayRun(latest(runId));
      await eventually(async () => {
        const { rows } = await db().query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%for share of w%'`,
        );
        expect(rows).toHaveLength(1);
      });
      await addRelease(tx, stage.workspace, stage.action, 2);
    });
    expect(await replay).toMatchObject({ action_release_version: 2 });
  });

  test("is refused to a key while the action is paused or archived, and allowed to people", async () => {
    const runId = await endedRun();
    await addRelease(db(), stage.workspace, stage.action, 2);
    for (const status of ["paused", "archived"]) {
      await db().query("update actions set status = $2 where id = $1", [stage.action.actionId, status]);
      const asKey = latest(runId, { apiKeyId: "01900000-0000-7000-8000-000000000000" });
      expect(await errorOf(replayRun(asKey))).toMatchObject({ code: "ACTION_UNAVAILABLE" });
      expect(await releaseOf((await replayRun(latest(runId))).run_id)).toBe(2);
    }
  });

  test("is refused if nothing is published, for a test run, and for a run the caller may not see", async () => {
    const runId = await endedRun();
    await db().query("update runs set workflow_version_id = null, definition = $2 where id = $1", [
      runId,
      TEST_DEFINITION,
    ]);
    expect(await errorOf(replayRun(latest(runId)))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^version: a test run/),
    });
    const other = await endedRun();
    const stranger = await addWorkspace();
    for (const more of [{ actionSlugs: ["other"] }, { workspaceId: stranger.workspaceId }]) {
      expect(await errorOf(replayRun(latest(other, more)))).toMatchObject({ code: "RUN_NOT_FOUND" });
    }
    await db().query("update workflow_versions set status = 'archived'");
    expect(await errorOf(replayRun(latest(other)))).toMatchObject({ code: "ACTION_UNAVAILABLE" });
  });

  test("waits for approval if the action needs it: no one has approved this version", async () => {
    const runId = await endedRun();
    await addRelease(db(), stage.workspace, stage.action, 2);
    await db().query("update actions set approval_policy = 'always' where id = $1", [stage.action.actionId]);
    expect(await replayRun(latest(runId))).toMatchObject({ status: "waiting_for_approval" });
  });

  test("starts from a step of the published version", async () => {
    const runId = await endedRun();
    await journal(runId, { kind: "step_completed", nodeId: "start" }, { kind: "step_completed", nodeId: "greet" });
    const end = { ...node("last", "return_output"), data: { properties: [] } };
    const nodes = TEST_DEFINITION.nodes.filter(({ id }) => id !== "end").concat(end);
    const edges = [...TEST_DEFINITION.edges.slice(0, 1), { id: "e2", source: "greet", target: "last" }];
    await addRelease(db(), stage.workspace, stage.action, 2, { definition: { nodes, edges } });
    const run = await replayRun(latest(runId, { stepId: "last" }));
    expect(await reusedIn(run.run_id)).toEqual(["start completed", "greet completed"]);
    expect(await errorOf(replayRun(latest(runId, { stepId: "end" })))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^step_id: no such step in the published version/),
    });
  });

  test("says in the audit log which version it ran", async () => {
    const runId = await endedRun();
    await addRelease(db(), stage.workspace, stage.action, 2);
    await replayRun(latest(runId));
    const { rows } = await db().query("select details from audit_events where object_id = $1", [runId]);
    expect(rows[0].details).toMatchObject({ version: 2, mode: "resume" });
  });
});
