import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isServerAway } from "#lib/platform/db/classify-database-error";
import { connectPatiently } from "#lib/platform/db/connect-client";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { explainConnectionError } from "#lib/platform/db/explain-connection-error";
import { type Cluster, startCluster } from "#scripts/postgres/embedded-postgres";
import { isWrongPassword, wrongPassword } from "#scripts/postgres/postgres-process";

export interface Database {
  url: string;
  /** True if the cluster belongs to this instance alone, so that no one else has workers or data in it. */
  isEmbedded: boolean;
  /** Starts the server again after it died. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

const NAME = "signalbox";

/**
 * Returns the instance's database: the one in DATABASE_URL, or the data folder's embedded PostgreSQL.
 * @throws Error that says what to do
 */
export async function openDatabase(dataDir: string, password: string): Promise<Database> {
  const given = process.env.DATABASE_URL;
  const direct = process.env.DATABASE_URL_DIRECT;
  if (given) return openGiven(given, direct);
  if (direct) throw new Error("DATABASE_URL_DIRECT: has no effect without DATABASE_URL, the address of the pooler");
  const options = { dataDir, password, logFile: join(dataDir, "logs", "postgres.log") };
  let cluster = await startCluster(options);
  try {
    await createDatabase(cluster, password);
  } catch (error) {
    await cluster.stop();
    throw isWrongPassword(error) ? wrongPassword() : error;
  }
  let reviving: Promise<void> | null = null;
  const revive = async () => {
    if (!(await cluster.isRunning())) cluster = await startCluster(options);
  };
  return {
    url: urlOf(cluster, password),
    isEmbedded: true,
    // A start may take longer than the pause until the next call, and two of them would fight over the cluster.
    revive: () => {
      reviving ??= revive().finally(() => {
        reviving = null;
      });
      return reviving;
    },
    close: () => cluster.stop(),
  };
}

async function openGiven(url: string, direct = ""): Promise<Database> {
  await tryToConnect("DATABASE_URL", url, direct !== "");
  if (direct) await tryToConnect("DATABASE_URL_DIRECT", direct, false);
  return { url, isEmbedded: false, revive: async () => {}, close: async () => {} };
}

async function tryToConnect(setting: string, url: string, isPooled: boolean): Promise<void> {
  try {
    const client = await connectPatiently(connectionOptions(url, { isPooled }));
    await client.end();
  } catch (error) {
    // The message contains no password.
    throw new Error(`${setting}: ${explainConnectionError(error)}`, { cause: error });
  }
}

/** Creates the database. A connection that a busy server closes is opened again for as long as the server runs. */
async function createDatabase(cluster: Cluster, password: string): Promise<void> {
  for (;;) {
    try {
      return await tryToCreate(cluster, password);
    } catch (error) {
      if (!isServerAway(error) || !(await cluster.isRunning())) throw error;
      await sleep(100);
    }
  }
}

/**
 * Creates the database and the application's role. The role owns the database and nothing else, because a superuser
 * could run programs on the machine.
 */
async function tryToCreate(cluster: Cluster, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url("postgres") });
  // Without a listener, an error while it connects or ends would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select 1 from pg_roles where rolname = $1) as role,
              exists (select 1 from pg_database where datname = $1) as database`,
      [NAME],
    );
    if (!rows[0]?.role) await client.query(`create role ${NAME} login password ${client.escapeLiteral(password)}`);
    if (!rows[0]?.database) await client.query(`create database ${NAME} owner ${NAME}`);
  } finally {
    await client.end();
  }
}

function urlOf(cluster: Cluster, password: string): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${cluster.port}/${NAME}`;
}
