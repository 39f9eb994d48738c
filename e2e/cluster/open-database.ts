import { randomBytes } from "node:crypto";
import pg from "pg";
import { startStandby } from "#scripts/postgres-servers/start-standby";
import { startThrowawayPostgres } from "#scripts/throwaway-postgres";

/** The PostgreSQL of a cluster: a primary, and a standby that confirms every commit. */
export interface ClusterDatabase {
  /** The settings that every machine gets. */
  settings: Record<string, string>;
  /** The address of the primary, as the product's own role. */
  url(): string;
  remove(): Promise<void>;
}

const NAME = "signalbox";

/** Starts both with PostgreSQL's default durability: what was confirmed must survive a crash. */
export async function openDatabase(port: number): Promise<ClusterDatabase> {
  const settings = { max_connections: "300" };
  const primary = await startThrowawayPostgres({ settings, port });
  const url = await createDatabase(primary.cluster.url("postgres"));
  const standby = await startStandby(primary, { isSynchronous: true, port: port + 1, settings });
  return {
    settings: { DATABASE_URL: url },
    url: () => url,
    remove: async () => {
      await standby.remove();
      await primary.remove();
    },
  };
}

/** The product's role owns its database and nothing else, as on a managed PostgreSQL. */
async function createDatabase(superuserUrl: string): Promise<string> {
  const password = randomBytes(12).toString("hex");
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create role ${NAME} login password '${password}'`);
  await client.query(`create database ${NAME} owner ${NAME}`);
  await client.end();
  return `postgres://${NAME}:${password}@${new URL(superuserUrl).host}/${NAME}`;
}
