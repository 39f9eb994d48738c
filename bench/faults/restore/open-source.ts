import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "#bench/load/seeded-random";
import { launchEnvironment } from "#bench/stage/launch-product";
import { createDatabase } from "#bench/stage/open-database";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { nodeOf, THIS_RELEASE } from "#bench/stage/previous-release";
import { type Machine, startMachine } from "#bench/stage/start-machine";
import type { PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { startThrowawayPostgres, type ThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { requirePostgresPrograms } from "#scripts/postgres-servers/require-postgres-programs";
import { runProgram } from "#scripts/run-program";

/** The product and its PostgreSQL before the loss, and everything that each restored instance shares with them. */
export interface Site {
  programs: PostgresBinaries;
  /** The password of the superuser and of the product's role. */
  password: string;
  /** The database's URL. Every restored server takes over the address of the lost one. */
  databaseUrl: string;
  /** The web server's URL. */
  url: string;
  folder: string;
  outside: { actions: OutsideServer; events: OutsideServer };
  source: ThrowawayPostgres;
  /** The instance's settings, including its secrets. */
  env: NodeJS.ProcessEnv;
  /**
   * Starts an instance with a data folder of that name. `keys` replaces the instance's keys, for tests of their
   * refusal.
   */
  start(name: string, keys?: string): Promise<Machine>;
  close(): Promise<void>;
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
  const folder = await mkdtemp(join(tmpdir(), "signalbox-restore-"));
  await chmod(folder, 0o711);
  const password = randomBytes(12).toString("hex");
  const random = seededRandom(seed);
  const latencyMs = () => 1 + random() * LATENCY_MS;
  const [actions, events, source] = await Promise.all([
    startOutside({ latencyMs }),
    startOutside({ latencyMs }),
    startThrowawayPostgres({ settings: SETTINGS, port: DATABASE_PORT, password, programs }),
  ]);
  const databaseUrl = await createDatabase(source.cluster.url("postgres"), password);
  const url = `http://127.0.0.1:${FIRST_PORT}`;
  const env = siteEnvironment(databaseUrl, url);
  await runProgram(nodeOf(THIS_RELEASE.folder), ["scripts/start.mjs", "start", "--migrate"], {
    env: { ...env, DATA_DIR: join(folder, "migrate") },
  });
  return {
    ...{ programs, password, databaseUrl, url, folder, source, env, outside: { actions, events } },
    start: (name, keys) =>
      startMachine({
        ...{ name, role: "all", workers: WORKERS, release: THIS_RELEASE, port: FIRST_PORT, folder },
        env: keys === undefined ? env : { ...env, ENCRYPTION_KEYS: keys },
      }),
    close: async () => {
      await Promise.all([actions.close(), events.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function siteEnvironment(databaseUrl: string, publicUrl: string): NodeJS.ProcessEnv {
  return {
    ...launchEnvironment(),
    DATABASE_URL: databaseUrl,
    DATABASE_URL_DIRECT: "",
    ENCRYPTION_KEYS: newKeys("k1"),
    NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
    PUBLIC_BASE_URL: publicUrl,
    OUTBOUND_ALLOW: "127.0.0.1",
  };
}

/** Returns ENCRYPTION_KEYS with one new key. */
export function newKeys(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}
