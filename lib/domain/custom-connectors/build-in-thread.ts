import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import type { BuildOrder, BuiltConnector } from "#lib/domain/custom-connectors/build-source";

/** Far more than the largest accepted document takes on a busy machine. */
const BUILD_TIMEOUT_MS = 20_000;
const HEAP_MB = 512;

/** The message of the thread when it is done. */
export type ThreadAnswer = { built: BuiltConnector } | { refused: BuildFinding };

/**
 * Builds in a thread, which ends afterward.
 * @throws BuildRefused, also for a document that takes too much time or memory
 */
export async function buildInThread(order: BuildOrder): Promise<BuiltConnector> {
  // Found by its path in the project: the web application is bundled, the thread is not.
  const path = join(/* turbopackIgnore: true */ process.cwd(), "lib/domain/custom-connectors/build-thread.ts");
  const thread = new Worker(path, {
    workerData: order,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const timer = setTimeout(() => reject(tooMuch("takes too long to read")), BUILD_TIMEOUT_MS);
  thread.once("message", resolve);
  thread.once("error", (error: Error & { code?: string }) => {
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch("takes too much memory") : error);
  });
  thread.once("exit", (code) => reject(new Error(`the thread that builds connectors ended with ${code}`)));
  try {
    const answer = await promise;
    if ("built" in answer) return answer.built;
    const { pointer, code, message } = answer.refused;
    throw new BuildRefused(pointer, code, message);
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}

function tooMuch(what: string): BuildRefused {
  return new BuildRefused("", "too_large", `The document ${what}. Leave out paths you do not need.`);
}
