import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { parentOf } from "#bench/process-usage";
import { PURE } from "#bench/workflows";
import type { Definition } from "#lib/contract/graph";
import { findInstance } from "#scripts/instance";
import { removePostgresHome } from "#scripts/postgres-home";
import { runProgram } from "#scripts/run-program";

/** The whole product, started as a person starts it, with a workspace, a key and an action to call. */
export interface Product {
  url: string;
  databaseUrl: string;
  /** Connections of the benchmark's own, for setting up and for reading counters. */
  db: pg.Pool;
  /** The headers of a call with the workspace's key. */
  headers: Record<string, string>;
  workspaceId: string;
  /** Publishes a workflow under a slug. */
  publish(slug: string, definition: Definition): Promise<void>;
  /** The processes that do the work, without the launcher that looks after them. */
  pids(): Promise<{ web: number[]; workers: number[]; postgres: number[] }>;
  /** Stops the workers in mid-air, so that what is accepted stays queued; false lets them go on. */
  pauseWorkers(isPaused: boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface ProductOptions {
  workers?: number;
  /** A folder for CPU profiles of every process. */
  profile?: string | undefined;
  env?: Record<string, string>;
}

/** The action that every product has. */
export const SLUG = "greet";
/** What the person's own environment says must not reach the measured instance. */
const UNSET =
  "DATABASE_URL HOST PORT PUBLIC_BASE_URL WEBHOOK_BASE_URL NEXTAUTH_URL NEXTAUTH_SECRET ENCRYPTION_KEYS OUTBOUND_ALLOW WORKER_CONCURRENCY LOG_LEVEL";
/** Limits are measured by a figure of their own; elsewhere they would end the load. */
const NO_LIMITS = { RUNS_PER_USER_PER_HOUR: "0", REQUESTS_PER_WINDOW: "0", RUNS_PER_MONTH: "0" };

/** Starts the production build on an embedded PostgreSQL of its own, durability as delivered. */
export async function startProduct({ workers = 1, profile, env = {} }: ProductOptions = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-bench-"));
  await chmod(dataDir, 0o711);
  const launcher = launch(dataDir, {
    ...Object.fromEntries(UNSET.split(" ").map((name) => [name, ""])),
    ...NO_LIMITS,
    WORKERS: String(workers),
    ...(profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {}),
    ...env,
  });
  try {
    await ready(launcher);
    const made = await prepare(dataDir);
    return {
      ...made,
      stop: async () => {
        await made.pauseWorkers(false);
        await made.db.end();
        await remove(dataDir, launcher);
      },
    };
  } catch (error) {
    await remove(dataDir, launcher);
    throw error;
  }
}

/** `npm start` on a data folder; the rest of the environment is the person's. */
export function launch(dataDir: string, env: Record<string, string>, ...args: string[]): ChildProcess {
  const given: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: dataDir, ...env };
  // Of the benchmark's own npm: the instance is to end with the benchmark.
  delete given.npm_lifecycle_event;
  return spawn(process.execPath, ["scripts/start.mjs", "start", "--json", "--no-seed", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: given,
  });
}

/** Resolves when the instance says that it is ready. */
export async function ready(launcher: ChildProcess): Promise<void> {
  if (!launcher.stdout) throw new Error("the launcher has no output");
  const lines = createInterface({ input: launcher.stdout });
  const ended = once(launcher, "exit").then(([code]) => Promise.reject(new Error(`the product ended with ${code}`)));
  await Promise.race([once(lines, "line"), ended]);
}

export async function endLauncher(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  launcher.kill("SIGTERM");
  await once(launcher, "exit");
}

async function remove(dataDir: string, launcher: ChildProcess): Promise<void> {
  await endLauncher(launcher);
  await removePostgresHome(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

async function prepare(dataDir: string): Promise<Omit<Product, "stop">> {
  const instance = await findInstance(dataDir);
  if (!instance?.url || !instance.databaseUrl) throw new Error("the instance left no record");
  const db = new pg.Pool({ connectionString: instance.databaseUrl, max: 3 });
  const admin = (...args: string[]) => administer(dataDir, args);
  const owner = "bench@example.com";
  await admin("create-user", "--email", owner, "--password", "of no use to anybody", "--name", "Bench");
  const { workspace_id } = await admin("create-workspace", "--slug", "bench", "--owner", owner, "--plan", "business");
  const scopes = "actions:read,actions:run,runs:read";
  const { raw_key } = await admin("create-key", "--workspace", "bench", "--name", "bench", "--scopes", scopes);
  const publish = async (slug: string, definition: Definition) => {
    const file = join(dataDir, `${slug}.json`);
    await writeFile(file, JSON.stringify({ name: slug, definition }));
    const { workflow_id = "" } = await admin("import-workflow", "--workspace", "bench", "--file", file);
    await admin("deploy-workflow", "--workflow-id", workflow_id, "--slug", slug);
  };
  await publish(SLUG, PURE);
  return {
    url: instance.url,
    databaseUrl: instance.databaseUrl,
    db,
    headers: { authorization: `Bearer ${raw_key}`, "content-type": "application/json" },
    workspaceId: workspace_id ?? "",
    publish,
    pids: () => findPids(dataDir, db),
    pauseWorkers: async (isPaused) => {
      const { workers } = await findPids(dataDir, db);
      for (const pid of workers) process.kill(pid, isPaused ? "SIGSTOP" : "SIGCONT");
    },
  };
}

async function administer(dataDir: string, args: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
  const { output } = await runProgram(process.execPath, ["scripts/admin.ts", ...args], { env });
  return JSON.parse(output) as Record<string, string>;
}

async function findPids(dataDir: string, db: pg.Pool) {
  const processes = (await findInstance(dataDir))?.processes ?? [];
  const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  const isWorker = (name: string) => name.startsWith("worker");
  return {
    web: processes.filter(({ name }) => !isWorker(name)).map(({ pid }) => pid),
    workers: processes.filter(({ name }) => isWorker(name)).map(({ pid }) => pid),
    postgres: [parentOf(rows[0]?.pid ?? 0)],
  };
}
