import { countViolations } from "#bench/faults/count-violations";
import { noteRow, type Row, violationRows } from "#bench/faults/result-table";
import { leftoverRows } from "#bench/faults/run-leftovers";
import { acceptRuns, type Workload, waitForRuns } from "#bench/faults/workload";
import { openStage, type Stage } from "#bench/stage/open-stage";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { type Host, killHard, startHost } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";

/** The options of a scenario. */
export interface ScenarioOptions {
  seed: number;
  report(text: string): void;
}

/** A stage with an outside server, and the machines that run on it. */
export interface Scene {
  stage: Stage;
  outside: OutsideServer;
  /** Starts workers under a supervisor. Those that survive end with the scene. */
  addHost(workers: number, more?: { env?: Record<string, string>; preload?: string }): Host;
}

type OutsideOptions = Parameters<typeof startOutside>[0];

/** Longer than any recovery of the product needs: the reconciler's 30 s and its jitter. */
const PATIENCE_MS = 120_000;

export async function withScene<T>(options: OutsideOptions, work: (scene: Scene) => Promise<T>): Promise<T> {
  const stage = await openStage();
  const outside = await startOutside(options);
  const hosts: Host[] = [];
  const addHost: Scene["addHost"] = (workers, { env = {}, preload } = {}) => {
    const host = startHost({ workers, logFile: stage.logFile, env: { ...stage.env, ...env }, preload });
    hosts.push(host);
    return host;
  };
  try {
    return await work({ stage, outside, addHost });
  } finally {
    for (const host of hosts) await host.kill();
    await outside.close();
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

/** @returns the process ids of at least `count` live workers */
export function untilLive(stage: Stage, count: number): Promise<number[]> {
  return until(`${count} live workers`, async () => {
    const live = (await stage.liveWorkers()).map((worker) => worker.pid).filter((pid) => killHard(pid, 0));
    return live.length >= count && live;
  });
}
