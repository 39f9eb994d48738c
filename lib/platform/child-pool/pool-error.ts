/**
 * Why a pool has no reply.
 * - `crowded`: the workspace has too many calls waiting.
 * - `not_started`: no child could be started, again and again.
 * - `killed`: the system ended the child from outside, on every attempt.
 * - `ended`: the child ended by itself during the call.
 * - `cpu_limit`: the call used too much CPU time, and its child had to be killed.
 * - `time_limit`: the call took too long by the clock.
 * - `starved`: the same, but the child hardly got any CPU time, so the machine was busy and the call is not at fault.
 */
type PoolErrorKind = "crowded" | "not_started" | "killed" | "ended" | "cpu_limit" | "time_limit" | "starved";

export class PoolError extends Error {
  readonly kind: PoolErrorKind;

  constructor(kind: PoolErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
