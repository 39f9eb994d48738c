import { LIMITS } from "#lib/contract/limits";
import type { StepErrorCode } from "#lib/contract/step-error";

/**
 * A breaker refuses the calls of one connector in one workspace after five failures in five minutes, for a minute;
 * then one call, the probe, decides (contract, Limits; decisions, Connectors). Times are epoch milliseconds of one
 * clock, the database's.
 */
export interface Breaker {
  state: "closed" | "open" | "half_open";
  /** The failures that count, oldest first. */
  failures: number[];
  openedAt: number | null;
  /** When an open breaker lets its probe through. */
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

/** Whether a failure says something about the integration; the others were refusals of what we sent. */
export function isBreakerFailure(code: StepErrorCode): boolean {
  return COUNTED.has(code);
}

/** A probe without an answer for this long died with its worker; the next call takes its place. */
const PROBE_LOST_MS = LIMITS.stepTimeoutMs + 5_000;

type Admission = { kind: "closed" } | { kind: "probe"; next: Breaker } | { kind: "refused"; retryAfterMs: number };

/** Whether a call may go out now. `next` must be stored before the probe goes out. */
export function admitCall(breaker: Breaker, now: number): Admission {
  if (breaker.state === "closed") return { kind: "closed" };
  const waitsUntil =
    breaker.state === "open" ? (breaker.retryAt ?? now) : (breaker.probeStartedAt ?? now) + PROBE_LOST_MS;
  if (now < waitsUntil) return { kind: "refused", retryAfterMs: waitsUntil - now };
  return { kind: "probe", next: { ...breaker, state: "half_open", probeStartedAt: now } };
}

/** After a failure that counts. A late failure of a call from before the breaker opened changes nothing. */
export function afterFailure(breaker: Breaker, isProbe: boolean, now: number): Breaker {
  if (breaker.state !== "closed") return isProbe ? opened(breaker.failures, now) : breaker;
  const failures = [...breaker.failures.filter((at) => at > now - LIMITS.breakerWindowMs), now];
  return failures.length >= LIMITS.breakerFailures ? opened(failures, now) : { ...breaker, failures };
}

/** After a success, or a failure that does not count: only a probe's closes the breaker. */
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
