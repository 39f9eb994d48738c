import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { edges, node, type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import {
  type CountingServer,
  startCountingServer,
  startTestWorker,
  type TestWorker,
  until,
} from "#worker/supervise/worker-process.fixture";

useTestDatabase();

let server: CountingServer;
let workers: TestWorker[] = [];
beforeAll(async () => {
  server = await startCountingServer();
});
afterAll(() => server.close());
afterEach(async () => {
  for (const worker of workers) worker.child.kill("SIGKILL");
  await Promise.all(workers.map((worker) => worker.exited));
  workers = [];
});

async function start(settings: Record<string, string>): Promise<TestWorker> {
  const worker = await startTestWorker(settings);
  workers.push(worker);
  return worker;
}

/** in > first > second. Each step POSTs to its own path. */
function twoCalls(name: string): Promise<SeededWorkflow> {
  const http = (id: string) =>
    node(id, "connector", {
      connector: "http",
      operation: "request",
      params: { method: "POST", url: `${server.url}/${name}/${id}` },
    });
  const out = node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] });
  return seedWorkflow(db(), {
    nodes: [node("in", "action_input", { properties: [] }), http("first"), http("second"), out],
    edges: edges("in>first", "first>second", "second>out"),
  });
}

async function readRun(runId: string) {
  const { rows } = await db().query("select status, lease_owner, recoveries, stalled from runs where id = $1", [runId]);
  return rows[0];
}

function ended(runId: string) {
  return until("the run to end", async () => {
    const run = await readRun(runId);
    return ["succeeded", "failed", "timed_out", "cancelled"].includes(run.status) && run;
  });
}

describe("a worker whose time to stop is over", () => {
  it("releases the run of a step that is still running, and another worker continues it", async () => {
    const leaving = await start({ WORKER_DRAIN_SECONDS: "0" });
    server.hold("/late/second");
    const runId = await seedRun(db(), await twoCalls("late"));
    await until("the call", () => server.of("/late/second")[0]);
    leaving.child.kill("SIGTERM");
    expect(await leaving.exited).toBe("code 0");
    expect(await readRun(runId)).toMatchObject({ status: "running", recoveries: 0, stalled: 0, lease_owner: null });
    server.release("/late/second");
    await start({});
    expect(await ended(runId)).toMatchObject({ status: "succeeded", recoveries: 0 });
    // The ended step is not repeated. The step in flight is repeated with its key.
    expect(server.of("/late/first")).toHaveLength(1);
    expect(new Set(server.of("/late/second").map((call) => call.key)).size).toBe(1);
  });
});

describe("a worker that serves named queues", () => {
  it("takes only their runs, and a run of another queue waits for a worker that serves it", async () => {
    await start({ WORKER_QUEUES: "heavy" });
    const [light, heavy] = [await twoCalls("light"), await twoCalls("heavy")];
    await db().query("update workspaces set queue = 'heavy' where id = $1", [heavy.workspaceId]);
    const waiting = await seedRun(db(), light);
    expect(await ended(await seedRun(db(), heavy))).toMatchObject({ status: "succeeded" });
    expect(await readRun(waiting)).toMatchObject({ status: "accepted" });
    expect(server.of("/light/first")).toEqual([]);
    await start({ WORKER_QUEUES: "default,other" });
    expect(await ended(waiting)).toMatchObject({ status: "succeeded" });
  });

  it("refuses to start with a name that no queue can have", async () => {
    await expect(start({ WORKER_QUEUES: "Heavy Load" })).rejects.toThrow("ended before it was ready");
  });
});
