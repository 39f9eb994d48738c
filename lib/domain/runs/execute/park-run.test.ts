import { expect, test } from "vitest";
import { createMask } from "#lib/core/redaction/mask-texts";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addWorker, claimed } from "#lib/domain/runs/execute/held-lease.fixture";
import { parkRun } from "#lib/domain/runs/execute/park-run";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("a run that waits to retry a step stores the error of the step without the secrets of its definition", async () => {
  const workspace = await addWorkspace();
  const { run } = await callAction({ workspace, action: await addAction(workspace) });
  const lease = await claimed(run.run_id, await addWorker());
  const retry = {
    nodeId: "ask",
    iteration: "",
    attempt: 1,
    retriesUsed: 0,
    answeredAttempts: 0,
    durationMs: 5,
    error: { code: "UPSTREAM_ERROR", message: "no answer for hunter2, ann@shop.example" } as const,
  };
  const mask = createMask([{ text: "hunter2", masked: "[REDACTED]" }]);
  await parkRun(lease, { waits: [{ kind: "time", ms: 60_000, retry }], journalBytes: 0 }, mask);
  const { rows } = await db().query("select retries from runs where id = $1", [run.run_id]);
  expect(rows[0].retries).toMatchObject([
    { nodeId: "ask", error: { code: "UPSTREAM_ERROR", message: "no answer for [REDACTED], [REDACTED_EMAIL]" } },
  ]);
});
