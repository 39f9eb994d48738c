import type { StepErrorPayload } from "#lib/contract/step-error";

/**
 * contract, Journal: exactly seven kinds exist. A node with step_completed, step_skipped or step_failed_continued is
 * done: resume and replay do not execute it again.
 */
export const EVENT_KINDS = [
  "step_started",
  "step_completed",
  "step_failed",
  "step_failed_continued",
  "step_skipped",
  "step_timed_out",
  "step_pending_approval",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * One journal entry as the rules see it. `iteration` is "" outside loops, and inside them the path of zero-based
 * indexes joined by "." (a loop in a loop gives "2.0"). Payloads are sanitized before they are stored.
 */
export interface JournalEvent {
  kind: EventKind;
  nodeId: string;
  iteration: string;
  /** 1 for the first try; retries count up. */
  attempt: number;
  at: Date;
  inputData?: unknown;
  outputData?: unknown;
  durationMs?: number;
  error?: StepErrorPayload;
}

/** One journal entry on the wire (`include=events`). */
export interface JournalEventObject {
  event: EventKind;
  step_id: string;
  iteration: string;
  attempt: number;
  at: string;
  inputData?: unknown;
  outputData?: unknown;
  durationMs?: number;
  error?: StepErrorPayload;
}

/** decisions, Step item. */
export const STEP_STATUSES = [
  "started",
  "completed",
  "failed",
  "failed_continued",
  "skipped",
  "timed_out",
  "pending_approval",
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** One item of `run.steps`: one per node and iteration, in the order of their first event (decisions, Step item). */
export interface StepItem {
  step_id: string;
  name: string;
  type: string;
  connector?: string;
  operation?: string;
  status: StepStatus;
  attempt: number;
  iteration: {
    loop_id: string;
    index: number;
    count: number | null;
    /** The indexes of all loops around the step, the outermost first: "2", and "2.0" in a loop in a loop. */
    path: string;
  } | null;
  /** True when a replay took the result over from the original run. */
  reused: boolean;
  started_at: string | null;
  completed_at: string | null;
  duration_ms: number | null;
  input: unknown;
  output: unknown;
  error: StepErrorPayload | null;
  /** True when a payload was cut at 64 KiB. */
  truncated: boolean;
}
