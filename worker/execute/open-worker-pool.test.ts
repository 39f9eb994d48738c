import { afterAll, expect, test } from "vitest";
import { EMPTY_BATCH } from "#lib/domain/journal/append-events";
import { admitRuns, giveRunBack, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { SUCCEEDED } from "#lib/domain/runs/execute/held-lease.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";
import { openWorkerPool } from "#worker/execute/open-worker-pool";
import { openRunStore } from "#worker/execute/run-store";

await openTestDatabase();

/** After five executions, PostgreSQL decides if it plans a statement for each execution. */
const EXECUTIONS = 8;
const PER_RUN = ["append_events", "finish_runs", "open_runs"];

const pool = openWorkerPool();
const client = await pool.connect();
const store = openRunStore(client, "pool");
for (let count = 0; count < EXECUTIONS; count += 1) {
  const lease = { runId: uuidv7(), token: 1, isClaimed: true };
  await store.openRun(lease.runId);
  await store.appendEvents({ lease, usedMs: 1, batch: EMPTY_BATCH }, false);
  await store.finishRun({ lease, ...SUCCEEDED, batch: EMPTY_BATCH });
  const request = { poolId: "pool", wanted: 1, slots: 1, afterWorkspace: NO_WORKSPACE, isOnlyNew: false };
  await admitRuns(client, request);
  await giveRunBack(client, { runId: lease.runId, ticket: 1 }, "pool", false);
}
afterAll(async () => {
  client.release();
  await pool.end();
});

test("the statements of a run are planned once per connection, not for each run", async () => {
  const { rows } = await client.query(
    "select name, custom_plans::int as planned from pg_prepared_statements order by 1",
  );
  expect(rows).toEqual(expect.arrayContaining(PER_RUN.map((name) => ({ name, planned: 0 }))));
  expect(rows.filter(({ planned }) => planned > 0)).toEqual([]);
});

test("no statement is compiled before it is executed, no matter how expensive its plan looks", async () => {
  const { rows } = await client.query("show jit");
  expect(rows).toEqual([{ jit: "off" }]);
});

test.each(PER_RUN)(
  "the plan of %s reads no table completely, although it was made while all tables were empty",
  async (name) => {
    const given = { append_events: "'[]', '{}', ''", finish_runs: "'[]', '{}'", open_runs: "'{}', 1, 'a', '{}', 1" }[
      name
    ];
    const { rows } = await client.query(`explain (costs off) execute ${name}(${given})`);
    const plan = rows.map((row) => String(row["QUERY PLAN"]));
    expect(plan.length).toBeGreaterThan(5);
    expect(plan.filter((line) => line.includes("Seq Scan"))).toEqual([]);
  },
);
