import { describe, expect, it, test } from "vitest";
import { STEP_ERROR_CODES, StepError, type StepErrorCode } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import { recordedFrom, runGraph, runThroughPauses, type TestGraph } from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

const failing = (code: StepErrorCode, message = "no") => {
  return () => {
    throw new StepError(code, message);
  };
};

/** A call with an ordinary and a Failed branch, which meet again. */
function forked(behavior: () => unknown, more: Partial<TestGraph> = {}): TestGraph {
  return {
    paths: ["in>h", "h>fine", "h.failed>rescue", "fine>out", "rescue>out"],
    types: { h: "connector" },
    behaviors: { h: behavior },
    ...more,
  };
}

describe("a step with a connected Failed branch", () => {
  it.each(STEP_ERROR_CODES)(
    "that failed with %s takes it, skips the ordinary branch, and the join runs",
    async (code) => {
      const { outcome, journal } = runGraph(forked(failing(code)));
      expect((await outcome).status).toBe("succeeded");
      expect(journal.names()).toEqual([
        "in:started",
        "in:completed",
        "h:started",
        ...(code === "TIMEOUT" ? ["h:timed_out"] : []),
        "h:failed_continued",
        "fine:skipped",
        "rescue:started",
        "rescue:completed",
        "out:started",
        "out:completed",
      ]);
    },
  );

  it("that completed skips it", async () => {
    const { outcome, journal } = runGraph(forked(() => ({})));
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(expect.arrayContaining(["rescue:skipped", "fine:completed", "out:completed"]));
  });

  it("takes it only after its last attempt, and keeps what the service answered", async () => {
    let calls = 0;
    const { outcome, journal } = runThroughPauses(
      forked(
        () => {
          calls += 1;
          throw new AnsweredError("RATE_LIMITED", "busy", { status: 429, body: { wait: calls }, retryAfterMs: 2_000 });
        },
        { data: { h: { maxRetries: 2 } } },
      ),
    );
    expect((await outcome).status).toBe("succeeded");
    expect(calls).toBe(3);
    const failed = journal.events.filter(({ kind }) => kind === "step_failed_continued");
    const error = {
      code: "RATE_LIMITED",
      reason: "rate_limited",
      message: "busy",
      status: 429,
      body: { wait: 3 },
      retryAfterMs: 2_000,
    };
    expect(failed).toMatchObject([{ nodeId: "h", attempt: 3, error }]);
    const rescue = journal.events.find(({ nodeId }) => nodeId === "rescue");
    expect(rescue?.inputData).toMatchObject({ h: { error } });
  });

  it("takes only it, even if the step also continues on failure", async () => {
    const graph = forked(failing("UNKNOWN"), { data: { h: { continueOnFailure: true } } });
    const { outcome, journal } = runGraph(graph);
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(expect.arrayContaining(["fine:skipped", "rescue:completed"]));
  });

  it("does not rescue the run when the run's own time is up", async () => {
    const { outcome, journal } = runGraph(
      forked(() => new Promise(() => {})),
      { remainingMs: 12_000 },
    );
    expect(await outcome).toMatchObject({ status: "timed_out", error: { reason: "run_time_limit", step_id: "h" } });
    expect(journal.names()).not.toContain("h:failed_continued");
  });

  it("does not take it when the worker loses the run", async () => {
    const lost = new AbortController();
    const graph = forked(() => {
      lost.abort(new Error("gone"));
      throw new StepError("UNKNOWN", "aborted");
    });
    const { outcome, journal } = runGraph(graph, { signal: lost.signal });
    await expect(outcome).rejects.toThrow("gone");
    expect(journal.names()).toEqual(["in:started", "in:completed", "h:started"]);
  });
});

test("a switch whose author called a case `failed` keeps that case", async () => {
  const rules = { match: "all", rules: [] };
  const { outcome } = runGraph({
    paths: ["in>s", "s.failed>out"],
    types: { s: "switch" },
    data: { s: { cases: [{ id: "failed", ...rules }] } },
    behaviors: { s: failing("VALIDATION_ERROR") },
  });
  expect(await outcome).toMatchObject({ status: "failed", error: { step_id: "s" } });
});

/** A loop of three items in which the step `a` fails for the second one; `handler` handles the failure of the loop. */
function loop(behavior: TestGraph["behaviors"], more: Partial<TestGraph> = {}): TestGraph {
  return {
    paths: ["in>each", "each>fine", "each.failed>rescue", "fine>out", "rescue>out", "a>b"],
    types: { each: "loop", a: "connector" },
    data: { each: { items: ["x", "y", "z"], isSilent: true } },
    inside: { a: "each", b: "each" },
    behaviors: behavior ?? {},
    isBlind: true,
    ...more,
  };
}

const failsAt =
  (iteration: string, code: StepErrorCode = "UPSTREAM_ERROR") =>
  (context: { iteration: string }) => {
    if (context.iteration === iteration) throw new StepError(code, "no", { status: 503 });
    return { n: context.iteration };
  };

describe("a loop with a connected Failed branch", () => {
  it("takes it when a step inside fails: later items do not start, and the error names the place", async () => {
    const { outcome, journal } = runGraph(loop({ a: failsAt("1") }));
    expect((await outcome).status).toBe("succeeded");
    const inside = journal.events
      .filter(({ nodeId }) => nodeId === "a")
      .map((event) => `${event.iteration}:${event.kind}`);
    expect(inside).toEqual(["0:step_started", "0:step_completed", "1:step_started", "1:step_failed"]);
    const end = journal.events.find(({ kind }) => kind === "step_failed_continued");
    const error = { code: "UPSTREAM_ERROR", message: "In iteration 1, a: no", status: 503 };
    expect(end).toMatchObject({ nodeId: "each", error });
    expect(journal.names()).toEqual(expect.arrayContaining(["fine:skipped", "rescue:completed", "out:completed"]));
  });

  it("journals a timeout inside as a failure of the loop, which has no time limit", async () => {
    const { outcome, journal } = runGraph(loop({ a: failsAt("0", "TIMEOUT") }));
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(expect.arrayContaining(["a:timed_out", "each:failed_continued"]));
    expect(journal.names()).not.toContain("each:timed_out");
  });

  it("lets the iterations in progress end before it takes it", async () => {
    const gate = Promise.withResolvers<object>();
    const graph = loop(
      {
        a: (context) => {
          if (context.iteration === "0") return gate.promise;
          setImmediate(() => gate.resolve({}));
          return failsAt("1")(context);
        },
      },
      { data: { each: { items: [1, 2, 3, 4], concurrency: 2, isSilent: true } } },
    );
    const { outcome, journal } = runGraph(graph);
    expect((await outcome).status).toBe("succeeded");
    const steps = journal.events.map(({ nodeId, iteration, kind }) => `${nodeId}${iteration}:${kind.slice(5)}`);
    expect(steps.indexOf("b0:completed")).toBeGreaterThan(steps.indexOf("a1:failed"));
    expect(steps.indexOf("each:failed_continued")).toBeGreaterThan(steps.indexOf("b0:completed"));
    expect(steps.filter((step) => /^a[23]/.test(step))).toEqual([]);
  });

  it("is not needed for a step inside that has its own: the iteration and the loop continue", async () => {
    const graph = loop({ a: failsAt("1") });
    const { outcome, journal } = runGraph({
      ...graph,
      paths: ["in>each", "each>out", "a>b", "a.failed>c", "b>d", "c>d"],
      inside: { a: "each", b: "each", c: "each", d: "each" },
    });
    expect((await outcome).status).toBe("succeeded");
    const steps = journal.events.map(({ nodeId, iteration, kind }) => `${nodeId}${iteration}:${kind.slice(5)}`);
    expect(steps).toEqual(
      expect.arrayContaining([
        "a1:failed_continued",
        "b1:skipped",
        "c1:completed",
        "d1:completed",
        "c0:skipped",
        "d2:completed",
      ]),
    );
  });

  it("handles a failure in a loop inside it that has none", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>outer", "outer.failed>rescue", "rescue>out"],
      types: { outer: "loop", inner: "loop", a: "connector" },
      data: { outer: { items: [1, 2], isSilent: true }, inner: { items: [1, 2], isSilent: true } },
      inside: { inner: "outer", a: "inner" },
      behaviors: { a: failsAt("0.1", "RATE_LIMITED") },
      isBlind: true,
    });
    expect((await outcome).status).toBe("succeeded");
    const ends = journal.events.filter(({ error }) => error);
    expect(ends.map(({ nodeId, iteration, kind, error }) => [nodeId, iteration, kind, error?.message])).toEqual([
      ["a", "0.1", "step_failed", "no"],
      ["inner", "0", "step_failed", "In iteration 1, a: no"],
      ["outer", "", "step_failed_continued", "In iteration 0, inner: In iteration 1, a: no"],
    ]);
  });

  it("does not rescue the run when the run's own time is up inside it", async () => {
    const { outcome } = runGraph(loop({ a: () => new Promise(() => {}) }), { remainingMs: 12_000 });
    expect(await outcome).toMatchObject({ status: "timed_out", error: { reason: "run_time_limit", step_id: "a" } });
  });
});

/**
 * Runs the graph again from every prefix of its journal, as after a crash of the worker at that moment, and returns how
 * each of these runs ended.
 */
async function afterEachCrash(graph: TestGraph) {
  const whole = runGraph(graph);
  const expected = await whole.outcome;
  const { events } = whole.journal;
  const ends = [];
  for (let length = 0; length <= events.length; length += 1) {
    const before = events.slice(0, length);
    // The two events of a timeout that continued are written in one statement.
    if (before.at(-1)?.kind === "step_timed_out") continue;
    const { outcome, journal } = runGraph(graph, { progress: resume(recordedFrom(before)) });
    const ended = await outcome;
    const last = new Map<string, string>();
    for (const { nodeId, iteration, kind } of [...before, ...journal.events]) last.set(`${nodeId}|${iteration}`, kind);
    const repeated = journal.events.filter(
      ({ nodeId, iteration, kind }) =>
        kind === "step_started" &&
        before.some(
          (event) =>
            event.nodeId === nodeId &&
            event.iteration === iteration &&
            !["step_started", "step_pending_approval"].includes(event.kind),
        ),
    );
    ends.push({ ended, last: Object.fromEntries([...last].sort()), repeated });
  }
  const last = new Map(events.map(({ nodeId, iteration, kind }) => [`${nodeId}|${iteration}`, kind]));
  return { ends, expected: { ended: expected, last: Object.fromEntries([...last].sort()), repeated: [] } };
}

describe("after a crash at any moment the run takes the same path, and no ended step runs again", () => {
  it.each([
    ["a step with a Failed branch", forked(failing("UPSTREAM_ERROR"))],
    ["a step that timed out", forked(failing("TIMEOUT"))],
    ["a loop with a Failed branch", loop({ a: failsAt("1") })],
    [
      "a loop that works on two items at once",
      loop({ a: failsAt("1") }, { data: { each: { items: [1, 2], concurrency: 2, isSilent: true } } }),
    ],
    [
      "a loop around a loop",
      {
        paths: ["in>outer", "outer.failed>rescue", "outer>fine", "rescue>out", "fine>out"],
        types: { outer: "loop", inner: "loop", a: "connector" },
        data: { outer: { items: [1, 2], isSilent: true }, inner: { items: [1, 2], isSilent: true } },
        inside: { inner: "outer", a: "inner" },
        behaviors: { a: failsAt("1.0") },
        isBlind: true,
      } satisfies TestGraph,
    ],
  ])("%s", async (_name, graph) => {
    const { ends, expected } = await afterEachCrash(graph);
    expect(ends.length).toBeGreaterThan(5);
    for (const end of ends) expect(end).toEqual(expected);
  });
});
