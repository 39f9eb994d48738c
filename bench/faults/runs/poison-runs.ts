import type { Row } from "#bench/faults/result-table";
import { mayhem } from "#bench/faults/runs/mayhem";
import type { ScenarioOptions } from "#bench/faults/scene";

interface PoisonOptions extends ScenarioOptions {
  runs: number;
  poison: number;
}

/**
 * R7: mixes runs that kill every worker that executes them with innocent runs. Repeats the load without them, for
 * comparison.
 */
export async function poisonRuns(options: PoisonOptions): Promise<Row[]> {
  const calm = { ...options, id: "R7", kills: 0, crashes: 0, zombies: 0, cuts: 0, latencyMs: 200 };
  options.report("R7: without poison");
  const before = await mayhem({ ...calm, poison: 0 });
  options.report("R7: with poison");
  const { rows, seconds } = await mayhem(calm);
  const share = (100 * before.seconds) / seconds;
  const throughput: Row = {
    id: "R7",
    what: `throughput with ${options.poison} poison runs`,
    target: ">= 50 %",
    measured: `${share.toFixed(0)} %`,
    isMet: share >= 50,
    isCorrectness: false,
  };
  return [throughput, ...rows.filter((row) => !row.what.startsWith("steps started twice"))];
}
