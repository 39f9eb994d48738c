import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PURE } from "#bench/load/workflows";
import { parentOf } from "#bench/measure/process-usage";
import { openAdmin } from "#bench/stage/administer";
import type { Machine } from "#bench/stage/machine";
import { openStage } from "#bench/stage/stage";
import type { Definition } from "#lib/contract/workflow/graph";

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

export interface ProductSettings {
  workers?: number;
  /** A folder for CPU profiles of all processes. */
  profile?: string | undefined;
  env?: Record<string, string>;
}

/** The slug of the action that every product has. */
export const SLUG = "greet";
const WORKSPACE = "bench";
/** The owner of every product's workspace. */
export const LOGIN = { email: "bench@example.com", password: "useless to anyone else" };
/** The path that the first call to a restarted instance requests. The call uses a key, a route, and the database. */
const FIRST_ANSWER_PATH = "/api/v1/runtime/actions";

/** Starts the production build on its own embedded PostgreSQL. */
export async function startProduct({ workers, profile, env }: ProductSettings = {}): Promise<Product> {
  const profiled: Record<string, string> = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {};
  const stage = await openStage({ database: null, env: { ...profiled, ...env } });
  try {
    const machine = await stage.addMachine({ name: "product", ...(workers && { workers }) });
    const prepared = await prepare(machine, stage.env);
    return {
      ...prepared,
      restart: async () => {
        await machine.stop();
        const startedMs = performance.now();
        const started = machine.start();
        await untilAnswered(`${prepared.url}${FIRST_ANSWER_PATH}`, prepared.headers);
        const answeredMs = performance.now();
        await started;
        return answeredMs - startedMs;
      },
      stop: async () => {
        await prepared.pauseWorkers(false);
        await prepared.db.end();
        await stage.close();
      },
    };
  } catch (error) {
    await stage.close();
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

async function prepare(machine: Machine, settings: NodeJS.ProcessEnv): Promise<Omit<Product, "restart" | "stop">> {
  const { dataDir, databaseUrl } = machine;
  const url = machine.url ?? "";
  const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  // A benchmark may stop the server.
  db.on("error", () => {});
  const admin = openAdmin({ ...settings, DATA_DIR: dataDir }, dataDir);
  await admin.addUser(LOGIN.email, LOGIN.password);
  const open = async (slug: string) => {
    const workspaceId = await admin.addWorkspace(slug, LOGIN.email);
    const key = await admin.addKey(slug, slug, "actions:read,actions:run,runs:read");
    return { workspaceId, headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } };
  };
  const workspace = await open(WORKSPACE);
  const publish = async (slug: string, definition: Definition, of = WORKSPACE) => {
    await admin.deploy(of, slug, definition, "--slug", slug);
  };
  await publish(SLUG, PURE);
  const pids = async () => {
    const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
    const [web, workers] = await Promise.all([machine.pids("web"), machine.pids("worker")]);
    return { web, workers, postgres: [parentOf(rows[0]?.pid ?? 0)] };
  };
  const { web, postgres } = await pids();
  return {
    servingPids: [...web, ...postgres],
    url,
    databaseUrl,
    db,
    ...workspace,
    publish,
    addWorkspace: async (slug) => (await open(slug)).headers,
    activate: async (name, definition) => {
      const { subscriptions = [] } = await admin.deploy(WORKSPACE, name, definition);
      return subscriptions[0]?.url ? url + new URL(subscriptions[0].url).pathname : "";
    },
    pids,
    pauseWorkers: async (isPaused) => {
      for (const pid of await machine.pids("worker")) process.kill(pid, isPaused ? "SIGSTOP" : "SIGCONT");
    },
  };
}
