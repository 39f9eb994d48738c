import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import pg from "pg";
import { parentOf } from "#bench/measure/process-usage";
import type { Definition } from "#lib/contract/graph";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { closeDb } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

/** The product without its web server: PostgreSQL with default durability, a workspace, and workers. */
export interface LeanStage {
  databaseUrl: string;
  db: pg.Pool;
  workspace: TestWorkspace;
  postgresPid: number;
  addAction(slug: string, definition: Definition): Promise<TestAction>;
  stop(): Promise<void>;
}

export interface LeanWorker {
  pid: number;
  stop(): Promise<void>;
}

const SETTINGS = { shared_buffers: "512MB", max_wal_size: "8GB" };

/** Starts the stage. Use cases that the benchmark calls run in its own process, on the same database. */
export async function startLeanStage(): Promise<LeanStage> {
  const server = await startThrowawayPostgres({ settings: SETTINGS });
  const databaseUrl = server.cluster.url("postgres");
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
    RUNS_PER_USER_PER_HOUR: "0",
    RUNS_PER_MONTH: "0",
    // The benchmark deletes runs itself.
    RUN_RETENTION_DAYS: "0",
    LOG_LEVEL: "error",
  });
  await migrate(databaseUrl);
  const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  const workspace = await addWorkspace();
  const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  return {
    databaseUrl,
    db,
    workspace,
    postgresPid: parentOf(rows[0]?.pid ?? 0),
    addAction: (slug, definition) => addAction(workspace, { slug, definition }),
    stop: async () => {
      await closeDb();
      await db.end();
      await server.remove();
    },
  };
}

/**
 * Starts a worker process.
 * @param core the only core that the worker and its children may use
 */
export async function startLeanWorker(core?: number): Promise<LeanWorker> {
  const command = [process.execPath, "worker/main.ts"];
  const [program = "", ...args] = core === undefined ? command : ["taskset", "-c", String(core), ...command];
  const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const exited = once(child, "exit");
  await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("the worker ended before it took runs"))),
  ]);
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Restricts a process and all of its children to these cores. */
export function pinFamily(pid: number, cores: readonly number[]): void {
  const children = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);
  for (const one of [String(pid), ...children]) spawnSync("taskset", ["-acp", cores.join(","), one]);
}
