import { afterEach, expect, test, vi } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { runRequest } from "#lib/domain/runs/create/call-action.fixture";
import { createRuns } from "#lib/domain/runs/create/create-runs";
import { prepareRuns } from "#lib/domain/runs/create/new-run";
import { countAdvisoryWaits } from "#lib/domain/runs/execute/held-lease.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { transaction } from "#lib/platform/db/transaction";
import { eventually } from "#lib/support/eventually.fixture";

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

test("a batch that waits for one of its users has not locked the month, so two batches cannot wait for each other", async () => {
  const workspace = await addWorkspace("free");
  const [first, second] = [workspace, await addWorkspace()]
    .sort((a, b) => a.userId.localeCompare(b.userId))
    .map(({ userId }) => userId) as [string, string];
  const request = await runRequest({ workspace, action: await addAction(workspace) });
  const month = [workspace.workspaceId];
  await db().query(
    "insert into usage_months values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1)",
    month,
  );
  const holder = await db().connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended($1::text, 2))", [second]);
  const prepared = await prepareRuns([first, second].map((userId) => ({ ...request, userId })));
  const batch = transaction((tx) => createRuns(prepared, tx));
  await eventually(async () => expect(await countAdvisoryWaits()).toBe(1));
  const { rowCount } = await holder.query(
    "select 1 from usage_months where workspace_id = $1 for update nowait",
    month,
  );
  expect(rowCount).toBe(1);
  await holder.query("commit");
  holder.release();
  expect((await batch).map((made) => "outcome" in made && made.outcome)).toEqual(["created", "created"]);
});
