import { describe, expect, it } from "vitest";
import type { ApprovalPolicy } from "#lib/contract/action/action";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

const sub = (slug: string, more: JsonObject = {}) =>
  node("sub", "sub_workflow", { action_slug: slug, input: { name: "{{in.name}}" }, ...more });
const result = (value: string) => node("out", "return_output", { properties: [{ name: "x", type: "string", value }] });

/** Creates an action that another action calls. */
async function childAction(definition: Definition, approvalPolicy: ApprovalPolicy = "never"): Promise<string> {
  return (await stage.addAction({ definition, approvalPolicy })).slug;
}

const greeting = () => between([result("Hello {{in.name}}")], "in>out");

async function childrenOf({ workspaceId, runId }: RunReference) {
  const { rows } = await db().query(
    "select id, status, source, depth, correlation_id, user_id, parent_step from runs where parent_run_id = $1 order by id",
    [runId],
  );
  return rows.map((row) => ({ ...row, reference: { workspaceId, runId: row.id, actionSlugs: null } }));
}

describe("an action run by a step (decisions, The graph document: sub_workflow)", () => {
  it("is a separate run, and its output is the step's output", async () => {
    const slug = await childAction(greeting());
    const run = await stage.start([sub(slug), result("{{sub.x}}!")], "in>sub>out");
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: "Hello Ada!" } });
    const [child, ...others] = await childrenOf(run);
    expect(others).toEqual([]);
    expect(child).toMatchObject({
      status: "succeeded",
      source: "action",
      depth: 1,
      correlation_id: run.runId,
      user_id: stage.workspace.userId,
      parent_step: "sub:",
    });
    expect((await stage.kinds(run)).filter((kind) => kind.startsWith("sub:"))).toEqual([
      "sub:started",
      "sub:completed",
    ]);
  });

  it("holds no worker while it waits, and is not repeated if the worker is lost", async () => {
    stage.server.hold("/slow");
    const slug = await childAction(between([stage.call("slow")], "in>slow>out"));
    const run = await stage.start([sub(slug)], "in>sub>out");
    await stage.called("/slow");
    const parked = await until("the parent to be parked", async () => {
      const row = await stage.row(run);
      return row.lease_owner === null && row.lease_token > 0 && row.jobs === 0 && row;
    });
    expect(parked).toMatchObject({ status: "running", clock: false, jobs: 0 });
    await stage.replaceWorker();
    // The run is queued too early: it finds its child still running, and is parked again.
    await stage.requeue(run);
    await stage.called("/slow", 2);
    stage.server.release("/slow");
    await stage.reaches(run, "succeeded");
    expect(await childrenOf(run)).toHaveLength(1);
  });

  it("fails the step with its own code and message", async () => {
    const slug = await childAction(
      between([node("out", "return_output", { properties: [{ name: "n", type: "number", value: "many" }] })], "in>out"),
    );
    const run = await stage.start([sub(slug)], "in>sub>out");
    const row = await stage.reaches(run, "failed");
    const [child] = await childrenOf(run);
    expect(row.error).toMatchObject({ code: "VALIDATION_ERROR", step_id: "sub" });
    expect(row.error.message).toContain(
      `Run ${child?.id} of ${slug} ended with status failed: VALIDATION_ERROR, n must be`,
    );
  });

  it("that fails in a run of its own says where and why once, whatever the depth", async () => {
    const slug = `loops-${Date.now().toString(36)}`;
    const loops = between([sub(slug)], "in>sub>out");
    await stage.addAction({ definition: loops, slug });
    const run = await stage.start([sub(slug)], "in>sub>out");
    const { error } = await stage.reaches(run, "failed");
    const [child] = await childrenOf(run);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", step_id: "sub" });
    expect(error.message).toContain(
      `Run ${child?.id} of ${slug} ended with status failed in ${[slug, slug, slug, slug, "… (5 more)", slug].join(" → ")}: ` +
        "VALIDATION_ERROR, ",
    );
    expect(error.message.match(/nested deeper than 10 levels/g)).toHaveLength(1);
    expect(error.message.match(/ended with status/g)).toHaveLength(1);
    // The runs between say the same, from where they are.
    const [grandchild] = await childrenOf(child?.reference);
    const { error: own } = await stage.row(grandchild?.reference);
    expect(own.message).toContain("… (3 more)");
    expect(own.message.match(/ended with status/g)).toHaveLength(1);
  });

  it("is retried as a new run if the step has maxRetries", async () => {
    stage.server.answer("/flaky", {}, 500);
    const slug = await childAction(between([stage.call("flaky")], "in>flaky>out"));
    const run = await stage.start([sub(slug, { maxRetries: 1 })], "in>sub>out");
    expect(await stage.reaches(run, "failed")).toMatchObject({ error: { code: "UPSTREAM_ERROR" } });
    expect((await childrenOf(run)).map((child) => child.parent_step)).toEqual(["sub:", "sub::r1"]);
  });

  it.each([
    ["no-such-action", "VALIDATION_ERROR", "There is no action"],
    [null, "VALIDATION_ERROR", "name"],
  ])("that cannot be started (%s) fails the step", async (missing, code, text) => {
    const slug = missing ?? (await childAction(greeting()));
    const run = await stage.start([sub(slug, { input: {} })], "in>sub>out");
    const { error } = await stage.reaches(run, "failed");
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
    expect(await childrenOf(run)).toEqual([]);
  });

  it("is nested at most ten deep, even when it calls itself", async () => {
    const slug = "calls-itself";
    await stage.addAction({ slug, definition: between([sub(slug)], "in>sub>out") });
    const run = await stage.start([sub(slug)], "in>sub>out");
    const { error } = await stage.reaches(run, "failed");
    expect(error.message).toContain("deeper than 10");
    const { rows } = await db().query("select max(depth) as deepest from runs");
    expect(rows[0].deepest).toBe(10);
  });

  it("in a loop is one run per iteration", async () => {
    const slug = await childAction(greeting());
    const inner = { ...sub(slug, { input: { name: "{{each.item}}" } }), parentId: "each" };
    const loop = node("each", "loop", { items: ["a", "b", "c"], concurrency: 2, result: "{{sub.x}}" });
    const run = await stage.start([loop, inner, result("{{each.results[0]}}, {{each.results[2]}}")], "in>each>out");
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: "Hello a, Hello c" } });
    expect((await childrenOf(run)).map((child) => child.parent_step).sort()).toEqual(["sub:0", "sub:1", "sub:2"]);
  });
});

describe("a loop over a sub-workflow", () => {
  const loopOver = (slug: string, items: string[], concurrency: number) => [
    node("each", "loop", { items, concurrency, result: "{{sub.x}}" }),
    { ...sub(slug, { input: { name: "{{each.item}}" } }), parentId: "each" },
    result(`{{each.results[0]}}, {{each.results[${items.length - 1}]}}`),
  ];

  it("starts the sub-runs of iterations that may run at once in at most two transactions", async () => {
    const slug = await childAction(greeting(), "always");
    const items = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const run = await stage.start(loopOver(slug, items, 10), "in>each>out");
    await until("every sub-run", async () => (await childrenOf(run)).length === items.length);
    // The sub-runs wait for approval, so nothing has changed their rows since.
    const { rows } = await db().query(
      "select count(distinct xmin::text)::int as transactions from runs where parent_run_id = $1",
      [run.runId],
    );
    // The journal is written before a sub-run starts: first the first step alone, then the others together.
    expect(rows[0].transactions).toBeLessThanOrEqual(2);
    for (const child of await childrenOf(run)) await stage.decide(child.reference);
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: "Hello a, Hello j" } });
  });

  it("has at most as many sub-runs open as its concurrency", async () => {
    const slug = await childAction(greeting(), "always");
    const run = await stage.start(loopOver(slug, ["a", "b", "c", "d", "e"], 2), "in>each>out");
    for (let approved = 0; approved < 5; approved += 1) {
      const open = await until("a sub-run", async () => {
        const waiting = (await childrenOf(run)).filter(({ status }) => status === "waiting_for_approval");
        return waiting.length > 0 && waiting;
      });
      expect(open.length).toBeLessThanOrEqual(2);
      const [first] = open;
      if (first) await stage.decide(first.reference);
    }
    await stage.reaches(run, "succeeded");
    expect(await childrenOf(run)).toHaveLength(5);
  });
});

describe("a sub-run and its parent", () => {
  it("a sub-run that waits for approval holds the parent without using its time", async () => {
    const slug = await childAction(greeting(), "always");
    const run = await stage.start([sub(slug)], "in>sub>out");
    const child = await until("the child", async () => (await childrenOf(run))[0]);
    expect(await stage.parks(run)).toMatchObject({ status: "running", clock: false });
    await stage.decide(child.reference);
    await stage.reaches(run, "succeeded");
    const shown = await stage.show(run);
    expect(shown.steps.find((step) => step.step_id === "sub")).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("a rejected sub-run fails the step", async () => {
    const slug = await childAction(greeting(), "always");
    const run = await stage.start([sub(slug)], "in>sub>out");
    const child = await until("the child", async () => (await childrenOf(run))[0]);
    await stage.decide(child.reference, { decision: "rejected" });
    expect(await stage.reaches(run, "failed")).toMatchObject({
      error: {
        code: "UPSTREAM_ERROR",
        message: expect.stringContaining("ended with status cancelled: APPROVAL_REJECTED"),
      },
    });
  });

  it("both end if the parent is cancelled or fails in another branch", async () => {
    const slug = await childAction(greeting(), "always");
    const cancelled = await stage.start([sub(slug)], "in>sub>out");
    const child = await until("the child", async () => (await childrenOf(cancelled))[0]);
    await stage.cancel(cancelled);
    expect(await stage.row(child.reference)).toMatchObject({ status: "cancelled" });

    stage.server.hold("/later");
    const failing = await stage.start([sub(slug), stage.call("later")], "in>sub", "in>later", "sub>out", "later>out");
    const other = await until("the child", async () => (await childrenOf(failing))[0]);
    stage.server.answer("/later", {}, 400);
    stage.server.release("/later");
    await stage.reaches(failing, "failed");
    await stage.reaches(other.reference, "cancelled");
  });
});
