import { expect, test } from "vitest";
import { recordedFrom, runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

test("a loop whose result failed while the worker stops is not completed: the next worker takes its Failed branch", async () => {
  const stopping = new AbortController();
  const graph: TestGraph = {
    paths: ["in>each", "each>fine", "each.failed>rescue", "in>side", "side>call"],
    types: { each: "loop", call: "connector" },
    data: { each: { items: [1, 2], failsAtResult: true } },
    inside: { a: "each" },
    behaviors: {
      a: async () => {
        stopping.abort();
        await new Promise((resolve) => setImmediate(resolve));
        return {};
      },
    },
    isBlind: true,
  };
  const stopped = runGraph(graph, { stopping: stopping.signal });
  expect((await stopped.outcome).status).toBe("interrupted");
  expect(stopped.journal.names()).not.toContain("each:completed");
  const next = runGraph(graph, { progress: resume(recordedFrom(stopped.journal.events)) });
  expect((await next.outcome).status).toBe("succeeded");
  expect(next.journal.names()).toEqual(expect.arrayContaining(["each:failed_continued", "rescue:completed"]));
});
