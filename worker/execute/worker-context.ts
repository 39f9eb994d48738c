import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { Lease } from "#lib/domain/journal/append-events";
import type { Db } from "#lib/platform/db/pool";
import type { Announcer } from "#worker/execute/announce-runs";
import type { ResponsePlaces } from "#worker/execute/response-places";
import type { RunAdmission } from "#worker/execute/run-admission";
import type { RunStore } from "#worker/execute/run-store";

/** A run this process executes, and how to abort it. */
export interface HeldRun {
  lease: Lease;
  abort: AbortController;
}

/** Shared by the tasks of one worker process. */
export interface WorkerContext {
  db: Db;
  store: RunStore;
  send: SendRequest;
  /** The large responses that the runs of this worker read at once. */
  responses: ResponsePlaces;
  announcer: Announcer;
  held: Set<HeldRun>;
  /** The queue that the runs are taken from. */
  queue: Pick<RunAdmission, "wakeIn">;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  /** Resolves when a side effect may start. */
  untilFit(signal: AbortSignal): Promise<void>;
  /** Ends the process at once. */
  giveUp(): void;
}
