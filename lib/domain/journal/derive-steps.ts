import type { ApprovalObject, ApprovalStatus } from "#lib/contract/approval/approval";
import { LIMITS } from "#lib/contract/limits";
import type { EventKind, StepItem, StepStatus } from "#lib/contract/run/journal";
import type { StepsView } from "#lib/contract/run/run";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { StoredJournalEvent } from "#lib/domain/journal/read-events";
import { isJsonObject } from "#lib/support/json";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

const STATUS_OF: Record<EventKind, StepStatus> = {
  step_started: "started",
  step_completed: "completed",
  step_failed: "failed",
  step_failed_continued: "failed_continued",
  step_skipped: "skipped",
  step_timed_out: "timed_out",
  step_pending_approval: "pending_approval",
};

const FAILED: ReadonlySet<StepStatus> = new Set(["failed", "failed_continued", "timed_out"]);

/** `whole` is `full` without cutting long payloads. */
type TimelineView = StepsView | "whole";

/** A gate that was decided, or that no longer needs a decision. */
export interface ClosedGate {
  nodeId: string;
  iteration: string;
  status: Exclude<ApprovalStatus, "pending">;
  comment: string | null;
  decidedBy: ApprovalObject["decided_by"];
  at: Date;
}

/** How and when a run ended. */
export interface RunEnd {
  isCancelled: boolean;
  at: Date;
}

interface OutsideJournal {
  gates?: readonly ClosedGate[];
  /** Null while the run continues. */
  end?: RunEnd | null;
}

/**
 * Derives the timeline of a run: one item per node and iteration, in the order of their first event (decisions, Run
 * steps). It is a pure function of the journal. The definition adds names and types. Closed gates and the end of the run
 * show the end of steps that the journal leaves open: when the run ended there, no worker was left to write it.
 * @param view `summary` leaves out payloads, `failed` keeps the steps that failed
 */
export function deriveSteps(
  definition: Definition,
  events: readonly StoredJournalEvent[],
  view: TimelineView = "full",
  { gates = [], end = null }: OutsideJournal = {},
): StepItem[] {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const items = new Map<string, StepItem>();
  for (const event of events) {
    const key = `${event.nodeId}|${event.iteration}`;
    let item = items.get(key);
    if (!item) {
      item = newItem(event, nodes);
      items.set(key, item);
    }
    applyEvent(item, event);
  }
  for (const gate of gates) closeGate(items.get(`${gate.nodeId}|${gate.iteration}`), gate);
  if (end) for (const item of items.values()) endWithRun(item, end);
  setLoopCounts(items);
  const shown = view === "failed" ? [...items.values()].filter((item) => FAILED.has(item.status)) : [...items.values()];
  if (view === "whole") return shown;
  return shown.map((item) => (view === "summary" ? { ...item, input: null, output: null } : cutPayloads(item)));
}

function newItem(event: StoredJournalEvent, nodes: ReadonlyMap<string, GraphNode>): StepItem {
  const node = nodes.get(event.nodeId);
  const { name, connector, operation } = node?.data ?? {};
  return {
    step_id: event.nodeId,
    name: typeof name === "string" && name !== "" ? name : event.nodeId,
    type: node?.type ?? "unknown",
    ...(typeof connector === "string" ? { connector } : {}),
    ...(typeof operation === "string" ? { operation } : {}),
    status: "started",
    attempt: event.attempt,
    iteration:
      event.iteration === ""
        ? null
        : {
            loop_id: node?.parentId ?? "",
            index: Number(event.iteration.split(".").at(-1)),
            count: null,
            path: event.iteration,
          },
    reused: event.reused,
    started_at: null,
    completed_at: null,
    duration_ms: null,
    input: null,
    output: null,
    error: null,
    truncated: false,
  };
}

function applyEvent(item: StepItem, event: StoredJournalEvent): void {
  const at = event.at.toISOString();
  item.status = STATUS_OF[event.kind];
  item.attempt = event.attempt;
  item.reused = event.reused;
  if (event.isLeftOut) item.truncated = true;
  if (event.kind === "step_started") {
    // Each attempt starts again, but the step as a whole started with the first.
    item.started_at ??= at;
    item.input = event.inputData ?? null;
    item.completed_at = null;
    item.duration_ms = null;
    item.error = null;
    delete item.warnings;
    delete item.console;
    return;
  }
  if (event.kind === "step_pending_approval") return;
  item.completed_at = at;
  if (event.kind === "step_completed") item.output = event.outputData ?? null;
  // A step that timed out with continueOnFailure writes two events; the second does not have to repeat the error.
  item.error = event.error ?? (event.kind === "step_failed_continued" ? item.error : null);
  if (event.skipReason) item.skip_reason = event.skipReason;
  if (event.warnings) item.warnings = event.warnings;
  if (event.console) item.console = event.console;
  item.duration_ms =
    event.durationMs ?? (item.started_at === null ? null : event.at.getTime() - Date.parse(item.started_at));
}

/**
 * A gate that was decided completed, whatever the decision; one that expired timed out; one that was withdrawn ended with
 * its run. If the journal has an event after the wait, that event counts.
 */
function closeGate(item: StepItem | undefined, { status, comment, decidedBy, at }: ClosedGate): void {
  if (item?.status !== "pending_approval" || status === "cancelled") return;
  item.completed_at = at.toISOString();
  item.duration_ms = item.started_at === null ? null : at.getTime() - Date.parse(item.started_at);
  if (status === "expired") {
    item.status = "timed_out";
    item.error = { code: "TIMEOUT", message: "No one decided in time" };
  } else {
    item.status = "completed";
    item.output = { approved: status === "approved", comment, decided_by: decidedBy };
  }
}

/** No step continues after its run. It has no error: it did not fail. */
function endWithRun(item: StepItem, { isCancelled, at }: RunEnd): void {
  if (item.status !== "started" && item.status !== "pending_approval") return;
  item.status = isCancelled ? "cancelled" : "stopped";
  // The clock of the database may have been set back since the step started.
  const endMs = Math.max(at.getTime(), item.started_at === null ? 0 : Date.parse(item.started_at));
  item.completed_at = new Date(endMs).toISOString();
  item.duration_ms = item.started_at === null ? null : endMs - Date.parse(item.started_at);
}

/** The number of a loop's iterations is in the loop's own item; `2.0` is an iteration of the loop in iteration `2`. */
function setLoopCounts(items: ReadonlyMap<string, StepItem>): void {
  for (const { iteration } of items.values()) {
    if (!iteration) continue;
    const loop = items.get(`${iteration.loop_id}|${iteration.path.split(".").slice(0, -1).join(".")}`);
    if (loop) iteration.count = countOf(loop);
  }
}

function countOf(loop: StepItem): number | null {
  const listed = isJsonObject(loop.input) ? loop.input.items : undefined;
  const counted = isJsonObject(loop.output) ? loop.output.count : undefined;
  if (Array.isArray(listed)) return listed.length;
  return typeof counted === "number" ? counted : null;
}

/** Cuts and marks payloads above 64 KiB (decisions, Run steps). The start of the JSON text remains. */
function cutPayloads(item: StepItem): StepItem {
  const isInputLong = exceedsJsonBytes(item.input, LIMITS.stepPayloadBytes);
  const isOutputLong = exceedsJsonBytes(item.output, LIMITS.stepPayloadBytes);
  if (!isInputLong && !isOutputLong) return item;
  return {
    ...item,
    input: isInputLong ? cut(item.input) : item.input,
    output: isOutputLong ? cut(item.output) : item.output,
    truncated: true,
  };
}

function cut(value: unknown): string {
  const bytes = Buffer.from(JSON.stringify(value) ?? "").subarray(0, LIMITS.stepPayloadBytes);
  // The cut may be inside a character.
  return new TextDecoder().decode(bytes, { stream: true });
}
