import { setTimeout as sleep } from "node:timers/promises";
import type { TaskList } from "graphile-worker";
import type pg from "pg";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { closeDb, connectionOptions, createPool } from "#lib/platform/db/pool";
import { BUILD_JOB, RUN_JOB, SUSPECT_RUN_JOB } from "#lib/platform/jobs/payloads";
import { flushCounters } from "#lib/platform/metrics/counters";
import { stopWatchingEventLoop, watchEventLoop } from "#lib/platform/metrics/watch-event-loop";
import { startChores } from "#worker/chores/chores";
import { startInviteMails } from "#worker/chores/invite-mails";
import { startOutboundEvents } from "#worker/chores/outbound-events";
import { openAnnouncer } from "#worker/execute/announce-runs";
import { executeRun } from "#worker/execute/execute-run";
import { type Heartbeat, startHeartbeat } from "#worker/execute/heartbeat";
import { startJobQueue } from "#worker/execute/job-queue";
import { openRunStore } from "#worker/execute/run-store";
import type { HeldRun, WorkerContext } from "#worker/execute/worker-context";

/** A query of a run that takes longer is abandoned and repeated: a half-open connection reports nothing. */
const QUERY_TIMEOUT_MS = 5_000;
/** How often a stopping worker checks whether its runs have ended or been released. */
const HELD_LOOK_MS = 20;
/** In addition to the runs' connections: the queue's listener, fetching, completing. */
const SPARE_CONNECTIONS = 4;

export interface RunningWorker {
  poolId: string;
  /** Takes no more jobs, lets the running steps end, releases unfinished runs, signs off. */
  stop(): Promise<void>;
  /** Settles when the queue takes no more jobs. */
  ended: Promise<void>;
}

interface WorkerOptions {
  /** Takes suspect runs only, one at a time. */
  isQuarantine: boolean;
  /** Ends the process at once. */
  giveUp(): void;
  /** Receives the id of the worker's pool before that takes its first job. */
  onPool(poolId: string): void;
  /** Called when a suspect run waits and there is no quarantine worker. */
  onQuarantineNeeded(): void;
}

/** Starts all parts of a worker process. Resolves when it takes jobs. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { isQuarantine, giveUp, onPool, onQuarantineNeeded } = options;
  watchEventLoop("worker");
  const { DATABASE_URL, OUTBOUND_ALLOW, WORKER_CONCURRENCY } = env();
  const concurrency = isQuarantine ? 1 : WORKER_CONCURRENCY;
  const pool = openPool(DATABASE_URL, concurrency + SPARE_CONNECTIONS);
  const outgoing = createOutgoingClient(parseOutboundAllow(OUTBOUND_ALLOW));
  const announcer = openAnnouncer(DATABASE_URL);
  const held = new Set<HeldRun>();
  const stopping = new AbortController();
  const registered = Promise.withResolvers<Heartbeat>();
  const shared: Omit<WorkerContext, "store"> = {
    db: pool,
    send: outgoing.send,
    announcer,
    held,
    registered: registered.promise,
    stopping: stopping.signal,
    untilFit: async (signal) => (await registered.promise).untilFresh(signal),
    giveUp,
  };
  const queue = await startJobQueue({
    pool,
    concurrency,
    isFetchingAhead: !isQuarantine,
    tasks: (poolId) => {
      onPool(poolId);
      return tasksOf({ ...shared, store: openRunStore(pool, poolId) }, isQuarantine);
    },
  });
  const { poolId, ended } = queue;
  const heartbeat = await startHeartbeat({ connectionString: DATABASE_URL, poolId, isQuarantine, held });
  registered.resolve(heartbeat);
  const chores = isQuarantine
    ? null
    : startChores({ pool, announcer, send: outgoing.send, isSteady: heartbeat.isSteady, onQuarantineNeeded });
  const events = isQuarantine ? null : startOutboundEvents(outgoing.send);
  const invites = isQuarantine ? null : startInviteMails();
  return {
    poolId,
    ended,
    stop: async () => {
      stopping.abort();
      chores?.stop();
      const mailEnded = Promise.all([events?.stop(), invites?.stop()]);
      await queue.stop().catch((error: unknown) => log.warn({ err: error }, "the job queue did not stop in order"));
      // If it did not, it has released jobs whose runs are still being executed.
      while (held.size > 0) await sleep(HELD_LOOK_MS);
      await mailEnded;
      await heartbeat.stop();
      stopWatchingEventLoop();
      await flushCounters();
      await Promise.all([announcer.close(), outgoing.close(), closeDb()]);
      await pool.end();
    },
  };
}

/** Suspect runs have a separate task that only the quarantine worker registers. */
function tasksOf(context: WorkerContext, isQuarantine: boolean): TaskList {
  const task = isQuarantine ? SUSPECT_RUN_JOB.identifier : RUN_JOB.identifier;
  const runs: TaskList = { [task]: (payload) => executeRun(context, (payload as { run_id: string }).run_id) };
  if (isQuarantine) return runs;
  const build = (payload: unknown) => runBuild((payload as { build_id: string }).build_id, context.send);
  return { ...runs, [BUILD_JOB.identifier]: build };
}

function openPool(connectionString: string, max: number): pg.Pool {
  return createPool({ ...connectionOptions(connectionString), max, query_timeout: QUERY_TIMEOUT_MS });
}
