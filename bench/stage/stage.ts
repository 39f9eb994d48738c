import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StageDatabase } from "#bench/stage/database";
import { type Machine, type MachineOptions, startMachine } from "#bench/stage/machine";
import { nodeOf, type Release, THIS_RELEASE } from "#bench/stage/previous-release";
import { closeDb } from "#lib/platform/db/pool";
import { buildWeb } from "#scripts/build/build-web";
import { removePostgresHome } from "#scripts/postgres/postgres-home";
import { runProgram } from "#scripts/run-program";

interface StageOptions<Database> {
  /** The database of all machines, which is removed with the stage. Null if each machine starts its own. */
  database: Database;
  /** Settings in addition to those of every stage. */
  env?: Record<string, string>;
}

/** What a measurement or a fault scenario runs on: a database, machines, and the environment of their processes. */
export interface Stage<Database extends StageDatabase | null = StageDatabase> {
  database: Database;
  folder: string;
  env: NodeJS.ProcessEnv;
  machines: Machine[];
  /** Starts a machine. Its `env` has settings in addition to those of the stage. */
  addMachine(options: Omit<MachineOptions, "folder" | "env"> & { env?: Record<string, string> }): Promise<Machine>;
  /** Applies a release's migrations, as a deployment does before it replaces processes. */
  migrate(release?: Release): Promise<void>;
  /** Stops all machines, and removes their data and the database. */
  close(): Promise<void>;
}

/** Variables of the user's environment that must not reach a stage. */
const UNSET =
  "DATABASE_URL DATABASE_URL_DIRECT DATABASE_POOL_SIZE HOST PORT PUBLIC_BASE_URL WEBHOOK_BASE_URL NEXTAUTH_URL NEXTAUTH_SECRET ENCRYPTION_KEYS OUTBOUND_ALLOW WORKER_CONCURRENCY LOG_LEVEL";
const LIMITS = ["RUNS_PER_USER_PER_HOUR", "REQUESTS_PER_WINDOW", "RUNS_PER_MONTH", "WEBHOOK_REQUESTS_PER_MINUTE"];
/** Turns off the limits, which would end the load. A separate benchmark measures them. */
const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, "0"]));
/** Restores the default limits, for a benchmark of the limits themselves. */
export const DEFAULT_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, ""]));
/** A process reads its settings once, so all its stages share these. A machine with its own database makes its own. */
const SECRETS = { ENCRYPTION_KEYS: newKeys("k1"), NEXTAUTH_SECRET: randomBytes(32).toString("hex") };

/** Opens a stage without machines. */
export async function openStage<Database extends StageDatabase | null>({
  database,
  env: given = {},
}: StageOptions<Database>): Promise<Stage<Database>> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-stage-"));
  await chmod(folder, 0o711);
  const env = { ...launchEnvironment(), ...(database && { ...SECRETS, ...database.settings }), ...given };
  const machines: Machine[] = [];
  const names = new Set<string>();
  let built: Promise<void> | undefined;
  return {
    database,
    folder,
    env,
    machines,
    addMachine: async (options) => {
      built ??= buildWeb(".data/logs/build.log");
      await built;
      names.add(options.name);
      const machine = await startMachine({ ...options, folder, env: { ...env, ...options.env } });
      machines.push(machine);
      return machine;
    },
    migrate: async ({ folder: cwd } = THIS_RELEASE) => {
      const of = { cwd, env: { ...env, DATA_DIR: join(folder, "migrate") } };
      await runProgram(nodeOf(cwd), ["scripts/start.mjs", "start", "--migrate"], of);
    },
    close: async () => {
      await Promise.all(machines.map((machine) => machine.stop()));
      await closeDb();
      await database?.remove();
      for (const name of database ? [] : names) await removePostgresHome(join(folder, name));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Gives this process the settings of a stage, so that the use cases that it calls work on the stage's database. It keeps its own log level. */
export function enterStage({ env, database }: Pick<Stage, "env" | "database">): void {
  const { LOG_LEVEL } = process.env;
  Object.assign(process.env, env, { DATABASE_URL: database.url(), DATABASE_URL_DIRECT: "" });
  if (LOG_LEVEL) process.env.LOG_LEVEL = LOG_LEVEL;
}

/** Returns ENCRYPTION_KEYS with one new key. */
export function newKeys(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

/**
 * Returns the environment of a stage without limits. Its machines end with this process, not with the npm that started
 * it.
 */
function launchEnvironment(): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(UNSET.split(" ").map((name) => [name, ""]));
  const launchedBy = String(process.pid);
  const given: NodeJS.ProcessEnv = { ...process.env, ...unset, ...NO_LIMITS, ROLE: "", LAUNCHED_BY: launchedBy };
  delete given.npm_lifecycle_event;
  return given;
}
