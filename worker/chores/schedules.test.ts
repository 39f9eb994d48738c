import { expect, test } from "vitest";
import { addTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker, until } from "#worker/supervise/worker-process.fixture";

useTestDatabase();

const SCHEDULES = 40;
const ROUNDS = 3;

test("three worker processes, one of them killed, fire each due time once and run its workflow", async () => {
  const workspace = await addWorkspace();
  for (let index = 0; index < SCHEDULES; index += 1) {
    await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 3_600 + index });
  }
  const workers = await Promise.all([startTestWorker(), startTestWorker(), startTestWorker()]);
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await db().query("update trigger_subscriptions set next_at = clock_timestamp() + interval '300 milliseconds'");
      if (round === 2) workers[0]?.child.kill("SIGKILL");
      const expected = SCHEDULES * round;
      await until(`${expected} deliveries`, async () => (await count("trigger_deliveries")) >= expected);
    }
    await until(
      "every run to end",
      async () => (await count("runs where completed_at is not null")) >= SCHEDULES * ROUNDS,
    );
    const { rows } = await db().query(
      `select count(*)::int as runs, count(distinct (subscription_id, input #>> '{output,timestamp}'))::int as moments
       from runs where source = 'schedule'`,
    );
    expect(rows).toEqual([{ runs: SCHEDULES * ROUNDS, moments: SCHEDULES * ROUNDS }]);
  } finally {
    for (const worker of workers) worker.child.kill("SIGKILL");
    await Promise.all(workers.map((worker) => worker.exited));
  }
});

async function count(rowsOf: string): Promise<number> {
  const { rows } = await db().query<{ rows: number }>(`select count(*)::int as rows from ${rowsOf}`);
  return rows[0]?.rows ?? 0;
}
