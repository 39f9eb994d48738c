import type pg from "pg";
import { statementOptions } from "#lib/platform/db/connection-options";
import { createPool } from "#lib/platform/db/pool";

/** Unlike the statements of requests, these may read whole tables. */
const QUERY_TIMEOUT_MS = 600_000;

/** Opens one connection for statements that read every sealed value. The caller ends it. */
export function openPatientPool(): pg.Pool {
  return createPool({ ...statementOptions(), max: 1, query_timeout: QUERY_TIMEOUT_MS });
}
