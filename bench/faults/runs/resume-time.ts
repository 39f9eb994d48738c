import { setTimeout as sleep } from "node:timers/promises";
import { limitRow, noteRow, type Row } from "#bench/faults/result-table";
import { runUnderFire, type ScenarioOptions, type Scene, untilLive, withScene } from "#bench/faults/scene";
import { oneStep } from "#bench/faults/workload";
import { percentile } from "#bench/measure/statistics";
import { type OutsideServer, resumeSeconds } from "#bench/stage/outside";
import { type Host, killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface ResumeOptions extends ScenarioOptions {
  kills: number;
}

/** The number of runs in flight: fewer than the slots that remain after one worker's death. */
const BACKLOG = 10;
const LATENCY_MS = 500;
/** A worker judges others only after its own heartbeats were unbroken for this long, plus some margin. */
const STEADY_MS = 6_500;

/**
 * R2: kills a worker process while its supervisor lives. Measures the time from the caller's death to the same call by
 * another worker.
 */
export function processDeath(options: ResumeOptions): Promise<Row[]> {
  const random = seededRandom(options.seed).next;
  return measure({ ...options, id: "R2", what: "a worker dies", p95: 0.5, max: 2 }, (scene) => {
    scene.addHost(3);
    return async () => {
      await untilLive(3);
      for (let kill = 1; kill <= options.kills; kill += 1) {
        // A run that is interrupted twice in a row is suspect and continues in quarantine, which this scenario does not
        // measure.
        await until("interrupted runs to continue", () => isGoingOn(scene.outside));
        await sleep(LATENCY_MS + 200 + random() * 500);
        const live = await untilLive(2);
        options.report(`R2: kill ${kill} of ${options.kills}`);
        killHard(live[Math.floor(random() * live.length)] ?? 0);
        await sleep(1_000);
      }
    };
  });
}

/** R3: kills the whole machine, both supervisor and worker. Only the heartbeat reveals this death. */
export function hostDeath(options: ResumeOptions): Promise<Row[]> {
  return measure({ ...options, id: "R3", what: "supervisor and worker die", p95: 6, max: 10 }, (scene) => {
    const hosts: Host[] = [scene.addHost(1), scene.addHost(1)];
    return async () => {
      for (let kill = 1; kill <= options.kills; kill += 1) {
        await untilLive(2);
        await sleep(STEADY_MS);
        options.report(`R3: host ${kill} of ${options.kills}`);
        await hosts.shift()?.kill();
        hosts.push(scene.addHost(1));
        await sleep(STEADY_MS);
      }
    };
  });
}

function isGoingOn({ calls }: OutsideServer): boolean {
  return [...calls.values()].every((ofKey) => ofKey.at(-1)?.droppedAtMs === null);
}

interface Measurement extends ResumeOptions {
  id: string;
  what: string;
  /** The limits in seconds. */
  p95: number;
  max: number;
}

function measure(options: Measurement, prepare: (scene: Scene) => () => Promise<void>): Promise<Row[]> {
  const { id, what, kills, report } = options;
  return withScene({ latencyMs: () => LATENCY_MS }, async (scene) => {
    const workload = await oneStep(scene.outside.url);
    const load = { id, workload, backlogMax: BACKLOG, lastNode: "s1", report };
    const rows = await runUnderFire(scene, load, prepare(scene));
    const seconds = resumeSeconds(scene.outside.calls);
    const median = `${percentile(seconds, 0.5).toFixed(2)} s`;
    return [
      limitRow(id, `${what}: resumed after, p95`, percentile(seconds, 0.95), options.p95, "s"),
      limitRow(id, `${what}: resumed after, longest`, percentile(seconds, 1), options.max, "s"),
      noteRow(id, `${what}: median of ${seconds.length} steps cut off in ${kills} deaths`, median),
      ...rows,
    ];
  });
}
