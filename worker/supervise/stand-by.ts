import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { forkProcess, type KeptProcess, type ProcessSpec, pauseBeforeStart } from "#worker/supervise/keep-running";

/** A process that has loaded everything and waits until it is needed. */
export interface StandBy extends KeptProcess {
  /** Starts the next one, a moment later, unless one waits. */
  prepare(): void;
  /** Lets the one that waits begin, and hands it over. Null while there is none: then a start takes its whole time. */
  take(): ChildProcess | null;
}

const STAND_BY = "--stand-by";
const BEGIN = "begin";
/** What a dead worker held goes on first: to load a worker takes half a second of a core. */
const PREPARE_AFTER_MS = 500;

/**
 * Keeps one process ready to take the place of any that ends. It costs some 110 MB; a worker that dies is replaced
 * within a tenth of a second instead of one.
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
    // It holds nothing.
    discarded?.kill("SIGKILL");
  }

  return {
    name: spec.name,
    pid: () => waiting?.pid,
    crashes: () => crashes,
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

/** Where this process was started to stand by: resolves when it is needed, and ends it with its launcher. */
export async function untilNeeded(): Promise<void> {
  if (!process.argv.includes(STAND_BY)) return;
  const leave = () => process.exit(0);
  process.once("disconnect", leave);
  if (process.connected === false) leave();
  await once(process, "message");
  process.off("disconnect", leave);
}
