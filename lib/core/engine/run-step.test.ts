import { describe, expect, it } from "vitest";
import { STEP_ERROR_CODES, STEP_ERROR_RETRY, StepError, type StepErrorCode } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import { type Behavior, runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";

const never = () => new Promise(() => {});
const failing = (code: StepErrorCode) => () => {
  throw new StepError(code, "no");
};

/** in > h > out, where h is a connector. */
function connectorGraph(h: Behavior, data: Record<string, unknown> = {}, idempotent: string[] = []): TestGraph {
  return { paths: ["in>h", "h>out"], types: { h: "connector" }, behaviors: { h }, data: { h: data }, idempotent };
}

describe("attempts and retries (decisions, Connectors)", () => {
  it.each(STEP_ERROR_CODES)("%s is retried as defined in the table", async (code) => {
    for (const idempotent of [false, true]) {
      let calls = 0;
      const count: Behavior = () => {
        calls += 1;
        return failing(code)();
      };
      await runGraph(connectorGraph(count, { maxRetries: 2 }, idempotent ? ["h"] : [])).outcome;
      const rule = STEP_ERROR_RETRY[code];
      const isRetried = rule === "always" || (rule === "idempotent" && idempotent);
      expect(calls).toBe(isRetried ? 3 : 1);
    }
  });

  it("waits a random part of 1, 2, 4 s ... and journals the start of every attempt", async () => {
    const times: number[] = [];
    const run = runGraph(
      connectorGraph(
        () => {
          times.push(run.clock.at());
          return failing("UPSTREAM_ERROR")();
        },
        { maxRetries: 5 },
      ),
    );
    expect(await run.outcome).toMatchObject({ status: "failed", error: { code: "UPSTREAM_ERROR", step_id: "h" } });
    // random() is 0.5 throughout.
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500]);
    const starts = run.journal.events.filter((event) => event.nodeId === "h" && event.kind === "step_started");
    expect(starts.map((event) => event.attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    // Each start event contains how the previous attempt ended, because there is no separate event for that.
    expect(starts.map((event) => event.error?.message)).toEqual([undefined, "no", "no", "no", "no", "no"]);
    expect(starts.map((event) => event.durationMs)).toEqual([undefined, 0, 0, 0, 0, 0]);
  });

  it("waits as long as the other side asks, if the run has the time", async () => {
    const run = runGraph(
      connectorGraph(
        () => {
          if (run.clock.at() === 0) throw new StepError("RATE_LIMITED", "later", { retryAfterMs: 120_000 });
          return {};
        },
        { maxRetries: 1 },
      ),
    );
    expect((await run.outcome).status).toBe("succeeded");
    expect(run.clock.at()).toBe(120_000);
  });

  it("fails at once if the other side asks for more time than the run has", async () => {
    const run = runGraph(
      connectorGraph(
        () => {
          throw new StepError("RATE_LIMITED", "tomorrow", { retryAfterMs: 86_400_000 });
        },
        { maxRetries: 5 },
      ),
    );
    expect(await run.outcome).toMatchObject({ error: { code: "RATE_LIMITED", retryAfterMs: 86_400_000 } });
    expect(run.clock.at()).toBe(0);
  });

  it("changes the idempotency key after an answer, but never after an unknown outcome", async () => {
    const keys: string[] = [];
    const failures = [
      new StepError("UPSTREAM_ERROR", "connection reset"),
      new AnsweredError("UPSTREAM_ERROR", "503"),
      new StepError("UPSTREAM_ERROR", "connection reset"),
      new AnsweredError("RATE_LIMITED", "429"),
    ];
    const { outcome, journal } = runGraph(
      connectorGraph(
        (context) => {
          keys.push(context.idempotencyKey.split(":").slice(1).join(":"));
          const failure = failures[keys.length - 1];
          if (failure) throw failure;
          return {};
        },
        { maxRetries: 5 },
      ),
    );
    expect((await outcome).status).toBe("succeeded");
    expect(keys).toEqual(["h:", "h:", "h::r1", "h::r1", "h::r2"]);
    const answered = journal.events.filter((event) => event.kind === "step_started" && event.nodeId === "h");
    expect(answered.map((event) => event.answeredAttempts)).toEqual([undefined, undefined, 1, 1, 2]);
  });
});

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
    const run = runGraph(connectorGraph(never, { maxRetries: 1 }, ["h"]));
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
