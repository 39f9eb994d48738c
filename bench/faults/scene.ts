import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countViolations } from "#bench/faults/count-violations";
import { noteRow, type Row, violationRows } from "#bench/faults/result-table";
import { leftoverRows } from "#bench/faults/run-leftovers";
import { acceptRuns, type Workload, waitForRuns } from "#bench/faults/workload";
import { openDatabase, type SingleDatabase } from "#bench/stage/database";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { enterStage, openStage, type Stage } from "#bench/stage/stage";
import { type Host, killHard, startHost } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";
import { commandLineOf } from "#scripts/instance/process-identity";

/** The options of a scenario. */
export interface ScenarioOptions {
  seed: number;
  report(text: string): void;
}

/** A stage with an outside server, and the machines that run on it. */
export interface Scene {
  stage: Stage<SingleDatabase>;
  outside: OutsideServer;
  /** Starts workers under a supervisor. Those that survive end with the scene. */
  addHost(workers: number, more?: { env?: Record<string, string>; preload?: string }): Host;
}

interface LiveWorker {
  poolId: string;
  pid: number;
}

/** The log of supervisors and workers. It is kept after the scene, for later analysis. */
export const LOG_FILE = join(tmpdir(), `signalbox-faults-${process.pid}.log`);

type OutsideOptions = Parameters<typeof startOutside>[0];

/** Longer than any recovery of the product needs: the reconciler's 30 s and its jitter. */
const PATIENCE_MS = 120_000;

export async function withScene<T>(options: OutsideOptions, work: (scene: Scene) => Promise<T>): Promise<T> {
  const env = { OUTBOUND_ALLOW: "127.0.0.1", WORKER_CONCURRENCY: "10", LOG_LEVEL: "info" };
  const stage = await openStage({ database: await openDatabase(), env });
  enterStage(stage);
  const outside = await startOutside(options);
  const hosts: Host[] = [];
  const addHost: Scene["addHost"] = (workers, { env: more = {}, preload } = {}) => {
    const host = startHost({ workers, logFile: LOG_FILE, env: { ...stage.env, ...more }, preload });
    hosts.push(host);
    return host;
  };
  try {
    return await work({ stage, outside, addHost });
  } finally {
    for (const host of hosts) await host.kill();
    await outside.close();
    // If the database is gone for good, the cause matters more than this error.
    await killWorkers().catch(() => {});
    await copyFile(stage.database.logFile, `${LOG_FILE}.postgres`).catch(() => {});
    await stage.close();
  }
}

interface Load {
  id: string;
  workload: Workload;
  /** The maximum number of runs in flight at the same time. */
  backlogMax: number;
  /** The node whose answer shows that a run is almost done. */
  lastNode: string;
  report(text: string): void;
}

/** Accepts runs while `strike` is active, waits until all runs have ended, and counts violations. */
export async function runUnderFire({ outside }: Scene, load: Load, strike: () => Promise<void>): Promise<Row[]> {
  const accepted = new Map<string, number>();
  const over = new AbortController();
  const stream = {
    count: Number.POSITIVE_INFINITY,
    backlogMax: load.backlogMax,
    ended: () => outside.answered(load.lastNode),
    over: over.signal,
  };
  const accepting = acceptRuns(load.workload, stream, (id, n) => accepted.set(id, n));
  await strike();
  over.abort();
  await accepting;
  await waitForRuns(PATIENCE_MS);
  const calls = [...outside.calls.values()].reduce((sum, ofKey) => sum + ofKey.length, 0);
  const note = noteRow(load.id, "runs, and calls they made", `${accepted.size}, ${calls}`);
  return [...(await judgeRuns({ outside }, load, accepted)), note];
}

/** Returns the rows for events that must never happen. */
export async function judgeRuns(
  { outside }: Pick<Scene, "outside">,
  { id, workload, report }: Pick<Load, "id" | "workload" | "report">,
  accepted: ReadonlyMap<string, number>,
  poison: ReadonlySet<string> = new Set(),
): Promise<Row[]> {
  const { examples, ...violations } = await countViolations(workload, accepted, { calls: outside.calls, poison });
  for (const example of examples) report(`${id}: ${example}`);
  return [...violationRows(id, violations), ...(await leftoverRows(id))];
}

/** Lists the workers that the database counts as alive, oldest first. */
export async function liveWorkers(): Promise<LiveWorker[]> {
  const { rows } = await db().query<LiveWorker>({
    text: `select pool_id as "poolId", pid from worker_heartbeats
           where dead_at is null and not quarantine and last_seen_at > now() - interval '3 seconds'
           order by started_at, pool_id`,
  });
  return rows;
}

/** Kills all live processes of the scene, including quarantine workers and stopped workers that were declared dead. */
async function killWorkers(): Promise<void> {
  const { rows } = await db().query<{ pid: number }>({ text: "select pid from worker_heartbeats" });
  for (const { pid } of rows) if (commandLineOf(pid).includes(join("worker", "main.ts"))) killHard(pid);
}

/** @returns the process ids of at least `count` live workers */
export function untilLive(count: number): Promise<number[]> {
  return until(`${count} live workers`, async () => {
    const live = (await liveWorkers()).map((worker) => worker.pid).filter((pid) => killHard(pid, 0));
    return live.length >= count && live;
  });
}
