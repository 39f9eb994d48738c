import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** Counters of the product's PostgreSQL since it started. */
export interface DatabaseUsage {
  commits: number;
  walBytes: number;
}

/** An idle server process reports its counters after at most 10 s. */
const STATISTICS_LAG_MS = 11_000;

/** Reads the counters once they are complete. */
export async function readDatabaseUsage(db: pg.Pool): Promise<DatabaseUsage> {
  await sleep(STATISTICS_LAG_MS);
  const { rows } = await db.query<{ commits: string; wal: string }>(
    `select xact_commit as commits, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal
     from pg_stat_database where datname = current_database()`,
  );
  return { commits: Number(rows[0]?.commits), walBytes: Number(rows[0]?.wal) };
}
