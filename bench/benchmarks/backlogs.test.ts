import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { measureGrowth } from "#bench/benchmarks/backlog";
import { CODE, measureCode } from "#bench/benchmarks/code";
import type { Figure } from "#bench/figures";
import { drainBacklog, idealPerSecond, type QueueStage } from "#bench/load/drain-backlog";
import { mixed, PURE, WITH_CODE, withHttp } from "#bench/load/workflows";
import { AT_ONCE, LATE, measureSharing, measureWaits } from "#bench/measure/measure-waits";
import { parentOf } from "#bench/measure/process-usage";
import { startStub } from "#bench/stage/start-stub";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";
import { startHttp } from "#lib/api/testing/http.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";

/*
 * The short forms of the benchmarks that drain a backlog. The tests assert that every run ends and that every figure is
 * measured. They assert nothing that depends on the machine's speed.
 */

await openTestDatabase();

const LATENCY_MS = 300;
const WORKERS = 2;
const SLOTS_OF_A_TEST_WORKER = 5;
const stage = {} as QueueStage;

// The copies of a run count toward its user's limit.
process.env.RUNS_PER_USER_PER_HOUR = "0";
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? "", max: 2 });
const stubs: Awaited<ReturnType<typeof startStub>>[] = [await startStub(LATENCY_MS), await startStub()];
const [late = "", atOnce = ""] = stubs.map(({ url }) => url);
const workspace = await addWorkspace();
const actions = {
  [LATE]: withHttp(late),
  [AT_ONCE]: withHttp(atOnce),
  [CODE]: WITH_CODE,
  "mixed-late": mixed(late),
  mixed: mixed(atOnce),
  broken: withHttp("http://127.0.0.1:1/"),
  pure: PURE,
};
for (const [slug, definition] of Object.entries(actions)) await addAction(workspace, { slug, definition });
const server = await startHttp(answerRuntime);
const workers = await Promise.all(Array.from({ length: WORKERS }, startTestWorker));
const workerPids = workers.map(({ child }) => child.pid ?? 0);
const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
Object.assign(stage, {
  url: server.url,
  headers: { authorization: `Bearer ${(await addKey(workspace)).raw_key}` },
  db,
  pids: async () => ({ web: [process.pid], workers: workerPids, postgres: [parentOf(rows[0]?.pid ?? 0)] }),
  pauseWorkers: async (isPaused: boolean) => {
    for (const pid of workerPids) process.kill(pid, isPaused ? "SIGSTOP" : "SIGCONT");
  },
} satisfies QueueStage);

afterAll(async () => {
  for (const { child } of workers) child.kill("SIGKILL");
  await Promise.all(workers.map(({ exited }) => exited));
  await stage.db.end();
  await server.close();
  await Promise.all(stubs.map((stub) => stub.stop()));
});

function expectMeasured(figures: readonly Figure[]): void {
  expect(figures.filter(({ measured, floor = 1 }) => !Number.isFinite(measured + floor))).toEqual([]);
}

const withTargets = (figures: readonly Figure[]) => figures.filter(({ target }) => target).map(({ figure }) => figure);

describe("a backlog", () => {
  test("is finished completely, by all workers together", async () => {
    const drained = await drainBacklog(stage, LATE, 40);
    expect(drained).toMatchObject({ runs: 40, slots: WORKERS * SLOTS_OF_A_TEST_WORKER });
    expect(drained.taken).toBeGreaterThan(0);
    expect(drained.taken).toBeLessThanOrEqual(drained.slots);
    expect(drained.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });
});

describe("the short form of", () => {
  test("slow-steps measures each figure", async () => {
    const waits = await measureWaits(stage, { runs: 20, latencyMs: LATENCY_MS });
    const shared = await measureSharing(stage, { runs: 20, latencyMs: LATENCY_MS, workers: WORKERS });
    expectMeasured([...waits, ...shared]);
    expect(withTargets(waits)).toEqual(["P17 20 queued runs, finished/s"]);
    expect(withTargets(shared)).toEqual([
      "P17 10 slots of 2 workers, finished/s",
      "P18 slots taken while runs wait",
      "P18 the longest time without all slots taken, ms",
      "P17 the smallest share of a worker, of an even share",
    ]);
  });

  test("mix measures each figure of ten steps", async () => {
    expectMeasured(await measureWaits(stage, { runs: 5, latencyMs: LATENCY_MS, late: "mixed-late", atOnce: "mixed" }));
    const { rows } = await stage.db.query(
      `select count(distinct (node_id)) filter (where iteration = '')::int as steps,
         count(*) filter (where iteration <> '' and kind = 'step_completed')::int as iterations
       from runs r cross join lateral journal_events(r.id) e
       where r.id = (select id from runs where action_slug = 'mixed' limit 1)`,
    );
    expect(rows).toEqual([{ steps: 10, iterations: 20 }]);
  });

  test("code measures each figure", async () => {
    const figures = await measureCode(stage, { rounds: 1, short: 2, backlog: 4 }, "pure");
    expectMeasured(figures);
    expect(withTargets(figures)).toEqual(["P3 finished/s with a code step, floor: a short queue"]);
  });

  test("backlog compares each backlog with one, and leaves nothing in the queue", async () => {
    const figures = await measureGrowth(stage, { backlogs: [2, 5, 10], reference: 5, seconds: 30 }, "pure");
    expectMeasured(figures);
    expect(withTargets(figures)).toEqual(["P10 drained/s of 10", "  CPU ms of a run: worker and Postgres"]);
    expect((await stage.db.query("select 1 from run_queue")).rowCount).toBe(0);
  });
});

test("a failed run ends the benchmark", async () => {
  await expect(drainBacklog(stage, "broken", 2)).rejects.toThrow(/of broken did not succeed/);
});

test.each([
  ["slots, if each run takes one for the same time", { runs: 30, slots: 10, cpuPerSecond: 10_000 }, 30 / 0.9],
  ["whole rounds of the slots", { runs: 11, slots: 10, cpuPerSecond: 10_000 }, 11 / 0.6],
  ["the CPU, if it needs longer", { runs: 1_000, slots: 1_000, cpuPerSecond: 100 }, 1_000 / 10.3],
])("the floor of a backlog is %s", (_, { runs, ...limits }, perSecond) => {
  expect(idealPerSecond(runs, { ...limits, latencyMs: 300 })).toBeCloseTo(perSecond);
});
