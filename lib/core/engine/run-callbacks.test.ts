import { describe, expect, it } from "vitest";
import { recordedFrom, runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";
import type { CallbackRequest, CallbackState, StepServices } from "#lib/core/engine/ports";
import { resume } from "#lib/core/engine/resume";

const RECEIVED: CallbackState = {
  status: "received",
  delivery: { body: { ok: true }, headers: { "content-type": "application/json" } },
  receivedAt: new Date(0),
};

/** Runs with callbacks in the state that `states` gives them, by "node" or "node/iteration"; others wait for 60 s. */
function run(
  graph: TestGraph,
  states: Record<string, CallbackState> = {},
  request: Parameters<typeof runGraph>[1] = {},
) {
  const opened: CallbackRequest[] = [];
  const callbacks: StepServices["callbacks"] = {
    urlOf: (nodeId, iteration) => `https://hooks.test/${nodeId}/${iteration}`,
    open: async (callback) => {
      opened.push(callback);
      const key = callback.iteration === "" ? callback.nodeId : `${callback.nodeId}/${callback.iteration}`;
      return states[key] ?? { status: "waiting", restMs: 60_000 };
    },
  };
  const started = runGraph(graph, request, { services: { callbacks } as StepServices });
  const inputOf = (nodeId: string, iteration = "") =>
    started.journal.events.find((event) => event.nodeId === nodeId && event.iteration === iteration)?.inputData;
  return { ...started, opened, inputOf };
}

const graph: TestGraph = {
  paths: ["in>a", "a>w", "w.received>yes", "w.expired>no", "yes>out", "no>out"],
  types: { w: "wait_for_callback" },
  data: { w: { expires_seconds: 60 } },
};
const WAIT = { kind: "callback", nodeId: "w", iteration: "", ms: 60_000 };
const ADDRESS = { callback_url: "https://hooks.test/w/" };

describe("a step that waits for a callback", () => {
  it("parks the run for at most its time, and its address can be read before it", async () => {
    const { outcome, journal, opened, inputOf } = run(graph);
    expect(await outcome).toMatchObject({ status: "parked", waits: [WAIT] });
    expect(journal.names()).toEqual(["in:started", "in:completed", "a:started", "a:completed", "w:started"]);
    expect(inputOf("a")).toMatchObject({ w: ADDRESS });
    expect(opened).toEqual([{ nodeId: "w", iteration: "", expiresSeconds: 60 }]);
  });

  it("continues along received with what arrived, and does not start again", async () => {
    const first = run(graph);
    await first.outcome;
    const second = run(graph, { w: RECEIVED }, { progress: resume(recordedFrom(first.journal.events)) });
    expect((await second.outcome).status).toBe("succeeded");
    expect(second.journal.events[0]).toMatchObject({
      kind: "step_completed",
      outputData: { ...("delivery" in RECEIVED && RECEIVED.delivery), received_at: "1970-01-01T00:00:00.000Z" },
    });
    expect(JSON.stringify(second.journal.events[0])).not.toContain("hooks.test");
    expect(second.inputOf("yes")).toMatchObject({ w: { body: { ok: true }, ...ADDRESS } });
    expect(second.inputOf("no")).toBeUndefined();
  });

  it("does not wait for a callback that arrived before it", async () => {
    const { outcome, clock } = run(graph, { w: RECEIVED });
    expect((await outcome).status).toBe("succeeded");
    expect(clock.at()).toBe(0);
  });

  it("continues along expired when its time is over", async () => {
    const { outcome, inputOf } = run(graph, { w: { status: "expired" } });
    expect((await outcome).status).toBe("succeeded");
    expect(inputOf("no")).toMatchObject({ w: { body: null, received_at: null } });
    expect(inputOf("yes")).toBeUndefined();
  });

  it("without a branch for it, ends the run as timed out", async () => {
    const { outcome } = run({ ...graph, paths: ["in>w", "w>out"] }, { w: { status: "expired" } });
    expect(await outcome).toMatchObject({
      status: "timed_out",
      error: { code: "TIMEOUT", reason: "callback_expired", step_id: "w", message: "No callback arrived within 60 s" },
    });
  });

  it("has its own address in each iteration of a loop, which the loop around it cannot read", async () => {
    const { outcome, inputOf, opened } = run({
      paths: ["in>each", "a>w", "each>out"],
      types: { each: "loop", w: "wait_for_callback" },
      inside: { a: "each", w: "each" },
      data: { each: { items: ["x", "y"], concurrency: 2 }, w: { expires_seconds: 60 } },
    });
    expect(await outcome).toMatchObject({
      status: "parked",
      waits: [
        { ...WAIT, iteration: "0" },
        { ...WAIT, iteration: "1" },
      ],
    });
    expect(inputOf("a", "0")).toMatchObject({ w: { callback_url: "https://hooks.test/w/0" } });
    expect(inputOf("a", "1")).toMatchObject({ w: { callback_url: "https://hooks.test/w/1" } });
    expect(opened.map(({ iteration }) => iteration)).toEqual(["0", "1"]);
    expect(inputOf("in")).toEqual({});
  });

  it("takes its time from an expression, and refuses one out of range", async () => {
    const { outcome } = run({ ...graph, data: { w: { expires_seconds: "{{a.nothing}}" } } });
    expect(await outcome).toMatchObject({
      status: "failed",
      error: { code: "VALIDATION_ERROR", message: "expires_seconds must be a number from 1 to 2592000" },
    });
  });
});
