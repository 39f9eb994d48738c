import { expect, test, vi } from "vitest";
import { loadProgress } from "#lib/domain/journal/checkpoints/load-progress";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("a long journal is read 1,000 events at a time, and its payloads are counted", async () => {
  const definition = { nodes: [node("in", "action_input"), node("out", "return_output")], edges: edges("in>out") };
  const workflow = await seedWorkflow(db(), definition);
  const runId = await seedRun(db(), workflow, { isQueued: false });
  await db().query(
    `insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, input_data, output_data)
     select $1, $2, 'a', i::text, 'step_completed', 1, to_jsonb(repeat('x', 100)), to_jsonb(i) from generate_series(1, 2500) i`,
    [runId, workflow.workspaceId],
  );
  const query = vi.spyOn(db(), "query");
  const { progress, journalBytes } = await loadProgress(db(), {
    runId,
    workspaceId: workflow.workspaceId,
    journalBytes: null,
  });
  expect(query).toHaveBeenCalledTimes(3);
  query.mockRestore();
  expect(progress.size).toBe(2_500);
  expect(progress.get("a|2500")).toEqual({ kind: "done", how: "completed", output: 2_500 });
  expect(journalBytes).toBeGreaterThan(2_500 * 100);
  expect(journalBytes).toBeLessThan(2_500 * 200);
});
