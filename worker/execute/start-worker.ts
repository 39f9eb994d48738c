import { randomUUID } from "node:crypto";
import type { TaskList } from "graphile-worker";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { LIMITS } from "#lib/contract/limits";
import { RunReleased } from "#lib/core/engine/lease-lost";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { admitRuns, admitSuspectRun, dropAdmitted, giveRunBack } from "#lib/domain/runs/execute/admit-runs";
import { endTraces } from "#lib/domain/runs/traces/export-traces";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { keepConnections } from "#lib/platform/db/keep-connections";
import { closeDb, type Db, db } from "#lib/platform/db/pool";
import { BUILD_JOB } from "#lib/platform/jobs/payloads";
import { flushCounters } from "#lib/platform/metrics/counters";
import { stopWatchingEventLoop } from "#lib/platform/metrics/watch-event-loop";
import { watchProcess } from "#lib/platform/metrics/watch-process";
import { outboundPolicy } from "#lib/platform/outgoing/outgoing";
import { startChores } from "#worker/chores/chores";
import { openAnnouncer } from "#worker/execute/announce-runs";
import { executeRun } from "#worker/execute/execute-run";
import { startHeartbeat } from "#worker/execute/heartbeat";
import { startJobQueue } from "#worker/execute/job-queue";
import { measureMemory } from "#worker/execute/measure-memory";
import { openJobConnection, openWorkerPool } from "#worker/execute/open-worker-pool";
import { type Pace, paceWork } from "#worker/execute/pace-work";
import { persist } from "#worker/execute/persist";
import { openResponsePlaces } from "#worker/execute/response-places";
import { type RunAdmission, startAdmission } from "#worker/execute/run-admission";
import { type RunPool, startRunPool } from "#worker/execute/run-pool";
import { openRunStore } from "#worker/execute/run-store";
import type { HeldRun, WorkerContext } from "#worker/execute/worker-context";

export interface RunningWorker {
  poolId: string;
  /** Takes no more runs, lets the running steps end, releases unfinished runs, signs off. */
  stop(): Promise<void>;
  /** Aborts the running steps, so that their runs are released and continue on another worker at once. */
  release(): void;
  /** Settles when a queue fails, for a reason that does not pass. */
  ended: Promise<void>;
}

interface WorkerOptions {
  /** Takes suspect runs only, one at a time. */
  isQuarantine: boolean;
  /** Ends the process at once. */
  giveUp(): void;
  /** Receives the id of the worker's pool before it takes its first run. */
  onPool(poolId: string): void;
  /** Called when a suspect run waits and there is no quarantine worker. */
  onQuarantineNeeded(): void;
  /** Called when a worker that stops holds no more runs. */
  onDrained(): void;
}

/** A notice, or the look of the chores, announces runs and jobs. This is for what both have missed. */
const POLL_MS = 60_000;

/** For the look of the chores, and for the runs that schedules start. */
const KEPT_CONNECTIONS = 1;

/** Starts all parts of a worker process. Resolves when it takes runs. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { isQuarantine, onQuarantineNeeded } = options;
  const { WORKER_CONCURRENCY, WORKER_QUEUES } = env();
  const slots = isQuarantine ? 1 : WORKER_CONCURRENCY;
  let wake = () => {};
  let chores: ReturnType<typeof startChores> | null = null;
  const pace = paceWork({
    most: Math.min(slots, LIMITS.workingRunsPerWorker),
    onMore: () => wake(),
    now: () => performance.now(),
  });
  watchProcess("worker", pace.note);
  void keepConnections(db(), KEPT_CONNECTIONS)();
  const pool = openWorkerPool();
  const outgoing = createOutgoingClient(outboundPolicy());
  const announcer = openAnnouncer();
  const held = new Set<HeldRun>();
  const stopping = new AbortController();
  const jobs = isQuarantine ? null : await startJobQueue(pool, tasksOf(outgoing.send), POLL_MS);
  const poolId = jobs?.poolId ?? `quarantine-${randomUUID()}`;
  options.onPool(poolId);
  const heartbeat = await startHeartbeat({
    poolId,
    isQuarantine,
    slots,
    queues: isQuarantine ? null : WORKER_QUEUES,
    held,
    onQueued: () => wake(),
    onBeat: () => chores?.tick(held.size > 0),
  });
  const context: WorkerContext = {
    db: pool,
    store: openRunStore(pool, poolId),
    send: outgoing.send,
    responses: openResponsePlaces(),
    announcer,
    held,
    queue: { wakeIn: (ms) => admission.wakeIn(ms) },
    stopping: stopping.signal,
    untilFit: heartbeat.untilFresh,
    giveUp: options.giveUp,
  };
  const jobDb = openJobConnection();
  const admission = admit(context, {
    jobDb,
    poolId,
    slots,
    isQuarantine,
    pace,
    deliver: (admitted) => runs.deliver(admitted),
  });
  const runs = startRunPool({ db: jobDb, slots, execute: admission.execute });
  wake = admission.wake;
  log.info({ pool: poolId, slots }, "this worker executes runs");
  if (jobs) {
    const { isSteady } = heartbeat;
    chores = startChores({ send: outgoing.send, isSteady, onQuarantineNeeded, onRun: wake, onJob: jobs.wake });
  }
  return {
    poolId,
    ended: Promise.race([admission.ended, runs.ended, ...(jobs ? [jobs.ended] : [])]).then(() => undefined),
    stop: async () => {
      stopping.abort();
      const choresEnded = chores?.stop();
      const jobsEnded = jobs?.stop().catch((error: unknown) => {
        log.warn({ err: error }, "the job queue did not shut down cleanly");
      });
      await Promise.all([admission.stop(runs.stop).then(options.onDrained), jobsEnded, choresEnded]);
      await heartbeat.stop();
      stopWatchingEventLoop();
      await endTraces();
      await flushCounters();
      await Promise.all([announcer.close(), outgoing.close(), closeDb()]);
      await Promise.all([pool.end(), jobDb.end()]);
    },
    release: () => {
      for (const { abort, lease } of held) abort.abort(new RunReleased(lease.runId));
    },
  };
}

interface Places {
  jobDb: Db;
  poolId: string;
  slots: number;
  isQuarantine: boolean;
  pace: Pace;
  deliver: RunPool["deliver"];
}

function admit(context: WorkerContext, { jobDb, poolId, slots, isQuarantine, pace, deliver }: Places): RunAdmission {
  const { db } = context;
  const admitMore = isQuarantine ? admitSuspectRun : admitRuns;
  return startAdmission({
    slots,
    workingMax: pace.workingMax,
    admit: (request) => admitMore(jobDb, { ...request, poolId, slots }),
    deliver,
    execute: (runId, slot) => executeRun(context, runId, slot),
    drop: (run) => persist(() => dropAdmitted(db, run, poolId)),
    giveBack: (run, isRetry) => persist(() => giveRunBack(db, run, poolId, isRetry)),
    memoryLeft: measureMemory,
    // No chores look for the quarantine worker.
    ...(isQuarantine ? {} : { pollMs: POLL_MS }),
  });
}

/** The jobs of graphile-worker that are not runs. */
function tasksOf(send: SendRequest): TaskList {
  return {
    [BUILD_JOB.identifier]: (payload, { job }) =>
      runBuild((payload as { build_id: string }).build_id, send, { isLast: job.attempts >= job.max_attempts }),
  };
}
