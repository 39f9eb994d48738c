import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { runDraft } from "#lib/domain/runs/create/run-draft";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const inside = <T extends object>(item: T) => ({ ...item, parentId: "each" });
const end = node("out", "return_output", {
  properties: [{ name: "all", type: "array", value: "{{each.results}}" }],
});

/** in > each[keep > send] > after > out, over three addresses. `send` calls with the result of `keep`. */
function mailing(): Definition {
  const items = ["ann@example.com", "bob@example.com", "cy@example.com"];
  const loop = node("each", "loop", { items, result: "{{keep.to}} {{send.status}}" });
  const keep = inside(node("keep", "transform", { fields: [{ name: "to", value: "{{each.item}}" }] }));
  const send = stage.call("send");
  send.data.params = { ...(send.data.params as JsonObject), body: { to: "{{keep.to}}" } };
  return between([loop, keep, inside(send), stage.call("after"), end], "in>each", "keep>send", "each>after>out");
}

const sentTo = () => stage.server.of("/send").map((call) => JSON.parse(call.body).to as string);
const shift = (count: number) => stage.server.calls.splice(0, count);

describe("a replay of a run with a loop (decisions, Replay: done is per node and iteration)", () => {
  it("that failed inside the loop continues in the failed iteration, with the real values", async () => {
    stage.server.hold("/send");
    const run = await stage.startDefinition(mailing());
    await stage.called("/send");
    stage.server.release("/send");
    stage.server.hold("/send");
    await stage.called("/send", 2);
    stage.server.answer("/send", {}, 400);
    stage.server.release("/send");
    expect(await stage.reaches(run, "failed")).toMatchObject({ error: { step_id: "send" } });
    const failed = (await stage.show(run)).steps;
    expect(failed.find((step) => step.step_id === "each")).toMatchObject({ status: "failed" });

    stage.server.answer("/send", { ok: true });
    shift(stage.server.calls.length);
    const again = await stage.replay(run);
    expect(await stage.reaches(again, "succeeded")).toMatchObject({
      output: { all: ["ann@example.com 200", "bob@example.com 200", "cy@example.com 200"] },
    });
    expect(sentTo()).toEqual(["bob@example.com", "cy@example.com"]);
    const steps = (await stage.show(again)).steps;
    const reused = steps.filter((step) => step.reused).map((step) => `${step.step_id}/${step.iteration?.index ?? ""}`);
    // The loop had not finished, so it is not reused, although steps of its body are.
    expect(reused.sort()).toEqual(["in/", "keep/0", "keep/1", "send/0"]);
    expect(steps.find((step) => step.step_id === "each")).toMatchObject({ status: "completed", reused: false });
  });

  it("that failed after the loop reuses the whole loop", async () => {
    shift(stage.server.calls.length);
    stage.server.answer("/after", {}, 400);
    const run = await stage.startDefinition(mailing());
    expect(await stage.reaches(run, "failed")).toMatchObject({ error: { step_id: "after" } });
    stage.server.answer("/after", { ok: true });
    shift(stage.server.calls.length);
    const again = await stage.replay(run);
    expect(await stage.reaches(again, "succeeded")).toMatchObject({
      output: { all: expect.arrayContaining(["cy@example.com 200"]) },
    });
    expect(sentTo()).toEqual([]);
    expect((await stage.kinds(again)).filter((kind) => kind === "each:completed")).toHaveLength(1);
  });

  it("that starts from a step in the loop repeats that step in every iteration, and no step before it", async () => {
    shift(stage.server.calls.length);
    const run = await stage.startDefinition(mailing());
    await stage.reaches(run, "succeeded");
    shift(stage.server.calls.length);
    const again = await stage.replay(run, { stepId: "send" });
    await stage.reaches(again, "succeeded");
    expect(sentTo()).toEqual(["ann@example.com", "bob@example.com", "cy@example.com"]);
    const keeps = (await stage.show(again)).steps.filter((step) => step.step_id === "keep");
    expect(keeps.map((step) => step.reused)).toEqual([true, true, true]);
  });
});

describe("a loop in a test run of the draft", () => {
  async function test(pinned: JsonObject): Promise<RunReference> {
    const { workspace } = stage;
    const actor = { type: "user", id: workspace.userId, name: "Ann" } as const;
    const editor = { workspaceId: workspace.workspaceId, userId: workspace.userId, actor };
    const made = await createWorkflow(editor, { name: "Draft", description: null, definition: mailing() });
    const run = await runDraft({ ...workspace, workflowId: made.workflow_id, input: {}, pinned });
    return stage.referTo(run.run_id);
  }

  it("calls nothing inside a pinned loop, and its replay keeps the pin", async () => {
    shift(stage.server.calls.length);
    const pinned = { each: { results: ["ann@example.com"], count: 1 } };
    const run = await test(pinned);
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { all: ["ann@example.com"] } });
    const again = await stage.replay(run, { mode: "from_start" });
    expect(await stage.reaches(again, "succeeded")).toMatchObject({ output: { all: ["ann@example.com"] } });
    expect(sentTo()).toEqual([]);
    expect(await stage.kinds(again)).not.toContain("keep/0:started");
  });

  it("repeats the body without any call if its calls are pinned", async () => {
    shift(stage.server.calls.length);
    const run = await test({ send: { status: 299 } });
    expect(await stage.reaches(run, "succeeded")).toMatchObject({
      output: { all: ["ann@example.com 299", "bob@example.com 299", "cy@example.com 299"] },
    });
    expect(sentTo()).toEqual([]);
  });
});
