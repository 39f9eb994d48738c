import { describe, expect, it } from "vitest";
import { shiftDueTimes } from "#bench/faults/shift-due-times";
import { LIMITS } from "#lib/contract/limits";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

/** Longer than a busy machine needs to see the parked run. Then the tests let time pass. */
const LONG_SECONDS = 100;

describe("a run in a delay", () => {
  it("is parked until the delay ends, continues on time, and uses no running time while it waits", async () => {
    const run = await stage.start(
      [node("wait", "delay", { seconds: LONG_SECONDS }), stage.call("late")],
      "in>wait>late>out",
    );
    const row = await stage.parks(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    // The run waits for the rest. If that counted as running time, it would show below.
    await shiftDueTimes(LONG_SECONDS - 7);
    await stage.reaches(run, "succeeded");
    const shown = await stage.show(run);
    const step = shown.steps.find((item) => item.step_id === "wait");
    expect(step).toMatchObject({ status: "completed", attempt: 1 });
    expect(step?.duration_ms).toBeGreaterThanOrEqual(LONG_SECONDS * 1_000);
    expect((await stage.row(run)).running_ms).toBeLessThan(6_000);
    expect((await stage.kinds(run)).filter((event) => event.startsWith("wait:"))).toEqual([
      "wait:started",
      "wait:completed",
    ]);
  });

  it("frees its worker for other runs", async () => {
    const waiting = await Promise.all(
      Array.from({ length: 8 }, () => stage.start([node("wait", "delay", { seconds: 250 })], "in>wait>out")),
    );
    for (const run of waiting) await stage.parks(run);
    const other = await stage.start([stage.call("other")], "in>other>out");
    await stage.reaches(other, "succeeded");
    for (const run of waiting) {
      await stage.cancel(run);
      expect(await stage.row(run)).toMatchObject({ status: "cancelled", jobs: 0 });
    }
  });

  it("continues at once when a parallel gate is decided, then waits for the rest of the delay", async () => {
    const gate = node("gate", "approval", {});
    const run = await stage.start(
      [node("wait", "delay", { seconds: 200 }), gate, stage.call("sign")],
      "in>wait, in>gate>sign, wait>out, sign>out",
    );
    expect(await stage.parks(run)).toMatchObject({ status: "running", gates: ["gate:pending"], jobs: 1 });
    await stage.decide(run);
    await stage.called("/sign");
    await until("it to be parked again", async () => (await stage.kinds(run)).includes("sign:completed"));
    const row = await stage.parks(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    const { rows } = await db().query(
      "select run_at > now() + interval '100 seconds' as later from run_queue where run_id = $1",
      [run.runId],
    );
    expect(rows[0].later).toBe(true);
    await stage.cancel(run);
  });

  it("of many days waits in the queue, no matter how much running time is left", async () => {
    const run = await stage.start([node("wait", "delay", { seconds: LIMITS.delaySeconds })], "in>wait>out");
    await stage.parks(run);
    await db().query("update runs set running_ms = 299000 where id = $1", [run.runId]);
    await stage.requeue(run);
    await until("it to be parked again", async () => Number((await stage.row(run)).lease_token) > 2);
    const row = await stage.parks(run);
    expect(row).toMatchObject({ status: "running", clock: false, jobs: 1 });
    expect(row.running_ms).toBeLessThan(300_000);
    await stage.cancel(run);
  });
});

describe("a run that waits for a retry", () => {
  it("is parked, survives the loss of its worker, and makes each attempt once", async () => {
    const { server } = stage;
    server.answer("/busy", {}, 429, { "retry-after": `${LONG_SECONDS}` });
    const run = await stage.start([stage.call("first"), stage.call("busy", { maxRetries: 1 })], "in>first>busy>out");
    expect(await stage.parks(run)).toMatchObject({ status: "running", clock: false, jobs: 1 });
    server.answer("/busy", { ok: true });
    await stage.replaceWorker();
    await shiftDueTimes(LONG_SECONDS);
    await stage.reaches(run, "succeeded");
    expect(["/first", "/busy"].map((path) => server.of(path).length)).toEqual([1, 2]);
    expect(await stage.kinds(run)).toEqual([
      ...["in:completed", "first:started", "first:completed"],
      ...["busy:started", "busy:started", "busy:completed", "out:completed"],
    ]);
    expect(await stage.step(run, "busy")).toMatchObject({ attempt: 2, error: null });
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
