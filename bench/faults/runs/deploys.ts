import { setTimeout as sleep } from "node:timers/promises";
import { countRepeats } from "#bench/faults/count-violations";
import { limitRow, noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { runUnderFire, type ScenarioOptions, type Scene, untilLive, withScene } from "#bench/faults/scene";
import { fiveSteps } from "#bench/faults/workload";
import { percentile } from "#bench/measure/statistics";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { isAlive } from "#scripts/instance/process-identity";

interface DeployOptions extends ScenarioOptions {
  /** The number of times that every worker is replaced. */
  rounds: number;
}

const WORKERS = 3;
const LATENCY_MS = 800;
/** As many runs as the remaining workers have slots for. */
const BACKLOG = 20;
/** The 30 s limit of a step, plus the time to release runs. */
const EXIT_LIMIT_S = 40;

/**
 * R14: rolls out a new version. Each worker in turn gets a SIGTERM in the middle of its calls. The worker finishes its
 * calls and releases its runs, and no step runs twice.
 */
export function deploys({ seed, rounds, report }: DeployOptions): Promise<Row[]> {
  const random = seededRandom(seed).next;
  return withScene({ latencyMs: () => 50 + random() * LATENCY_MS }, async (scene) => {
    const workload = await fiveSteps(scene.outside.url);
    scene.addHost(WORKERS);
    const exits: number[] = [];
    const load = { id: "R14", workload, backlogMax: BACKLOG, lastNode: "s5", report };
    const violations = await runUnderFire(scene, load, async () => {
      for (let round = 1; round <= rounds; round += 1) {
        report(`R14: rollout ${round} of ${rounds}`);
        for (const pid of await untilLive(WORKERS)) exits.push(await replace(scene, pid));
      }
    });
    const { startedAgain, calledAgain, steps } = await countRepeats(workload, scene.outside.calls);
    return [
      zeroRow("R14", `steps started twice, of ${steps}`, startedAgain),
      zeroRow("R14", "calls repeated", calledAgain),
      limitRow("R14", `slowest stop of ${exits.length} workers`, percentile(exits, 1), EXIT_LIMIT_S, "s"),
      noteRow("R14", "median stop", `${percentile(exits, 0.5).toFixed(2)} s`),
      ...violations,
    ];
  });
}

/** @returns the seconds until the worker ended */
async function replace({ outside }: Scene, pid: number): Promise<number> {
  await untilLive(WORKERS);
  await until("calls to be in flight", () => outside.open().length >= WORKERS);
  await sleep(LATENCY_MS / 4);
  const askedAt = performance.now();
  killHard(pid, "SIGTERM");
  await until("the worker to end", () => !isAlive(pid), { deadlineMs: (EXIT_LIMIT_S + 20) * 1_000 });
  return (performance.now() - askedAt) / 1_000;
}
