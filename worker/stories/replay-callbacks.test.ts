import { describe, expect, it } from "vitest";
import { answerCallback } from "#lib/api/webhooks/callback-route";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { useReplayStage } from "#worker/stories/replay-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const { stage, call, paths, sent, requestOf } = useReplayStage();

const SENDER = () => call("a", { method: "POST", body: { address: "{{wait.callback_url}}" } });
const wait = () => node("wait", "wait_for_callback", { expires_seconds: 3_600 });
const inside = (item: GraphNode): GraphNode => ({ ...item, parentId: "each" });
const same = { version: undefined };

async function post(at: number, body: object) {
  const sentBody = await until("the address", async () => sent("/a")[at]);
  const address = String(sentBody?.address);
  const request = new Request(address, { method: "POST", body: JSON.stringify(body) });
  return (await answerCallback(request)).status;
}

describe("a replay that would wait for a callback to an address that no one has", () => {
  it("is refused, but gets its callback if it starts from the step that sends the address", async () => {
    const run = await stage.start([call("b"), SENDER(), wait()], "in>b>a>wait>out");
    await stage.parks(run);
    await stage.cancel(run);
    stage.server.calls.splice(0);
    expect(await errorOf(replayRun(requestOf(run, same)))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("Replay from the step a (mode from_step)"),
    });
    const again = await replayRun(requestOf(run, { ...same, stepId: "a" }));
    const copy = { ...run, runId: again.run_id };
    await stage.parks(copy);
    expect(paths()).toEqual(["/a"]);
    expect(await post(0, {})).toBe(200);
    await stage.reaches(copy, "succeeded");
  });

  it("is refused even if the run never reached the wait", async () => {
    stage.server.answer("/b", {}, 400);
    const run = await stage.start([SENDER(), call("b"), wait()], "in>a>b>wait>out");
    await stage.reaches(run, "failed");
    expect(await errorOf(replayRun(requestOf(run, same)))).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("is allowed after the callback has arrived, in each iteration that sent its address", async () => {
    stage.server.answer("/b", {}, 400);
    const run = await stage.start(
      [
        node("each", "loop", { items: [1, 2], concurrency: 1, result: "" }),
        inside(SENDER()),
        inside(wait()),
        inside(call("b")),
      ],
      "in>each, a>wait.received>b, each>out",
    );
    await stage.parks(run);
    expect(await post(0, {})).toBe(200);
    await stage.reaches(run, "failed");
    stage.server.answer("/b", { ok: true });
    stage.server.calls.splice(0);
    const again = await replayRun(requestOf(run, same));
    const copy = { ...run, runId: again.run_id };
    expect(await post(0, {})).toBe(200);
    await stage.reaches(copy, "succeeded");
    expect(paths()).toEqual(["/b", "/a", "/b"]);
  });
});
