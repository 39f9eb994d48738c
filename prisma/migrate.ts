import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import type pg from "pg";
import { createPartitions, MOVED_ROWS_MAX } from "#lib/domain/runs/retain/create-partitions";
import { log } from "#lib/platform/config/log";
import { connectPatiently } from "#lib/platform/db/connect-client";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { IS_LIVE_WORKER } from "#lib/platform/db/live-worker";
import { createPool } from "#lib/platform/db/pool";
import { applyFunctions } from "#prisma/apply-functions";
import { applyMigrations } from "#prisma/apply-migrations";

/** Longer than any migration of graphile-worker takes. */
const QUERY_TIMEOUT_MS = 600_000;
const PATIENT = { max: 1, query_timeout: QUERY_TIMEOUT_MS, connectionTimeoutMillis: QUERY_TIMEOUT_MS };

/** Any constant works. It keeps two starting processes from migrating at the same time. */
const LOCK = 7_301_846;

/**
 * Brings a database to this release: the migrations of `folder`, graphile-worker's own, and then the functions of
 * `folder`. `prisma migrate deploy` needs an engine that npm does not ship. The files and the table are Prisma's; only
 * the runner is ours. A process of an older release that starts on a newer release's database does not change the
 * functions: its own may not fit the newer tables, and the newer ones serve both releases. At the end it creates the
 * missing partitions.
 * @param connectionString PostgreSQL itself: a transaction pooler would release the lock at once
 * @returns the names of the migrations and functions it applied
 * @throws Error if a migration or a function fails, or an applied migration was edited
 */
export async function migrate(connectionString: string, folder: string = import.meta.dirname): Promise<string[]> {
  const client = await connectPatiently(connectionOptions(connectionString));
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const { applied, isNewerDatabase } = await applyMigrations(client, join(folder, "migrations"));
    await migrateJobs(connectionString);
    const replaced = isNewerDatabase ? [] : await applyFunctions(client, join(folder, "functions"));
    await preparePartitions(client);
    return [...applied, ...replaced];
  } finally {
    await client.end();
  }
}

/**
 * Creates the missing partitions before any process writes: an instance that was off for weeks, or a backup of weeks ago,
 * has none for its first rows. Without them an instance works, too, so a failure does not keep it from starting. While
 * workers of another release run, it moves only a few rows, because their runs wait for the move.
 */
async function preparePartitions(client: pg.Client): Promise<void> {
  try {
    const { rows } = await client.query(`select from worker_heartbeats where ${IS_LIVE_WORKER} limit 1`);
    await createPartitions(client, rows.length > 0 ? MOVED_ROWS_MAX : null);
  } catch (error) {
    log.warn({ err: error }, "the missing partitions are unknown; a worker tries again every hour");
  }
}

/** Applies graphile-worker's migrations, over a connection like ours: it would read the address with pg's own parser. */
async function migrateJobs(connectionString: string): Promise<void> {
  const pool = createPool({ ...connectionOptions(connectionString), ...PATIENT });
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}
