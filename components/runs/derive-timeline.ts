import type { Definition } from "#lib/contract/graph";
import type { JournalEventObject, StepItem, StepStatus } from "#lib/contract/journal";
import { isTerminal, type RunObject } from "#lib/contract/run";
import { isJsonObject } from "#lib/support/json";
import { arrangeSteps } from "@/components/runs/arrange-steps";

/** A part of a bar. `waiting` covers an attempt that failed and the pause after it, or a wait for a person. */
export interface Segment {
  kind: "executing" | "waiting" | "skipped";
  startMs: number;
  /** Epoch ms; of something still going on, the present. */
  endMs: number;
}

export interface TimelineRow {
  /** Stable while the run goes on; stands in the URL. */
  key: string;
  kind: "run" | "queued" | "step" | "not_reached" | "folded";
  /** "04" or "04.2"; empty where there is no step. */
  number: string;
  name: string;
  status: StepStatus | "not_reached" | null;
  segments: readonly Segment[];
  /** Null while it goes on and where nothing happened. */
  durationMs: number | null;
  isRunning: boolean;
  step: StepItem | null;
  /** How many loops it stands in. */
  depth: number;
  /** The outermost of them, as the key of its row. */
  loopKey: string | null;
}

export interface Timeline {
  rows: readonly TimelineRow[];
  startMs: number;
  endMs: number;
}

interface TimelineSource {
  run: RunObject;
  /** The definition that ran; null while unknown: rows for what was not reached are then missing. */
  definition: Definition | null;
  /** The journal, needed only to tell the attempts of a retried step apart. */
  events: readonly JournalEventObject[];
  nowMs: number;
}

/** A run as rows of a waterfall: the whole run, the queue, each step and iteration, and what was not reached. */
export function deriveTimeline({ run, definition, events, nowMs }: TimelineSource): Timeline {
  const startMs = Date.parse(run.created_at);
  const endMs = Math.max(startMs + 1, run.completed_at === null ? nowMs : Date.parse(run.completed_at));
  const rows = [runRow(run, startMs, endMs), ...queuedRow(run, startMs, endMs)];
  const numbers = new Map<string, string>();
  const keys = new Map<string, number>();
  for (const { step, depth, loopId } of arrangeSteps(run.steps)) {
    if (!numbers.has(step.step_id)) numbers.set(step.step_id, String(numbers.size + 1).padStart(2, "0"));
    const row = stepRow(step, numbers.get(step.step_id) ?? "", events, endMs);
    const count = (keys.get(row.key) ?? 0) + 1;
    keys.set(row.key, count);
    // In a loop in a loop, the inner item alone does not tell steps apart.
    rows.push({ ...row, key: count === 1 ? row.key : `${row.key}~${count}`, depth, loopKey: loopId });
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

/** From the call until a worker began; a run that waits for approval before it starts waits here. */
function queuedRow(run: RunObject, startMs: number, endMs: number): TimelineRow[] {
  if (run.dry_run || (run.started_at === null && isTerminal(run.status))) return [];
  const untilMs = run.started_at === null ? endMs : Date.parse(run.started_at);
  return [
    {
      ...EMPTY_ROW,
      key: "queued",
      kind: "queued",
      name: run.status === "waiting_for_approval" && run.started_at === null ? "Waiting for approval" : "Queued",
      segments: [{ kind: "waiting", startMs, endMs: untilMs }],
      durationMs: run.started_at === null ? null : Math.max(0, untilMs - startMs),
      isRunning: run.started_at === null,
    },
  ];
}

/** The key of a step in the timeline: its node, and its place in a loop. */
export function stepKey(step: Pick<StepItem, "step_id" | "iteration">): string {
  return step.iteration === null ? step.step_id : `${step.step_id}.${step.iteration.index}`;
}

function stepRow(step: StepItem, number: string, events: readonly JournalEventObject[], endMs: number): TimelineRow {
  const isRunning = step.status === "started" || step.status === "pending_approval";
  return {
    ...EMPTY_ROW,
    key: stepKey(step),
    kind: "step",
    number: step.iteration === null ? number : `${number}.${step.iteration.index + 1}`,
    name: nameOf(step),
    status: step.status,
    segments: segmentsOf(step, events, endMs),
    durationMs: isRunning ? null : step.duration_ms,
    isRunning,
    step,
  };
}

/** What it is called, which item of its loop it is, and how many items it has when it is a loop. */
function nameOf({ name, type, iteration, input }: StepItem): string {
  const items = type === "loop" && isJsonObject(input) && Array.isArray(input.items) ? input.items.length : null;
  return [
    name,
    ...(iteration === null ? [] : [`item ${iteration.index + 1}`]),
    ...(items === null ? [] : [items === 1 ? "1 item" : `${items} items`]),
  ].join(" · ");
}

function segmentsOf(step: StepItem, events: readonly JournalEventObject[], endMs: number): Segment[] {
  // Its times are those of the original run, before this one began.
  if (step.reused) return [];
  if (step.status === "skipped") {
    const atMs = Date.parse(step.completed_at ?? step.started_at ?? "");
    return Number.isNaN(atMs) ? [] : [{ kind: "skipped", startMs: atMs, endMs: atMs }];
  }
  if (step.started_at === null) return [];
  const finishMs = step.completed_at === null ? endMs : Date.parse(step.completed_at);
  const startsMs = attemptStarts(step, events);
  return startsMs.map((startMs, index) => {
    const nextMs = startsMs[index + 1];
    const isLast = nextMs === undefined;
    return {
      kind: isLast && step.status !== "pending_approval" ? "executing" : "waiting",
      startMs,
      endMs: Math.max(startMs, nextMs ?? finishMs),
    };
  });
}

/** When each attempt began. Without the journal, when the first did. */
function attemptStarts(step: StepItem, events: readonly JournalEventObject[]): number[] {
  const own = step.iteration === null ? "" : String(step.iteration.index);
  const starts = events
    .filter((event) => event.event === "step_started" && event.step_id === step.step_id)
    .filter((event) => (event.iteration.split(".").at(-1) ?? "") === own)
    .map((event) => Date.parse(event.at));
  return starts.length > 0 ? starts : [Date.parse(step.started_at ?? "")];
}

/** Round marks for the axis, at most `count`, in milliseconds from the start. */
export function axisMarks(lengthMs: number, count: number): number[] {
  const step =
    STEPS_MS.find((candidate) => lengthMs / candidate <= count) ?? 3_600_000 * Math.ceil(lengthMs / count / 3_600_000);
  const marks: number[] = [];
  for (let atMs = 0; atMs <= lengthMs; atMs += step) marks.push(atMs);
  return marks;
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000,
];
