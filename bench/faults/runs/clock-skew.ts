import { setTimeout as sleep } from "node:timers/promises";
import { noteRow, type Row } from "#bench/faults/result-table";
import { runUnderFire, type ScenarioOptions, untilLive, withScene } from "#bench/faults/scene";
import { fiveSteps } from "#bench/faults/workload";
import { percentile } from "#bench/measure/statistics";
import { resumeSeconds } from "#bench/stage/outside";
import { killHard } from "#bench/stage/start-host";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface SkewOptions extends ScenarioOptions {
  kills: number;
}

const SHIFT_MS = 2 * 3_600_000;
const JUMP_AFTER_MS = 10_000;

/**
 * R6: runs three machines while workers are killed. One clock is two hours ahead, one is two hours behind, and one
 * jumps.
 */
export function clockSkew({ kills, seed, report }: SkewOptions): Promise<Row[]> {
  const random = seededRandom(seed).next;
  const preload = new URL("shift-clock.ts", import.meta.url).href;
  return withScene({ latencyMs: () => 250 }, async (scene) => {
    const shifts = [
      [SHIFT_MS, 0],
      [-SHIFT_MS, 0],
      [SHIFT_MS, JUMP_AFTER_MS],
    ];
    for (const [shift, jumpAfter] of shifts) {
      const env = { CHAOS_CLOCK_SHIFT_MS: String(shift), CHAOS_CLOCK_JUMP_AFTER_MS: String(jumpAfter) };
      scene.addHost(1, { env, preload });
    }
    await untilLive(3);
    const workload = await fiveSteps(scene.outside.url);
    const load = { id: "R6", workload, backlogMax: 40, lastNode: "s5", report };
    const rows = await runUnderFire(scene, load, async () => {
      await sleep(JUMP_AFTER_MS);
      for (let kill = 1; kill <= kills; kill += 1) {
        const live = await untilLive(2);
        report(`R6: kill ${kill} of ${kills}`);
        killHard(live[Math.floor(random() * live.length)] ?? 0);
        await sleep(1_500);
      }
    });
    const seconds = resumeSeconds(scene.outside.calls);
    return [noteRow("R6", "resumed after, p95", `${percentile(seconds, 0.95).toFixed(2)} s`), ...rows];
  });
}
