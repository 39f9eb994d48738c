import { join } from "node:path";
import pg from "pg";
import { type Cluster, startCluster } from "#scripts/embedded-postgres";
import { isWrongPassword, wrongPassword } from "#scripts/postgres-process";

export interface Database {
  url: string;
  /** True when the cluster belongs to this instance alone: no one else has workers or data in it. */
  isEmbedded: boolean;
  /** Starts the server again after it died. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

const NAME = "signalbox";

/**
 * Returns the instance's database: the one in DATABASE_URL, or the embedded PostgreSQL of the data folder.
 * @throws Error saying what to do
 */
export async function openDatabase(dataDir: string, password: string): Promise<Database> {
  const given = process.env.DATABASE_URL;
  if (given) return openGiven(given);
  const options = { dataDir, password, logFile: join(dataDir, "logs", "postgres.log") };
  let cluster = await startCluster(options);
  try {
    await createDatabase(cluster, password);
  } catch (error) {
    await cluster.stop();
    throw isWrongPassword(error) ? wrongPassword() : error;
  }
  return {
    url: urlOf(cluster, password),
    isEmbedded: true,
    revive: async () => {
      if (!(await cluster.isRunning())) cluster = await startCluster(options);
    },
    close: () => cluster.stop(),
  };
}

async function openGiven(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    // pg's message contains no password.
    throw new Error(`DATABASE_URL: ${(error as Error).message || "the server cannot be reached"}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
  return { url, isEmbedded: false, revive: async () => {}, close: async () => {} };
}

/** The application's role owns the database and nothing else: a superuser could run programs on the machine. */
async function createDatabase(cluster: Cluster, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url("postgres") });
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
