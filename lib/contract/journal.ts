import type { z } from "zod";
import type { journalEventSchema, stepSchema } from "#lib/contract/schemas/journal-schema";
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

/** The entries after which a step is done and does not run again. */
export const DONE_EVENT_KINDS = [
  "step_completed",
  "step_skipped",
  "step_failed_continued",
] as const satisfies EventKind[];

/**
 * One journal entry, as the rules see it. `iteration` is "" outside loops; inside, it is the path of zero-based indexes
 * joined by "." (a loop in a loop gives "2.0"). Payloads are sanitized before they are stored.
 */
export interface JournalEvent {
  kind: EventKind;
  nodeId: string;
  iteration: string;
  /** 1 for the first attempt; each retry adds one. */
  attempt: number;
  at: Date;
  inputData?: unknown;
  outputData?: unknown;
  durationMs?: number;
  error?: StepErrorPayload;
}

/** One journal entry on the wire (`include=events`). */
export type JournalEventObject = z.output<typeof journalEventSchema>;

/** decisions, Run steps. */
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

/**
 * One item of `run.steps`. There is one per node and iteration, in the order of their first events (decisions, Run
 * steps).
 */
export type StepItem = z.output<typeof stepSchema>;
