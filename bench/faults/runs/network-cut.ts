import { setTimeout as sleep } from "node:timers/promises";
import { limitRow, noteRow, type Row } from "#bench/faults/result-table";
import { runUnderFire, type ScenarioOptions, untilLive, withScene } from "#bench/faults/scene";
import { fiveSteps } from "#bench/faults/workload";
import { percentile } from "#bench/measure/statistics";
import { startBlackHole } from "#bench/stage/black-hole";

interface CutOptions extends ScenarioOptions {
  rounds: number;
}

const CUTS = [
  { ms: 3_000, what: "all" },
  { ms: 3_000, what: "answers" },
  { ms: 8_000, what: "all" },
  { ms: 30_000, what: "all" },
] as const;

/**
 * R5: silences one machine's connection to PostgreSQL for long and short periods. Neither side learns of a closed
 * connection.
 */
export function networkCut({ rounds, report }: CutOptions): Promise<Row[]> {
  return withScene({ latencyMs: () => 50 }, async (scene) => {
    const blackHole = await startBlackHole(scene.stage.database.port);
    const url = new URL(scene.stage.env.DATABASE_URL ?? "");
    url.port = String(blackHole.port);
    scene.addHost(1);
    scene.addHost(1, { env: { DATABASE_URL: url.href } });
    await untilLive(2);
    const workload = await fiveSteps(scene.outside.url);
    try {
      const load = { id: "R5", workload, backlogMax: 25, lastNode: "s5", report };
      const rows = await runUnderFire(scene, load, async () => {
        const cuts = Array.from({ length: rounds }, () => CUTS).flat();
        for (const [index, { ms, what }] of cuts.entries()) {
          await untilLive(2);
          await sleep(2_000);
          report(`R5: ${ms / 1000} s of silence, ${what} lost (${index + 1} of ${cuts.length})`);
          blackHole.open(what);
          await sleep(ms);
          blackHole.close();
        }
      });
      const seconds = blackHole.waits().map((ms) => ms / 1000);
      return [
        limitRow("R5", "a query waits for a silent database, longest", percentile(seconds, 1), 2.5, "s"),
        noteRow("R5", `median of ${seconds.length} abandoned connections`, `${percentile(seconds, 0.5).toFixed(2)} s`),
        ...rows,
      ];
    } finally {
      blackHole.end();
    }
  });
}
