import { LIMITS } from "#lib/contract/limits";
import type { StepErrorCode } from "#lib/contract/run/step-error";

/**
 * A circuit breaker refuses calls to one connector in one workspace for a minute after five failures in five minutes.
 * Then a single call, the probe, decides whether it closes (contract, Limits; decisions, Connectors). All times are
 * epoch milliseconds from the database's clock.
 */
export interface Breaker {
  state: "closed" | "open" | "half_open";
  /** Times of the failures that count, oldest first. */
  failures: number[];
  openedAt: number | null;
  /** The time at which an open breaker admits a probe. */
  retryAt: number | null;
  probeStartedAt: number | null;
}

export const CLOSED_BREAKER: Breaker = {
  state: "closed",
  failures: [],
  openedAt: null,
  retryAt: null,
  probeStartedAt: null,
};

const COUNTED: ReadonlySet<StepErrorCode> = new Set(["UPSTREAM_ERROR", "TIMEOUT", "RATE_LIMITED"]);

/** Returns true if a failure is a failure of the integration. Other errors mean that it refused our request. */
export function isBreakerFailure(code: StepErrorCode): boolean {
  return COUNTED.has(code);
}

/** A probe without a result after this time counts as lost with its worker, and the next call replaces it. */
const PROBE_LOST_MS = LIMITS.stepTimeoutMs + 5_000;

type Admission = { kind: "closed" } | { kind: "probe"; next: Breaker } | { kind: "refused"; retryAfterMs: number };

/** Decides whether a call is admitted. `next` must be stored before a probe is sent. */
export function admitCall(breaker: Breaker, now: number): Admission {
  if (breaker.state === "closed") return { kind: "closed" };
  const waitsUntil =
    breaker.state === "open" ? (breaker.retryAt ?? now) : (breaker.probeStartedAt ?? now) + PROBE_LOST_MS;
  if (now < waitsUntil) return { kind: "refused", retryAfterMs: waitsUntil - now };
  return { kind: "probe", next: { ...breaker, state: "half_open", probeStartedAt: now } };
}

/** Records a failure that counts. Late failures of calls that started before the breaker opened are ignored. */
export function afterFailure(breaker: Breaker, isProbe: boolean, now: number): Breaker {
  if (breaker.state !== "closed") return isProbe ? opened(breaker.failures, now) : breaker;
  const failures = [...breaker.failures.filter((at) => at > now - LIMITS.breakerWindowMs), now];
  return failures.length >= LIMITS.breakerFailures ? opened(failures, now) : { ...breaker, failures };
}

/** Records a success, or a failure that does not count. Only a probe closes the breaker. */
export function afterSuccess(breaker: Breaker, isProbe: boolean): Breaker {
  return isProbe && breaker.state !== "closed" ? CLOSED_BREAKER : breaker;
}

function opened(failures: number[], now: number): Breaker {
  return {
    state: "open",
    failures: failures.slice(-LIMITS.breakerFailures),
    openedAt: now,
    retryAt: now + LIMITS.breakerOpenMs,
    probeStartedAt: null,
  };
}
