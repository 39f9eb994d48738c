import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessSpec {
  /** Used in messages: "web server", "worker 1". */
  name: string;
  modulePath: string;
  args?: string[];
  execArgv?: string[];
  /** Defaults to this process's own. */
  env?: NodeJS.ProcessEnv;
  /** The open file that receives its output. */
  log: number;
  onStart?(): void;
  /** A standby process that can replace it at once, if there is one. */
  takeStandBy?(): ChildProcess | null;
  onMessage?(message: unknown): void;
  /** Runs after every exit, before the process is started again; an error is logged and otherwise ignored. */
  onExit?(): Promise<void>;
  /** Receives what a person watching should know. */
  report(text: string): void;
}

/** A child process that is restarted whenever it ends, until it is stopped. */
export interface KeptProcess {
  name: string;
  /** Undefined between an exit and the next start. */
  pid(): number | undefined;
  /** How often it ended without being asked to. */
  crashes(): number;
  /** True if the running process has sent a message: a worker that takes jobs. */
  hasSpoken(): boolean;
  /** Ends it and starts it again at once. */
  restart(): void;
  /** Asks it to end with SIGTERM, then SIGKILL after `graceMs`. Resolves when it has ended and `onExit` is done. */
  stop(graceMs: number): Promise<void>;
}

const BACKOFF_MS = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
/** A process that lived this long and ends is not a crash loop. */
const STABLE_MS = 30_000;

/**
 * How many exits in a row count toward the pause before the next start. A process that had sent a message (a worker
 * that took jobs) waits at most 250 ms: a run may have been at fault, and the next process has other runs to continue.
 */
export function countQuickExits(before: number, livedMs: number, hasSpoken: boolean): number {
  if (livedMs > STABLE_MS) return 0;
  return hasSpoken ? Math.min(before + 1, 2) : before + 1;
}

/** @param exits in a row, of processes that did not live long @returns milliseconds */
export function pauseBeforeStart(exits: number): number {
  return BACKOFF_MS[Math.min(exits - 1, BACKOFF_MS.length - 1)] ?? 0;
}

/**
 * The threads of a process for name lookups, files and hashing. Half of them look names up at once; a workspace has
 * four lookups at once (look-up-in-turn.ts).
 */
const THREADS = "64";

type ForkSpec = Pick<ProcessSpec, "modulePath" | "args" | "execArgv" | "env" | "log">;

export function forkProcess({ modulePath, args = [], execArgv = [], env, log }: ForkSpec): ChildProcess {
  const withThreads = env && { UV_THREADPOOL_SIZE: THREADS, ...env };
  return fork(modulePath, args, { detached: true, execArgv, env: withThreads, stdio: ["ignore", log, log, "ipc"] });
}

/** Asks a process to end with SIGTERM, then SIGKILL after `graceMs`. Resolves when it has ended. */
export async function endChild(child: ChildProcess, graceMs: number): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  // A process that could not be started never exits.
  if (hasEnded || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await exited;
  clearTimeout(timer);
}

/**
 * Starts a Node process and keeps it running. The process has its own group, so that Ctrl-C reaches only the launcher,
 * and an IPC channel whose end shows it that the launcher is gone.
 */
export function keepRunning(spec: ProcessSpec): KeptProcess {
  let child: ChildProcess | null = null;
  let crashes = 0;
  let quickExits = 0;
  let isRestarting = false;
  let hasSpoken = false;
  const halt = new AbortController();
  const cycle = run();

  async function run(): Promise<void> {
    while (!halt.signal.aborted) {
      const startedAt = performance.now();
      const end = await runOnce();
      if (halt.signal.aborted) return;
      if (isRestarting) {
        isRestarting = false;
        continue;
      }
      crashes += 1;
      quickExits = countQuickExits(quickExits, performance.now() - startedAt, hasSpoken);
      spec.report(`${spec.name}: ended (${end}), starting again`);
      await sleep(pauseBeforeStart(quickExits), undefined, { signal: halt.signal }).catch(() => {});
    }
  }

  /** @returns the exit code or signal */
  async function runOnce(): Promise<string> {
    child = spec.takeStandBy?.() ?? forkProcess(spec);
    spec.onStart?.();
    hasSpoken = false;
    child.on("message", (message) => {
      hasSpoken = true;
      spec.onMessage?.(message);
    });
    const end = await once(child, "exit").then(
      ([code, signal]) => String(signal ?? `code ${code}`),
      (error: Error) => error.message,
    );
    child = null;
    await spec.onExit?.().catch((error: Error) => spec.report(`${spec.name}: ${error.message}`));
    return end;
  }

  return {
    name: spec.name,
    pid: () => child?.pid,
    crashes: () => crashes,
    hasSpoken: () => hasSpoken && child !== null,
    restart: () => {
      isRestarting = child !== null;
      child?.kill("SIGTERM");
    },
    stop: async (graceMs) => {
      halt.abort();
      if (child) await endChild(child, graceMs);
      await cycle;
    },
  };
}
