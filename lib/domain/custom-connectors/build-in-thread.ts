import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import type { DocumentSummary } from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { BuildOrder, BuiltConnector } from "#lib/domain/custom-connectors/build-source";
import { startBuildThread } from "#lib/domain/custom-connectors/start-build-thread";
import { openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import { shareInProcess } from "#lib/support/share-in-process";

/** What a document leaves behind in a thread is gone with the thread. */
const DOCUMENTS_PER_THREAD = 50;
/** Far below any time in which a client would give up. */
const RETRY_AFTER_SECONDS = 2;

/** The message of a thread when it is done; `isWorn` ends the thread. */
export type ThreadAnswer = { isWorn: boolean } & (
  | { built: BuiltConnector }
  | { refused: BuildFinding; document: DocumentSummary | null }
  | { isOutOfMemory: true }
  | { isOutOfTime: true }
  | { error: Error }
);

const pool = shareInProcess("build-threads", () =>
  openFairPool<ThreadAnswer>({
    start: startBuildThread,
    children: { shared: LIMITS.documentThreads, reserved: 0, perWorkspace: 1 },
    queue: { calls: LIMITS.documentsWaitingPerWorkspace, bytes: Number.POSITIVE_INFINITY },
    callsPerChild: DOCUMENTS_PER_THREAD,
    killMs: 0,
  }),
);

/**
 * Builds in one of the process's threads, one document of a workspace at a time. Workspaces take turns.
 * @throws BuildRefused, also for a document that takes too much CPU time or memory; ApiError `too_many_documents` or
 *   `documents_overloaded` if it cannot be read soon
 */
export async function buildInThread(workspaceId: string, order: BuildOrder): Promise<BuiltConnector> {
  if (pool.load().waiting >= LIMITS.documentsWaiting) throw overloaded();
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(overloaded()), LIMITS.documentWaitMs);
  try {
    const { documentBusyMs: timeoutMs, documentReadMs: cpuMs } = LIMITS;
    const { signal } = waiting;
    const onTurn = () => clearTimeout(timer);
    const call = { workspaceId, message: order, bytes: 1, timeoutMs, cpuMs, signal, onTurn };
    return builtOf(await pool.run(call));
  } catch (error) {
    throw error instanceof PoolError ? refusalOf(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

function builtOf(answer: ThreadAnswer): BuiltConnector {
  if ("built" in answer) return answer.built;
  if ("error" in answer) throw new Error("The thread that builds connectors failed", { cause: answer.error });
  if ("isOutOfMemory" in answer) throw tooMuch(`more than ${LIMITS.documentHeapBytes / 1_048_576} MiB of memory`);
  if ("isOutOfTime" in answer) throw tooMuch(`more than ${LIMITS.documentReadMs / 1_000} s of CPU time`);
  const { pointer, code, message } = answer.refused;
  const refused = new BuildRefused(pointer, code, message);
  Object.assign(refused.finding, answer.refused);
  refused.summary = answer.document;
  throw refused;
}

function refusalOf(error: PoolError): Error {
  // The thread ends a document that takes too much CPU time by itself.
  if (error.kind === "time_limit") return busy(`was not read within ${LIMITS.documentBusyMs / 1_000} s`);
  if (error.kind === "not_started") return busy("could not be read");
  if (error.kind !== "crowded") return error;
  const { documentsWaitingPerWorkspace: most } = LIMITS;
  const message = `${most} OpenAPI documents of this workspace are already waiting to be read. Try again shortly.`;
  return new ApiError("too_many_documents", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function tooMuch(what: string): BuildRefused {
  const message = `Reading the document takes ${what}, which is the limit. Choose fewer operations, or leave out parts of the document.`;
  return new BuildRefused("", "too_large", message);
}

function busy(what: string): ApiError {
  const message = `This machine is busy, so the OpenAPI document ${what}. The document is not at fault. Try again shortly.`;
  return new ApiError("documents_overloaded", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function overloaded(): ApiError {
  const message = "Too many OpenAPI documents are waiting to be read. Try again shortly.";
  return new ApiError("documents_overloaded", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
