import { describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/step-error";
import { recordedFrom, runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

/** in > each > out, with a > b inside the loop. */
function loopGraph(items: unknown[], more: Partial<TestGraph> = {}, concurrency = 1): TestGraph {
  return {
    paths: ["in>each", "a>b", "each>out"],
    types: { each: "loop" },
    inside: { a: "each", b: "each" },
    data: { each: { items, concurrency } },
    behaviors: { out: () => ({}) },
    ...more,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a loop (decisions, The graph document)", () => {
  it("runs its body for each item, and journals every iteration", async () => {
    const { outcome, journal } = runGraph(loopGraph(["x", "y"]));
    expect((await outcome).status).toBe("succeeded");
    expect(
      journal.events.map(({ nodeId, iteration, kind }) => `${nodeId}${iteration && `/${iteration}`}:${kind}`),
    ).toEqual([
      "in:step_started",
      "in:step_completed",
      "each:step_started",
      "a/0:step_started",
      "a/0:step_completed",
      "b/0:step_started",
      "b/0:step_completed",
      "a/1:step_started",
      "a/1:step_completed",
      "b/1:step_started",
      "b/1:step_completed",
      "each:step_completed",
      "out:step_started",
      "out:step_completed",
    ]);
  });

  it("provides the item, the index and all earlier outputs to its body, and collects the results in order", async () => {
    const { outcome, journal } = runGraph(loopGraph(["x", "y"]));
    await outcome;
    const inside = journal.events.find((event) => event.nodeId === "b" && event.iteration === "1");
    expect(inside?.inputData).toMatchObject({ in: { in: "in" }, a: { a: "a" }, each: { item: "y", index: 1 } });
    const done = journal.events.find((event) => event.nodeId === "each" && event.kind === "step_completed");
    expect(done?.outputData).toMatchObject({
      count: 2,
      results: [{ each: { item: "x", index: 0 } }, { each: { item: "y", index: 1 } }],
    });
    const after = journal.events.find((event) => event.nodeId === "out");
    expect(after?.inputData).not.toHaveProperty("a");
    expect(after?.inputData).toMatchObject({ each: { count: 2 } });
  });

  it("stops at the result that makes its output too large", async () => {
    const behaviors = { a: () => ({ text: "x".repeat(300_000) }), out: () => ({}) };
    const { outcome, journal } = runGraph(loopGraph(numbers(10), { behaviors }));
    expect(await outcome).toMatchObject({
      status: "failed",
      error: {
        code: "VALIDATION_ERROR",
        reason: "data_too_large",
        message: "The output is larger than 1 MiB",
        step_id: "each",
      },
    });
    expect(journal.names().filter((name) => name === "a:started")).toHaveLength(4);
  });

  it("without items completes immediately", async () => {
    const { outcome, journal } = runGraph(loopGraph([]));
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names().slice(2, 4)).toEqual(["each:started", "each:completed"]);
  });

  it("runs as many iterations at the same time as its concurrency allows", async () => {
    let now = 0;
    let most = 0;
    const a = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return {};
    };
    for (const concurrency of [1, 3, 10]) {
      most = 0;
      await runGraph(loopGraph(numbers(20), { behaviors: { a } }, concurrency)).outcome;
      expect(most).toBe(concurrency);
    }
  });

  it("inside a loop journals the path of both indexes", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>each", "each>out"],
      types: { each: "loop", inner: "loop" },
      inside: { inner: "each", a: "inner" },
      data: { each: { items: ["x", "y"] }, inner: { items: [1, 2] } },
    });
    expect((await outcome).status).toBe("succeeded");
    const of = (nodeId: string) =>
      journal.events.filter((event) => event.nodeId === nodeId && event.kind === "step_completed");
    expect(of("a").map((event) => event.iteration)).toEqual(["0.0", "0.1", "1.0", "1.1"]);
    expect(of("inner").map((event) => event.iteration)).toEqual(["0", "1"]);
    const last = journal.events.findLast((event) => event.nodeId === "a" && event.kind === "step_started");
    expect(last?.inputData).toMatchObject({ each: { item: "y", index: 1 }, inner: { item: 2, index: 1 } });
  });

  it("chooses paths separately in every iteration, and journals the skipped steps", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>each", "c.true>a", "c.false>b", "a>j", "b>j", "each>out"],
      types: { each: "loop", c: "condition" },
      inside: { c: "each", a: "each", b: "each", j: "each" },
      data: { each: { items: [true, false] } },
      behaviors: { c: (context) => context.iteration === "0" },
    });
    expect((await outcome).status).toBe("succeeded");
    const of = (kind: string) =>
      journal.events.filter((event) => event.kind === kind).map((event) => `${event.nodeId}/${event.iteration}`);
    expect(of("step_skipped").sort()).toEqual(["a/1", "b/0"]);
    expect(of("step_completed")).toEqual(expect.arrayContaining(["a/0", "b/1", "j/0", "j/1"]));
  });

  it("is skipped without its body if its path is not taken", async () => {
    const { outcome, journal } = runGraph({
      ...loopGraph([1]),
      paths: ["in>c", "c.true>each", "a>b", "each>out"],
      types: { each: "loop", c: "condition" },
      behaviors: { c: () => false },
    });
    await outcome;
    expect(journal.names()).toContain("each:skipped");
    expect(journal.names().filter((name) => /^[ab]:/.test(name))).toEqual([]);
  });
});

describe("a step that fails inside a loop", () => {
  const failing = (context: { iteration: string }) => {
    if (context.iteration === "1") throw new StepError("VALIDATION_ERROR", "no");
    return {};
  };

  it("fails the loop and the run, and no other iteration starts", async () => {
    const { outcome, journal } = runGraph(loopGraph(numbers(5), { behaviors: { a: failing } }));
    expect(await outcome).toEqual({
      status: "failed",
      error: { code: "VALIDATION_ERROR", reason: "validation_error", message: "no", step_id: "a" },
    });
    expect(journal.names().slice(-3)).toEqual(["a:started", "a:failed", "each:failed"]);
    expect(journal.events.at(-1)?.error).toEqual({
      code: "VALIDATION_ERROR",
      reason: "validation_error",
      message: "In iteration 1, a: no",
    });
  });

  it("continues with continueOnFailure", async () => {
    const graph = loopGraph(numbers(3), { behaviors: { a: failing } });
    const data = { ...graph.data, a: { continueOnFailure: true } };
    const { outcome, journal } = runGraph({ ...graph, data });
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names().filter((name) => name === "b:completed")).toHaveLength(3);
  });

  it("leaves the loop unfinished, not failed, if the failure is outside the loop", async () => {
    const { outcome, journal } = runGraph({
      ...loopGraph(numbers(50), {}, 1),
      paths: ["in>each", "a>b", "each>out", "in>bad"],
      behaviors: {
        a: () => new Promise((resolve) => setImmediate(() => resolve({}))),
        bad: () => {
          throw new StepError("UNKNOWN", "elsewhere");
        },
      },
    });
    expect(await outcome).toMatchObject({ status: "failed", error: { step_id: "bad" } });
    expect(journal.names()).not.toContain("each:failed");
    expect(journal.names().filter((name) => name === "a:started").length).toBeLessThan(3);
  });
});

describe("resuming a loop (decisions, Replay: done is per node and iteration)", () => {
  it("continues in the interrupted iteration and repeats nothing", async () => {
    const first = runGraph(loopGraph(["x", "y", "z"]));
    await first.outcome;
    const all = recordedFrom(first.journal.events);
    // The journal up to each single event, as a worker that died at that moment leaves it.
    for (let written = 0; written <= all.length; written += 1) {
      const second = runGraph(loopGraph(["x", "y", "z"]), { progress: resume(all.slice(0, written)) });
      expect((await second.outcome).status).toBe("succeeded");
      const done = [...all.slice(0, written), ...second.journal.events]
        .filter((event) => event.kind === "step_completed")
        .map((event) => `${event.nodeId}/${event.iteration}`);
      expect(new Set(done).size).toBe(done.length);
      expect(done).toHaveLength(9);
      const result = (events: typeof first.journal.events) =>
        events.find((event) => event.nodeId === "each" && event.kind === "step_completed")?.outputData;
      if (written < all.length - 3) expect(result(second.journal.events)).toEqual(result(first.journal.events));
    }
  });

  it("does not write a second start of the loop itself", async () => {
    const first = runGraph(loopGraph(["x", "y"]));
    await first.outcome;
    const second = runGraph(loopGraph(["x", "y"]), {
      progress: resume(recordedFrom(first.journal.events.slice(0, 6))),
    });
    await second.outcome;
    expect(second.journal.names()).not.toContain("each:started");
  });

  it("fails the run with a failure inside the loop that was journaled before the run's end was written", async () => {
    const graph = loopGraph(numbers(3), {
      behaviors: {
        a: () => {
          throw new StepError("VALIDATION_ERROR", "no");
        },
      },
    });
    const first = runGraph(graph);
    await first.outcome;
    const second = runGraph(graph, { progress: resume(recordedFrom(first.journal.events)) });
    expect(await second.outcome).toEqual(await first.outcome);
    expect(second.journal.events).toEqual([]);
  });
});

describe("a long loop", () => {
  it.each([1, 10])(
    "with 1,000 iterations lets the journal keep up with every step: %i at once",
    async (concurrency) => {
      const kept = [0];
      const run = runGraph(loopGraph(numbers(1_000), { isBlind: true }, concurrency), {}, {});
      run.journal.keepUp = () => {
        kept.push(run.journal.events.length);
        return null;
      };
      expect((await run.outcome).status).toBe("succeeded");
      expect(run.journal.names().filter((name) => name === "b:completed")).toHaveLength(1_000);
      // Between two calls lie the two events of a step and, before the first iteration, the start of the loop.
      expect(kept.length).toBeGreaterThan(3_000);
      const appended = kept.map((count, index) => count - (kept[index - 1] ?? 0));
      expect(Math.max(...appended)).toBeLessThanOrEqual(2 * concurrency + 1);
    },
  );

  it("stops in the middle when the run's time is up or the worker loses the run", async () => {
    const tick = () => new Promise((resolve) => setImmediate(() => resolve({})));
    const late = runGraph(loopGraph(numbers(1_000), { behaviors: { a: tick } }), { remainingMs: 0 });
    expect(await late.outcome).toMatchObject({ status: "timed_out" });
    const lost = new AbortController();
    const taken = runGraph(
      loopGraph(numbers(1_000), {
        behaviors: {
          a: ({ iteration }) => {
            if (iteration === "5") lost.abort(new Error("taken"));
            return {};
          },
        },
      }),
      { signal: lost.signal },
    );
    await expect(taken.outcome).rejects.toThrow("taken");
    expect(taken.journal.events.at(-1)?.iteration).toBe("5");
  });
});
