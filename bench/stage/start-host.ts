import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** A supervisor and its workers. */
export interface Host {
  pid: number;
  /** Lists the known workers. A new worker is reported a moment after it starts. */
  workerPids(): number[];
  /**
   * Sends SIGKILL to the supervisor and all of its descendants at the same moment, like a power loss of the machine.
   */
  kill(): Promise<void>;
}

interface HostOptions {
  workers: number;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** A module that loads before everything else in the workers. */
  preload?: string;
}

export function startHost({ workers, env, logFile, preload }: HostOptions): Host {
  const log = openSync(logFile, "a");
  const child: ChildProcess = fork(join(import.meta.dirname, "host.ts"), [String(workers), logFile], {
    execArgv: [],
    stdio: ["ignore", log, log, "ipc"],
    env: preload === undefined ? env : { ...env, NODE_OPTIONS: `--import=${preload}` },
  });
  closeSync(log);
  let pids: number[] = [];
  child.on("message", (message: number[]) => {
    pids = message;
  });
  return {
    pid: child.pid ?? 0,
    workerPids: () => pids,
    kill: async () => {
      child.kill("SIGKILL");
      for (const pid of pids) killHard(pid);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** @returns false if there was nothing to kill */
export function killHard(pid: number, signal: NodeJS.Signals | 0 = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
