import { describe, expect, it } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { STEP_ERROR_CODES, STEP_ERROR_RETRY, StepError, type StepErrorCode } from "#lib/contract/run/step-error";
import { AnsweredError, CorrectableError } from "#lib/core/engine/answered-error";
import {
  type Behavior,
  recorded,
  recordedFrom,
  runGraph,
  runThroughPauses,
  type TestGraph,
} from "#lib/core/engine/engine.fixture";
import { resume } from "#lib/core/engine/resume";

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
      await runThroughPauses(connectorGraph(count, { maxRetries: 2 }, idempotent ? ["h"] : [])).outcome;
      const rule = STEP_ERROR_RETRY[code];
      const isRetried = rule === "always" || (rule === "idempotent" && idempotent);
      expect(calls).toBe(isRetried ? 3 : 1);
    }
  });

  it.each([
    ["AUTH_EXPIRED", 1],
    ["RATE_LIMITED", 3],
    ["UPSTREAM_ERROR", 3],
  ] as const)("%s is attempted %i times with maxRetries 2, and once without it", async (code, attempts) => {
    const callsWith = async (maxRetries: number) => {
      let calls = 0;
      const count: Behavior = () => {
        calls += 1;
        return failing(code)();
      };
      const { outcome } = runThroughPauses(connectorGraph(count, { maxRetries }));
      expect(await outcome).toMatchObject({ status: "failed", error: { code } });
      return calls;
    };
    expect([await callsWith(2), await callsWith(0)]).toEqual([attempts, 1]);
  });

  it.each([
    ["service_unreachable", 3, 3],
    ["connection_broken", 1, 3],
    ["answer_unreadable", 1, 3],
    ["host_not_found", 1, 1],
    ["tls_failed", 1, 1],
  ] as const)("%s is retried as its reason says, not as its code", async (reason, once, repeatable) => {
    for (const [idempotent, expected] of [
      [[], once],
      [["h"], repeatable],
    ] as const) {
      let calls = 0;
      const count: Behavior = () => {
        calls += 1;
        throw new StepError(reason, "no");
      };
      await runThroughPauses(connectorGraph(count, { maxRetries: 2 }, [...idempotent])).outcome;
      expect(calls).toBe(expected);
    }
  });

  it("waits a random part of 1, 2, 4 s ... and journals the start of every attempt", async () => {
    const times: number[] = [];
    const run = runThroughPauses(
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

  it.each([
    [{ retryBackoff: "fixed", retryWaitSeconds: 20 }, [0, 20_000, 40_000, 60_000, 80_000, 100_000]],
    // random() is 0.5 throughout; no pause is longer than 60 s.
    [{ retryBackoff: "exponential", retryWaitSeconds: 10 }, [0, 5_000, 15_000, 35_000, 65_000, 95_000]],
  ])("waits as the step says: %j", async (settings, expected) => {
    const times: number[] = [];
    const run = runThroughPauses(
      connectorGraph(
        () => {
          times.push(run.clock.at());
          return failing("UPSTREAM_ERROR")();
        },
        { maxRetries: 5, ...settings },
      ),
    );
    await run.outcome;
    expect(times).toEqual(expected);
  });

  it("gives a failure that can be corrected one more attempt at once, which gets what to correct", async () => {
    const seen: unknown[] = [];
    const correctable: Behavior = ({ correction, idempotencyKey }) => {
      seen.push([correction, idempotencyKey.split(":").slice(3)]);
      throw new CorrectableError(new StepError("answer_mismatch", "no object"), { text: "hm" });
    };
    const run = runThroughPauses(connectorGraph(correctable));
    expect(await run.outcome).toMatchObject({ status: "failed", error: { reason: "answer_mismatch", step_id: "h" } });
    expect(seen).toEqual([
      [null, []],
      [{ text: "hm" }, ["r1"]],
    ]);
    expect(run.clock.at()).toBe(0);
    const starts = run.journal.events.filter((event) => event.nodeId === "h" && event.kind === "step_started");
    expect(starts.map((event) => [event.attempt, event.error?.message])).toEqual([
      [1, undefined],
      [2, "no object"],
    ]);
  });

  it("waits as long as the other side asks, if the run has the time", async () => {
    const run = runThroughPauses(
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

  it("waits its own pause if the other side asks for no wait, so that not all attempts come at once", async () => {
    const times: number[] = [];
    const run = runThroughPauses(
      connectorGraph(
        () => {
          times.push(run.clock.at());
          throw new StepError("UPSTREAM_ERROR", "down", { retryAfterMs: 0 });
        },
        { maxRetries: 3 },
      ),
    );
    expect((await run.outcome).status).toBe("failed");
    expect(times).toEqual([0, 500, 1_500, 3_500]);
  });

  it.each([
    [1e18, LIMITS.retryAfterMs],
    [Number.POSITIVE_INFINITY, LIMITS.retryAfterMs],
    [-5, 0],
    [1_500, 1_500],
  ])("an error that asks for a wait of %d ms has one of %d ms", async (asked, retryAfterMs) => {
    expect(new StepError("RATE_LIMITED", "later", { retryAfterMs: asked }).toPayload()).toMatchObject({ retryAfterMs });
  });

  it("fails at once if the other side asks for more time than the run has", async () => {
    const run = runThroughPauses(
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
    const { outcome, journal } = runThroughPauses(
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

  it("a pause of more than 100 ms parks the run, and the next worker repeats nothing", async () => {
    const calls: number[] = [];
    const run = runThroughPauses(
      connectorGraph(
        () => {
          calls.push(run.clock.at());
          if (calls.length === 1) throw new StepError("UPSTREAM_ERROR", "a moment", { retryAfterMs: 100 });
          if (calls.length === 2) throw new StepError("UPSTREAM_ERROR", "two moments", { retryAfterMs: 101 });
          return {};
        },
        { maxRetries: 2 },
      ),
    );
    expect((await run.outcome).status).toBe("succeeded");
    expect(run.pauses).toMatchObject([{ atMs: 100, ms: 101 }]);
    expect(calls).toEqual([0, 100, 201]);
    expect(run.journal.names()).toEqual([
      "in:started",
      "in:completed",
      ...["h:started", "h:started", "h:started", "h:completed"],
      ...["out:started", "out:completed"],
    ]);
  });

  it("the time in which a run is parked for a retry does not count toward its limit", async () => {
    let calls = 0;
    const run = runThroughPauses(
      connectorGraph(
        () => {
          calls += 1;
          if (calls <= 5) throw new StepError("RATE_LIMITED", "later", { retryAfterMs: 200_000 });
          return {};
        },
        { maxRetries: 5 },
      ),
    );
    expect((await run.outcome).status).toBe("succeeded");
    expect(run.clock.at()).toBe(1_000_000);
  });

  it("a worker that continues the run for another reason waits for the rest of the pause", async () => {
    const graph = connectorGraph(failing("UPSTREAM_ERROR"), { maxRetries: 1 });
    const first = runGraph(graph);
    const parked = await first.outcome;
    const [wait] = parked.status === "parked" ? parked.waits : [];
    if (wait?.kind !== "time" || !wait.retry) throw new Error("not parked for a retry");
    expect(wait).toMatchObject({ ms: 500, retry: { nodeId: "h", attempt: 1, retriesUsed: 1 } });
    const progress = resume(recordedFrom(first.journal.events));
    const second = runGraph(graph, { progress, retries: [{ ...wait.retry, waitMs: 200 }] });
    expect(await second.outcome).toEqual({
      status: "parked",
      waits: [{ ...wait, ms: 200 }],
      journalBytes: expect.any(Number),
    });
    expect(second.journal.events).toEqual([]);
    const third = runGraph(graph, { progress, retries: [{ ...wait.retry, waitMs: 0 }] });
    expect((await third.outcome).status).toBe("failed");
    expect(third.journal.names()).toEqual(["h:started", "h:failed"]);
    expect(third.journal.events[0]).toMatchObject({ attempt: 2, error: { message: "no" }, durationMs: 0 });
  });

  it("a retry that has started is not waited for again after a crash", async () => {
    const graph = connectorGraph(() => ({}), { maxRetries: 1 });
    const started = { attempt: 2, inputData: {} };
    const progress = resume([recorded("in", "step_completed"), recorded("h", "step_started", started)]);
    const error = { code: "UPSTREAM_ERROR", message: "no" } as const;
    const ids = { nodeId: "h", iteration: "", attempt: 1 };
    const retry = { ...ids, retriesUsed: 1, answeredAttempts: 0, error, durationMs: 0, waitMs: 60_000 };
    const { outcome, journal } = runGraph(graph, { progress, retries: [retry] });
    expect((await outcome).status).toBe("succeeded");
    expect(journal.events[0]).toMatchObject({ kind: "step_started", attempt: 3 });
  });

  it("a failure elsewhere ends a pause, and the step fails with its own error", async () => {
    const other = Promise.withResolvers<never>();
    const { outcome, journal } = runGraph({
      paths: ["in>h", "in>b", "h>out"],
      types: { h: "connector", b: "connector" },
      data: { h: { maxRetries: 1 } },
      behaviors: {
        h: () => {
          setImmediate(() => other.reject(new StepError("UNKNOWN", "other")));
          return failing("UPSTREAM_ERROR")();
        },
        b: () => other.promise,
      },
    });
    expect(await outcome).toMatchObject({ status: "failed", error: { step_id: "b" } });
    expect(journal.names().slice(-2)).toEqual(["b:failed", "h:failed"]);
  });

  it("a failure elsewhere ends the pause of a parked run, and the step fails with the attempt that failed", async () => {
    const run = runThroughPauses({
      paths: ["in>h", "in>b", "h>out"],
      types: { h: "connector", b: "connector" },
      data: { h: { maxRetries: 1 }, b: { maxRetries: 1 } },
      behaviors: {
        h: () => {
          throw new StepError("UPSTREAM_ERROR", "own", { retryAfterMs: 60_000 });
        },
        b: () => {
          throw new StepError("UPSTREAM_ERROR", "other", { retryAfterMs: 1_000 });
        },
      },
    });
    expect(await run.outcome).toMatchObject({ status: "failed", error: { step_id: "b" } });
    expect(run.pauses).toMatchObject([{ ms: 1_000 }]);
    expect(run.journal.events.slice(-2)).toMatchObject([
      { nodeId: "b", kind: "step_failed", attempt: 2 },
      { nodeId: "h", kind: "step_failed", attempt: 1, error: { message: "own" } },
    ]);
  });
});
