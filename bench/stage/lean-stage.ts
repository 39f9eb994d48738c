import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { parentOf } from "#bench/measure/process-usage";
import { openDatabase, type SingleDatabase } from "#bench/stage/database";
import { enterStage, openStage, type Stage } from "#bench/stage/stage";
import type { Definition } from "#lib/contract/workflow/graph";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";

/** A stage without machines, for workers that are started one by one: PostgreSQL and a workspace. */
export interface LeanStage extends Stage<SingleDatabase> {
  db: pg.Pool;
  workspace: TestWorkspace;
  postgresPid: number;
  addAction(slug: string, definition: Definition): Promise<TestAction>;
}

export interface LeanWorker {
  pid: number;
  stop(): Promise<void>;
}

const SETTINGS = { shared_buffers: "512MB", max_wal_size: "8GB" };

/** Opens the stage. Use cases that the benchmark calls run in its own process, on the same database. */
export async function openLeanStage(): Promise<LeanStage> {
  // The benchmark deletes runs itself.
  const env = { RUN_RETENTION_DAYS: "0", LOG_LEVEL: "error" };
  const stage = await openStage({ database: await openDatabase(SETTINGS), env });
  enterStage(stage);
  const db = new pg.Pool({ connectionString: stage.database.url(), max: 3 });
  const workspace = await addWorkspace();
  const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  return {
    ...stage,
    db,
    workspace,
    postgresPid: parentOf(rows[0]?.pid ?? 0),
    addAction: (slug, definition) => addAction(workspace, { slug, definition }),
    close: async () => {
      await db.end();
      await stage.close();
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
