import { describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { recorded, runGraph, type TestGraph, testDefinition } from "#lib/core/engine/engine.fixture";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { resume } from "#lib/core/engine/resume";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";

const nodeHandlers = await loadNodeHandlers();

const conditions = { c: "condition", d: "condition" } as const;

/** Lists the completed steps and the skipped steps, each sorted. */
async function paths(graph: TestGraph): Promise<{ done: string; skipped: string }> {
  const { outcome, journal } = runGraph(graph);
  expect((await outcome).status).toBe("succeeded");
  const of = (kind: string) =>
    journal.events
      .filter((event) => event.kind === kind)
      .map((event) => event.nodeId)
      .sort()
      .join(" ");
  return { done: of("step_completed"), skipped: of("step_skipped") };
}

describe("scheduling (decisions, The graph document)", () => {
  const cases: { name: string; graph: TestGraph; done: string; skipped: string }[] = [
    {
      name: "runs a chain in order",
      graph: { paths: ["in>a", "a>b", "b>out"] },
      done: "a b in out",
      skipped: "",
    },
    {
      name: "takes the branch that a condition chose and skips the whole other branch",
      graph: {
        paths: ["in>c", "c.true>a", "c.false>b", "b>b2", "a>out", "b2>out"],
        types: conditions,
        behaviors: { c: () => true },
      },
      done: "a c in out",
      skipped: "b b2",
    },
    {
      name: "runs a node after two branches if one of them was taken",
      graph: {
        paths: ["in>c", "c.true>a", "c.false>b", "a>j", "b>j", "j>out"],
        types: conditions,
        behaviors: { c: () => false },
      },
      done: "b c in j out",
      skipped: "a",
    },
    {
      name: "takes an edge without a handle whatever the condition chose",
      graph: { paths: ["in>c", "c>a", "c.false>b", "a>out"], types: conditions, behaviors: { c: () => true } },
      done: "a c in out",
      skipped: "b",
    },
    {
      name: "skips nodes that only skipped nodes lead to, also through conditions",
      graph: {
        paths: ["in>c", "c.true>d", "d.true>a", "d.false>b", "a>out", "in>out"],
        types: conditions,
        behaviors: { c: () => false },
      },
      done: "c in out",
      skipped: "a b d",
    },
    {
      name: "never runs a node that nothing leads to",
      graph: { paths: ["in>out", "lost>lost2"] },
      done: "in out",
      skipped: "lost lost2",
    },
  ];
  it.each(cases)("$name", async ({ graph, done, skipped }) => {
    expect(await paths(graph)).toEqual({ done, skipped });
  });

  it("runs branches in parallel and joins them when the last one has settled", async () => {
    const gate = Promise.withResolvers<object>();
    const { outcome, journal } = runGraph({
      paths: ["in>a", "in>b", "a>j", "b>j", "j>out"],
      behaviors: {
        // a waits for b, so the run would never end if they ran one after the other.
        a: () => gate.promise,
        b: () => {
          gate.resolve({});
          return {};
        },
      },
    });
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names().indexOf("j:started")).toBeGreaterThan(journal.names().indexOf("a:completed"));
  });

  it("provides the outputs of earlier nodes by id, and the entry's also by its type", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>a", "a>out"],
      behaviors: { in: () => ({ x: 1 }), a: () => ({ y: 2 }) },
    });
    await outcome;
    const start = journal.events.find((event) => event.nodeId === "out" && event.kind === "step_started");
    expect(start?.inputData).toEqual({ in: { x: 1 }, action_input: { x: 1 }, a: { y: 2 } });
  });

  it("journals the resolved input before the handler is called, and the output with its duration after it", async () => {
    let seen: string[] = [];
    const { outcome, journal } = runGraph({
      paths: ["in>a", "a>out"],
      behaviors: {
        in: () => ({ x: 1 }),
        a: () => {
          seen = journal.names();
          return { y: 2 };
        },
      },
    });
    await outcome;
    expect(seen).toEqual(["in:started", "in:completed", "a:started"]);
    expect(journal.events.filter((event) => event.nodeId === "a")).toMatchObject([
      { kind: "step_started", inputData: { in: { x: 1 } } },
      { kind: "step_completed", outputData: { y: 2 }, durationMs: expect.any(Number) },
    ]);
  });

  it("merges the outputs of several result nodes in the order of the definition; later keys win", async () => {
    const { outcome } = runGraph({
      paths: ["in>out1", "in>a", "a>out2"],
      behaviors: { out1: () => ({ x: 1, both: "first" }), out2: () => ({ y: 2, both: "second" }) },
    });
    expect(await outcome).toEqual({ status: "succeeded", output: { x: 1, both: "second", y: 2 } });
  });

  it("has no output if no result node was reached", async () => {
    const { outcome } = runGraph({ paths: ["in>c", "c.true>out"], types: conditions, behaviors: { c: () => false } });
    expect(await outcome).toEqual({ status: "succeeded", output: null });
  });

  it("refuses a definition whose edges form a cycle", () => {
    const definition = testDefinition({
      paths: ["in>a", "a>b", "b>a"],
      data: { a: { fields: [] }, b: { fields: [] } },
    });
    const entry = { ...definition.nodes[0], data: { properties: [] } } as (typeof definition.nodes)[number];
    const nodes = [entry, ...definition.nodes.slice(1)];
    expect(() =>
      compilePlan(
        { ...definition, nodes },
        nodeHandlers(() => null),
      ),
    ).toThrow(/form a cycle/);
  });
});

describe("durability (decisions, Runs: worker loss)", () => {
  it("makes everything before a side effect durable, including its own start, and nothing else", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>a", "a>http", "http>b", "b>out"],
      types: { http: "connector" },
    });
    await outcome;
    const startAt = journal.names().indexOf("http:started");
    expect(journal.flushed).toEqual([startAt + 1]);
  });

  it("never calls a handler whose start could not be written", async () => {
    let calls = 0;
    const { outcome } = runGraph(
      { paths: ["in>http"], types: { http: "connector" }, behaviors: { http: () => (calls += 1) } },
      {},
      {
        journal: {
          append: () => {},
          keepUp: async () => {},
          flushSoon: () => {},
          shown: (error) => error,
          flush: () => Promise.reject(new LeaseLost("run")),
        },
      },
    );
    await expect(outcome).rejects.toBeInstanceOf(LeaseLost);
    expect(calls).toBe(0);
  });

  it("ends with the loss of the lease, not with a step error, if the worker loses the run in the middle of a step", async () => {
    const lost = new AbortController();
    const { outcome, journal } = runGraph(
      {
        paths: ["in>http"],
        types: { http: "connector" },
        behaviors: {
          http: () => {
            lost.abort(new LeaseLost("run"));
            return new Promise(() => {});
          },
        },
      },
      { signal: lost.signal },
    );
    await expect(outcome).rejects.toBeInstanceOf(LeaseLost);
    expect(journal.names().at(-1)).toBe("http:started");
  });
});

describe("resume (contract, Journal)", () => {
  const graph: TestGraph = {
    paths: ["in>c", "c.true>http", "c.false>other", "http>out", "other>out"],
    types: { c: "condition", http: "connector" },
    behaviors: {
      in: () => {
        throw new Error("executed again");
      },
      c: () => {
        throw new Error("executed again");
      },
    },
  };
  const begun = [
    recorded("in", "step_started"),
    recorded("in", "step_completed", { output: { x: 1 } }),
    recorded("c", "step_started"),
    recorded("c", "step_completed", { output: { result: true } }),
    recorded("other", "step_skipped"),
  ];

  it("does not execute finished steps again, and follows the branch that was chosen before", async () => {
    const { outcome, journal } = runGraph(graph, { progress: resume(begun) });
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(["http:started", "http:completed", "out:started", "out:completed"]);
  });

  it("executes a step that only started again, as its next attempt and with the same idempotency key", async () => {
    const keys: string[] = [];
    const { outcome, journal } = runGraph(
      { ...graph, behaviors: { http: (context) => keys.push(context.idempotencyKey) } },
      { progress: resume([...begun, recorded("http", "step_started", { attempt: 2, answeredAttempts: 1 })]) },
    );
    await outcome;
    expect(journal.events[0]).toMatchObject({ kind: "step_started", attempt: 3 });
    expect(keys).toEqual(["018f2f6e-0000-7000-8000-000000000001:http::r1"]);
  });

  it("fails the run without another attempt if a failure was journaled before the run's end was written", async () => {
    const error = { code: "VALIDATION_ERROR", message: "no" } as const;
    const { outcome, journal } = runGraph(graph, {
      progress: resume([...begun, recorded("http", "step_started"), recorded("http", "step_failed", { error })]),
    });
    expect(await outcome).toEqual({ status: "failed", error: { ...error, step_id: "http" } });
    expect(journal.events).toEqual([]);
  });

  it("keeps the error of a step that failed and continued for the steps that follow", async () => {
    const error = { code: "TIMEOUT", message: "slow" } as const;
    const { outcome, journal } = runGraph(
      { paths: ["in>http", "http>out"], types: { http: "connector" } },
      {
        progress: resume([
          recorded("in", "step_completed", { output: {} }),
          recorded("http", "step_timed_out", { error }),
          recorded("http", "step_failed_continued", { error }),
        ]),
      },
    );
    await outcome;
    expect(journal.events[0]).toMatchObject({ nodeId: "out", inputData: { http: { error } } });
  });
});

describe("a stopping worker", () => {
  it("lets the step in flight end and starts nothing with side effects", async () => {
    const stopping = new AbortController();
    const { outcome, journal } = runGraph(
      {
        paths: ["in>h1", "h1>a", "a>h2", "h2>out"],
        types: { h1: "connector", h2: "connector" },
        behaviors: { h1: () => stopping.abort() },
      },
      { stopping: stopping.signal },
    );
    expect(await outcome).toEqual({ status: "interrupted", journalBytes: expect.any(Number) });
    expect(journal.names().slice(-3)).toEqual(["h1:completed", "a:started", "a:completed"]);
  });

  it("finishes a run that has no side effects left", async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { outcome } = runGraph({ paths: ["in>a", "a>out"] }, { stopping: stopping.signal });
    expect((await outcome).status).toBe("succeeded");
  });

  it("ends a wait between attempts without an event, so that the next worker makes the attempt", async () => {
    const stopping = new AbortController();
    const { outcome, journal } = runGraph(
      {
        paths: ["in>h"],
        types: { h: "connector" },
        data: { h: { maxRetries: 3 } },
        behaviors: {
          h: () => {
            setImmediate(() => stopping.abort());
            throw new StepError("RATE_LIMITED", "slow down", { retryAfterMs: 200_000 });
          },
        },
      },
      { stopping: stopping.signal },
    );
    expect(await outcome).toEqual({ status: "interrupted", journalBytes: expect.any(Number) });
    expect(journal.names().at(-1)).toBe("h:started");
  });
});
