import { describe, expect, it } from "vitest";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { recordedFrom, runGraph, type TestGraph, testDefinition } from "#lib/core/engine/engine.fixture";
import { pinNodes } from "#lib/core/engine/pin-nodes";
import { resume } from "#lib/core/engine/resume";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";

const nodeHandlers = await loadNodeHandlers();

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const turn = () => new Promise((resolve) => setImmediate(() => resolve({})));

/** Counts how often each node starts and how many run at the same time. */
function counted(ids: readonly string[]) {
  const begun = new Map<string, number>();
  const state = { now: 0, most: 0 };
  const behavior = (id: string) => async () => {
    begun.set(id, (begun.get(id) ?? 0) + 1);
    state.now += 1;
    state.most = Math.max(state.most, state.now);
    await turn();
    state.now -= 1;
    return { [id]: true };
  };
  return { begun, state, behaviors: Object.fromEntries(ids.map((id) => [id, behavior(id)])) };
}

/** The kind of the last event of each node in the run's journal. */
function endsOf(run: ReturnType<typeof runGraph>): Record<string, string[]> {
  const last = new Map(run.journal.events.map((event) => [`${event.nodeId}/${event.iteration}`, event]));
  const ends: Record<string, string[]> = {};
  for (const { kind, nodeId } of last.values()) {
    const name = kind.replace("step_", "");
    ends[name] = [...(ends[name] ?? []), nodeId];
  }
  return ends;
}

describe("large graphs (decisions, Size limits: 200 nodes, 400 edges)", () => {
  const line = numbers(198).map((index) => `n${index}`);
  const layers = numbers(22).map((layer) => numbers(9).map((index) => `l${layer}x${index}`));
  const wide = layers.flat();
  // Two edges from each node to the next layer: 2 * 9 * 21 = 378, and 396 with the ends.
  const mesh = layers
    .slice(1)
    .flatMap((layer, at) =>
      layer.flatMap((id, index) => [`${layers[at]?.[index]}>${id}`, `${layers[at]?.[(index + 1) % 9]}>${id}`]),
    );
  const [first = [], last = []] = [layers[0], layers.at(-1)];

  it.each([
    {
      name: "a line of 200",
      ids: line,
      paths: ["in>n0", ...line.slice(1).map((id, at) => `n${at}>${id}`), "n197>out"],
    },
    {
      name: "a mesh of 200 nodes and 396 edges",
      ids: wide,
      paths: [...first.map((id) => `in>${id}`), ...mesh, ...last.map((id) => `${id}>out`)],
    },
  ])("$name: every node runs once, after all of its predecessors", async ({ ids, paths }) => {
    const { begun, behaviors } = counted(ids);
    const run = runGraph({ paths, behaviors, isBlind: true });
    expect((await run.outcome).status).toBe("succeeded");
    expect(begun.size).toBe(ids.length);
    expect([...begun.values()].every((times) => times === 1)).toBe(true);
    const names = run.journal.names();
    expect(names.filter((name) => name.endsWith(":completed"))).toHaveLength(200);
    for (const path of paths) {
      const [source, target] = path.split(">");
      expect(names.indexOf(`${source}:completed`)).toBeLessThan(names.indexOf(`${target}:started`));
    }
  });
});

describe("fan-out and join", () => {
  const branches = numbers(50).map((index) => `b${index}`);

  it("50 branches run at the same time, and the join runs once after the last one, with all their outputs", async () => {
    const { begun, state, behaviors } = counted(branches);
    const run = runGraph({
      paths: [...branches.map((id) => `in>${id}`), ...branches.map((id) => `${id}>join`), "join>out"],
      behaviors: { ...behaviors, out: () => ({}) },
    });
    expect((await run.outcome).status).toBe("succeeded");
    expect(state.most).toBe(50);
    expect([...begun.values()]).toEqual(branches.map(() => 1));
    const starts = run.journal.events.filter(({ nodeId, kind }) => nodeId === "join" && kind === "step_started");
    expect(starts).toHaveLength(1);
    expect(starts[0]?.inputData).toMatchObject(Object.fromEntries(branches.map((id) => [id, { [id]: true }])));
  });

  const conditions = (count: number) =>
    Object.fromEntries(numbers(count).map((index) => [`c${index}`, "condition" as const]));
  it.each([
    { taken: [0, 2], runs: true },
    { taken: [1], runs: true },
    { taken: [], runs: false },
  ])("if $taken of the three branches into a join are taken, the join runs: $runs", async ({ taken, runs }) => {
    const run = runGraph({
      paths: numbers(3).flatMap((index) => [`in>c${index}`, `c${index}.true>b${index}`, `b${index}>join`]),
      types: conditions(3),
      behaviors: Object.fromEntries(numbers(3).map((index) => [`c${index}`, () => taken.includes(index)])),
    });
    expect((await run.outcome).status).toBe("succeeded");
    const { completed = [], skipped = [] } = endsOf(run);
    expect(completed.includes("join")).toBe(runs);
    expect(skipped.filter((id) => id.startsWith("b"))).toHaveLength(3 - taken.length);
  });

  it("a join does not wait for a branch that was not taken, however long it is", async () => {
    const never = numbers(20).map((index) => `n${index}`);
    const chain = never.slice(1).map((id, at) => `n${at}>${id}`);
    const run = runGraph({
      paths: ["in>c", "c.true>a", "c.false>n0", ...chain, "n19>join", "a>join", "join>out"],
      types: { c: "condition" },
      behaviors: { c: () => true, out: () => ({}) },
    });
    expect((await run.outcome).status).toBe("succeeded");
    const { completed = [], skipped = [] } = endsOf(run);
    expect(skipped.sort()).toEqual([...never].sort());
    expect(completed).toEqual(expect.arrayContaining(["a", "join", "out"]));
  });
});

describe("the number and concurrency of iterations", () => {
  const graph = (count: number, concurrency: number, more: Partial<TestGraph> = {}): TestGraph => ({
    paths: ["in>each", "each>out"],
    types: { each: "loop" },
    inside: { a: "each" },
    data: { each: { items: numbers(count), concurrency } },
    ...more,
  });

  it("of 1,000 iterations with a concurrency of ten, at most ten run at the same time, and every index runs once", async () => {
    const { state, behaviors } = counted(["a"]);
    const seen: string[] = [];
    const a = async (context: { iteration: string }) => {
      seen.push(context.iteration);
      return behaviors.a?.();
    };
    const run = runGraph(graph(1_000, 10, { behaviors: { a, out: () => ({}) }, isBlind: true }));
    expect((await run.outcome).status).toBe("succeeded");
    expect(state.most).toBe(10);
    expect(seen.sort((x, y) => Number(x) - Number(y))).toEqual(numbers(1_000).map(String));
    const done = run.journal.events.find((event) => event.nodeId === "each" && event.kind === "step_completed");
    expect(done?.outputData).toMatchObject({ count: 1_000 });
  });

  it.each([
    { count: 1_000, status: "succeeded" },
    { count: 1_001, status: "failed" },
  ])("$count iterations: $status, and a refused loop starts no step", async ({ count, status }) => {
    const definition = testDefinition(
      graph(count, 10, {
        data: {
          in: { properties: [] },
          out: { properties: [] },
          a: { fields: [] },
          each: { items: numbers(count), concurrency: 10 },
        },
      }),
    );
    const run = runGraph(
      { paths: [] },
      {
        plan: compilePlan(
          definition,
          nodeHandlers(() => null),
        ),
      },
    );
    const outcome = await run.outcome;
    expect(outcome.status).toBe(status);
    const begun = run.journal.names().filter((name) => name === "a:started").length;
    expect(begun).toBe(status === "succeeded" ? count : 0);
    if (status === "failed") {
      expect(outcome).toMatchObject({ error: { code: "VALIDATION_ERROR", step_id: "each" } });
      expect(run.journal.names().at(-1)).toBe("each:failed");
    }
  });
});

describe("a loop in a test run", () => {
  const definition = testDefinition({
    paths: ["in>each", "each>out"],
    types: { each: "loop" },
    inside: { a: "each" },
    data: {
      in: { properties: [] },
      each: { items: [1, 2, 3], result: "{{a.x}}" },
      a: { fields: [{ name: "x", value: "{{each.item}}" }] },
      out: { properties: [{ name: "all", type: "array", value: "{{each.results}}" }] },
    },
  });
  const runPinned = (pins: Record<string, unknown>) =>
    runGraph(
      { paths: [] },
      {
        plan: compilePlan(
          definition,
          pinNodes(
            nodeHandlers(() => null),
            new Map(Object.entries(pins)),
          ),
        ),
      },
    );

  it("uses its pinned output without running its body", async () => {
    const run = runPinned({ each: { results: ["p", "q"], count: 2 } });
    expect(await run.outcome).toEqual({ status: "succeeded", output: { all: ["p", "q"] } });
    expect(run.journal.names()).toContain("each:completed");
    expect(run.journal.names().filter((name) => name.startsWith("a:"))).toEqual([]);
  });

  it("runs a pinned body for each item", async () => {
    const run = runPinned({ a: { x: "same" } });
    expect(await run.outcome).toEqual({ status: "succeeded", output: { all: ["same", "same", "same"] } });
    expect(run.journal.names().filter((name) => name === "a:completed")).toHaveLength(3);
  });
});

describe("a loop with several interrupted iterations", () => {
  it("resumes the unfinished iterations at its concurrency and completes once", async () => {
    const graph: TestGraph = {
      paths: ["in>each", "a>b", "each>out"],
      types: { each: "loop" },
      inside: { a: "each", b: "each" },
      data: { each: { items: numbers(30), concurrency: 10 } },
      isBlind: true,
    };
    const first = runGraph(graph);
    await first.outcome;
    // Drops every second step of the body, and the end of the loop.
    let index = 0;
    const kept = first.journal.events.filter((event) => {
      if (event.nodeId === "out" || (event.nodeId === "each" && event.kind === "step_completed")) return false;
      if (event.kind !== "step_completed" || event.iteration === "") return true;
      index += 1;
      return index % 2 === 0;
    });
    const done = new Set(
      kept.filter((event) => event.kind === "step_completed").map((event) => `${event.nodeId}/${event.iteration}`),
    );
    const second = runGraph(graph, { progress: resume(recordedFrom(kept)) });
    expect((await second.outcome).status).toBe("succeeded");
    const again = second.journal.events.filter((event) => event.kind === "step_completed");
    const keys = again.map((event) => `${event.nodeId}/${event.iteration}`);
    expect(keys.filter((key) => done.has(key))).toEqual([]);
    expect(new Set([...done, ...keys]).size).toBe(2 + 60 + 1);
    expect(keys.filter((key) => key === "each/")).toHaveLength(1);
  });
});
