import { LIMITS } from "#lib/contract/limits";
import { openTurns } from "#lib/platform/child-pool/fair-turns";

/** The place of one request. */
export interface ResponsePlace {
  /**
   * Resolves when the rest of a large response may be read.
   * @throws the signal's reason
   */
  enter(signal: AbortSignal): Promise<void>;
  /** The response is no longer in memory. */
  leave(): void;
}

export interface ResponsePlaces {
  /** Opens a place for a request of the workspace. It counts only if the response is large. */
  open(workspaceId: string): ResponsePlace;
}

interface Entry {
  workspaceId: string;
  bytes: number;
  go(): void;
}

/**
 * Bounds the large responses that a process reads at once, for each workspace and in total: a server that sends 10 MiB to
 * each of 200 runs would fill the memory that the runs of all workspaces share. The others wait; their servers notice it
 * as a slow reader. The first large response of a workspace has places of its own.
 */
export function openResponsePlaces(): ResponsePlaces {
  const turns = openTurns<Entry>({
    shared: LIMITS.largeResponses,
    reserved: LIMITS.largeResponsesReserved,
    perWorkspace: LIMITS.largeResponsesPerWorkspace,
    // Each run of the worker reads a few at most.
    queuedCalls: Number.POSITIVE_INFINITY,
    queuedBytes: Number.POSITIVE_INFINITY,
  });
  const advance = () => {
    for (let entry = turns.next(); entry; entry = turns.next()) entry.go();
  };

  function open(workspaceId: string): ResponsePlace {
    let held: Entry | null = null;
    const leave = () => {
      if (held) turns.end(held);
      held = null;
      advance();
    };
    return {
      enter: async (signal) => {
        signal.throwIfAborted();
        if (held) return;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const go = () => {
          signal.removeEventListener("abort", onAbort);
          held = entry;
          resolve();
        };
        const entry: Entry = { workspaceId, bytes: 0, go };
        const onAbort = () => {
          turns.leave(entry);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        turns.join(entry);
        advance();
        await promise;
      },
      leave,
    };
  }

  return { open };
}
