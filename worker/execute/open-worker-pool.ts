import type pg from "pg";
import { env } from "#lib/platform/config/env";
import { statementOptions } from "#lib/platform/db/connection-options";
import { keepConnections } from "#lib/platform/db/keep-connections";
import { createPool } from "#lib/platform/db/pool";

/** A query of a run that takes longer is abandoned and repeated: a half-open connection reports nothing. */
const QUERY_TIMEOUT_MS = 5_000;
/**
 * Statements of many runs go out together, so more connections than this make nothing faster, however many runs there
 * are. One is for graphile-worker's listener, in addition to those for runs.
 */
const MORE_CONNECTIONS = 1;
/** The first runs after a quiet time are opened, written, and ended by two statements each at the same time. */
const KEPT_CONNECTIONS = 4;
/**
 * Every statement of a run finds its rows by their keys, so one plan is right for all of its executions. By default,
 * PostgreSQL plans such statements again each time, because it expects ten rows from an array that it does not see, and
 * one from an array of one. That was half of the CPU time of the statement that ends runs. The plan is also kept when
 * tables grow, so it must not read a table completely because the table was empty. Up to version 17, a plan that has to
 * looks so expensive that PostgreSQL compiles it for each execution, which takes 100 ms. graphile-worker has such plans.
 */
const PLANNED_ONCE = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off", jit: "off" };

/** Opens the connections for the runs of a worker, and prepares the first of them. */
export function openWorkerPool(): pg.Pool {
  const pool = open({ max: env().DATABASE_POOL_SIZE + MORE_CONNECTIONS }, PLANNED_ONCE);
  void keepConnections(pool, KEPT_CONNECTIONS + MORE_CONNECTIONS)();
  return pool;
}

/**
 * Opens the connection that admits runs and removes the jobs of those that are done. A crash of PostgreSQL may forget both: a
 * run that is executed twice is decided by its lease, so they don't wait for the disk.
 */
export function openJobConnection(): pg.Pool {
  return open({ min: 1, max: 1 }, { ...PLANNED_ONCE, synchronous_commit: "off" });
}

function open(size: { min?: number; max: number }, parameters: Readonly<Record<string, string>>): pg.Pool {
  return createPool({ ...statementOptions(parameters), ...size, query_timeout: QUERY_TIMEOUT_MS });
}
