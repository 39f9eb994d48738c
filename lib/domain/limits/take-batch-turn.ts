import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { openTurns, type QueuedCall } from "#lib/platform/child-pool/fair-turns";
import { shareInProcess } from "#lib/support/share-in-process";

interface WaitingBatch extends QueuedCall {
  start(): void;
}

const turns = shareInProcess("runBatches", () =>
  openTurns<WaitingBatch>({
    shared: LIMITS.batchesAtOnce,
    reserved: 0,
    perWorkspace: LIMITS.batchesPerKey,
    queuedCalls: LIMITS.batchesWaitingPerKey,
    queuedBytes: Number.POSITIVE_INFINITY,
  }),
);

/**
 * Works on a batch when it is its caller's turn. Callers take turns, and some of the database's connections are always
 * left for single calls.
 * @throws ApiError `too_many_batches` if the caller has too many batches waiting
 */
export async function inBatchTurn<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
  const batch = await untilTurn(callerId);
  try {
    return await work();
  } finally {
    turns.end(batch);
    startNext();
  }
}

function untilTurn(callerId: string): Promise<WaitingBatch> {
  return new Promise((resolve) => {
    const batch: WaitingBatch = { workspaceId: callerId, bytes: 0, start: () => resolve(batch) };
    if (!turns.join(batch)) {
      throw new ApiError("too_many_batches", "Too many batches of this caller are waiting. Try again shortly.", {
        retryAfterSeconds: 1,
      });
    }
    startNext();
  });
}

function startNext(): void {
  for (let batch = turns.next(); batch !== null; batch = turns.next()) batch.start();
}
