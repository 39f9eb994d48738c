import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "#scripts/cleanup";
import type { Database } from "#scripts/database";
import { localUrl } from "#scripts/environment";
import type { InstanceClaim } from "#scripts/instance";
import { openLog } from "#scripts/open-log";
import { identify } from "#scripts/process-lock";
import { showStep } from "#scripts/progress";
import { readTail } from "#scripts/run-program";
import { watchSources } from "#scripts/watch-sources";
import { type KeptProcess, keepRunning, type ProcessSpec } from "#worker/supervise/keep-running";

interface ProcessesOptions {
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

/** Open requests get this long to end, and a running step its own limit and a little more. */
const WEB_GRACE_MS = 5_000;
const WORKER_GRACE_MS = 35_000;
/** After this many exits before it was ready, a process will not become ready. */
const MAX_CRASHES = 3;
const READY_SECONDS = 120;

/** Starts the web server and the workers, and waits until the instance is ready. */
export async function startProcesses(options: ProcessesOptions): Promise<void> {
  const { dataDir, env, claim, cleanup, database } = options;
  // The supervisor needs the generated client, which the launcher may have just made.
  const { closeSupervisor, declareLeftoversDead, superviseWorkers } = await import("#worker/supervise/supervisor");
  cleanup.add(closeSupervisor);
  if (database.isEmbedded) await declareLeftoversDead();
  const logs = { web: openLog(dataDir, "web"), worker: openLog(dataDir, "worker") };
  const kept: KeptProcess[] = [];
  const shared = {
    env,
    report: (text: string) => void process.stderr.write(`  ${text}\n`),
    onStart: () => {
      const alive = kept.flatMap(({ name, pid }) => (pid() ? [{ name, ...identify(pid() ?? 0) }] : []));
      claim.update({ processes: alive }).catch((error: Error) => shared.report(error.message));
    },
  };
  await showStep("Starting the web server and the worker", async () => {
    const workers = superviseWorkers(Number(env.WORKERS || 1), { ...shared, log: logs.worker.fd });
    kept.push(startWeb(options, { ...shared, log: logs.web.fd }), ...workers);
    cleanup.add(() => stopAll(kept));
    if (options.mode === "development") {
      const watcher = watchSources(["lib", "worker"], () => {
        for (const worker of workers) worker.restart();
      });
      cleanup.add(() => watcher.close());
    }
    shared.onStart();
    await waitUntilReady(localUrl(options.host, options.port), kept, options.stop).catch(async (error: Error) => {
      if (options.stop.aborted) throw error;
      const tails = await Promise.all(["web", "worker"].map((name) => readTail(`${dataDir}/logs/${name}.log`, 10)));
      throw new Error(`${tails.join("\n")}\n\n${error.message} The logs: ${dataDir}/logs`);
    });
  });
}

/**
 * Most of what a request creates is garbage when it is answered. With Node's 16 MiB for new objects, the garbage
 * collector took 14% of the time of the web process under load.
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
      `--max-semi-space-size=${NEW_OBJECTS_MIB}`,
    ],
  });
}

async function stopAll(kept: KeptProcess[]): Promise<void> {
  await showStep("Stopping the web server and the worker", async () => {
    await Promise.all(kept.map((one) => one.stop(one.name === "web server" ? WEB_GRACE_MS : WORKER_GRACE_MS)));
  });
}

/**
 * Waits until the instance reports that it is ready: database, migrations, a live worker.
 * @throws Error saying what it waited for
 */
async function waitUntilReady(baseUrl: string, kept: KeptProcess[], stop: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_SECONDS * 1_000;
  let last = "no answer yet";
  while (performance.now() < deadline) {
    stop.throwIfAborted();
    const crashed = kept.find((one) => one.crashes() >= MAX_CRASHES);
    if (crashed) throw new Error(`The ${crashed.name} keeps exiting.`);
    try {
      const answer = await fetch(`${baseUrl}/readyz`, { signal: stop });
      last = await answer.text();
      if (answer.ok) return;
    } catch (error) {
      // Nothing listens yet, or no longer.
      last = (error as Error).message;
    }
    await sleep(50);
  }
  throw new Error(`The instance did not become ready within ${READY_SECONDS} s: ${last}`);
}
