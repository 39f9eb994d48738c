import { join } from "node:path";
import { closeDb, db } from "#lib/db/pool";
import { declareDead } from "#lib/runs/declare-dead";
import { type KeptProcess, keepRunning, type ProcessSpec } from "#worker/keep-running";

type WorkerOptions = Pick<ProcessSpec, "env" | "log" | "report" | "onStart">;

/**
 * Runs `count` worker processes. When one ends, the runs it held are handed on at once (decisions, Runs: worker loss):
 * its supervisor knows that it is gone, where everybody else has to wait for its heartbeat to grow old.
 */
export function superviseWorkers(count: number, options: WorkerOptions): KeptProcess[] {
  return Array.from({ length: count }, (_, index) => superviseWorker(`worker ${index + 1}`, options));
}

function superviseWorker(name: string, options: WorkerOptions): KeptProcess {
  let poolIds: string[] = [];
  return keepRunning({
    ...options,
    name,
    modulePath: join(import.meta.dirname, "main.ts"),
    onMessage: (message) => {
      const poolId = toldPool(message);
      if (poolId !== null) poolIds.push(poolId);
    },
    onExit: async () => {
      const lost = poolIds;
      poolIds = [];
      if (lost.length > 0) await declareDead(lost);
    },
  });
}

/**
 * Hands on the runs of every worker that is still counted as alive. Only for a launcher that has the database to itself
 * and has not started its workers yet: whatever is counted then belonged to one that was killed.
 */
export async function declareLeftoversDead(): Promise<void> {
  const { rows } = await db().query<{ pool_id: string }>({
    text: "select pool_id from worker_heartbeats where dead_at is null",
  });
  if (rows.length > 0) await declareDead(rows.map((row) => row.pool_id));
}

/** Ends the connections that handing on runs may have opened. */
export const closeSupervisor = closeDb;

/** The pool of a `{type: "pool", poolId}`, which a worker sends before it takes jobs. */
function toldPool(message: unknown): string | null {
  if (typeof message !== "object" || message === null) return null;
  const { type, poolId } = message as { type?: unknown; poolId?: unknown };
  return type === "pool" && typeof poolId === "string" ? poolId : null;
}
