import { detailsOf, retryRuleOf, StepError, type StepErrorPayload, stepErrorKind } from "#lib/contract/run/step-error";
import type { RetryPlan } from "#lib/core/engine/plan";
import type { BegunStep } from "#lib/core/engine/resume";
import { backoffMs } from "#lib/support/backoff";

interface RetryQuestion {
  error: StepError;
  /** True if executing it twice has the same effect as executing it once. */
  isIdempotent: boolean;
  retriesUsed: number;
  plan: RetryPlan;
  /** The remaining time of the run. */
  remainingMs: number;
  random: number;
}

/**
 * Returns how long to wait before the next attempt; null if the step fails now (decisions, Connectors). A delay that
 * the other side asks for overrides the step's own. "0" is no delay: a service that is down would otherwise get all
 * attempts at once. A wait that would outlast the run's time is not started.
 */
export function retryDelayMs(question: RetryQuestion): number | null {
  const { error, retriesUsed } = question;
  const rule = retryRuleOf(error);
  if (rule === "never" || (rule === "idempotent" && !question.isIdempotent)) return null;
  if (retriesUsed >= question.plan.max) return null;
  const waitMs = error.retryAfterMs || ownWaitMs(question);
  return waitMs < question.remainingMs ? waitMs : null;
}

function ownWaitMs({ plan: { backoff, waitMs }, retriesUsed, random }: RetryQuestion): number {
  return backoff === "fixed" ? waitMs : backoffMs(retriesUsed + 1, waitMs, random);
}

/**
 * A retry of a step whose attempt failed. The journal shows it when the next attempt starts, so a parked run keeps it
 * until then.
 */
export interface PendingRetry {
  nodeId: string;
  iteration: string;
  /** The attempt that failed. */
  attempt: number;
  /** With this one. */
  retriesUsed: number;
  /** How many attempts the other side answered. */
  answeredAttempts: number;
  error: StepErrorPayload;
  /** How long the attempt took. */
  durationMs: number;
  /** What it wrote to its console; absent if it wrote nothing. */
  console?: string[];
}

/** A retry of a run that was parked, and the rest of its pause. */
export type ParkedRetry = PendingRetry & { waitMs: number };

/**
 * Finds the retry that a step was parked for. There is none if the journal shows a later attempt.
 */
export function findParkedRetry(
  retries: readonly ParkedRetry[] | undefined,
  step: { nodeId: string; iteration: string; begun: BegunStep | null },
): ParkedRetry | null {
  const { nodeId, iteration, begun } = step;
  return (
    retries?.find(
      (retry) => retry.nodeId === nodeId && retry.iteration === iteration && retry.attempt === begun?.attempts,
    ) ?? null
  );
}

/** Returns the error of the attempt that failed. */
export function errorOfRetry({ error }: Pick<PendingRetry, "error">): StepError {
  return new StepError(stepErrorKind(error) ?? "UNKNOWN", error.message, detailsOf(error));
}
