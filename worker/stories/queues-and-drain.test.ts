import { describe, expect, it } from "vitest";
import { edges, node, type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage({ hasWorker: false });

/** in > first > second. Each step POSTs to its own path. */
function twoCalls(name: string): Promise<SeededWorkflow> {
  const http = (id: string) =>
    node(id, "connector", {
      connector: "http",
      operation: "request",
      params: { method: "POST", url: `${stage.server.url}/${name}/${id}` },
    });
  const out = node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] });
  return seedWorkflow(db(), {
    nodes: [node("in", "action_input", { properties: [] }), http("first"), http("second"), out],
    edges: edges("in>first>second>out"),
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
    const leaving = await stage.addWorker({ WORKER_DRAIN_SECONDS: "0" });
    stage.server.hold("/late/second");
    const runId = await seedRun(db(), await twoCalls("late"));
    await stage.called("/late/second");
    leaving.child.kill("SIGTERM");
    expect(await leaving.exited).toBe("code 0");
    expect(await readRun(runId)).toMatchObject({ status: "running", recoveries: 0, stalled: 0, lease_owner: null });
    stage.server.release("/late/second");
    await stage.addWorker();
    expect(await ended(runId)).toMatchObject({ status: "succeeded", recoveries: 0 });
    // The ended step is not repeated. The step in flight is repeated with its key.
    expect(stage.server.of("/late/first")).toHaveLength(1);
    expect(new Set(stage.server.of("/late/second").map((call) => call.key)).size).toBe(1);
  });
});

describe("the runs of a worker whose time to stop is over", () => {
  const held = (name: string, count: number) =>
    until("the calls", () => stage.server.of(`/${name}/second`).length === count);
  const left = async () => (await db().query("select 1 from runs where lease_owner is not null")).rowCount;

  it("are all released before it signs off, however many there are", async () => {
    const count = 20;
    const settings = { WORKER_DRAIN_SECONDS: "0", WORKER_CONCURRENCY: "40", DATABASE_POOL_SIZE: "2" };
    const leaving = await stage.addWorker(settings);
    stage.server.hold("/crowd/second");
    const workflow = await twoCalls("crowd");
    const runIds = await Promise.all(Array.from({ length: count }, () => seedRun(db(), workflow)));
    await held("crowd", count);
    leaving.child.kill("SIGTERM");
    expect(await leaving.exited).toBe("code 0");
    expect(await left()).toBe(0);
    const { rows } = await db().query(
      "select distinct r.status, r.stalled, q.ticket from runs r join run_queue q on q.run_id = r.id where r.id = any($1)",
      [runIds],
    );
    expect(rows).toEqual([{ status: "running", stalled: 0, ticket: null }]);
    await db().query("delete from run_queue");
  });

  it("are released if it was just claiming them", async () => {
    await db().query(`create function slow_claim() returns trigger language plpgsql as $$ begin
      if new.lease_owner is not null and old.lease_owner is null then perform pg_sleep(1); end if;
      return new;
    end $$`);
    await db().query("create trigger slow_claim before update on runs for each row execute function slow_claim()");
    const leaving = await stage.addWorker({ WORKER_DRAIN_SECONDS: "0" });
    const runId = await seedRun(db(), await twoCalls("claim"));
    const claiming = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
    await until("the claim", async () => (await db().query(claiming)).rowCount);
    leaving.child.kill("SIGTERM");
    expect(await leaving.exited).toBe("code 0");
    await db().query("drop trigger slow_claim on runs");
    expect(await left()).toBe(0);
    expect(await readRun(runId)).toMatchObject({ status: "running", stalled: 0 });
    await stage.addWorker();
    expect(await ended(runId)).toMatchObject({ status: "succeeded", recoveries: 0 });
  });
});

describe("a worker that serves named queues", () => {
  it("takes only their runs, and a run of another queue waits for a worker that serves it", async () => {
    await stage.addWorker({ WORKER_QUEUES: "heavy" });
    const [light, heavy] = [await twoCalls("light"), await twoCalls("heavy")];
    await db().query("update workspaces set queue = 'heavy' where id = $1", [heavy.workspaceId]);
    const waiting = await seedRun(db(), light);
    expect(await ended(await seedRun(db(), heavy))).toMatchObject({ status: "succeeded" });
    expect(await readRun(waiting)).toMatchObject({ status: "accepted" });
    expect(stage.server.of("/light/first")).toEqual([]);
    await stage.addWorker({ WORKER_QUEUES: "default,other" });
    expect(await ended(waiting)).toMatchObject({ status: "succeeded" });
  });

  it("refuses to start with a name that no queue can have", async () => {
    await expect(stage.addWorker({ WORKER_QUEUES: "Heavy Load" })).rejects.toThrow("ended before it was ready");
  });
});
