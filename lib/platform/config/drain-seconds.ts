import { LIMITS } from "#lib/contract/limits";

/** A running step may take its whole limit, which leaves time to release the runs. */
export const DEFAULT_DRAIN_SECONDS = LIMITS.stepTimeoutMs / 1_000 + 5;
