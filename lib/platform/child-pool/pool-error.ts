/**
 * Why a pool has no reply: the workspace has too many calls waiting, no child could be started, the child ended during
 * the call, or the call took too long, by the clock or in CPU time, and its child had to be killed.
 */
type PoolErrorKind = "crowded" | "not_started" | "ended" | "time_limit" | "cpu_limit";

export class PoolError extends Error {
  readonly kind: PoolErrorKind;

  constructor(kind: PoolErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
