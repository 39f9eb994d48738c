import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal, isWaiting, type RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import type { Definition } from "#lib/contract/workflow/graph";
import { formatCount } from "#lib/support/format/format-number";
import { arrangeSteps, instanceOf, loopAround } from "@/components/features/runs/timeline/arrange-steps";
import { isWaitStep, type ShownStepStatus, shownStatusOf } from "@/components/words/status";

/**
 * A part of a bar. `failed` is an attempt that was followed by another; `waiting` is the pause before an attempt, a
 * delay, or the wait for a person or a callback.
 */
export interface Segment {
  kind: "executing" | "failed" | "waiting" | "skipped";
  startMs: number;
  /** Epoch ms; the present if it has not ended. */
  endMs: number;
}

export interface TimelineRow {
  /** Stable while the run continues; used in the URL. */
  key: string;
  kind: "run" | "queued" | "step" | "not_reached" | "folded";
  /** "04" or "04.2"; empty if the row is not a step. */
  number: string;
  name: string;
  status: ShownStepStatus | null;
  segments: readonly Segment[];
  /** Null while it continues, or if nothing happened. */
  durationMs: number | null;
  isRunning: boolean;
  step: StepItem | null;
  /** The index of this item among the step's items in the timeline, from 0. */
  occurrence: number;
  /** How many loops are around it. */
  depth: number;
  /** The row key of the outermost loop. */
  loopKey: string | null;
}

export interface Timeline {
  rows: readonly TimelineRow[];
  startMs: number;
  endMs: number;
}

interface TimelineSource {
  run: RunObject;
  /** The definition that ran; null while it is unknown, which leaves out the rows of steps that were not reached. */
  definition: Definition | null;
  /** The attempts of the steps that were tried more than once. */
  attempts: RunGraphObject["attempts"];
  nowMs: number;
}

/**
 * Converts a run into the rows of a waterfall: the whole run, the queue, each step and iteration, and the steps that
 * were not reached.
 */
export function deriveTimeline({ run, definition, attempts, nowMs }: TimelineSource): Timeline {
  const startMs = Date.parse(run.created_at);
  const endMs = Math.max(startMs + 1, run.completed_at === null ? nowMs : Date.parse(run.completed_at));
  const rows = [runRow(run, startMs, endMs), ...queuedRow(run, startMs, endMs)];
  const numbers = new Map<string, string>();
  const occurrences = occurrencesOf(run.steps);
  const items = countItems(run.steps);
  const tries = Map.groupBy(attempts, (attempt) => attempt.step_id);
  for (const { step, depth, loopId } of arrangeSteps(run.steps)) {
    if (!numbers.has(step.step_id)) numbers.set(step.step_id, String(numbers.size + 1).padStart(2, "0"));
    rows.push({
      ...stepRow(step, numbers.get(step.step_id) ?? "", items.get(instanceOf(step)) ?? null),
      segments: segmentsOf(step, tries.get(step.step_id) ?? [], endMs),
      occurrence: occurrences.get(step) ?? 0,
      depth,
      loopKey: loopId,
    });
  }
  const missing = (definition?.nodes ?? []).filter((node) => !numbers.has(node.id));
  for (const node of missing.toSorted((a, b) => a.position.y - b.position.y || a.position.x - b.position.x)) {
    const name = typeof node.data.name === "string" && node.data.name !== "" ? node.data.name : node.id;
    rows.push({ ...EMPTY_ROW, key: node.id, kind: "not_reached", name, status: "not_reached" });
  }
  return { rows, startMs, endMs };
}

const EMPTY_ROW: TimelineRow = {
  key: "",
  kind: "run",
  number: "",
  name: "",
  status: null,
  segments: [],
  durationMs: null,
  isRunning: false,
  step: null,
  occurrence: 0,
  depth: 0,
  loopKey: null,
};

function runRow(run: RunObject, startMs: number, endMs: number): TimelineRow {
  return {
    ...EMPTY_ROW,
    key: "run",
    name: "Whole run",
    segments: [{ kind: "executing", startMs, endMs }],
    durationMs: run.completed_at === null ? null : endMs - startMs,
    isRunning: !isTerminal(run.status),
  };
}

/** From the call until a worker started; a run that needs approval before it starts waits here. */
function queuedRow(run: RunObject, startMs: number, endMs: number): TimelineRow[] {
  if (run.dry_run || (run.started_at === null && isTerminal(run.status))) return [];
  const untilMs = run.started_at === null ? endMs : Date.parse(run.started_at);
  return [
    {
      ...EMPTY_ROW,
      key: "queued",
      kind: "queued",
      name: isWaiting(run.status) && run.started_at === null ? "Waiting for approval" : "Queued",
      segments: [{ kind: "waiting", startMs, endMs: untilMs }],
      durationMs: run.started_at === null ? null : Math.max(0, untilMs - startMs),
      isRunning: run.started_at === null,
    },
  ];
}

/** Returns the key of a step in the timeline: its node, and its item in the loops around it. */
function stepKey(step: Pick<StepItem, "step_id" | "iteration">): string {
  return step.iteration === null ? step.step_id : `${step.step_id}.${step.iteration.path}`;
}

function stepRow(step: StepItem, number: string, items: number | null): TimelineRow {
  const isRunning = step.status === "started" || step.status === "pending_approval";
  return {
    ...EMPTY_ROW,
    key: stepKey(step),
    kind: "step",
    number: step.iteration === null ? number : `${number}.${itemNumber(step.iteration)}`,
    name: nameOf(step, items),
    status: shownStatusOf(step),
    durationMs: isRunning ? null : step.duration_ms,
    isRunning,
    step,
  };
}

/** Returns the name of a step, which item of its loop it is, and how many items it has had if it is a loop. */
function nameOf({ name, iteration }: StepItem, items: number | null): string {
  return [
    name,
    ...(iteration === null ? [] : [`item ${itemNumber(iteration)}`]),
    ...(items === null ? [] : [formatCount(items, "item")]),
  ].join(" · ");
}

/** Formats an item's number, starting at 1: "3", or "3.1" in a nested loop. */
export function itemNumber({ path }: { path: string }): string {
  return path
    .split(".")
    .map((index) => Number(index) + 1)
    .join(".");
}

/** The timeline lists a step's items in the order in which the journal first names them. */
function occurrencesOf(steps: readonly StepItem[]): ReadonlyMap<StepItem, number> {
  const counts = new Map<string, number>();
  return new Map(
    steps.map((step) => {
      const count = counts.get(step.step_id) ?? 0;
      counts.set(step.step_id, count + 1);
      return [step, count];
    }),
  );
}

/** Counts how many items each loop has started, or has in total if that is known. */
function countItems(steps: readonly StepItem[]): ReadonlyMap<string, number> {
  const items = new Map<string, number>();
  for (const step of steps) {
    const loop = loopAround(step);
    if (step.iteration === null || loop === null) continue;
    const count = step.iteration.count ?? step.iteration.index + 1;
    items.set(loop, Math.max(count, items.get(loop) ?? 0));
  }
  return items;
}

function segmentsOf(step: StepItem, tries: RunGraphObject["attempts"], endMs: number): Segment[] {
  // A reused step has the times of the original run, before this one started.
  if (step.reused) return [];
  if (step.status === "skipped") {
    const atMs = Date.parse(step.completed_at ?? step.started_at ?? "");
    return Number.isNaN(atMs) ? [] : [{ kind: "skipped", startMs: atMs, endMs: atMs }];
  }
  if (step.started_at === null) return [];
  const finishMs = step.completed_at === null ? endMs : Date.parse(step.completed_at);
  const own = step.iteration?.path ?? "";
  const mine = tries.filter(({ iteration }) => iteration === own);
  const [first] = mine;
  if (first === undefined) return [lastSegment(step, Date.parse(step.started_at), finishMs)];
  return mine.flatMap((attempt, index) => {
    const startMs = Date.parse(attempt.started_at);
    const next = mine[index + 1];
    if (next === undefined) return [lastSegment(step, startMs, finishMs)];
    const nextMs = Math.max(startMs, Date.parse(next.started_at));
    const failedMs = Math.min(nextMs, startMs + (attempt.failed_after_ms ?? 0));
    const pause: Segment = { kind: "waiting", startMs: failedMs, endMs: nextMs };
    return failedMs > startMs ? [{ kind: "failed", startMs, endMs: failedMs } as const, pause] : [pause];
  });
}

function lastSegment(step: StepItem, startMs: number, finishMs: number): Segment {
  const isWait = step.status === "pending_approval" || isWaitStep(step);
  const kind = isWait ? "waiting" : "executing";
  return { kind, startMs, endMs: Math.max(startMs, finishMs) };
}
