import type { z } from "zod";
import type { journalEventSchema, runWarningSchema, stepSchema } from "#lib/contract/run/journal-schema";
import type { StepErrorPayload } from "#lib/contract/run/step-error";

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

/** Why a step was skipped although its path was taken. A step whose path was not taken has no reason. */
export const SKIP_REASONS = ["disabled"] as const;

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
  /** Only in a `step_skipped`. */
  skipReason?: (typeof SKIP_REASONS)[number];
  /** Only in the event that ends the step, so that a repeated start reports nothing twice. */
  warnings?: RunWarning[];
  /** What code wrote to its console: in the event that ends the attempt, or with its error in the start of the next one. */
  console?: string[];
}

/** The warnings that are not about a path of a template. */
export const RUN_WARNING_CODES = ["NUMBER_AS_TEXT", "MARKUP_AS_TEXT"] as const;

/** A path of a template that did not resolve, or a warning with a code (decisions, Run steps). */
export type RunWarning = z.output<typeof runWarningSchema>;

/** One journal entry on the wire (`include=events`). */
export type JournalEventObject = z.output<typeof journalEventSchema>;

/**
 * decisions, Run steps. `cancelled` and `stopped` have no event: a step that had not ended when its run did was cancelled
 * with it, or stopped because the run ended in another way.
 */
export const STEP_STATUSES = [
  "started",
  "completed",
  "failed",
  "failed_continued",
  "skipped",
  "timed_out",
  "pending_approval",
  "cancelled",
  "stopped",
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/**
 * One item of `run.steps`. There is one per node and iteration, in the order of their first events (decisions, Run
 * steps).
 */
export type StepItem = z.output<typeof stepSchema>;
