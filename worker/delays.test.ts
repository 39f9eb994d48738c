import { describe, expect, it } from "vitest";
import { shiftDueTimes } from "#bench/faults/shift-due-times";
import { LIMITS } from "#lib/contract/limits";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { decideRun } from "#lib/domain/runs/decide/decide-run";
import { ANN, decisionOf } from "#lib/domain/runs/execute/held-run.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";
import { until } from "#worker/supervise/worker-process.fixture";
import {
  between,
  callNode,
  isParked,
  reachesStatus,
  readKinds,
  readRunRow,
  show,
  startRun,
  useWorkerStage,
} from "#worker/worker-stage.fixture";

const stage = useWorkerStage();

/** Longer than a busy machine needs to see the parked run. Then the tests let time pass. */
const LONG_SECONDS = 100;

describe("a run in a delay", () => {
  it("is parked until the delay ends, continues on time, and uses no running time while it waits", async () => {
    const run = await startRun(
      stage,
      between(
        [node("wait", "delay", { seconds: LONG_SECONDS }), callNode(stage, "late")],
        "in>wait",
        "wait>late",
        "late>out",
      ),
    );
    const row = await isParked(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    // The run waits for the rest. If that counted as running time, it would show below.
    await shiftDueTimes(LONG_SECONDS - 7);
    await reachesStatus(run, "succeeded");
    const shown = await show(run);
    const step = shown.steps.find((item) => item.step_id === "wait");
    expect(step).toMatchObject({ status: "completed", attempt: 1 });
    expect(step?.duration_ms).toBeGreaterThanOrEqual(LONG_SECONDS * 1_000);
    expect((await readRunRow(run)).running_ms).toBeLessThan(6_000);
    expect((await readKinds(run)).filter((event) => event.startsWith("wait:"))).toEqual([
      "wait:started",
      "wait:completed",
    ]);
  });

  it("frees its worker for other runs", async () => {
    const waiting = await Promise.all(
      Array.from({ length: 8 }, () =>
        startRun(stage, between([node("wait", "delay", { seconds: 250 })], "in>wait", "wait>out")),
      ),
    );
    for (const run of waiting) await isParked(run);
    const other = await startRun(stage, between([callNode(stage, "other")], "in>other", "other>out"));
    await reachesStatus(other, "succeeded");
    for (const run of waiting) {
      await cancelRun(run, ANN);
      expect(await readRunRow(run)).toMatchObject({ status: "cancelled", jobs: 0 });
    }
  });

  it("continues at once when a parallel gate is decided, then waits for the rest of the delay", async () => {
    const gate = node("gate", "approval", {});
    const run = await startRun(
      stage,
      between(
        [node("wait", "delay", { seconds: 200 }), gate, callNode(stage, "sign")],
        "in>wait",
        "in>gate",
        "gate>sign",
        "wait>out",
        "sign>out",
      ),
    );
    expect(await isParked(run)).toMatchObject({ status: "running", gates: ["gate:pending"], jobs: 1 });
    await decideRun(decisionOf(run));
    await until("the call", () => stage.server.of("/sign")[0]);
    await until("it to be parked again", async () => (await readKinds(run)).includes("sign:completed"));
    const row = await isParked(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    const { rows } = await db().query(
      "select run_at > now() + interval '100 seconds' as later from run_queue where run_id = $1",
      [run.runId],
    );
    expect(rows[0].later).toBe(true);
    await cancelRun(run, ANN);
  });

  it("of many days waits in the queue, no matter how much running time is left", async () => {
    const run = await startRun(
      stage,
      between([node("wait", "delay", { seconds: LIMITS.delaySeconds })], "in>wait", "wait>out"),
    );
    await isParked(run);
    await db().query("update runs set running_ms = 299000 where id = $1", [run.runId]);
    await requeueRuns(db(), [{ runId: run.runId, stalled: 0 }]);
    await until("it to be parked again", async () => Number((await readRunRow(run)).lease_token) > 2);
    const row = await isParked(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    expect(row.running_ms).toBeLessThan(300_000);
    await cancelRun(run, ANN);
  });
});

describe("a run that waits for a retry", () => {
  it("is parked, survives the loss of its worker, and makes each attempt once", async () => {
    const { server } = stage;
    server.answer("/busy", {}, 429, { "retry-after": `${LONG_SECONDS}` });
    const run = await startRun(
      stage,
      between(
        [callNode(stage, "first"), callNode(stage, "busy", { maxRetries: 1 })],
        "in>first",
        "first>busy",
        "busy>out",
      ),
    );
    expect(await isParked(run)).toMatchObject({ status: "running", clock: false, jobs: 1 });
    server.answer("/busy", { ok: true });
    await stage.replaceWorker();
    await shiftDueTimes(LONG_SECONDS);
    await reachesStatus(run, "succeeded");
    expect(["/first", "/busy"].map((path) => server.of(path).length)).toEqual([1, 2]);
    expect(await readKinds(run)).toEqual([
      ...["in:completed", "first:started", "first:completed"],
      ...["busy:started", "busy:started", "busy:completed", "out:completed"],
    ]);
    expect((await show(run)).steps.find((item) => item.step_id === "busy")).toMatchObject({ attempt: 2, error: null });
    const { rows } = await db().query(
      "select attempt, error ->> 'code' as code from journal_events($1) where kind = 'step_started' and node_id = 'busy' order by seq",
      [run.runId],
    );
    expect(rows).toEqual([
      { attempt: 1, code: null },
      { attempt: 2, code: "RATE_LIMITED" },
    ]);
    const { rows: runs } = await db().query("select recoveries from runs where id = $1", [run.runId]);
    expect(runs).toEqual([{ recoveries: 0 }]);
  });
});
