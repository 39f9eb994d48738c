import { expect, test } from "vitest";
import { waitForRun } from "#lib/domain/runs/notify/wait-for-run";
import { node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { endOpenAnswers } from "#lib/platform/config/web-shutdown";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

test("a caller that waits for a run gets the run as it is when the web server stops", async () => {
  const workflow = await seedWorkflow(db(), { nodes: [node("in", "action_input")], edges: [] });
  const runId = await seedRun(db(), workflow);
  const waiting = { callerId: "key", timeoutMs: 2 ** 30 };
  const answer = waitForRun(workflow.workspaceId, runId, waiting, {
    steps: "summary",
    withEvents: false,
    actionSlugs: null,
  });
  await eventually(async () => {
    const { rows } = await db().query(
      "select 1 from pg_stat_activity where datname = current_database() and query ~ '^listen '",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
  endOpenAnswers();
  expect((await answer).run).toMatchObject({ run_id: runId, status: "accepted" });
});
