import { EventEmitter } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LIMITS } from "#lib/contract/limits";
import type { ThreadAnswer } from "#lib/domain/custom-connectors/build-in-thread";
import type { PoolChild } from "#lib/platform/child-pool/ask-child";

/** Starts a thread that reads OpenAPI documents. It never keeps this process alive. */
export async function startBuildThread(): Promise<PoolChild> {
  // Found by its path in the project: the web application is bundled, the thread is not.
  const path = join(/* turbopackIgnore: true */ process.cwd(), "lib/domain/custom-connectors/build-thread.ts");
  const thread = new Worker(path, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.documentHeapBytes / 1_048_576 },
  });
  return new BuildThread(thread);
}

/** A thread as a pool sees a child. */
class BuildThread extends EventEmitter implements PoolChild {
  connected = true;
  readonly #thread: Worker;
  /** Ends the measurement of the document that is being read. */
  #unwatch = () => {};

  constructor(thread: Worker) {
    super();
    this.#thread = thread;
    const answer = (message: ThreadAnswer) => {
      this.#unwatch();
      this.emit("message", message);
    };
    thread.on("message", answer);
    // It comes before the exit, so the call ends with the reason.
    thread.on("error", (error: Error & { code?: string }) => {
      answer({ isWorn: true, ...(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? { isOutOfMemory: true } : { error }) });
    });
    thread.on("exit", (code) => {
      this.connected = false;
      this.#unwatch();
      this.emit("exit", code, null);
    });
    // Last, because a listener for messages undoes it.
    thread.unref();
  }

  send(message: object): boolean {
    this.#unwatch = watchThread(this.#thread, LIMITS.documentReadMs, () => {
      this.emit("message", { isWorn: true, isOutOfTime: true } satisfies ThreadAnswer);
    });
    this.#thread.postMessage(message);
    return true;
  }

  kill(): boolean {
    void this.#thread.terminate();
    return true;
  }
}

/** How often a long call is measured. */
const WATCH_MS = 500;

/**
 * Calls `onOver` once when a thread has used more CPU time than the limit. Time in which the thread waits for the processor
 * does not count.
 * @returns a function that ends the measurement
 */
export function watchThread(thread: Worker, cpuMs: number, onOver: () => void): () => void {
  // A thread that is only starting has used nothing.
  const start = thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  const timer = setInterval(async () => {
    const [before, now] = [await start, await thread.cpuUsage().catch(() => null)];
    if (!now) return;
    const usedMs = (now.user + now.system - before.user - before.system) / 1_000;
    if (usedMs <= cpuMs || !isOpen) return;
    stop();
    onOver();
  }, WATCH_MS);
  timer.unref();
  let isOpen = true;
  const stop = () => {
    isOpen = false;
    clearInterval(timer);
  };
  return stop;
}
