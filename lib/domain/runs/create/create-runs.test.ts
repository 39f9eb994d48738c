import { afterEach, expect, test, vi } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { runRequest } from "#lib/domain/runs/create/call-action.fixture";
import { prepareRuns } from "#lib/domain/runs/create/create-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();
afterEach(() => vi.restoreAllMocks());

test("other work of the process has its turn every 15 ms while a batch is prepared", async () => {
  const workspace = await addWorkspace();
  const request = await runRequest({ workspace, action: await addAction(workspace) });
  // Preparing a run takes 10 ms.
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    nowMs += 10;
    return nowMs;
  });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await prepareRuns(Array.from({ length: 100 }, () => request))).toHaveLength(100);
  isOver = true;
  expect(turns).toBeGreaterThan(40);
});
