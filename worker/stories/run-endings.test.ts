import { describe, expect, it } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal } from "#lib/contract/run/run";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { expireApprovals } from "#lib/domain/runs/decide/expire-approvals";
import { ANN } from "#lib/domain/runs/execute/held-run.fixture";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

const LONG = node("wait", "delay", { seconds: 300 });
const GATE = node("gate", "approval", { message: "Continue?" });
const BY_ANN = { type: ANN.type, id: ANN.id, name: ANN.name };

const statusOf = (steps: readonly StepItem[]) =>
  Object.fromEntries(
    steps.map((step) => [`${step.step_id}${step.iteration ? `/${step.iteration.path}` : ""}`, step.status]),
  );

/** Expects that no step of an ended run is unfinished, and that none ended after the run. */
async function endedRun(run: RunReference) {
  const shown = await stage.show(run);
  expect(isTerminal(shown.status)).toBe(true);
  for (const step of shown.steps) {
    expect(["started", "pending_approval"]).not.toContain(step.status);
    if (step.status !== "skipped") expect(step.completed_at).not.toBeNull();
    if (["cancelled", "stopped"].includes(step.status)) {
      expect(step).toMatchObject({ completed_at: shown.completed_at, output: null, error: null });
    }
  }
  return shown;
}

/** Starts a run of parallel branches from `in` to `out`, one branch per node, and waits until each has started. */
async function parallel(nodes: GraphNode[], more: string[] = []): Promise<RunReference> {
  const run = await stage.start(
    nodes,
    ...nodes.filter((item) => item.parentId === undefined).flatMap(({ id }) => [`in>${id}`, `${id}>out`]),
    ...more,
  );
  const top = nodes.length;
  await until("every branch to start", async () => {
    const { rows } = await db().query(
      "select count(distinct node_id)::int as n from journal_events($1) where node_id <> 'in'",
      [run.runId],
    );
    return rows[0].n >= top;
  });
  return run;
}

/** Returns a run's sub-run after its delay has started. */
function waitingChildOf({ runId }: RunReference): Promise<string> {
  return until("the sub-run to start its delay", async () => {
    const { rows } = await db().query(
      `select r.id from runs r cross join lateral journal_events(r.id) e
       where r.parent_run_id = $1 and e.node_id = 'wait'`,
      [runId],
    );
    return rows[0]?.id as string | undefined;
  });
}

/** Returns true if the gate is shown as waiting. Its request is stored a moment earlier. */
async function isAsked(run: RunReference): Promise<boolean> {
  return (await stage.show(run)).steps.some(({ status }) => status === "pending_approval");
}

describe("no step of an ended run is unfinished (decisions, Run steps)", () => {
  it("after a person cancels it: a call, a loop, a delay, a gate, and a sub-run end with it", async () => {
    stage.server.hold("/slow");
    const child = await stage.addAction({ definition: between([LONG], "in>wait>out") });
    const loop = node("each", "loop", { items: [1, 2] });
    const sub = node("sub", "sub_workflow", { action_slug: child.slug, input: { name: "Ada" } });
    const inLoop = { ...stage.call("slow"), parentId: "each" };
    const run = await parallel([loop, inLoop, LONG, GATE, sub]);
    const childId = await waitingChildOf(run);
    await stage.cancel(run);
    stage.server.release("/slow");
    const shown = await endedRun(run);
    expect(shown).toMatchObject({ status: "cancelled", cancelled_by: BY_ANN });
    expect(statusOf(shown.steps)).toEqual({
      in: "completed",
      each: "cancelled",
      "slow/0": "cancelled",
      wait: "cancelled",
      gate: "cancelled",
      sub: "cancelled",
    });
    const below = await endedRun({ ...run, runId: childId });
    expect(below).toMatchObject({ status: "cancelled", cancelled_by: BY_ANN });
    expect(statusOf(below.steps)).toEqual({ in: "completed", wait: "cancelled" });
  });

  it("after it failed in another branch: waiting steps are stopped, and so is the sub-run", async () => {
    stage.server.hold("/bad");
    const child = await stage.addAction({ definition: between([LONG], "in>wait>out") });
    const sub = node("sub", "sub_workflow", { action_slug: child.slug, input: { name: "Ada" } });
    const run = await parallel([stage.call("bad"), LONG, GATE, sub]);
    const childId = await waitingChildOf(run);
    stage.server.answer("/bad", {}, 400);
    stage.server.release("/bad");
    await stage.reaches(run, "failed");
    const shown = await endedRun(run);
    expect(shown.cancelled_by).toBeUndefined();
    expect(statusOf(shown.steps)).toEqual({
      in: "completed",
      bad: "failed",
      wait: "stopped",
      gate: "stopped",
      sub: "stopped",
    });
    const below = await until("the sub-run to end", async () => {
      const found = await stage.show({ ...run, runId: childId });
      return isTerminal(found.status) && found;
    });
    expect(below).toMatchObject({ status: "cancelled", cancelled_by: { type: "system", name: null } });
    expect(statusOf(below.steps)).toEqual({ in: "completed", wait: "cancelled" });
  });

  it("after it was rejected at a gate: waiting steps are cancelled by the person who rejected", async () => {
    const run = await parallel([GATE, LONG]);
    await until("the request", () => isAsked(run));
    await stage.decide(run, { decision: "rejected" });
    const shown = await endedRun(run);
    expect(shown).toMatchObject({ status: "cancelled", cancelled_by: BY_ANN });
    expect(statusOf(shown.steps)).toEqual({ in: "completed", gate: "completed", wait: "cancelled" });
  });

  it("after its gate expired: waiting steps are stopped", async () => {
    const run = await parallel([GATE, LONG]);
    await until("the request", () => isAsked(run));
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [run.runId]);
    await expireApprovals();
    await stage.reaches(run, "timed_out");
    expect(statusOf((await endedRun(run)).steps)).toEqual({ in: "completed", gate: "timed_out", wait: "stopped" });
  });

  it("after it lost its worker repeatedly", async () => {
    stage.server.hold("/deadly");
    const run = await stage.start([stage.call("deadly")], "in>deadly>out");
    await stage.called("/deadly");
    await db().query("update runs set stalled = 2, done_at_recovery = 100 where id = $1", [run.runId]);
    stage.worker.child.kill("SIGKILL");
    await stage.worker.exited;
    await declareDead([stage.worker.poolId]);
    stage.server.release("/deadly");
    const shown = await endedRun(run);
    expect(shown).toMatchObject({ status: "failed", error: { reason: "worker_lost" } });
    expect(statusOf(shown.steps)).toEqual({ in: "completed", deadly: "stopped" });
    await stage.replaceWorker();
  });
});
