import { describe, expect, test } from "vitest";
import { recordedFrom, runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

const OFF = { disabled: true };

/** Runs a graph, and returns its outcome and "node:kind" of the events, with the reason of a skipped step. */
async function run(graph: TestGraph, request: Parameters<typeof runGraph>[1] = {}) {
  const { outcome, journal } = runGraph(graph, request);
  const ended = await outcome;
  const events = journal.events.map(({ nodeId, kind, skipReason }) =>
    [nodeId, kind.replace("step_", ""), skipReason].filter((part) => part !== undefined).join(":"),
  );
  return { ended, events, journal };
}

describe("a disabled step", () => {
  test("does not execute, is journaled as skipped with the reason, and the run continues behind it", async () => {
    let calls = 0;
    const behaviors = { off: () => (calls += 1) };
    const { ended, events } = await run({ paths: ["in>off", "off>after", "after>out"], data: { off: OFF }, behaviors });
    expect(ended.status).toBe("succeeded");
    expect(calls).toBe(0);
    expect(events).toContain("off:skipped:disabled");
    expect(events).toEqual(expect.arrayContaining(["after:completed", "out:completed"]));
  });

  test("has no output that later steps could read", async () => {
    const { journal } = await run({ paths: ["in>off", "off>after"], data: { off: OFF } });
    const after = journal.events.find(({ nodeId, kind }) => nodeId === "after" && kind === "step_started");
    expect(after?.inputData).not.toHaveProperty("off");
  });

  test("is skipped without a reason if its path was not taken, and so is what follows it", async () => {
    const graph: TestGraph = {
      paths: ["in>check", "check.true>out", "check.false>off", "off>after"],
      types: { check: "condition" },
      data: { off: OFF },
      behaviors: { check: () => true },
    };
    const { events } = await run(graph);
    expect(events).toEqual(expect.arrayContaining(["off:skipped", "after:skipped"]));
  });

  test.each([
    { type: "condition" as const, taken: "true", other: "false", data: {} },
    { type: "switch" as const, taken: "big", other: "default", data: { cases: [{ id: "big" }] } },
    { type: "approval" as const, taken: "approved", other: "rejected", data: {} },
    { type: "wait_for_callback" as const, taken: "received", other: "expired", data: {} },
  ])("of the kind $type takes its first branch", async ({ type, taken, other, data }) => {
    const { ended, events } = await run({
      paths: ["in>off", `off.${taken}>yes`, `off.${other}>no`],
      types: { off: type },
      data: { off: { ...data, ...OFF } },
    });
    expect(ended.status).toBe("succeeded");
    expect(events).toEqual(expect.arrayContaining(["off:skipped:disabled", "yes:completed", "no:skipped"]));
  });

  test("that is a loop leaves out its whole body, even if a step inside could not be prepared", async () => {
    const { ended, events } = await run({
      paths: ["in>each", "each>out"],
      types: { each: "loop", inner: "delay" },
      data: { each: { items: [1, 2], ...OFF }, inner: { seconds: "never" } },
      inside: { inner: "each" },
    });
    expect(ended.status).toBe("succeeded");
    expect(events.filter((event) => event.startsWith("inner"))).toEqual([]);
    expect(events).toEqual(expect.arrayContaining(["each:skipped:disabled", "out:completed"]));
  });

  test("inside a loop is skipped in every iteration, and the iterations end", async () => {
    const { ended, events } = await run({
      paths: ["in>each", "each>out", "off>inner"],
      types: { each: "loop" },
      data: { each: { items: [1, 2] }, off: OFF },
      inside: { off: "each", inner: "each" },
    });
    expect(ended.status).toBe("succeeded");
    expect(events.filter((event) => event === "off:skipped:disabled")).toHaveLength(2);
    expect(events.filter((event) => event === "inner:completed")).toHaveLength(2);
  });

  test("takes the same branch when another worker continues the run", async () => {
    const graph: TestGraph = {
      paths: ["in>off", "off.true>yes", "off.false>no", "yes>out"],
      types: { off: "condition" },
      data: { off: OFF },
    };
    const first = await run(graph);
    const done = first.journal.events.filter(({ nodeId }) => nodeId === "in" || nodeId === "off");
    const { events } = await run(graph, { progress: resume(recordedFrom(done)) });
    expect(events).toEqual(expect.arrayContaining(["yes:completed", "no:skipped", "out:completed"]));
    expect(events.some((event) => event.startsWith("off"))).toBe(false);
  });

  test("does not have to be complete", async () => {
    const { ended } = await run({
      paths: ["in>off", "off>out"],
      types: { off: "delay" },
      data: { off: { seconds: "never", ...OFF } },
    });
    expect(ended.status).toBe("succeeded");
  });
});

test("the start and the outputs of a workflow run although their data says disabled", async () => {
  const { events } = await run({ paths: ["in>out"], data: { in: OFF, out: OFF } });
  expect(events).toEqual(expect.arrayContaining(["in:completed", "out:completed"]));
});
