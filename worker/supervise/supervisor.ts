import { join } from "node:path";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { endTraces } from "#lib/domain/runs/traces/export-traces";
import { text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { closeDb, db } from "#lib/platform/db/pool";
import { SUSPECT_STALLED } from "#lib/platform/jobs/payloads";
import { flushCounters } from "#lib/platform/metrics/counters";
import { startTelemetry } from "#lib/platform/telemetry/sdk/start-telemetry";
import { openQuarantine, type Quarantine, quarantineOneMore } from "#worker/execute/quarantine";
import { freeRuns } from "#worker/supervise/free-runs";
import { type KeptProcess, keepRunning, type ProcessSpec } from "#worker/supervise/keep-running";
import { keepStandBy, type StandBy } from "#worker/supervise/stand-by";
import { isAskingForQuarantine, toldPool } from "#worker/supervise/worker-messages";

type WorkerOptions = Pick<ProcessSpec, "env" | "log" | "report" | "onStart">;

/** How often to contact the database, so that its connection stays open: a worker's death must be handled at once. */
const READY_MS = 5_000;
let ready: NodeJS.Timeout | undefined;

const keepConnected = defineStatement({ name: "keep_connected", sql: "select 1", isPrepared: false });

/**
 * PostgreSQL loads what these statements need once per connection. The first death of a worker then takes 15 ms; it takes
 * 45 ms if nothing is loaded, and at least 70 ms on a new connection.
 */
function getReady(): NodeJS.Timeout {
  void declareDead([]).catch(() => {});
  return setInterval(() => void keepConnected.run(db()).catch(() => {}), READY_MS);
}

/** Shared by the workers of a supervisor. */
interface Shared extends WorkerOptions {
  standBy: StandBy;
  quarantines: Quarantine[];
}

const WORKER = {
  modulePath: join(import.meta.dirname, "..", "main.ts"),
  args: ["--supervised"],
};

/**
 * Runs `count` worker processes, one standby for the first that ends, and up to `count` in quarantine while there are
 * suspect runs: runs that shared two dead workers with the faulty one wait there too. When a worker ends, its runs are
 * released at once (decisions, Runs: worker loss): its supervisor knows that it is gone, while everyone else has to
 * wait for its heartbeat to expire.
 */
export function superviseWorkers(count: number, options: WorkerOptions): KeptProcess[] {
  const standBy = keepStandBy({ ...options, ...WORKER, name: "worker (stand-by)" });
  const quarantines = Array.from({ length: count }, () => openQuarantine(options));
  const shared = { ...options, standBy, quarantines };
  // The workers report an unreachable database.
  // It ends the runs that lost their workers too often.
  void startTelemetry("worker");
  ready ??= getReady();
  const workers = Array.from({ length: count }, (_, index) => superviseWorker(`worker ${index + 1}`, shared));
  return [...workers, standBy, ...quarantines];
}

function superviseWorker(name: string, { standBy, quarantines, ...options }: Shared): KeptProcess {
  let poolIds: string[] = [];
  return keepRunning({
    ...options,
    ...WORKER,
    name,
    takeStandBy: standBy.take,
    onMessage: (message) => {
      if (isAskingForQuarantine(message)) quarantineOneMore(quarantines);
      const poolId = toldPool(message);
      if (poolId === null) return;
      poolIds.push(poolId);
      standBy.prepare();
    },
    onExit: async () => {
      const lost = poolIds;
      poolIds = [];
      if (lost.length === 0) return;
      const { resumed } = await freeRuns(lost, { name, report: options.report });
      if (resumed.some((run) => run.stalled >= SUSPECT_STALLED)) quarantineOneMore(quarantines);
    },
  });
}

const selectLivingWorkers = defineStatement({
  name: "list_living_workers",
  row: { pool_id: text },
  sql: "select pool_id from worker_heartbeats where dead_at is null",
  isPrepared: false,
});

/**
 * Releases the runs of every worker that still counts as alive. Only for a launcher that uses the database alone and
 * has not started its workers yet: any worker alive in the database then belonged to a launcher that was killed.
 */
export async function declareLeftoversDead(): Promise<void> {
  const rows = await selectLivingWorkers.all(db());
  if (rows.length > 0) await declareDead(rows.map((row) => row.pool_id));
}

/** Closes the connections used to release runs. */
export async function closeSupervisor(): Promise<void> {
  clearInterval(ready);
  ready = undefined;
  await flushCounters();
  await endTraces();
  return closeDb();
}
