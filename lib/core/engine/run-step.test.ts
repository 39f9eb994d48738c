import { describe, expect, it } from "vitest";
import { StepError, type StepErrorCode } from "#lib/contract/run/step-error";
import { type Behavior, runGraph, runThroughPauses, type TestGraph } from "#lib/core/engine/engine.fixture";

const never = () => new Promise(() => {});
const failing = (code: StepErrorCode) => () => {
  throw new StepError(code, "no");
};

/** in > h > out, where h is a connector. */
function connectorGraph(h: Behavior, data: Record<string, unknown> = {}, idempotent: string[] = []): TestGraph {
  return { paths: ["in>h", "h>out"], types: { h: "connector" }, behaviors: { h }, data: { h: data }, idempotent };
}

describe("failures (contract, Journal)", () => {
  it("an error without a code becomes UNKNOWN, and the run's error has the name and label of the step", async () => {
    const { outcome, journal } = runGraph(
      connectorGraph(
        () => {
          throw new TypeError("x is not a function");
        },
        { name: "Send it" },
      ),
    );
    const error = { code: "UNKNOWN", reason: "unknown", message: "x is not a function" };
    expect(await outcome).toEqual({ status: "failed", error: { ...error, step_id: "h", step_name: "Send it" } });
    expect(journal.events.at(-1)).toMatchObject({ kind: "step_failed", error });
  });

  it("with continueOnFailure the run continues with null and takes the edges without a handle", async () => {
    const { outcome, journal } = runGraph(connectorGraph(failing("AUTH_EXPIRED"), { continueOnFailure: true }));
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual([
      "in:started",
      "in:completed",
      "h:started",
      "h:failed_continued",
      "out:started",
      "out:completed",
    ]);
  });

  it("a condition that failed and continued takes no edge with a handle", async () => {
    const { outcome, journal } = runGraph({
      paths: ["in>c", "c.true>a", "c.false>b", "c>out"],
      types: { c: "condition" },
      data: { c: { continueOnFailure: true } },
      behaviors: { c: failing("VALIDATION_ERROR") },
    });
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(expect.arrayContaining(["a:skipped", "b:skipped", "out:completed"]));
  });

  it("after a failure nothing new starts, and steps in flight finish and are journaled", async () => {
    const gate = Promise.withResolvers<object>();
    const { outcome, journal } = runGraph({
      paths: ["in>a", "in>b", "b>b2", "a>a2"],
      types: { a: "connector", b: "connector" },
      behaviors: {
        a: () => {
          setImmediate(() => gate.resolve({}));
          return failing("UNKNOWN")();
        },
        b: () => gate.promise,
      },
    });
    expect(await outcome).toMatchObject({ status: "failed", error: { step_id: "a" } });
    expect(journal.names().slice(-2)).toEqual(["a:failed", "b:completed"]);
  });
});

describe("time limits (contract, Limits)", () => {
  it("an attempt ends after 30 s, its handler is aborted, and the run is timed_out", async () => {
    let aborted: unknown;
    const run = runGraph(
      connectorGraph((context) => {
        context.signal.addEventListener("abort", () => {
          aborted = context.signal.reason;
        });
        return never();
      }),
    );
    expect(await run.outcome).toMatchObject({
      status: "timed_out",
      error: { code: "TIMEOUT", reason: "step_time_limit", message: "The step exceeded 30 s", step_id: "h" },
    });
    expect(run.clock.at()).toBe(30_000);
    expect(aborted).toBeInstanceOf(StepError);
    expect(run.journal.events.at(-1)).toMatchObject({ kind: "step_timed_out", durationMs: 30_000 });
  });

  it("with continueOnFailure a timeout is journaled as both, and the run continues", async () => {
    const { outcome, journal } = runGraph(connectorGraph(never, { continueOnFailure: true }));
    expect((await outcome).status).toBe("succeeded");
    expect(journal.names()).toEqual(expect.arrayContaining(["h:timed_out", "h:failed_continued", "out:completed"]));
  });

  it("the limit of 30 s applies to each attempt", async () => {
    const run = runThroughPauses(connectorGraph(never, { maxRetries: 1 }, ["h"]));
    expect((await run.outcome).status).toBe("timed_out");
    expect(run.clock.at()).toBe(60_500);
  });

  it("the run's own time limit ends it regardless of the step, even with continueOnFailure", async () => {
    const run = runGraph(connectorGraph(never, { continueOnFailure: true }), { remainingMs: 12_000 });
    expect(await run.outcome).toMatchObject({
      status: "timed_out",
      error: { code: "TIMEOUT", reason: "run_time_limit", message: "The run exceeded 300 s of running time" },
    });
    expect(run.clock.at()).toBe(12_000);
  });

  /** Runs a step that gets its turn after a while and then never ends. */
  const runAfterTurn = (waitMs: number) => {
    const run = runGraph({
      paths: ["in>c", "c>out"],
      waitsForTurn: ["c"],
      behaviors: {
        c: async ({ signal, startTimeLimit }) => {
          await run.clock.sleep(waitMs, signal);
          startTimeLimit();
          await never();
        },
      },
    });
    return run;
  };

  it("waiting for its turn does not count against a step's 30 s", async () => {
    const run = runAfterTurn(100_000);
    expect(await run.outcome).toMatchObject({ error: { reason: "step_time_limit", step_id: "c" } });
    expect(run.clock.at()).toBe(130_000);
  });

  it.each([290_000, 400_000])("waiting %d ms for a turn counts against the run's 300 s", async (waitMs) => {
    const run = runAfterTurn(waitMs);
    expect(await run.outcome).toMatchObject({ status: "timed_out", error: { reason: "run_time_limit" } });
    expect(run.clock.at()).toBe(300_000);
  });

  it("a run without time left starts nothing", async () => {
    const { outcome, journal } = runGraph({ paths: ["in>out"] }, { remainingMs: 0 });
    expect((await outcome).status).toBe("timed_out");
    expect(journal.events).toEqual([]);
  });
});

describe("sizes (decisions, Size limits)", () => {
  const megabyte = "x".repeat(1_048_576);

  it("an output over 1 MiB fails its step", async () => {
    const { outcome } = runGraph({ paths: ["in>a"], behaviors: { a: () => ({ text: megabyte }) } });
    expect(await outcome).toMatchObject({ error: { code: "VALIDATION_ERROR", step_id: "a" } });
  });

  it("outputs of more than 10 MiB together fail the step that exceeds the limit", async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `n${index}`);
    const paths = ["in>n0", ...ids.slice(1).map((id, index) => `n${index}>${id}`)];
    const behaviors = Object.fromEntries(ids.map((id) => [id, () => megabyte.slice(0, -10)]));
    const { outcome } = runGraph({ paths, behaviors, isBlind: true });
    expect(await outcome).toMatchObject({ error: { code: "VALIDATION_ERROR", step_id: "n10" } });
  });

  it("a circular or endlessly nested output fails its step and nothing else", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { outcome } = runGraph({ paths: ["in>a"], behaviors: { a: () => circle } });
    expect(await outcome).toMatchObject({ error: { code: "VALIDATION_ERROR", step_id: "a" } });
  });
});
