import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { edges, node, type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage({ hasWorker: false });

function http(id: string, path: string, more: JsonObject = {}) {
  const params = { method: "POST", url: `${stage.server.url}${path}`, ...more };
  return node(id, "connector", { connector: "http", operation: "request", params, ...more });
}

const result = node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] });
const entry = node("in", "action_input", { properties: [] });

/** in > first > second > out. Each POSTs to its own path. */
function twoCalls(name: string): Promise<SeededWorkflow> {
  const nodes = [
    entry,
    http("first", `/${name}/first`),
    http("second", `/${name}/second`, { body: { to: "{{first.body.email}}" } }),
    result,
  ];
  return seedWorkflow(db(), { nodes, edges: edges("in>first>second>out") });
}

async function readRun(runId: string) {
  const { rows } = await db().query("select status, output, error, lease_owner, recoveries from runs where id = $1", [
    runId,
  ]);
  return rows[0];
}

async function readEvents(runId: string): Promise<string[]> {
  const { rows } = await db().query("select node_id, kind from journal_events($1) order by seq", [runId]);
  return rows.map((row) => `${row.node_id}:${row.kind.replace("step_", "")}`);
}

function ended(runId: string) {
  return until(`the end of run ${runId}`, async () => {
    const run = await readRun(runId);
    return run.status !== "accepted" && run.status !== "running" && run;
  });
}

describe("a run", () => {
  it("of pure steps ends with its output and a journal in the drawn order, and leaves the queue", async () => {
    await stage.addWorker();
    const nodes = [
      node("in", "action_input", { properties: [{ name: "n", type: "number", required: true }] }),
      node("big", "condition", {
        match: "all",
        rules: [{ left: "{{in.n}}", operator: "greater_than", right: 10 }],
      }),
      node("yes", "transform", { fields: [{ name: "text", value: "{{action_input.n}} is big" }] }),
      node("no", "transform", { fields: [{ name: "text", value: "small" }] }),
      node("out", "return_output", {
        properties: [
          { name: "text", type: "string", value: "{{yes.text}}" },
          { name: "n", type: "number", value: "{{in.n}}" },
        ],
      }),
    ];
    const paths = edges("in>big.true>yes", "big.false>no", "yes>out", "no>out");
    const runId = await seedRun(db(), await seedWorkflow(db(), { nodes, edges: paths }), { input: { n: 12 } });
    const run = await ended(runId);
    expect(run).toMatchObject({ status: "succeeded", output: { text: "12 is big", n: 12 } });
    expect(Object.keys(run.output)).toEqual(["text", "n"]);
    expect(await readEvents(runId)).toEqual(
      expect.arrayContaining(["in:completed", "big:completed", "yes:completed", "no:skipped", "out:completed"]),
    );
    const { rows } = await db().query(
      "select started_at, completed_at, started_at <= completed_at as ordered from runs where id = $1",
      [runId],
    );
    expect(rows[0]).toMatchObject({ ordered: true });
    await until("it to leave the queue", async () => {
      const jobs = await db().query("select 1 from run_queue where run_id = $1", [runId]);
      return jobs.rowCount === 0;
    });
  });

  it("that cannot be executed fails with the reason", async () => {
    await stage.addWorker();
    const lost = node("x", "connector", { connector: "nothing", operation: "at_all" });
    const workflow = await seedWorkflow(db(), { nodes: [entry, lost], edges: edges("in>x") });
    expect(await ended(await seedRun(db(), workflow))).toMatchObject({
      status: "failed",
      error: {
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("the connector nothing has no operation at_all"),
      },
    });
  });

  it("is executed once, no matter how many workers there are", async () => {
    await Promise.all([stage.addWorker(), stage.addWorker()]);
    const workflow = await twoCalls("once");
    const runIds = await Promise.all(Array.from({ length: 40 }, () => seedRun(db(), workflow)));
    for (const runId of runIds) expect(await ended(runId)).toMatchObject({ status: "succeeded" });
    const calls = stage.server.calls.filter((call) => call.path.startsWith("/once/"));
    expect(calls).toHaveLength(80);
    expect(new Set(calls.map((call) => call.key)).size).toBe(80);
  });

  it("does not wait behind a worker whose slots are all taken while another is free", async () => {
    stage.server.hold("/busy/first");
    await stage.addWorker();
    // Takes five slots with five workspaces, because one workspace alone would leave some slots free.
    const five = () => Promise.all(Array.from({ length: 5 }, async () => seedRun(db(), await twoCalls("busy"))));
    const taken = await five();
    await until("all slots to be taken", () => stage.server.of("/busy/first").length === 5);
    const waiting = await five();
    await stage.addWorker();
    await until("the others to start on another worker", () => stage.server.of("/busy/first").length === 10);
    stage.server.release("/busy/first");
    for (const runId of [...taken, ...waiting]) expect(await ended(runId)).toMatchObject({ status: "succeeded" });
    expect(stage.server.of("/busy/first")).toHaveLength(10);
  });

  it("that is cancelled aborts the running step and writes nothing more", async () => {
    await stage.addWorker();
    stage.server.hold("/cancel/first");
    const runId = await seedRun(db(), await twoCalls("cancel"));
    const call = await stage.called("/cancel/first");
    await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [runId]);
    const before = await readEvents(runId);
    await until("the caller to hang up", () => call.isDropped);
    stage.server.release("/cancel/first");
    await until("it to leave the queue", async () => {
      const jobs = await db().query("select 1 from run_queue where run_id = $1", [runId]);
      return jobs.rowCount === 0;
    });
    expect(await readEvents(runId)).toEqual(before);
    expect(await readRun(runId)).toMatchObject({ status: "cancelled", output: null });
  });
});

describe("a worker that dies (decisions, Runs: worker loss)", () => {
  it("is detected by its heartbeat alone: another worker continues the run with unredacted outputs and repeats no finished step", async () => {
    const doomed = await stage.addWorker();
    stage.server.answer("/killed/first", { email: "ada@example.org" });
    stage.server.hold("/killed/second");
    const runId = await seedRun(db(), await twoCalls("killed"));
    await stage.called("/killed/second");
    await stage.addWorker();
    doomed.child.kill("SIGKILL");
    await stage.called("/killed/second", 2);
    stage.server.release("/killed/second");
    expect(await ended(runId)).toMatchObject({ status: "succeeded", recoveries: 1 });
    expect(stage.server.of("/killed/first")).toHaveLength(1);
    const [before, after] = stage.server.of("/killed/second");
    expect(after).toMatchObject({ key: before?.key, count: 2, body: '{"to":"ada@example.org"}' });
    const { rows } = await db().query("select output_data::text as text from journal_events($1)", [runId]);
    expect(rows.map((row) => row.text).join()).toContain("[REDACTED_EMAIL]");
    expect(rows.map((row) => row.text).join()).not.toContain("ada@");
  });

  it("is reported by its supervisor: another worker continues the run before the heartbeat expires", async () => {
    const doomed = await stage.addWorker();
    await stage.addWorker();
    stage.server.hold("/told/first");
    const runId = await seedRun(db(), await twoCalls("told"));
    await stage.called("/told/first");
    const { rows } = await db().query("select lease_owner from runs where id = $1", [runId]);
    const owner = stage.workers.find((worker) => worker.poolId === rows[0].lease_owner) ?? doomed;
    owner.child.kill("SIGKILL");
    await owner.exited;
    await declareDead([owner.poolId]);
    await stage.called("/told/first", 2);
    stage.server.release("/told/first");
    expect(await ended(runId)).toMatchObject({ status: "succeeded" });
  });

  it("and resumes later writes nothing and ends itself", async () => {
    const zombie = await stage.addWorker();
    stage.server.hold("/zombie/second");
    const runId = await seedRun(db(), await twoCalls("zombie"));
    await stage.called("/zombie/second");
    zombie.child.kill("SIGSTOP");
    await stage.addWorker();
    await declareDead([zombie.poolId]);
    await stage.called("/zombie/second", 2);
    stage.server.release("/zombie/second");
    const run = await ended(runId);
    const events = await readEvents(runId);
    zombie.child.kill("SIGCONT");
    expect(await zombie.exited).toBe("SIGKILL");
    expect(await readEvents(runId)).toEqual(events);
    expect(await readRun(runId)).toEqual(run);
    expect(events.filter((event) => event === "second:completed")).toHaveLength(1);
  });

  it("repeatedly with one run: that run is quarantined and fails, and the others succeed", async () => {
    const poison = await seedWorkflow(db(), { nodes: [entry, http("x", "/poison")], edges: edges("in>x") });
    stage.server.hold("/poison");
    const innocent = await twoCalls("innocent");
    const poisonId = await seedRun(db(), poison);
    // Simulates a faulty run: each worker that executes it is killed, and its supervisor reports that and starts
    // another worker.
    let isOver = false;
    const kill = async () => {
      const { rows } = await db().query(
        `select h.pid, h.pool_id, h.quarantine from runs r join worker_heartbeats h on h.pool_id = r.lease_owner
         where r.id = $1`,
        [poisonId],
      );
      process.kill(rows[0].pid, "SIGKILL");
      // The worker that started the quarantine worker is its supervisor.
      if (rows[0].quarantine) return;
      await stage.workers.find((worker) => worker.poolId === rows[0].pool_id)?.exited;
      await declareDead([rows[0].pool_id]);
      await stage.addWorker();
    };
    const killing = (async () => {
      for (let deaths = 0; !isOver; deaths += 1) {
        const isCalled = await until("a call of the run", () =>
          isOver ? "over" : stage.server.of("/poison").length > deaths,
        );
        if (isCalled === true) await kill();
      }
    })();
    await stage.addWorker();
    const innocents = await Promise.all(Array.from({ length: 10 }, () => seedRun(db(), innocent)));
    expect(await ended(poisonId)).toMatchObject({
      status: "failed",
      error: { code: "UNKNOWN", reason: "worker_lost", message: expect.stringMatching(/^worker lost/) },
      recoveries: 3,
    });
    isOver = true;
    await killing;
    for (const runId of innocents) expect(await ended(runId)).toMatchObject({ status: "succeeded" });
  });
});

describe("a worker that is asked to stop (decisions, Runs)", () => {
  it("lets the running step end, releases the run and exits with 0", async () => {
    const leaving = await stage.addWorker();
    stage.server.hold("/drain/first");
    const runId = await seedRun(db(), await twoCalls("drain"));
    await stage.called("/drain/first");
    leaving.child.kill("SIGTERM");
    await until("the worker to receive the signal", () => leaving.output().includes("finishes its running steps"));
    stage.server.release("/drain/first");
    expect(await leaving.exited).toBe("code 0");
    expect(await readRun(runId)).toMatchObject({ status: "running", recoveries: 0 });
    expect(stage.server.of("/drain/second")).toEqual([]);
    await stage.addWorker();
    expect(await ended(runId)).toMatchObject({ status: "succeeded" });
    expect([stage.server.of("/drain/first").length, stage.server.of("/drain/second").length]).toEqual([1, 1]);
  });

  it("exits when the process that started it is gone", async () => {
    const orphan = await stage.addWorker();
    orphan.child.disconnect();
    expect(await orphan.exited).toBe("code 0");
    const { rows } = await db().query("select dead_at is not null as gone from worker_heartbeats where pool_id = $1", [
      orphan.poolId,
    ]);
    expect(rows).toEqual([{ gone: true }]);
  });
});
