import pg from "pg";
import { env } from "#lib/config/env";
import { log } from "#lib/config/log";
import { parseOutboundAllow } from "#lib/connectors/outbound-policy";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { closeDb, connectionOptions } from "#lib/db/pool";
import { RUN_JOB, SUSPECT_RUN_JOB } from "#lib/jobs/payloads";
import { type Finish, finishRuns } from "#lib/runs/finish-run";
import { openRuns } from "#lib/runs/open-run";
import { openAnnouncer } from "#worker/announce-runs";
import { startChores } from "#worker/chores";
import { gather } from "#worker/gather";
import { type Heartbeat, startHeartbeat } from "#worker/heartbeat";
import { startJobQueue } from "#worker/job-queue";
import { isPassing } from "#worker/persist";
import { openQuarantine } from "#worker/quarantine";
import { executeRun } from "#worker/tasks/execute-run";
import type { HeldRun, WorkerContext } from "#worker/worker-context";

/** A query of a run that hangs longer is given up and repeated: a half-open connection says nothing. */
const QUERY_TIMEOUT_MS = 5_000;
/** Beyond the runs' own: the queue's listener, fetching, completing. */
const SPARE_CONNECTIONS = 4;

/** Two batches on their way keep both ends busy; what fails for its data is done run by run. */
const GATHERING = { atOnce: 2, max: 50, isItemsFault: (error: unknown) => !isPassing(error) };

export interface RunningWorker {
  poolId: string;
  /** Takes no more jobs, lets the steps in flight end, hands unfinished runs back, signs off. */
  stop(): Promise<void>;
  /** Settles when the queue ended by itself. */
  ended: Promise<void>;
}

interface WorkerOptions {
  /** Takes suspect runs only, one at a time. */
  isQuarantine: boolean;
  /** Ends the process at once. */
  giveUp(): void;
}

/** Starts everything a worker process consists of. Resolves when it takes jobs. */
export async function startWorker({ isQuarantine, giveUp }: WorkerOptions): Promise<RunningWorker> {
  const { DATABASE_URL, OUTBOUND_ALLOW, WORKER_CONCURRENCY } = env();
  const concurrency = isQuarantine ? 1 : WORKER_CONCURRENCY;
  const pool = openPool(DATABASE_URL, concurrency + SPARE_CONNECTIONS);
  const outgoing = createOutgoingClient(parseOutboundAllow(OUTBOUND_ALLOW));
  const announcer = openAnnouncer(DATABASE_URL);
  const held = new Set<HeldRun>();
  const stopping = new AbortController();
  const registered = Promise.withResolvers<Heartbeat>();
  const task = isQuarantine ? SUSPECT_RUN_JOB.identifier : RUN_JOB.identifier;
  const queue = await startJobQueue({
    pool,
    concurrency,
    isFetchingAhead: !isQuarantine,
    tasks: (poolId) => {
      const context: WorkerContext = {
        poolId,
        db: pool,
        openRun: gather((runIds: string[]) => openRuns(pool, runIds), GATHERING),
        finishRun: gather((finishes: Finish[]) => finishRuns(pool, finishes), GATHERING),
        send: outgoing.send,
        announcer,
        held,
        registered: registered.promise,
        stopping: stopping.signal,
        untilFit: async (signal) => (await registered.promise).untilFresh(signal),
        giveUp,
      };
      return { [task]: (payload) => executeRun(context, (payload as { run_id: string }).run_id) };
    },
  });
  const heartbeat = await startHeartbeat({
    connectionString: DATABASE_URL,
    poolId: queue.poolId,
    isQuarantine,
    held,
  });
  registered.resolve(heartbeat);
  const quarantine = openQuarantine();
  const chores = isQuarantine
    ? null
    : startChores({ pool, announcer, isSteady: heartbeat.isSteady, onQuarantineNeeded: quarantine.ensure });
  return {
    poolId: queue.poolId,
    ended: queue.ended,
    stop: async () => {
      stopping.abort();
      chores?.stop();
      quarantine.stop();
      await queue.stop();
      await heartbeat.stop();
      await Promise.all([announcer.close(), outgoing.close(), closeDb()]);
      await pool.end();
    },
  };
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(connectionString), max, query_timeout: QUERY_TIMEOUT_MS });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => {
    client.on("error", (error) => log.warn({ err: error }, "a database connection in use was lost"));
  });
  return pool;
}
