import { describe, expect, test } from "vitest";
import type { EventKind } from "#lib/contract/run/journal";
import type { Definition } from "#lib/contract/workflow/graph";
import { type ClosedGate, deriveSteps } from "#lib/domain/journal/derive-steps";
import type { StoredJournalEvent } from "#lib/domain/journal/read-events";

const node = (id: string, type: string, data: Record<string, unknown> = {}, parentId?: string) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data,
  ...(parentId === undefined ? {} : { parentId }),
});

// A node type that exists only here: the timeline must not depend on which types a build knows.
const definition = {
  nodes: [
    node("action_input", "action_input"),
    node("fetch", "connector", { name: "Fetch orders", connector: "http", operation: "request" }),
    node("each", "loop", { name: "Each order" }),
    node("mail", "transform", {}, "each"),
  ],
  edges: [],
} as unknown as Definition;

const START = Date.parse("2026-01-01T00:00:00.000Z");
let clock = START;

function event(kind: EventKind, nodeId: string, more: Partial<StoredJournalEvent> = {}): StoredJournalEvent {
  clock += 10;
  return {
    kind,
    nodeId,
    iteration: "",
    attempt: 1,
    at: new Date(clock),
    reused: false,
    seq: clock,
    isLeftOut: false,
    ...more,
  };
}

const derive = (...events: StoredJournalEvent[]) => deriveSteps(definition, events);

describe("one item per node and iteration", () => {
  test("in the order of their first event, with names and types from the definition", () => {
    const steps = derive(
      event("step_started", "fetch", { inputData: { url: "x" } }),
      event("step_started", "action_input", { inputData: {} }),
      event("step_completed", "action_input", { outputData: { a: 1 }, durationMs: 3 }),
      event("step_completed", "fetch", { outputData: { status: 200 }, durationMs: 7 }),
    );
    expect(steps.map((step) => [step.step_id, step.name, step.type])).toEqual([
      ["fetch", "Fetch orders", "connector"],
      ["action_input", "action_input", "action_input"],
    ]);
    expect(steps[0]).toMatchObject({
      connector: "http",
      operation: "request",
      status: "completed",
      duration_ms: 7,
      input: { url: "x" },
      output: { status: 200 },
      error: null,
      iteration: null,
      reused: false,
      truncated: false,
    });
    expect(steps[1]).not.toHaveProperty("connector");
  });

  test("iterations name their loop, their index and, once it is known, the number of iterations", () => {
    const steps = derive(
      event("step_started", "each", { inputData: { items: ["a", "b"] } }),
      event("step_started", "mail", { iteration: "0" }),
      event("step_completed", "mail", { iteration: "0" }),
      event("step_started", "mail", { iteration: "1" }),
    );
    expect(steps.map((step) => step.iteration)).toEqual([
      null,
      { loop_id: "each", index: 0, count: 2, path: "0" },
      { loop_id: "each", index: 1, count: 2, path: "1" },
    ]);
    expect(steps.map((step) => step.status)).toEqual(["started", "completed", "started"]);
  });

  test("a node that the definition does not know is still shown", () => {
    expect(derive(event("step_started", "gone"))).toMatchObject([{ step_id: "gone", name: "gone", type: "unknown" }]);
  });
});

describe("the status follows the last event", () => {
  const error = { code: "UPSTREAM_ERROR", message: "502" } as const;

  test("a started step has no end yet", () => {
    expect(derive(event("step_started", "fetch"))[0]).toMatchObject({
      status: "started",
      started_at: expect.any(String),
      completed_at: null,
      duration_ms: null,
    });
  });

  test("a failed step has its error and no output", () => {
    const [step] = derive(event("step_started", "fetch"), event("step_failed", "fetch", { error, durationMs: 4 }));
    expect(step).toMatchObject({ status: "failed", error, output: null, duration_ms: 4 });
  });

  test("a retry that succeeds ends completed, with its attempt and the first start", () => {
    const first = event("step_started", "fetch");
    const [step] = derive(
      first,
      event("step_started", "fetch", { attempt: 2 }),
      event("step_completed", "fetch", { attempt: 2, outputData: 1, durationMs: 5 }),
    );
    expect(step).toMatchObject({ status: "completed", attempt: 2, started_at: first.at.toISOString(), error: null });
  });

  test("a step that timed out and continued is failed_continued and keeps the error", () => {
    const timeout = { code: "TIMEOUT", message: "30 s" } as const;
    const [step] = derive(
      event("step_started", "fetch"),
      event("step_timed_out", "fetch", { error: timeout }),
      event("step_failed_continued", "fetch"),
    );
    expect(step).toMatchObject({ status: "failed_continued", error: timeout });
  });

  test("a skipped step never started", () => {
    expect(derive(event("step_skipped", "fetch"))[0]).toMatchObject({
      status: "skipped",
      started_at: null,
      completed_at: expect.any(String),
      duration_ms: null,
    });
  });

  test("a gate that was passed is completed", () => {
    const waiting = [event("step_started", "fetch"), event("step_pending_approval", "fetch")];
    expect(derive(...waiting)[0]).toMatchObject({ status: "pending_approval", completed_at: null });
    expect(derive(...waiting, event("step_completed", "fetch"))[0]).toMatchObject({ status: "completed" });
  });

  describe("of a gate at which the run ended", () => {
    const waiting = () => [event("step_started", "fetch"), event("step_pending_approval", "fetch")];
    const by = { type: "user", id: null, name: "Ann" } as const;
    const closed = (status: ClosedGate["status"], iteration = ""): ClosedGate => ({
      nodeId: "fetch",
      iteration,
      status,
      comment: "no",
      decidedBy: by,
      at: new Date(clock + 500),
    });

    test.each([
      ["rejected", { status: "completed", output: { approved: false, comment: "no", decided_by: by }, error: null }],
      ["approved", { status: "completed", output: { approved: true, comment: "no", decided_by: by }, error: null }],
      ["expired", { status: "timed_out", output: null, error: { code: "TIMEOUT" } }],
    ] as const)("follows the decision: %s", (status, expected) => {
      const events = waiting();
      const gate = closed(status);
      const [step] = deriveSteps(definition, events, "full", { gates: [gate] });
      expect(step).toMatchObject({ ...expected, completed_at: gate.at.toISOString(), duration_ms: 510 });
    });

    test("ends with the run if the request was withdrawn", () => {
      const end = { isCancelled: true, at: new Date(clock + 700) };
      const [step] = deriveSteps(definition, waiting(), "full", { gates: [closed("cancelled")], end });
      expect(step).toMatchObject({
        status: "cancelled",
        output: null,
        error: null,
        completed_at: end.at.toISOString(),
      });
    });

    test("applies to its own iteration only", () => {
      const [step] = deriveSteps(definition, waiting(), "full", { gates: [closed("rejected", "0")] });
      expect(step).toMatchObject({ status: "pending_approval", completed_at: null });
    });

    test("is ignored once the journal itself has the end", () => {
      const events = [...waiting(), event("step_completed", "fetch", { outputData: { approved: true } })];
      const [step] = deriveSteps(definition, events, "full", { gates: [closed("rejected")] });
      expect(step).toMatchObject({ status: "completed", output: { approved: true } });
    });
  });

  describe("that had not ended when its run did", () => {
    test.each([
      [true, "cancelled"],
      [false, "stopped"],
    ] as const)("ends with the run, without an error: cancelled %s", (isCancelled, status) => {
      const events = [event("step_started", "fetch", { inputData: { n: 1 } }), event("step_completed", "loop")];
      const end = { isCancelled, at: new Date(clock + 1_000) };
      const [step, other] = deriveSteps(definition, events, "full", { end });
      expect(step).toMatchObject({ status, input: { n: 1 }, output: null, error: null, duration_ms: 1_010 });
      expect(step?.completed_at).toBe(end.at.toISOString());
      expect(other).toMatchObject({ status: "completed" });
    });

    test("never ends before it started", () => {
      const events = [event("step_started", "fetch")];
      const [step] = deriveSteps(definition, events, "full", { end: { isCancelled: false, at: new Date(0) } });
      expect(step).toMatchObject({ status: "stopped", duration_ms: 0 });
    });

    test("is unfinished while the run continues", () => {
      expect(derive(event("step_started", "fetch"))[0]).toMatchObject({ status: "started", completed_at: null });
    });
  });

  test("what a replay reused is marked", () => {
    expect(derive(event("step_completed", "fetch", { reused: true }))[0]).toMatchObject({ reused: true });
  });
});

describe("payloads", () => {
  test("of 64 KiB are kept; one byte more is cut to the start of its JSON and marked", () => {
    const fits = "x".repeat(65_534);
    const [whole] = derive(event("step_started", "fetch", { inputData: fits }));
    expect(whole).toMatchObject({ input: fits, truncated: false });
    const [cut] = derive(event("step_started", "fetch", { inputData: { text: "y".repeat(70_000) } }));
    expect(cut?.truncated).toBe(true);
    expect(cut?.input).toBe(`{"text":"${"y".repeat(65_536 - 9)}`);
  });

  test("are never cut inside a character", () => {
    const [step] = derive(event("step_completed", "fetch", { outputData: `x${"я".repeat(70_000)}` }));
    expect(step?.output).not.toContain("\ufffd");
    expect(Buffer.byteLength(String(step?.output))).toBeLessThanOrEqual(65_536);
  });
});

describe("views", () => {
  const events = [
    event("step_started", "action_input", { inputData: { a: 1 } }),
    event("step_completed", "action_input", { outputData: { a: 1 } }),
    event("step_started", "fetch", { inputData: { url: "x" } }),
    event("step_timed_out", "fetch", { error: { code: "TIMEOUT", message: "30 s" } }),
  ];

  test("summary leaves out payloads", () => {
    const steps = deriveSteps(definition, events, "summary");
    expect(steps.map(({ step_id, input, output }) => [step_id, input, output])).toEqual([
      ["action_input", null, null],
      ["fetch", null, null],
    ]);
  });

  test("failed keeps only the steps that failed, with their payloads", () => {
    const steps = deriveSteps(definition, events, "failed");
    expect(steps).toMatchObject([{ step_id: "fetch", status: "timed_out", input: { url: "x" } }]);
  });

  test("an empty journal has no steps", () => {
    expect(deriveSteps(definition, [])).toEqual([]);
  });
});
