import { describe, expect, it } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { recordedFrom, runGraph, runThroughPauses, type TestGraph } from "#lib/core/engine/engine.fixture";
import type { GateDecision, StepServices } from "#lib/core/engine/ports";
import { resume } from "#lib/core/engine/resume";

const ANN = { type: "user", id: "1", name: "Ann" } as const;
const decided = (isApproved: boolean): GateDecision => ({ isApproved, comment: "seen", decidedBy: ANN });

/**
 * Runs with approvals decided as in `decisions`, by "node" or "node/iteration". Approvals that are not listed are open.
 */
function run(
  graph: TestGraph,
  decisions: Record<string, GateDecision> = {},
  request: Parameters<typeof runGraph>[1] = {},
) {
  const opened: string[] = [];
  const services: Partial<StepServices> = {
    gates: {
      open: async ({ nodeId, iteration }) => {
        const key = iteration === "" ? nodeId : `${nodeId}/${iteration}`;
        opened.push(key);
        return decisions[key] ?? null;
      },
    },
    now: () => new Date(0),
  };
  const started = runGraph({ isBlind: true, ...graph }, request, { services: services as StepServices });
  const completed = () =>
    started.journal.events
      .filter((event) => event.kind === "step_completed")
      .map((event) => (event.iteration === "" ? event.nodeId : `${event.nodeId}/${event.iteration}`));
  return { ...started, opened, completed };
}

/** The journal, as the next worker reads it. */
const progressOf = (earlier: { journal: ReturnType<typeof runGraph>["journal"] }, ageMs = 0) =>
  resume(recordedFrom(earlier.journal.events, ageMs));

const gated: TestGraph = {
  paths: ["in>g", "g.approved>yes", "g.rejected>no", "g>always", "yes>out", "no>out"],
  types: { g: "approval" },
};

describe("an approval step (decisions, Approvals)", () => {
  it("parks the run, and its start and waiting are in the journal", async () => {
    const { outcome, journal } = run(gated);
    expect(await outcome).toEqual({
      status: "parked",
      waits: [{ kind: "approval", nodeId: "g", iteration: "" }],
      journalBytes: expect.any(Number),
    });
    expect(journal.names()).toEqual(["in:started", "in:completed", "g:started", "g:pending_approval"]);
  });

  it("continues along approved and the edge without a handle if it is approved", async () => {
    const first = run(gated);
    await first.outcome;
    const second = run(gated, { g: decided(true) }, { progress: progressOf(first) });
    expect((await second.outcome).status).toBe("succeeded");
    expect(second.completed().sort()).toEqual(["always", "g", "out", "yes"]);
    expect(second.journal.events[0]).toMatchObject({
      kind: "step_completed",
      attempt: 1,
      outputData: { approved: true, comment: "seen", decided_by: ANN },
    });
  });

  it("continues only along rejected if it is rejected", async () => {
    const { outcome, completed } = run(gated, { g: decided(false) });
    expect((await outcome).status).toBe("succeeded");
    expect(completed().sort()).toEqual(["g", "in", "no", "out"]);
  });

  it("writes neither its start nor its waiting a second time after a crash", async () => {
    const first = run(gated);
    await first.outcome;
    const second = run(gated, {}, { progress: progressOf(first) });
    expect((await second.outcome).status).toBe("parked");
    expect(second.journal.events).toEqual([]);
    const unwritten = resume(recordedFrom(first.journal.events.slice(0, 3)));
    const third = run(gated, {}, { progress: unwritten });
    await third.outcome;
    expect(third.journal.names()).toEqual(["g:pending_approval"]);
  });

  it("lets a parallel branch run to its end before the run waits", async () => {
    const graph: TestGraph = {
      paths: ["in>g", "in>a", "a>b", "b>h", "h>c", "g>join", "c>join", "join>out"],
      types: { g: "approval", h: "connector" },
      behaviors: { h: () => new Promise((resolve) => setImmediate(() => resolve({}))) },
    };
    const first = run(graph);
    expect((await first.outcome).status).toBe("parked");
    expect(first.completed()).toEqual(["in", "a", "b", "h", "c"]);
    const second = run(graph, { g: decided(true) }, { progress: progressOf(first) });
    expect((await second.outcome).status).toBe("succeeded");
    expect(second.completed()).toEqual(["g", "join", "out"]);
  });

  it("does not inherit the decision of another approval", async () => {
    const graph: TestGraph = { paths: ["in>g", "g>g2", "g2>out"], types: { g: "approval", g2: "approval" } };
    const { outcome, opened } = run(graph, { g: decided(true) });
    expect(await outcome).toMatchObject({ status: "parked", waits: [{ nodeId: "g2" }] });
    expect(opened).toEqual(["g", "g2"]);
  });

  it("neither parks the run nor opens a request if its path is not taken", async () => {
    const graph: TestGraph = {
      paths: ["in>c", "c.true>g", "c.false>a", "g>out", "a>out"],
      types: { c: "condition", g: "approval" },
      behaviors: { c: () => false },
    };
    const { outcome, opened } = run(graph);
    expect((await outcome).status).toBe("succeeded");
    expect(opened).toEqual([]);
  });

  it("opens one request per iteration in a loop, as many at a time as the loop's concurrency", async () => {
    const graph: TestGraph = {
      paths: ["in>each", "g>a", "each>out"],
      types: { each: "loop", g: "approval" },
      inside: { g: "each", a: "each" },
      data: { each: { items: ["x", "y", "z"], concurrency: 2 } },
    };
    const first = run(graph);
    expect(await first.outcome).toMatchObject({ status: "parked", waits: [{ iteration: "0" }, { iteration: "1" }] });
    const second = run(graph, { "g/1": decided(true) }, { progress: progressOf(first) });
    expect(await second.outcome).toMatchObject({ status: "parked", waits: [{ iteration: "0" }, { iteration: "2" }] });
    expect(second.completed()).toEqual(["g/1", "a/1"]);
    const all = resume(recordedFrom([...first.journal.events, ...second.journal.events]));
    const third = run(graph, { "g/0": decided(true), "g/2": decided(true) }, { progress: all });
    expect((await third.outcome).status).toBe("succeeded");
    expect(third.completed()).toEqual(["g/0", "a/0", "g/2", "a/2", "each", "out"]);
  });

  it("is abandoned when another branch fails", async () => {
    const { outcome } = run({
      paths: ["in>g", "in>h", "g>out"],
      types: { g: "approval", h: "connector" },
      behaviors: {
        h: () => new Promise((_, reject) => setImmediate(() => reject(new StepError("UNKNOWN", "no")))),
      },
    });
    expect(await outcome).toMatchObject({ status: "failed", error: { step_id: "h" } });
  });
});

describe("a delay", () => {
  const delayed = (seconds: unknown): TestGraph => ({
    paths: ["in>d", "d>out"],
    types: { d: "delay" },
    data: { d: { seconds } },
  });

  it("waits on this worker if it is short", async () => {
    const { outcome, clock, journal } = run(delayed(0.1));
    expect((await outcome).status).toBe("succeeded");
    expect(clock.at()).toBe(100);
    expect(journal.events.find((event) => event.nodeId === "d" && event.kind === "step_completed")).toMatchObject({
      outputData: { until: "1970-01-01T00:00:00.000Z" },
      durationMs: 100,
    });
  });

  it.each([0.2, 1, 60])("of %d s parks the run", async (seconds) => {
    const { outcome, clock } = run(delayed(String(seconds)));
    expect(await outcome).toEqual({
      status: "parked",
      waits: [{ kind: "time", ms: seconds * 1_000 }],
      journalBytes: expect.any(Number),
    });
    expect(clock.at()).toBe(0);
  });

  it("resumes with only the rest of the wait, and with none if the time is over", async () => {
    const first = run(delayed(60));
    await first.outcome;
    const second = run(delayed(60), {}, { progress: progressOf(first, 40_000) });
    expect(await second.outcome).toEqual({
      status: "parked",
      waits: [{ kind: "time", ms: 20_000 }],
      journalBytes: expect.any(Number),
    });
    const third = run(delayed(60), {}, { progress: progressOf(first, 59_950) });
    expect((await third.outcome).status).toBe("succeeded");
    expect(third.clock.at()).toBe(50);
    expect(third.journal.events[0]).toMatchObject({ kind: "step_completed", attempt: 1, durationMs: 60_000 });
    const late = run(delayed(60), {}, { progress: progressOf(first, 100_000) });
    expect((await late.outcome).status).toBe("succeeded");
    expect(late.clock.at()).toBe(0);
  });

  const until = (data: object): TestGraph => ({ ...delayed(null), data: { d: data as Record<string, unknown> } });

  it("until a time parks the run for the rest of the time, and continues at once after it", async () => {
    const first = run(until({ until: "1970-01-31T01:00", timezone: "Europe/Paris" }));
    expect(await first.outcome).toMatchObject({ status: "parked", waits: [{ kind: "time", ms: 30 * 86_400_000 }] });
    expect(first.journal.events.at(-1)).toMatchObject({ inputData: { until: "1970-01-31T00:00:00.000Z" } });
    const past = run(until({ until: "1969-12-31T23:00:00Z" }));
    expect((await past.outcome).status).toBe("succeeded");
    expect(past.clock.at()).toBe(0);
    expect(past.journal.events.find((event) => event.nodeId === "d" && event.kind === "step_completed")).toMatchObject({
      outputData: { until: "1969-12-31T23:00:00.000Z" },
    });
  });

  it("until a time more than 30 days ahead fails before the run is parked", async () => {
    const { outcome } = run(until({ until: "1970-01-31T00:00:00.001Z" }));
    const message = "until must be at most 30 days ahead, not 1970-01-31T00:00:00.001Z";
    expect(await outcome).toMatchObject({ status: "failed", error: { code: "VALIDATION_ERROR", message } });
  });

  it("until a text that is no time fails", async () => {
    const { outcome } = run(until({ until: "{{in.nothing}}" }));
    expect(await outcome).toMatchObject({ status: "failed", error: { code: "VALIDATION_ERROR", step_id: "d" } });
  });

  it("waits on this worker, however long, while other work lasts", async () => {
    const after = Promise.withResolvers<object>();
    const { outcome, completed, clock } = run({
      paths: ["in>d", "d>a", "in>work", "work>out", "a>out"],
      types: { d: "delay" },
      data: { d: { seconds: 10 } },
      behaviors: {
        work: () => after.promise,
        a: () => {
          after.resolve({});
          return {};
        },
      },
    });
    expect((await outcome).status).toBe("succeeded");
    expect(completed()).toContain("a");
    expect(clock.at()).toBe(10_000);
  });

  it("parks for both if an approval is open as well", async () => {
    const { outcome } = run({
      paths: ["in>d", "in>g", "d>out", "g>out"],
      types: { d: "delay", g: "approval" },
      data: { d: { seconds: 60 } },
    });
    expect(await outcome).toMatchObject({ status: "parked", waits: [{ kind: "time" }, { kind: "approval" }] });
  });

  it("that parks the run does not count toward its time limit, up to the longest one", async () => {
    const { outcome, clock } = runThroughPauses(
      { ...delayed(LIMITS.delaySeconds), isBlind: true },
      { remainingMs: 80 },
    );
    expect((await outcome).status).toBe("succeeded");
    expect(clock.at()).toBe(2_592_000_000);
  });

  it("that keeps the run on this worker counts: the run times out", async () => {
    const { outcome, journal } = run(delayed(0.1), {}, { remainingMs: 80 });
    expect(await outcome).toMatchObject({ status: "timed_out", error: { code: "TIMEOUT" } });
    expect(journal.names()).not.toContain("d:completed");
  });

  it("next to longer work is parked with its whole rest when that work ends", async () => {
    const after = Promise.withResolvers<object>();
    const first = run({
      ...delayed(1_000),
      paths: ["in>d", "d>out", "in>work", "work>out"],
      behaviors: { work: () => after.promise },
    });
    setImmediate(() => after.resolve({}));
    expect(await first.outcome).toEqual({
      status: "parked",
      waits: [{ kind: "time", ms: 1_000_000 }],
      journalBytes: expect.any(Number),
    });
  });

  it("is left to the next worker if this one stops", async () => {
    const stopping = new AbortController();
    const { outcome, journal } = run(delayed(0.1), {}, { stopping: stopping.signal, remainingMs: 300_000 });
    stopping.abort();
    expect(await outcome).toEqual({ status: "interrupted", journalBytes: expect.any(Number) });
    expect(journal.names()).not.toContain("d:completed");
  });

  it.each([-1, 2_592_001, "soon", null, [1], ""])("of %j seconds is refused", async (seconds) => {
    const graph = { ...delayed("{{in.seconds}}"), behaviors: { in: () => ({ seconds }) } };
    expect(await run(graph).outcome).toMatchObject({ status: "failed", error: { code: "VALIDATION_ERROR" } });
  });
});
