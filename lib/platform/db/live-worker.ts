/** decisions, Runs: a live worker was seen at most 6 seconds ago; some tolerance on top. */
export const LIVE_WORKER_SECONDS = 10;

/** Condition on a row of `worker_heartbeats`: the worker is alive. */
export const IS_LIVE_WORKER = `dead_at is null and last_seen_at > now() - interval '${LIVE_WORKER_SECONDS} seconds'`;
