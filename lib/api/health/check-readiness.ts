import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { db } from "#lib/platform/db/pool";

/** Each is "ok" or says what is wrong, in words that tell nothing about the inside. */
export interface Readiness {
  database: string;
  migrations: string;
  worker: string;
}

/** decisions, Runs: a worker that lives has been seen within 6 seconds; a little patience on top. */
const WORKER_SECONDS = 10;

/** What of the instance can do its work now: the database, with every migration, and at least one worker. */
export async function checkReadiness(): Promise<Readiness> {
  try {
    const { rows } = await db().query<{ applied: string[]; has_worker: boolean }>({
      text: `select array(select migration_name from _prisma_migrations
                          where finished_at is not null and rolled_back_at is null) as applied,
                    exists (select 1 from worker_heartbeats
                            where dead_at is null and last_seen_at > now() - $1 * interval '1 second') as has_worker`,
      values: [WORKER_SECONDS],
    });
    const applied = new Set(rows[0]?.applied);
    const pending = (await migrationNames()).filter((name) => !applied.has(name));
    return {
      database: "ok",
      migrations: pending.length === 0 ? "ok" : `${pending.length} not applied`,
      worker: rows[0]?.has_worker ? "ok" : `none seen within ${WORKER_SECONDS} s`,
    };
  } catch (error) {
    const isEmpty = isDatabaseFault(error, "undefined_table");
    if (!isEmpty) log.warn({ err: error }, "not ready");
    const unknown = "unknown";
    return isEmpty
      ? { database: "ok", migrations: "none applied", worker: unknown }
      : { database: "cannot be reached", migrations: unknown, worker: unknown };
  }
}

let names: string[] | undefined;

/** What the code of this process expects; the build runs in the project's folder. */
async function migrationNames(): Promise<string[]> {
  if (!names) {
    const folder = join(/* turbopackIgnore: true */ process.cwd(), "prisma", "migrations");
    const entries = await readdir(folder, { withFileTypes: true });
    names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }
  return names;
}
