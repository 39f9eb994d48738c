import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { migrate } from "#prisma/migrate";
import { isPortFree } from "#scripts/instance/find-free-port";
import { findPostmaster } from "#scripts/postgres/postgres-process";
import { startThrowawayPostgres, type ThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { startPgbouncer } from "#scripts/postgres-servers/start-pgbouncer";
import { startStandby } from "#scripts/postgres-servers/start-standby";

/** The database of a stage. It keeps PostgreSQL's default durability, because acknowledged commits must survive. */
export interface StageDatabase {
  /** The database settings of a machine. */
  settings: Record<string, string>;
  /** Returns the URL of the server that accepts writes. */
  url(): string;
  remove(): Promise<void>;
}

/** One server, with the product's schema. Its role is the superuser. */
export interface SingleDatabase extends StageDatabase {
  port: number;
  logFile: string;
  /** Crashes the server and starts it again after `downMs`. */
  crash(how: "immediate" | "sigkill", downMs: number): Promise<void>;
}

/** A primary, a standby that confirms every commit, and pgbouncer in transaction mode. */
export interface ReplicatedDatabase extends StageDatabase {
  /** Kills the pooler with SIGKILL and starts it again, as a service manager does. */
  killPooler(): Promise<void>;
  /** Ends the primary without a shutdown, promotes the standby, and points the pooler to it. */
  failOver(): Promise<void>;
}

// A process reads its settings once, so all its single databases share these.
let port: number | null = null;
const PASSWORD = randomBytes(12).toString("hex");

/**
 * Starts one server. Its port is below the range that the system assigns to outgoing connections, so it is still free
 * when the server returns from a crash.
 */
export async function openDatabase(settings: Record<string, string> = {}): Promise<SingleDatabase> {
  port ??= await choosePort();
  const given = { settings: { max_connections: "300", ...settings }, port, password: PASSWORD };
  const postgres = await startThrowawayPostgres(given);
  const { cluster, dataDir, remove } = postgres;
  const url = cluster.url("postgres");
  await migrate(url);
  const { rows } = await onServer<{ data_directory: string }>(url, "show data_directory");
  return {
    settings: { DATABASE_URL: url },
    url: () => url,
    port: cluster.port,
    logFile: join(dataDir, "postgres.log"),
    crash: (how, downMs) => crash(postgres, rows[0]?.data_directory ?? "", how, downMs),
    remove,
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

const NAME = "signalbox";
/**
 * The connections that all processes of the machines share. Without the pooler, they would open several times as many.
 */
const POOL_SIZE = 40;

/** Starts the three servers on the ports from `first` up. The database is empty. */
export async function openReplicatedDatabase(first: number): Promise<ReplicatedDatabase> {
  const settings = { max_connections: "300" };
  const primary = await startThrowawayPostgres({ settings, port: first });
  const primaryUrl = await createDatabase(primary.cluster.url("postgres"));
  const standby = await startStandby(primary, { isSynchronous: true, port: first + 1, settings });
  const standbyUrl = primaryUrl.replace(`:${first}/`, `:${first + 1}/`);
  const pooler = await startPgbouncer({ databaseUrl: primaryUrl, poolSize: POOL_SIZE, port: first + 2 });
  const direct = primaryUrl.replace(`127.0.0.1:${first}/`, `127.0.0.1:${first},127.0.0.1:${first + 1}/`);
  let url = primaryUrl;
  return {
    settings: { DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: direct },
    url: () => url,
    killPooler: async () => {
      killHard(pooler.pid);
      await pooler.restart();
    },
    failOver: async () => {
      await primary.cluster.stop("immediate");
      await standby.promote();
      await pooler.retarget(standbyUrl);
      url = standbyUrl;
    },
    remove: async () => {
      await pooler.remove();
      await standby.remove();
      await primary.remove();
    },
  };
}

/** Creates a database and the product's role, which owns the database and nothing else, as on a managed PostgreSQL. */
export async function createDatabase(
  superuserUrl: string,
  password = randomBytes(12).toString("hex"),
): Promise<string> {
  await onServer(superuserUrl, `create role ${NAME} login password '${password}'`);
  await onServer(superuserUrl, `create database ${NAME} owner ${NAME}`);
  return `postgres://${NAME}:${password}@${new URL(superuserUrl).host}/${NAME}`;
}

async function onServer<Found extends pg.QueryResultRow>(url: string, sql: string): Promise<pg.QueryResult<Found>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query<Found>(sql).finally(() => client.end());
}
