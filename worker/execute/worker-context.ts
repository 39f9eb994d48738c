import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { Lease } from "#lib/domain/journal/append-events";
import type { Db } from "#lib/platform/db/pool";
import type { Announcer } from "#worker/execute/announce-runs";
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
  announcer: Announcer;
  held: Set<HeldRun>;
  /** Settles when the database knows this worker; no run can be claimed before that. */
  registered: Promise<unknown>;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  /** Resolves when a side effect may start. */
  untilFit(signal: AbortSignal): Promise<void>;
  /** Ends the process at once. */
  giveUp(): void;
}
