import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { forkProcess, type KeptProcess, type ProcessSpec, pauseBeforeStart } from "#worker/supervise/keep-running";

/** A process that has loaded everything and waits until it is needed. */
export interface StandBy extends KeptProcess {
  /** Starts the next standby a moment later, unless one is waiting. */
  prepare(): void;
  /** Starts the work of the waiting process and returns it, or null when there is none and a full start is needed. */
  take(): ChildProcess | null;
}

const STAND_BY = "--stand-by";
const BEGIN = "begin";
/** The runs of a dead worker come first: loading a worker takes half a second of a core. */
const PREPARE_AFTER_MS = 500;

/**
 * Keeps one process ready to replace any that ends. It costs about 110 MB; a worker that dies is replaced within a
 * tenth of a second instead of a second.
 */
export function keepStandBy(spec: ProcessSpec): StandBy {
  let waiting: ChildProcess | null = null;
  let crashes = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function prepare(afterMs = PREPARE_AFTER_MS): void {
    clearTimeout(timer);
    if (!waiting && !isStopped) timer = setTimeout(start, afterMs);
  }

  function start(): void {
    const started = forkProcess({ ...spec, args: [...(spec.args ?? []), STAND_BY] });
    waiting = started;
    spec.onStart?.();
    const onEnd = () => {
      if (waiting !== started) return;
      waiting = null;
      crashes += 1;
      prepare(PREPARE_AFTER_MS + pauseBeforeStart(crashes));
    };
    started.once("exit", onEnd);
    started.once("error", onEnd);
  }

  function discard(): void {
    const discarded = waiting;
    waiting = null;
    // It has no runs.
    discarded?.kill("SIGKILL");
  }

  return {
    name: spec.name,
    pid: () => waiting?.pid,
    crashes: () => crashes,
    hasSpoken: () => false,
    prepare: () => prepare(),
    take: () => {
      const taken = waiting;
      waiting = null;
      taken?.send(BEGIN, () => {});
      return taken;
    },
    restart: () => {
      discard();
      prepare();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      discard();
    },
  };
}

/** In a process started as a standby: resolves when it is needed, and ends the process when the launcher ends. */
export async function untilNeeded(): Promise<void> {
  if (!process.argv.includes(STAND_BY)) return;
  const leave = () => process.exit(0);
  process.once("disconnect", leave);
  if (process.connected === false) leave();
  await once(process, "message");
  process.off("disconnect", leave);
}
