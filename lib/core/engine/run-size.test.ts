import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { recordedFrom, runGraph, runThroughPauses, type TestGraph } from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** in > each > out, with `body` steps inside the loop. */
function loopGraph(items: number, body: number, more: Partial<TestGraph> = {}): TestGraph {
  const inside = Object.fromEntries(numbers(body).map((index) => [`s${index}`, "each"]));
  const data = { each: { items: numbers(items), concurrency: 10, isSilent: true } };
  return { paths: ["in>each", "each>out"], types: { each: "loop" }, inside, data, isBlind: true, ...more };
}

test("a loop that would exceed the steps of a run fails before its first iteration, and the error names the limit", async () => {
  const { outcome, journal } = runGraph(loopGraph(1_000, 21));
  expect(await outcome).toMatchObject({
    status: "failed",
    error: {
      code: "VALIDATION_ERROR",
      reason: "run_too_large",
      message: "A run can have at most 20,000 steps. With this loop (1,000 items times 21 steps) it has 21,003",
      step_id: "each",
    },
  });
  expect(journal.names()).toEqual(["in:started", "in:completed", "each:failed"]);
});

test("loops inside loops count for each iteration, so together they never exceed the steps of a run", async () => {
  const graph: TestGraph = {
    paths: ["in>outer", "outer>out"],
    types: { outer: "loop", inner: "loop" },
    inside: { inner: "outer", a: "inner" },
    data: { outer: { items: numbers(100), isSilent: true }, inner: { items: numbers(1_000), isSilent: true } },
    isBlind: true,
  };
  const { outcome, journal } = runGraph(graph);
  expect(await outcome).toMatchObject({ error: { reason: "run_too_large", step_id: "inner" } });
  const steps = journal.events.filter(({ nodeId, kind }) => nodeId === "a" && kind === "step_started");
  expect(steps).toHaveLength(19_000);
});

test("a resumed run counts the steps of its journal once: one that is just small enough completes", async () => {
  const items = 1_000;
  const body = 19;
  const more = numbers(LIMITS.runSteps - 3 - items * body - 1).map((index) => `in>p${index}`);
  const graph = loopGraph(items, body);
  const whole: TestGraph = { ...graph, paths: [...graph.paths, ...more, "in>last"] };
  const first = runGraph(whole);
  expect((await first.outcome).status).toBe("succeeded");
  const half = first.journal.events.slice(0, 20_000);
  const second = runGraph(whole, { progress: resume(recordedFrom(half)) });
  expect((await second.outcome).status).toBe("succeeded");
  const larger = { ...whole, paths: [...whole.paths, "in>more"] };
  const third = runGraph(larger, { progress: resume(recordedFrom(half)) });
  expect(await third.outcome).toMatchObject({ status: "failed", error: { reason: "run_too_large" } });
});

test("a run whose journal is full fails before the next step starts, and keeps what it journaled", async () => {
  const behaviors = { a: () => ({ text: "x".repeat(400_000) }) };
  const { outcome, journal } = runGraph(
    { paths: ["in>a", "a>b", "b>out"], behaviors },
    { journalBytes: LIMITS.journalBytes - 500_000 },
  );
  expect(await outcome).toMatchObject({
    status: "failed",
    error: {
      code: "VALIDATION_ERROR",
      reason: "run_too_large",
      message: "The journal of a run can have at most 64 MiB. Pass on less data to its steps",
      step_id: "b",
    },
  });
  expect(journal.names()).toEqual(["in:started", "in:completed", "a:started", "a:completed", "b:failed"]);
});

test("a resumed run counts the same bytes as one that was never parked", async () => {
  const text = "x".repeat(100_000);
  const graph: TestGraph = {
    paths: ["in>a", "a>b", "b>d1", "d1>h", "h>d2", "d2>c", "c>d3", "d3>out"],
    types: { d1: "delay", d2: "delay", d3: "delay", h: "connector" },
    data: { d1: { seconds: 60 }, d2: { seconds: 60 }, d3: { seconds: 60 }, h: { maxRetries: 1 } },
  };
  const sizes = async (waitMs: number) => {
    let calls = 0;
    const h = () => {
      calls += 1;
      if (calls === 1) throw new StepError("UPSTREAM_ERROR", "no", { retryAfterMs: waitMs });
      return { text };
    };
    const behaviors = { a: () => ({ text }), b: () => ({ text }), h };
    const { outcome, journal, pauses } = runThroughPauses({ ...graph, behaviors });
    expect((await outcome).status).toBe("succeeded");
    const stored = journal.events.flatMap(({ inputData, outputData }) => [inputData, outputData]);
    const bytes = stored
      .filter((data) => data !== undefined)
      .reduce<number>((sum, data) => sum + JSON.stringify(data).length, 0);
    return { pauses, bytes };
  };
  const stays = await sizes(100);
  const parks = await sizes(60_000);
  expect([stays.pauses.length, parks.pauses.length]).toEqual([3, 4]);
  expect(stays.pauses.at(-1)?.journalBytes).toBe(parks.pauses.at(-1)?.journalBytes);
  expect(parks.pauses.at(-1)?.journalBytes).toBeGreaterThan(1_000_000);
});

/** Runs steps of which each returns what its number is mapped to, and returns how often the journal was written before the end. */
async function countWrites(steps: number, output: (index: number) => unknown): Promise<number> {
  const behaviors = Object.fromEntries(numbers(steps).map((index) => [`s${index}`, () => output(index)]));
  const paths = ["in>s0", ...numbers(steps - 1).map((index) => `s${index}>s${index + 1}`), `s${steps - 1}>out`];
  const { outcome, journal } = runGraph({ paths, behaviors: { ...behaviors, out: () => ({}) }, isBlind: true });
  expect((await outcome).status).toBe("succeeded");
  return journal.flushed.length;
}

test("payloads are written before a run gathers more than 4 MiB of them", async () => {
  expect(await countWrites(8, (index) => ({ text: "x".repeat(900_000 + index) }))).toBe(1);
});

test("a value that is passed on is gathered once", async () => {
  const text = "x".repeat(900_000);
  expect(await countWrites(10, (index) => ({ [`field${index}`]: text }))).toBe(0);
});
