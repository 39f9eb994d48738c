import { EventEmitter } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LIMITS } from "#lib/contract/limits";
import type { ThreadAnswer } from "#lib/domain/custom-connectors/build-in-thread";
import { watchThread } from "#lib/domain/custom-connectors/watch-thread";
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
