import { DEFAULT_DRAIN_SECONDS, type ProcessRole } from "#lib/platform/config/env";
import type { Cleanup } from "#scripts/instance/cleanup";
import { localUrl } from "#scripts/instance/environment";
import type { InstanceClaim } from "#scripts/instance/instance";
import { isLoggedToStdout, openLog } from "#scripts/instance/open-log";
import { checkKeysOfDatabase } from "#scripts/instance/prepare-database";
import { identify } from "#scripts/instance/process-lock";
import { type StartWait, waitUntilReady } from "#scripts/instance/wait-until-ready";
import { watchSources } from "#scripts/instance/watch-sources";
import type { Database } from "#scripts/postgres/database";
import { showStep } from "#scripts/progress";
import { readTail } from "#scripts/run-program";
import { type KeptProcess, keepRunning, type ProcessSpec } from "#worker/supervise/keep-running";

interface ProcessesOptions {
  role: Exclude<ProcessRole, "migrate">;
  mode: "production" | "development";
  host: string;
  port: number;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  database: Database;
  claim: InstanceClaim;
  cleanup: Cleanup;
  stop: AbortSignal;
}

/** Open requests get this long to end. A worker gets this long after its own deadline. */
const WEB_GRACE_MS = 5_000;
const WORKER_GRACE_MS = 5_000;
/** A process that exits this many times before it is ready will not become ready. */
const MAX_CRASHES = 3;

/** The names of each role's processes in messages. */
const PROCESSES = { all: "the web server and the worker", web: "the web server", worker: "the worker" };

/** Starts the role's processes, and waits until they are ready. */
export async function startProcesses(options: ProcessesOptions): Promise<void> {
  const { dataDir, env, claim, cleanup, database, role } = options;
  // The supervisor needs the generated client, which the launcher may have just made.
  const { closeSupervisor, declareLeftoversDead, superviseWorkers } = await import("#worker/supervise/supervisor");
  cleanup.add(closeSupervisor);
  if (database.isEmbedded) await declareLeftoversDead();
  if (role !== "all") {
    await showStep("Waiting for the migrations", (_, waitFor) => waitForMigrations({ waitFor, stop: options.stop }));
    await checkKeysOfDatabase(env);
  }
  const parts = role === "all" ? (["web", "worker"] as const) : ([role] as const);
  const kept: KeptProcess[] = [];
  const shared = {
    env,
    report: (text: string) => void process.stderr.write(`  ${text}\n`),
    onStart: () => {
      const alive = kept.flatMap(({ name, pid }) => (pid() ? [{ name, ...identify(pid() ?? 0) }] : []));
      claim.update({ processes: alive }).catch((error: Error) => shared.report(error.message));
    },
  };
  await showStep(`Starting ${PROCESSES[role]}`, async (_, waitFor) => {
    const workers =
      role === "web" ? [] : superviseWorkers(Number(env.WORKERS || 1), { ...shared, log: openLog(env, "worker") });
    const web = role === "worker" ? [] : [startWeb(options, { ...shared, log: openLog(env, "web") })];
    kept.push(...web, ...workers);
    cleanup.add(() => showStep(`Stopping ${PROCESSES[role]}`, () => stopAll(kept, env)));
    if (options.mode === "development") {
      const watcher = watchSources(["lib", "worker"], () => {
        for (const worker of workers) worker.restart();
      });
      cleanup.add(() => watcher.close());
    }
    shared.onStart();
    const askReady =
      role === "worker"
        ? async () => isTakingJobs(kept)
        : () => askReadiness(localUrl(options.host, options.port), options.stop);
    const wait = { waitFor, stop: options.stop, findDead: () => findDead(kept) };
    await waitUntilReady(askReady, wait).catch(async (error: Error) => {
      if (options.stop.aborted) throw error;
      if (isLoggedToStdout(env)) throw error;
      const tails = await Promise.all(parts.map((name) => readTail(`${dataDir}/logs/${name}.log`, 10)));
      throw new Error(
        `${tails.join("\n")}\n\n${error.message} Correct what the log names, and start again. The logs: ${dataDir}/logs`,
      );
    });
  });
}

/**
 * The size of V8's space for new objects. Most objects of a request are garbage when it is answered. With Node's
 * default of 16 MiB, the garbage collector took 14% of the web process's time under load.
 */
const NEW_OBJECTS_MIB = 32;

function startWeb({ mode }: ProcessesOptions, options: Omit<ProcessSpec, "name" | "modulePath">): KeptProcess {
  return keepRunning({
    ...options,
    name: "web server",
    modulePath: "server/main.ts",
    args: mode === "production" ? [] : ["--development"],
    execArgv: [
      ...["--import", new URL("exit-with-launcher.ts", import.meta.url).href],
      // A development server keeps the code of its first admin command, although the code changes.
      ...(mode === "production" ? ["--import", new URL("../admin/serve-in-web-process.ts", import.meta.url).href] : []),
      `--max-semi-space-size=${NEW_OBJECTS_MIB}`,
    ],
  });
}

async function stopAll(kept: KeptProcess[], env: NodeJS.ProcessEnv): Promise<void> {
  const webMs = WEB_GRACE_MS + Number(env.WEB_DRAIN_SECONDS || 0) * 1_000;
  const workerMs = WORKER_GRACE_MS + Number(env.WORKER_DRAIN_SECONDS || DEFAULT_DRAIN_SECONDS) * 1_000;
  await Promise.all(kept.map((one) => one.stop(one.name === "web server" ? webMs : workerMs)));
}

/**
 * Waits until another process has applied this release's migrations.
 * @throws Error that says what is missing
 */
async function waitForMigrations(wait: Omit<StartWait, "findDead">): Promise<void> {
  const { checkReadiness } = await import("#lib/api/health/check-readiness");
  const ask = async () => {
    const { database, migrations } = await checkReadiness();
    if (database !== "ok") return `the database ${database}`;
    return migrations === "ok" ? null : `migrations: ${migrations}. Run npm start -- --migrate.`;
  };
  await waitUntilReady(ask, { ...wait, findDead: () => null });
}

/** Returns what to say if a process will not become ready. */
function findDead(kept: KeptProcess[]): string | null {
  const crashed = kept.find((one) => one.crashes() >= MAX_CRASHES);
  return crashed ? `A process keeps exiting: ${crashed.name}.` : null;
}

async function askReadiness(baseUrl: string, stop: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: stop });
    const text = await answer.text();
    return answer.ok ? null : text;
  } catch {
    // No process listens yet, or no longer.
    return "the web server does not answer yet";
  }
}

function isTakingJobs(kept: KeptProcess[]): string | null {
  return kept.some((one) => one.hasSpoken()) ? null : "no worker takes jobs yet";
}
