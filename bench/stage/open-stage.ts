import { randomBytes } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { closeDb, db } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { isPortFree } from "#scripts/instance/find-free-port";
import { commandLineOf } from "#scripts/instance/process-identity";
import { findPostmaster } from "#scripts/postgres/postgres-process";
import { startThrowawayPostgres, type ThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

/** A separate PostgreSQL with the product's schema, and the environment for processes that use it. */
export interface Stage {
  env: NodeJS.ProcessEnv;
  postgresPort: number;
  logFile: string;
  /** Crashes the server and starts it again after `downMs`. */
  crash(how: "immediate" | "sigkill", downMs: number): Promise<void>;
  /** Lists the workers that the database counts as alive, oldest first. */
  liveWorkers(): Promise<LiveWorker[]>;
  close(): Promise<void>;
}

export interface LiveWorker {
  poolId: string;
  pid: number;
}

const DATABASE = "faults";
// Each process reads the environment once, so all its stages share these values.
let port: number | null = null;
const PASSWORD = randomBytes(12).toString("hex");
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
const NEXTAUTH_SECRET = randomBytes(32).toString("hex");
/** The log of supervisors and workers. It is kept after the stage, for later analysis. */
export const LOG_FILE = join(tmpdir(), `signalbox-faults-${process.pid}.log`);

/**
 * Keeps PostgreSQL's default durability, because acknowledged commits must survive its crash. The port is below the
 * range that the system assigns to outgoing connections, so it is still free when the server returns.
 */
export async function openStage(): Promise<Stage> {
  port ??= await choosePort();
  const postgres = await startThrowawayPostgres({ settings: { max_connections: "300" }, port, password: PASSWORD });
  const { cluster } = postgres;
  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  await admin.query(`create database ${DATABASE}`);
  const { rows } = await admin.query<{ data_directory: string }>("show data_directory");
  await admin.end();
  await migrate(cluster.url(DATABASE));
  Object.assign(process.env, stageEnvironment(cluster.url(DATABASE)));
  return {
    env: { ...process.env, LOG_LEVEL: "info" },
    postgresPort: cluster.port,
    logFile: LOG_FILE,
    crash: (how, downMs) => crash(postgres, rows[0]?.data_directory ?? "", how, downMs),
    liveWorkers,
    close: async () => {
      // If the database is gone for good, the cause matters more than this error.
      await killWorkers().catch(() => {});
      await closeDb();
      await copyFile(join(postgres.dataDir, "postgres.log"), `${LOG_FILE}.postgres`).catch(() => {});
      await postgres.remove();
    },
  };
}

function stageEnvironment(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS,
    NEXTAUTH_SECRET,
    RUNS_PER_USER_PER_HOUR: "0",
    RUNS_PER_MONTH: "0",
    WEBHOOK_REQUESTS_PER_MINUTE: "0",
    OUTBOUND_ALLOW: "127.0.0.1",
    WORKER_CONCURRENCY: "10",
  };
}

async function choosePort(): Promise<number> {
  for (;;) {
    const candidate = 20_000 + (randomBytes(2).readUInt16BE() % 12_000);
    if (await isPortFree(candidate)) return candidate;
  }
}

async function crash(
  postgres: ThrowawayPostgres,
  cluster: string,
  how: "immediate" | "sigkill",
  downMs: number,
): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (how === "immediate") await postgres.cluster.stop("immediate");
  else if (postmaster) killHard(postmaster.pid);
  await new Promise((resolve) => setTimeout(resolve, downMs));
  // Children of a killed server hold its shared memory for a moment, and a new server refuses to start until then.
  await until("PostgreSQL to start again", async () => {
    await postgres.restart();
    return true;
  });
  const present = (await readFile(join(cluster, "postmaster.pid"), "utf8")).split("\n")[3];
  if (Number(present) !== postgres.cluster.port) throw new Error(`PostgreSQL came back on another port: ${present}`);
}

async function liveWorkers(): Promise<LiveWorker[]> {
  const { rows } = await db().query<LiveWorker>({
    text: `select pool_id as "poolId", pid from worker_heartbeats
           where dead_at is null and not quarantine and last_seen_at > now() - interval '3 seconds'
           order by started_at, pool_id`,
  });
  return rows;
}

/** Kills all live processes of this stage, including quarantine workers and stopped workers that were declared dead. */
async function killWorkers(): Promise<void> {
  const { rows } = await db().query<{ pid: number }>({ text: "select pid from worker_heartbeats" });
  for (const { pid } of rows) if (commandLineOf(pid).includes(join("worker", "main.ts"))) killHard(pid);
}
