import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { TestAction } from "#lib/domain/actions/action.fixture";
import { decideRun } from "#lib/domain/runs/decide/decide-run";
import { decisionOf } from "#lib/domain/runs/execute/held-run.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useReplayStage } from "#worker/stories/replay-stage.fixture";
import { between } from "#worker/stories/run-stage.fixture";

const { stage, call, paths, sent, ended, publish, replay } = useReplayStage();

const entry = (...names: string[]) =>
  node("in", "action_input", { properties: names.map((name) => ({ name, type: "string", required: true })) });

const stepsOf = ({ steps }: { steps: readonly { step_id: string; status: string; reused: boolean }[] }) =>
  Object.fromEntries(steps.map((step) => [step.step_id, `${step.status}${step.reused ? " reused" : ""}`]));

describe("a replay on the published version (decisions, Replay)", () => {
  const chain = (c: GraphNode) => between([call("a"), call("b"), c, call("d")], "in>a>b>c>d>out");

  it("repeats no finished call, and runs the repaired step and the steps after it", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run, calls } = await ended(chain(call("c")), "failed");
    expect(calls).toEqual(["/a", "/b", "/c"]);
    stage.server.answer("/c", { ok: true });
    await publish(action, chain(call("c", { body: { fixed: "{{b.status}}" } })));

    const { made, run: again } = await replay(run);
    expect(paths()).toEqual(["/c", "/d"]);
    expect(sent("/c")).toEqual([{ fixed: 200 }]);
    expect(made).toMatchObject({ action_release_version: 2, resume_from_run_id: run.runId, source: "replay" });
    expect(stepsOf(again)).toEqual({
      in: "completed reused",
      a: "completed reused",
      b: "completed reused",
      c: "completed",
      d: "completed",
      out: "completed",
    });
    const { rows } = await db().query("select version from workflow_versions where id = $1", [
      again.workflow_version_id,
    ]);
    expect(rows).toEqual([{ version: 2 }]);
    expect((await stage.show(run)).action_release_version).toBe(1);
  });

  it("keeps the version of the run unless it is asked for the published one", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(chain(call("c")), "failed");
    await publish(action, chain(call("c", { body: { fixed: true } })));
    const { made } = await replay(run, "failed", { version: undefined });
    expect(made.action_release_version).toBe(1);
    expect(stage.server.of("/c").map(({ body }) => body)).toEqual([""]);
  });

  it("repeats a finished step whose settings changed, and the finished steps after it", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(chain(call("c")), "failed");
    stage.server.answer("/c", { ok: true });
    const changed = chain(call("c"));
    await publish(action, {
      ...changed,
      nodes: changed.nodes.map((item) => (item.id === "b" ? call("b", { body: { more: 1 } }) : item)),
    });
    await replay(run);
    expect(paths()).toEqual(["/b", "/c", "/d"]);
  });

  it("reuses a step with a new name, and repeats a step with a new id", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(chain(call("c")), "failed");
    stage.server.answer("/c", { ok: true });
    const named = between(
      [call("a", {}, { name: "First call" }), node("bb", "connector", call("b").data), call("c")],
      "in>a>bb>c>out",
    );
    await publish(action, named);
    const { run: again } = await replay(run);
    expect(paths()).toEqual(["/b", "/c"]);
    expect(again.steps.find((step) => step.step_id === "a")).toMatchObject({ name: "First call", reused: true });
    expect(stepsOf(again)).not.toHaveProperty("b");
  });

  it("drops deleted steps, and runs the steps after them", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(chain(call("c")), "failed");
    await publish(action, between([call("a"), call("d")], "in>a>d>out"));
    const { run: again } = await replay(run);
    expect(paths()).toEqual(["/d"]);
    expect(stepsOf(again)).toEqual({ in: "completed reused", a: "completed reused", d: "completed", out: "completed" });
  });

  it("takes the other path if the condition was repaired, even if the first run finished steps on its path", async () => {
    const graph = (left: string) => {
      const rules = [{ left, operator: "equals", right: "Ada" }];
      const check = node("check", "condition", { match: "all", rules });
      const join = node("join", "transform", { fields: [{ name: "x", value: "1" }] });
      return between(
        [entry("name"), call("a"), check, call("yes"), call("no"), join, call("c")],
        "in>a>check.true>yes, check.false>no, yes>join, no>join>c>out",
      );
    };
    stage.server.answer("/c", {}, 400);
    const { action, run, calls } = await ended(graph("Grace"), "failed");
    expect(calls).toEqual(["/a", "/no", "/c"]);
    stage.server.answer("/c", { ok: true });
    await publish(action, graph("{{action_input.name}}"));
    const { run: again } = await replay(run);
    expect(paths()).toEqual(["/yes", "/c"]);
    expect(stepsOf(again)).toMatchObject({ a: "completed reused", yes: "completed", no: "skipped" });
  });

  it("keeps a given approval, and asks again if something before it changed", async () => {
    const gate = node("gate", "approval", { message: "Pay {{a.status}}?" });
    const graph = (a: GraphNode, c: GraphNode) => between([a, gate, c], "in>a>gate.approved>c>out");
    stage.server.answer("/c", {}, 400);
    const definition = graph(call("a"), call("c"));
    const run = await stage.startDefinition(definition);
    await stage.reaches(run, "waiting_for_approval");
    await decideRun({ ...decisionOf(run), decision: "approved" });
    await stage.reaches(run, "failed");
    stage.server.answer("/c", { ok: true });
    stage.server.calls.splice(0);
    const { rows } = await db().query("select workflow_id from runs where id = $1", [run.runId]);
    const action = { workflowId: rows[0].workflow_id } as TestAction;
    await publish(action, graph(call("a"), call("c", { body: { fixed: true } })));
    const { run: again } = await replay(run);
    expect(paths()).toEqual(["/c"]);
    expect(stepsOf(again)).toMatchObject({ gate: "completed reused" });
    expect(again.approval).toBeNull();

    await publish(action, graph(call("a", { body: { sum: 2 } }), call("c")));
    const { run: asking } = await replay(run, "waiting_for_approval");
    expect(asking.approval).toMatchObject({ status: "pending", step_id: "gate" });
  });
});

describe("a loop in a replay on the published version", () => {
  const inside = (item: GraphNode) => ({ ...item, parentId: "each" });
  const graph = (b: GraphNode, more: JsonObject = {}) =>
    between(
      [
        node("each", "loop", { items: ["x", "y"], result: "{{b.status}}", ...more }),
        inside(call("a", { body: { item: "{{each.item}}" } })),
        inside(b),
        call("c"),
        node("out", "return_output", { properties: [{ name: "all", type: "array", value: "{{each.results}}" }] }),
      ],
      "in>each, a>b, each>c>out",
    );

  it("keeps the finished iterations if the loop did not change", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(graph(call("b")), "failed");
    stage.server.answer("/c", { ok: true });
    await publish(action, {
      ...graph(call("b")),
      nodes: graph(call("b")).nodes.map((item) => (item.id === "c" ? call("c", { body: { fixed: true } }) : item)),
    });
    const { run: again } = await replay(run);
    expect(paths()).toEqual(["/c"]);
    expect(again.output).toEqual({ all: [200, 200] });
  });

  it("runs the repaired step in every iteration, and no finished step before it", async () => {
    stage.server.answer("/b", {}, 400);
    const { action, run, calls } = await ended(graph(call("b")), "failed");
    expect(calls).toEqual(["/a", "/b"]);
    stage.server.answer("/b", { ok: true });
    await publish(action, graph(call("b", { body: { item: "{{each.item}}" } })));
    await replay(run);
    expect(paths()).toEqual(["/b", "/a", "/b", "/c"]);
    expect(sent("/a")).toEqual([{ item: "y" }]);
    expect(sent("/b")).toEqual([{ item: "x" }, { item: "y" }]);
  });

  it("collects a new result from finished iterations without repeating them", async () => {
    const { action, run } = await ended(graph(call("b")), "succeeded");
    await publish(action, graph(call("b"), { result: "{{a.status}}!" }));
    const { run: again } = await replay(run, "succeeded", { mode: "resume" });
    expect(paths()).toEqual(["/c"]);
    expect(again.output).toEqual({ all: ["200!", "200!"] });
  });
});

it("a finished sub-workflow is not run again, and a failed one runs its own published version", async () => {
  const child = (path: string) => between([call(path)], `in>${path}>out`);
  const first = await stage.addAction({ definition: child("a") });
  const second = await stage.addAction({ definition: child("b") });
  const sub = (id: string, { slug }: TestAction) =>
    node(id, "sub_workflow", { action_slug: slug, input: { name: "Ada" } });
  const graph = between([sub("one", first), sub("two", second), call("c")], "in>one>two>c>out");
  stage.server.answer("/b", {}, 400);
  const { action, run } = await ended(graph, "failed");
  await publish(second, child("d"));
  await publish(action, {
    ...graph,
    nodes: graph.nodes.map((item) => (item.id === "c" ? call("yes") : item)),
    edges: between([], "in>one>two>yes>out").edges,
  });
  await replay(run);
  expect(paths()).toEqual(["/d", "/yes"]);
});
