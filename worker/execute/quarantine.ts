import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { freeRuns } from "#worker/supervise/free-runs";
import { endChild, forkProcess, type KeptProcess, type ProcessSpec } from "#worker/supervise/keep-running";
import { toldPool } from "#worker/supervise/worker-messages";

export interface Quarantine extends KeptProcess {
  /** Starts the quarantine worker unless it is running. */
  ensure(): void;
}

const NAME = "worker (quarantine)";

type QuarantineOptions = Pick<ProcessSpec, "env" | "log" | "report" | "onStart">;

/**
 * The process in which suspect runs continue, one at a time: a run that kills its worker there affects nothing else
 * (decisions, Runs). It starts when it is needed and ends when nothing suspect is left. All workers of a supervisor
 * share it: each faulty run ends it once, and starting costs more than executing.
 */
export function openQuarantine({ env, log, report, onStart }: QuarantineOptions): Quarantine {
  let child: ChildProcess | null = null;
  let isStopped = false;
  /** Null until the process takes runs. */
  let poolId: string | null = null;
  let freeing: Promise<unknown> = Promise.resolve();

  function ensure(): void {
    if (child || isStopped) return;
    report("a run seems to crash its worker; the run continues in quarantine");
    const modulePath = join(import.meta.dirname, "..", "main.ts");
    const started = forkProcess({ modulePath, args: ["--quarantine"], env, log });
    child = started;
    onStart?.();
    poolId = null;
    started.on("message", (message) => {
      poolId ??= toldPool(message);
    });
    started.on("error", (error) => {
      report(`${NAME}: ${error.message}`);
      // A process that could not be started never exits.
      if (started.pid === undefined) end();
    });
    started.once("exit", end);

    function end(): void {
      child = null;
      if (poolId === null) return;
      freeing = freeRuns([poolId], { name: NAME, report }).catch((error: Error) => report(`${NAME}: ${error.message}`));
    }
  }

  return {
    name: NAME,
    pid: () => child?.pid,
    // It is supposed to end.
    crashes: () => 0,
    hasSpoken: () => child !== null && poolId !== null,
    ensure,
    restart: () => void child?.kill("SIGTERM"),
    stop: async (graceMs) => {
      isStopped = true;
      if (child) await endChild(child, graceMs);
      await freeing;
    },
  };
}

/**
 * Starts one more quarantine worker, unless one is starting: every worker asks for it until it is there, and it takes the
 * run that they ask for.
 */
export function quarantineOneMore(quarantines: readonly Pick<Quarantine, "pid" | "hasSpoken" | "ensure">[]): void {
  if (quarantines.some((one) => one.pid() !== undefined && !one.hasSpoken())) return;
  quarantines.find((one) => one.pid() === undefined)?.ensure();
}
