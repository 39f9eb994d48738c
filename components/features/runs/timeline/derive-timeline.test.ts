import { describe, expect, it } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import type { Definition } from "#lib/contract/workflow/graph";
import { deriveTimeline } from "@/components/features/runs/timeline/derive-timeline";

const at = (ms: number) => new Date(Date.parse("2026-11-21T08:00:00.000Z") + ms).toISOString();
const ms = (iso: string) => Date.parse(iso) - Date.parse(at(0));

function step(id: string, fields: Partial<StepItem> = {}): StepItem {
  return {
    step_id: id,
    name: id.toUpperCase(),
    type: "transform",
    status: "completed",
    attempt: 1,
    iteration: null,
    reused: false,
    started_at: at(100),
    completed_at: at(150),
    duration_ms: 50,
    input: null,
    output: null,
    error: null,
    truncated: false,
    ...fields,
  };
}

function run(fields: Partial<RunObject> = {}): RunObject {
  return {
    run_id: "r",
    action_slug: "a",
    action_release_version: 1,
    source: "action",
    status: "succeeded",
    input: {},
    output: {},
    error: null,
    steps: [],
    approval: null,
    dry_run: false,
    correlation_id: "r",
    workflow_id: "w",
    workflow_version_id: "v",
    resume_from_run_id: null,
    created_at: at(0),
    started_at: at(80),
    completed_at: at(1_000),
    duration_ms: 920,
    ...fields,
  };
}

const derive = (
  source: RunObject,
  attempts: RunGraphObject["attempts"] = [],
  definition: Definition | null = null,
  nowMs = 0,
) => deriveTimeline({ run: source, attempts, definition, nowMs: Date.parse(at(nowMs)) });

describe("deriveTimeline", () => {
  it("starts with the whole run and the time in the queue", () => {
    const { rows, endMs } = derive(run());
    expect(rows.map((row) => [row.kind, row.durationMs])).toEqual([
      ["run", 1_000],
      ["queued", 80],
    ]);
    expect(ms(new Date(endMs).toISOString())).toBe(1_000);
  });

  it("numbers steps in the order of their first event, with iterations below their step", () => {
    const iteration = (index: number) => ({ loop_id: "l", index, count: 2, path: String(index) });
    const { rows } = derive(
      run({
        steps: [
          step("in"),
          step("a", { iteration: iteration(0) }),
          step("a", { iteration: iteration(1) }),
          step("out"),
        ],
      }),
    );
    expect(rows.slice(2).map((row) => [row.number, row.key])).toEqual([
      ["01", "in"],
      ["02.1", "a.0"],
      ["02.2", "a.1"],
      ["03", "out"],
    ]);
  });

  it("extends a running step to the present", () => {
    const running = step("a", { status: "started", completed_at: null, duration_ms: null });
    const { rows } = derive(run({ status: "running", completed_at: null, steps: [running] }), [], null, 700);
    const row = rows.at(-1);
    expect(row?.isRunning).toBe(true);
    expect(row?.durationMs).toBeNull();
    expect(row?.segments.map((part) => [part.kind, part.endMs - part.startMs])).toEqual([["executing", 600]]);
  });

  it("separates the attempts of a retried step: what failed, the pauses, and what executes", () => {
    const tried = (attempt: number, offset: number, failed_after_ms: number | null) => ({
      step_id: "a",
      iteration: "",
      attempt,
      started_at: at(offset),
      failed_after_ms,
    });
    const retried = step("a", { attempt: 3, completed_at: at(900) });
    const attempts = [tried(1, 100, 50), tried(2, 300, null), tried(3, 800, null)];
    const { rows } = derive(run({ steps: [retried] }), attempts);
    expect(rows.at(-1)?.segments.map((part) => [part.kind, part.endMs - part.startMs])).toEqual([
      ["failed", 50],
      ["waiting", 150],
      ["waiting", 500],
      ["executing", 100],
    ]);
  });

  it("counts the items of a loop, and distinguishes the items of a step", () => {
    const iteration = (index: number) => ({ loop_id: "l", index, count: null, path: String(index) });
    const steps = [
      step("l", { type: "loop" }),
      step("a", { iteration: iteration(0) }),
      step("a", { iteration: iteration(1) }),
    ];
    const { rows } = derive(run({ steps }));
    expect(rows.slice(2).map((row) => [row.name, row.occurrence])).toEqual([
      ["L · 2 items", 0],
      ["A · item 1", 0],
      ["A · item 2", 1],
    ]);
  });

  it("distinguishes the items of nested loops, and orders them from outer to inner", () => {
    const inside = (path: string) => ({
      loop_id: path.includes(".") ? "inner" : "outer",
      index: Number(path.at(-1)),
      count: null,
      path,
    });
    const steps = [
      step("outer", { type: "loop" }),
      step("inner", { type: "loop", iteration: inside("0") }),
      step("inner", { type: "loop", iteration: inside("1") }),
      step("a", { iteration: inside("1.0") }),
      step("a", { iteration: inside("0.0") }),
      step("a", { iteration: inside("0.1") }),
    ];
    const attempts = ["0.0", "1.0"].flatMap((iteration) =>
      [1, 2].map((attempt) => ({
        step_id: "a",
        iteration,
        attempt,
        started_at: at(100 + attempt + (iteration === "1.0" ? 20 : 0)),
        failed_after_ms: null,
      })),
    );
    const rows = derive(run({ steps }), attempts).rows.slice(2);
    expect(rows.map((row) => [row.key, row.number, row.name, row.depth, row.loopKey, row.segments.length])).toEqual([
      ["outer", "01", "OUTER · 2 items", 0, null, 1],
      ["inner.0", "02.1", "INNER · item 1 · 2 items", 1, "outer", 1],
      ["a.0.0", "03.1.1", "A · item 1.1", 2, "outer", 2],
      ["a.0.1", "03.1.2", "A · item 1.2", 2, "outer", 1],
      ["inner.1", "02.2", "INNER · item 2 · 1 item", 1, "outer", 1],
      ["a.1.0", "03.2.1", "A · item 2.1", 2, "outer", 2],
    ]);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });

  it("shows a skipped step as a mark at the time of the decision", () => {
    const { rows } = derive(
      run({ steps: [step("a", { status: "skipped", started_at: null, completed_at: at(300) })] }),
    );
    expect(rows.at(-1)?.segments.map((part) => part.kind)).toEqual(["skipped"]);
  });

  it("ends with the nodes that were not reached, from top to bottom", () => {
    const node = (id: string, y: number) => ({ id, type: "transform" as const, position: { x: 0, y }, data: {} });
    const definition = { nodes: [node("late", 300), node("a", 0), node("early", 100)], edges: [] };
    const { rows } = derive(run({ status: "failed", steps: [step("a", { status: "failed" })] }), [], definition);
    expect(rows.filter((row) => row.kind === "not_reached").map((row) => row.name)).toEqual(["early", "late"]);
  });

  it("has no queue for a dry run, which never waits for a worker", () => {
    const dry = run({ dry_run: true, source: "dry_run", started_at: null, completed_at: at(0), duration_ms: 0 });
    expect(derive(dry).rows.map((row) => row.kind)).toEqual(["run"]);
  });

  it("says that a run that has not started waits for approval", () => {
    const waiting = run({ status: "waiting_for_approval", started_at: null, completed_at: null });
    const { rows } = derive(waiting, [], null, 5_000);
    expect(rows[1]).toMatchObject({ name: "Waiting for approval", isRunning: true, durationMs: null });
  });
});
