import { randomBytes } from "node:crypto";
import { createDatabase } from "#bench/stage/database";
import type { Machine } from "#bench/stage/machine";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { openStage, type Stage } from "#bench/stage/stage";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import type { PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { startThrowawayPostgres, type ThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { requirePostgresPrograms } from "#scripts/postgres-servers/require-postgres-programs";

/** The product and its PostgreSQL before the loss, and everything that each restored instance shares with them. */
export interface Site extends Stage {
  programs: PostgresBinaries;
  /** The password of the superuser and of the product's role. */
  password: string;
  /** The database's URL. Every restored server takes over the address of the lost one. */
  databaseUrl: string;
  /** The web server's URL. */
  url: string;
  outside: { actions: OutsideServer; events: OutsideServer };
  source: ThrowawayPostgres;
  /**
   * Starts an instance with a data folder of that name. `keys` replaces the instance's keys, for tests of their
   * refusal.
   */
  start(name: string, keys?: string): Promise<Machine>;
}

const FIRST_PORT = 26_100;
export const DATABASE_PORT = FIRST_PORT + 1;
/** Long enough that some runs are in the middle of a step at every restore point. */
const LATENCY_MS = 400;
const WORKERS = 2;
/** Keeps PostgreSQL's default durability, because confirmed commits must survive. */
export const SETTINGS = { max_connections: "200" };

/** Starts the system's PostgreSQL, which has the backup programs, and applies the migrations. */
export async function openSite(seed: number): Promise<Site> {
  const programs = await requirePostgresPrograms();
  const password = randomBytes(12).toString("hex");
  const random = seededRandom(seed).next;
  const latencyMs = () => 1 + random() * LATENCY_MS;
  const [actions, events, source] = await Promise.all([
    startOutside({ latencyMs }),
    startOutside({ latencyMs }),
    startThrowawayPostgres({ settings: SETTINGS, port: DATABASE_PORT, password, programs }),
  ]);
  const databaseUrl = await createDatabase(source.cluster.url("postgres"), password);
  const url = `http://127.0.0.1:${FIRST_PORT}`;
  // Every restored server has the same address, so the database is more than one server.
  const database = { settings: { DATABASE_URL: databaseUrl }, url: () => databaseUrl, remove: async () => {} };
  const stage = await openStage({ database, env: { PUBLIC_BASE_URL: url, OUTBOUND_ALLOW: "127.0.0.1" } });
  await stage.migrate();
  return {
    ...stage,
    programs,
    password,
    databaseUrl,
    url,
    source,
    outside: { actions, events },
    start: (name, keys) =>
      stage.addMachine({
        name,
        workers: WORKERS,
        port: FIRST_PORT,
        ...(keys === undefined ? {} : { env: { ENCRYPTION_KEYS: keys } }),
      }),
    close: async () => {
      await Promise.all([stage.close(), actions.close(), events.close()]);
    },
  };
}
