import type pg from "pg";
import { connectionOptions, createPool } from "#lib/platform/db/pool";

/** A query of a run that takes longer is abandoned and repeated: a half-open connection reports nothing. */
const QUERY_TIMEOUT_MS = 5_000;
/**
 * Statements of many runs go out together, so more connections than this make nothing faster, however many runs there
 * are: ten for runs, and a few for the queue and graphile-worker's listener.
 */
const CONNECTIONS = 14;
/**
 * Every statement of a run finds its rows by their keys, so one plan is right for all of its executions. By default,
 * PostgreSQL plans such statements again each time, because it expects ten rows from an array that it does not see, and
 * one from an array of one. That was half of the CPU time of the statement that ends runs. The plan is also kept when
 * tables grow, so it must not read a table completely because the table was empty. Up to version 17, a plan that has to
 * looks so expensive that PostgreSQL compiles it for each execution, which takes 100 ms. graphile-worker has such plans.
 */
const PLANNED_ONCE = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off";

/** Opens the connections for the runs of a worker. */
export function openWorkerPool(connectionString: string): pg.Pool {
  const options = connectionOptions(connectionString);
  return createPool({
    ...options,
    options: `${options.options} ${PLANNED_ONCE}`,
    max: CONNECTIONS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
}
