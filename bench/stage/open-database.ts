import { randomBytes } from "node:crypto";
import pg from "pg";
import { killHard } from "#bench/stage/start-host";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { startPgbouncer } from "#scripts/postgres-servers/start-pgbouncer";
import { startStandby } from "#scripts/postgres-servers/start-standby";

/** The cluster's PostgreSQL: a primary, a standby that confirms every commit, and pgbouncer in transaction mode. */
export interface ClusterDatabase {
  /** The database settings of a machine. */
  settings: Record<string, string>;
  /** Returns the current primary's URL with the product's own role. */
  url(): string;
  /** Kills the pooler with SIGKILL and starts it again, as a service manager does. */
  killPooler(): Promise<void>;
  /** Ends the primary without a shutdown, promotes the standby, and points the pooler to it. */
  failOver(): Promise<void>;
  remove(): Promise<void>;
}

const NAME = "signalbox";
/**
 * The connections that all processes of the cluster share. Without the pooler, they would open several times as many.
 */
const POOL_SIZE = 40;

/**
 * Starts the three servers on the ports from `port` up. Keeps PostgreSQL's default durability, because confirmed
 * commits must survive a crash.
 */
export async function openDatabase(port: number): Promise<ClusterDatabase> {
  const settings = { max_connections: "300" };
  const primary = await startThrowawayPostgres({ settings, port });
  const first = await createDatabase(primary.cluster.url("postgres"));
  const standby = await startStandby(primary, { isSynchronous: true, port: port + 1, settings });
  const second = first.replace(`:${port}/`, `:${port + 1}/`);
  const pooler = await startPgbouncer({ databaseUrl: first, poolSize: POOL_SIZE, port: port + 2 });
  const direct = first.replace(`127.0.0.1:${port}/`, `127.0.0.1:${port},127.0.0.1:${port + 1}/`);
  let url = first;
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
      await pooler.retarget(second);
      url = second;
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
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create role ${NAME} login password '${password}'`);
  await client.query(`create database ${NAME} owner ${NAME}`);
  await client.end();
  return `postgres://${NAME}:${password}@${new URL(superuserUrl).host}/${NAME}`;
}
