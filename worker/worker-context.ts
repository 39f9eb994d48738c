import type { Db } from "#lib/db/pool";
import type { LeaseLost } from "#lib/engine/lease-lost";
import type { SendRequest } from "#lib/engine/outgoing-request";
import type { Lease } from "#lib/journal/append-events";
import type { Finish } from "#lib/runs/finish-run";
import type { OpenedRun } from "#lib/runs/open-run";
import type { Announcer } from "#worker/announce-runs";

/** A run this process executes, and how to take it away. */
export interface HeldRun {
  lease: Lease;
  abort: AbortController;
}

/** What the tasks of one worker process share. */
export interface WorkerContext {
  /** graphile-worker's id of this process's pool: the owner of its leases. */
  poolId: string;
  db: Db;
  /** openRuns and finishRuns, gathered. */
  openRun(runId: string): Promise<OpenedRun | LeaseLost | null>;
  finishRun(finish: Finish): Promise<boolean>;
  send: SendRequest;
  announcer: Announcer;
  held: Set<HeldRun>;
  /** Settles when the database knows this worker; no run can be claimed before. */
  registered: Promise<unknown>;
  /** Aborted when the process is to stop. */
  stopping: AbortSignal;
  /** Resolves when a side effect may begin. */
  untilFit(signal: AbortSignal): Promise<void>;
  /** Ends the process at once. */
  giveUp(): void;
}
