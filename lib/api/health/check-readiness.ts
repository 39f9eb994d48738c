import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { listUnservedQueues } from "#lib/domain/workspaces/list-queues";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { array, boolean, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { IS_LIVE_WORKER, LIVE_WORKER_SECONDS } from "#lib/platform/db/live-worker";
import { db } from "#lib/platform/db/pool";

/** Each part is "ok" or says what is wrong, without internal details. */
export interface Readiness {
  database: string;
  migrations: string;
  /** Missing for a web process on a machine of its own: it serves while workers elsewhere are being replaced. */
  worker?: string;
  /** Names queues that no worker serves. The instance works nevertheless: its other queues do. */
  queues?: string;
}

const selectReadiness = defineStatement({
  name: "check_readiness",
  row: { applied: array(text), has_worker: boolean },
  sql: `select array(select migration_name::text from _prisma_migrations
                     where finished_at is not null and rolled_back_at is null) as applied,
          exists (select 1 from worker_heartbeats where ${IS_LIVE_WORKER}) as has_worker`,
  isPrepared: false,
});

/** Checks what this process's machine needs to work: the database, every migration and, unless it is only a web server, a worker. */
export async function checkReadiness(): Promise<Readiness> {
  const { worker, ...checks } = await check();
  if (env().ROLE === "web") return checks;
  const unserved = worker === "ok" ? await listUnservedQueues() : [];
  if (unserved.length === 0) return { ...checks, worker };
  return { ...checks, worker, queues: `no worker serves ${unserved.join(", ")}` };
}

async function check(): Promise<Required<Omit<Readiness, "queues">>> {
  try {
    const { applied, has_worker: hasWorker } = await selectReadiness.one(db());
    const pending = (await migrationNames()).filter((name) => !applied.includes(name));
    return {
      database: "ok",
      migrations: pending.length === 0 ? "ok" : `${pending.length} not applied`,
      worker: hasWorker ? "ok" : `none seen within ${LIVE_WORKER_SECONDS} s`,
    };
  } catch (error) {
    const unknown = "unknown";
    if (isDatabaseFault(error, "undefined_table"))
      return { database: "ok", migrations: "none applied", worker: unknown };
    log.warn({ err: error }, "not ready");
    const database = isDatabaseFault(error, "too_many_connections") ? "has no free connection" : "cannot be reached";
    return { database, migrations: unknown, worker: unknown };
  }
}

let names: string[] | undefined;

/** Returns the migrations that this code expects. The build runs in the project's folder. */
async function migrationNames(): Promise<string[]> {
  if (!names) {
    const folder = join(/* turbopackIgnore: true */ process.cwd(), "prisma", "migrations");
    const entries = await readdir(folder, { withFileTypes: true });
    names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }
  return names;
}
