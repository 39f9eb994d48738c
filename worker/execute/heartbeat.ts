import { hostname } from "node:os";
import type pg from "pg";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { Lease } from "#lib/domain/journal/append-events";
import { releaseRun } from "#lib/domain/runs/execute/release-run";
import { RUN_ENDED_CHANNEL } from "#lib/domain/runs/notify/notify-ended-runs";
import { log } from "#lib/platform/config/log";
import { array, boolean, integer, nullable, text } from "#lib/platform/db/column-types";
import { sessionOptions } from "#lib/platform/db/connection-options";
import { defineStatement } from "#lib/platform/db/define-statement";
import { listenOn } from "#lib/platform/db/listen";
import { createPool } from "#lib/platform/db/pool";
import { isNoticeFor, QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";
import { encryptionKeys } from "#lib/platform/secrets/seal";
import { persist } from "#worker/execute/persist";
import type { HeldRun } from "#worker/execute/worker-context";

const INTERVAL_MS = 1_000;
const QUERY_TIMEOUT_MS = 2_000;
/** After this long without a heartbeat others may soon take our runs: no side effect starts. */
const FRESH_MS = 4_000;
/** A longer pause between two heartbeats (the database was away, the process was stopped) ends the unbroken series. */
const GAP_MS = 3_000;
/** After an unbroken series this long, the silence of other workers is their own fault and not the database's. */
const STEADY_MS = 5_000;

export interface Heartbeat {
  /** Resolves when a side effect may start; rejects with the signal's reason. */
  untilFresh(signal: AbortSignal): Promise<void>;
  /** Whether this worker may judge others by their heartbeats. */
  isSteady(): boolean;
  /** Signs off: marks this worker as gone in its row. */
  stop(): Promise<void>;
}

interface HeartbeatOptions {
  poolId: string;
  isQuarantine: boolean;
  /** How many runs this process executes at once. */
  slots: number;
  /** The queues whose runs it takes; null for all, as in quarantine: any of these workers continues any suspect run. */
  queues: readonly string[] | null;
  /** The runs this process executes. */
  held: ReadonlySet<HeldRun>;
  /** Called when runs were queued. */
  onQueued(): void;
  /** Called with each heartbeat: other work of each second does not wake the process a second time. */
  onBeat?(): void;
}

interface Beats {
  last: number;
  steadySince: number;
  waiting: Set<() => void>;
  /** Leases that the database counts as ours and this process does not know, as of the last heartbeat. */
  strays: ReadonlySet<string>;
}

const registerWorker = defineStatement({
  name: "register_worker",
  params: {
    poolId: text,
    host: text,
    pid: integer,
    isQuarantine: boolean,
    keyId: nullable(text),
    slots: integer,
    queues: nullable(array(text)),
  },
  sql: `insert into worker_heartbeats (pool_id, host, pid, quarantine, key_id, slots, queues)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict do nothing`,
  isPrepared: false,
});

const renewHeartbeat = defineStatement({
  name: "heartbeat",
  params: { poolId: text },
  row: { is_alive: boolean, leases: array(text) },
  sql: `with beat as (
      update worker_heartbeats set last_seen_at = now() where pool_id = $1 and dead_at is null returning 1
    )
    select exists (select 1 from beat) as is_alive,
      array(select id || ':' || lease_token from runs where lease_owner = $1 and status = 'running') as leases`,
});

const signOff = defineStatement({
  name: "sign_off_worker",
  params: { poolId: text },
  sql: "update worker_heartbeats set dead_at = now() where pool_id = $1 returning remove_run_jobs(array[pool_id])::text as removed",
  isPrepared: false,
});

/**
 * Each process has one row that shows it is alive, renewed every second on a separate connection past every pooler, so
 * that no backlog of queries delays it. The same round trip returns which of our leases still hold, and the same connection listens for
 * queued and cancelled runs: that is how a cancel reaches a running step, at once or within a second. A worker that was declared
 * dead while it was blocked ends itself, because others have its runs now.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const pool = createPool({
    ...sessionOptions(),
    min: 1,
    max: 1,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    onConnect: (client) => listen(client, options),
  });
  await persist(() =>
    registerWorker.run(pool, {
      poolId: options.poolId,
      host: hostname(),
      pid: process.pid,
      isQuarantine: options.isQuarantine,
      keyId: encryptionKeys().currentId,
      slots: options.slots,
      queues: options.queues,
    }),
  );
  const beats: Beats = {
    last: performance.now(),
    steadySince: performance.now(),
    waiting: new Set(),
    strays: new Set(),
  };
  let timer: NodeJS.Timeout | null = null;
  const tick = () => {
    const startedAt = performance.now();
    options.onBeat?.();
    beat(pool, options, beats)
      .catch((error: unknown) => log.warn({ err: error }, "a heartbeat failed"))
      .finally(() => {
        if (timer) timer = setTimeout(tick, Math.max(0, INTERVAL_MS - (performance.now() - startedAt)));
      });
  };
  timer = setTimeout(tick, INTERVAL_MS);
  return {
    untilFresh: (signal) => untilFresh(beats, signal),
    isSteady: () => performance.now() - beats.last < GAP_MS && performance.now() - beats.steadySince >= STEADY_MS,
    stop: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
      await signOff.run(pool, { poolId: options.poolId });
      await pool.end();
    },
  };
}

/** The next heartbeat makes up for a lost notice, and the check of the run that follows rejects a forged one. */
async function listen(client: pg.ClientBase, { held, queues, onQueued }: HeartbeatOptions): Promise<void> {
  client.on("notification", ({ channel, payload }) => {
    if (channel === QUEUE_CHANNEL) return isNoticeFor(queues, payload) ? onQueued() : undefined;
    for (const run of held) if (run.lease.runId === payload) run.abort.abort(new LeaseLost(run.lease.runId));
  });
  await listenOn(client, RUN_ENDED_CHANNEL);
  await listenOn(client, QUEUE_CHANNEL);
}

async function beat(pool: pg.Pool, options: HeartbeatOptions, beats: Beats): Promise<void> {
  const before = new Map([...options.held].filter((run) => run.lease.isClaimed).map((run) => [nameOf(run.lease), run]));
  const { is_alive: isAlive, leases } = await renewHeartbeat.one(pool, { poolId: options.poolId });
  if (!isAlive) endAtOnce();
  const now = performance.now();
  if (now - beats.last > GAP_MS) beats.steadySince = now;
  beats.last = now;
  for (const go of beats.waiting) go();
  beats.waiting.clear();
  compareLeases(new Set(leases), before, options.held, beats);
}

function nameOf(lease: Lease): string {
  return `${lease.runId}:${lease.token}`;
}

/**
 * A run that the database no longer counts as ours was cancelled, ended or taken: its execution is aborted. A lease
 * that we do not know is a claim whose answer was lost: seen twice, it is released.
 * @param before the runs we held when the heartbeat was sent
 */
function compareLeases(
  stored: ReadonlySet<string>,
  before: ReadonlyMap<string, HeldRun>,
  held: ReadonlySet<HeldRun>,
  beats: Beats,
): void {
  for (const [name, run] of before) if (!stored.has(name)) run.abort.abort(new LeaseLost(run.lease.runId));
  const executing = new Set([...held].map((run) => run.lease.runId));
  const strays = [...stored].filter((name) => !executing.has(name.slice(0, name.indexOf(":"))));
  for (const name of strays.filter((stray) => beats.strays.has(stray))) {
    const [runId = "", token] = name.split(":");
    releaseRun({ runId, token: Number(token) }).catch((error: unknown) => {
      log.warn({ err: error, run_id: runId }, "a claim whose answer was lost could not be released");
    });
  }
  beats.strays = new Set(strays);
}

/** Nothing gentler: every handler that still runs could cause a side effect. */
function endAtOnce(): void {
  log.fatal("this worker was declared dead while it was blocked; it ends at once");
  process.kill(process.pid, "SIGKILL");
}

function untilFresh(beats: Beats, signal: AbortSignal): Promise<void> {
  if (performance.now() - beats.last < FRESH_MS) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      beats.waiting.delete(go);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    beats.waiting.add(go);
  });
}
