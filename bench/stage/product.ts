import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PURE } from "#bench/load/workflows";
import { parentOf } from "#bench/measure/process-usage";
import { administer } from "#bench/stage/administer";
import { endProduct, type LaunchSettings, launchProduct, untilReady } from "#bench/stage/launch-product";
import type { Definition } from "#lib/contract/graph";
import { findInstance } from "#scripts/instance/instance";
import { removePostgresHome } from "#scripts/postgres/postgres-home";

/** The whole product, started the way a user does it, with a workspace, a key, and an action to call. */
export interface Product {
  url: string;
  databaseUrl: string;
  /** Separate connections for set-up and for reading counters. */
  db: pg.Pool;
  /** The headers of a call with the workspace's key. */
  headers: Record<string, string>;
  workspaceId: string;
  /** Publishes a workflow under a slug, in the product's workspace or in another one. */
  publish(slug: string, definition: Definition, workspace?: string): Promise<void>;
  /**
   * Creates another workspace on the same plan.
   * @returns the headers of a call with its key
   */
  addWorkspace(slug: string): Promise<Record<string, string>>;
  /**
   * Publishes a workflow that starts with a trigger.
   * @returns the address of its webhook; "" for other triggers
   */
  activate(name: string, definition: Definition): Promise<string>;
  /** The processes of the web server and PostgreSQL, whose CPU an answer uses. */
  servingPids: readonly number[];
  /** The processes that do the work, without the launcher that supervises them. */
  pids(): Promise<{ web: number[]; workers: number[]; postgres: number[] }>;
  /**
   * Stops the instance and starts it again.
   * @returns the ms from the start to the first 200
   */
  restart(): Promise<number>;
  /** Stops the workers with SIGSTOP, so that accepted runs stay queued. False lets them continue. */
  pauseWorkers(isPaused: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The slug of the action that every product has. */
export const SLUG = "greet";
const WORKSPACE = "bench";
/** The owner of every product's workspace. */
export const LOGIN = { email: "bench@example.com", password: "useless to anyone else" };
/** The path that the first call to a restarted instance requests. The call uses a key, a route, and the database. */
const FIRST_ANSWER_PATH = "/api/v1/runtime/actions";

/** Starts the production build on its own embedded PostgreSQL. */
export async function startProduct(settings: LaunchSettings = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-bench-"));
  await chmod(dataDir, 0o711);
  let launcher = launchProduct(dataDir, 0, settings);
  const remove = async () => {
    await endProduct(launcher);
    await removePostgresHome(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(launcher);
    const prepared = await prepare(dataDir);
    return {
      ...prepared,
      restart: async () => {
        await endProduct(launcher);
        const startedMs = performance.now();
        launcher = launchProduct(dataDir, Number(new URL(prepared.url).port), settings);
        await untilAnswered(`${prepared.url}${FIRST_ANSWER_PATH}`, prepared.headers);
        const answeredMs = performance.now();
        await untilReady(launcher);
        return answeredMs - startedMs;
      },
      stop: async () => {
        await prepared.pauseWorkers(false);
        await prepared.db.end();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function untilAnswered(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const status = await fetch(url, { headers }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(10);
  }
}

async function prepare(dataDir: string): Promise<Omit<Product, "restart" | "stop">> {
  const instance = await findInstance(dataDir);
  if (!instance?.url || !instance.databaseUrl) throw new Error("the instance left no record");
  const db = new pg.Pool({ connectionString: instance.databaseUrl, max: 3 });
  // A benchmark may stop the server.
  db.on("error", () => {});
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
  const admin = (...args: string[]) => administer(env, args);
  const { email: owner, password } = LOGIN;
  await admin("create-user", "--email", owner, "--password", password, "--name", "Bench");
  const open = async (slug: string) => {
    const { workspace_id } = await admin("create-workspace", "--slug", slug, "--owner", owner, "--plan", "business");
    const scopes = "actions:read,actions:run,runs:read";
    const { raw_key } = await admin("create-key", "--workspace", slug, "--name", slug, "--scopes", scopes);
    const headers = { authorization: `Bearer ${raw_key}`, "content-type": "application/json" };
    return { workspaceId: workspace_id ?? "", headers };
  };
  const workspace = await open(WORKSPACE);
  const draw = async (name: string, definition: Definition, of = WORKSPACE) => {
    const file = join(dataDir, `${name}.json`);
    await writeFile(file, JSON.stringify({ name, definition }));
    return (await admin("import-workflow", "--workspace", of, "--file", file)).workflow_id ?? "";
  };
  const publish = async (slug: string, definition: Definition, of?: string) => {
    await admin("deploy-workflow", "--workflow-id", await draw(slug, definition, of), "--slug", slug);
  };
  await publish(SLUG, PURE);
  // The address that the server listens on: `localhost` may cost a lookup and an attempt on ::1.
  const url = instance.url.replace("localhost", "127.0.0.1");
  const { web, postgres } = await findPids(dataDir, db);
  return {
    servingPids: [...web, ...postgres],
    url,
    databaseUrl: instance.databaseUrl,
    db,
    ...workspace,
    publish,
    addWorkspace: async (slug) => (await open(slug)).headers,
    activate: async (name, definition) => {
      const { subscriptions = [] } = await admin("deploy-workflow", "--workflow-id", await draw(name, definition));
      return subscriptions[0]?.url ? url + new URL(subscriptions[0].url).pathname : "";
    },
    pids: () => findPids(dataDir, db),
    pauseWorkers: async (isPaused) => {
      const { workers } = await findPids(dataDir, db);
      for (const pid of workers) process.kill(pid, isPaused ? "SIGSTOP" : "SIGCONT");
    },
  };
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
