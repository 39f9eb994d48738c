import { expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { LIST_NUMBERS, openRuns } from "#lib/domain/runs/execute/open-runs";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

async function seed(count: number, input: (index: number) => object): Promise<string[]> {
  const nodes = [node("in", "action_input"), node("out", "return_output")];
  const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
  const runIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const runId = await seedRun(db(), workflow);
    await db().query("update runs set input = $2 where id = $1", [runId, input(index)]);
    runIds.push(runId);
  }
  return runIds;
}

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(db(), "query");
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

const by = (held: readonly string[], list = 1) => ({ poolId: "test", held, list });

test("small runs are opened in one statement, in the order that was asked for", async () => {
  const runIds = (await seed(5, (index) => ({ index }))).toReversed();
  const statements = await countStatements(async () => {
    const opened = await openRuns(db(), runIds, by(runIds));
    expect(opened.map((run) => run && "input" in run && run.input)).toEqual(
      [4, 3, 2, 1, 0].map((index) => ({ index })),
    );
  });
  expect(statements).toBe(1);
});

test("of two lists of opened runs that are sent at once, the newer one stays", async () => {
  const [older, newer] = [uuidv7(), uuidv7()];
  await openRuns(db(), [newer], by([newer, older], 3));
  await openRuns(db(), [older], by([older], 2));
  const { rows } = await db().query("select run_ids, list from opened_runs");
  expect(rows).toEqual([{ run_ids: [newer, older], list: 3 }]);
  await openRuns(db(), [older], by([older], LIST_NUMBERS / 2 + 3));
  await openRuns(db(), [older], by([older], LIST_NUMBERS - 1));
  await openRuns(db(), [older], by([], 4));
  expect((await db().query("select run_ids, list from opened_runs")).rows).toEqual([{ run_ids: [], list: 4 }]);
});

test("runs that are large together are read in several statements, however well PostgreSQL compresses them", async () => {
  const megabyte = "x".repeat(1_000_000);
  const runIds = await seed(20, () => ({ megabyte }));
  const lost = uuidv7();
  const perStatement = Math.floor(LIMITS.journalStatementBytes / 1_000_000) + 1;
  const statements = await countStatements(async () => {
    const opened = await openRuns(db(), [...runIds, lost], by(runIds));
    expect(opened.map((run) => run !== null)).toEqual([...runIds.map(() => true), false]);
  });
  // One more finds that the last run no longer exists.
  expect(statements).toBe(Math.ceil(20 / perStatement) + 1);
});
