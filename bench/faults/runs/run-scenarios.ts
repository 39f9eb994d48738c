import { rmSync } from "node:fs";
import { type GroupOptions, RUN_SCENARIOS, type RunScenario } from "#bench/faults/options";
import { isViolated, type Row } from "#bench/faults/result-table";
import { clockSkew } from "#bench/faults/runs/clock-skew";
import { deploys } from "#bench/faults/runs/deploys";
import { mayhem } from "#bench/faults/runs/mayhem";
import { networkCut } from "#bench/faults/runs/network-cut";
import { parked } from "#bench/faults/runs/parked";
import { poisonRuns } from "#bench/faults/runs/poison-runs";
import { hostDeath, processDeath } from "#bench/faults/runs/resume-time";
import { runJobs } from "#bench/faults/runs/run-jobs";
import { webhooks } from "#bench/faults/runs/webhooks";
import { zombies } from "#bench/faults/runs/zombies";
import { LOG_FILE } from "#bench/faults/scene";

/** Runs the scenarios that kill workers, PostgreSQL, and connections, one after the other. */
export async function runScenarios(options: GroupOptions): Promise<void> {
  const rows: Row[] = [];
  for (const name of RUN_SCENARIOS.filter((one) => options.only.includes(one))) {
    const found = await SCENARIOS[name](options);
    options.conclude(name, found);
    rows.push(...found);
  }
  if (rows.some(isViolated)) options.report(`the log of the workers: ${LOG_FILE}`);
  else for (const file of [LOG_FILE, `${LOG_FILE}.postgres`]) rmSync(file, { force: true });
}

/** Some scenarios use a part of the kills, because each of their kills takes longer. */
const fifth = ({ kills }: GroupOptions) => Math.ceil(kills / 5);

const SCENARIOS: Record<RunScenario, (options: GroupOptions) => Promise<Row[]>> = {
  r1: async (options) => {
    const blows = { zombies: Math.round(options.zombies / 12), cuts: 0, poison: 0, latencyMs: 40 };
    return (await mayhem({ ...options, id: "R1", ...blows })).rows;
  },
  r2: processDeath,
  r3: (options) => hostDeath({ ...options, kills: fifth(options) }),
  r4: zombies,
  r5: (options) => networkCut({ ...options, rounds: 2 }),
  r6: (options) => clockSkew({ ...options, kills: fifth(options) }),
  r7: (options) => poisonRuns({ ...options, runs: 1_000, poison: 10 }),
  r14: (options) => deploys({ ...options, rounds: Math.ceil((options.kills * 2) / 5) }),
  jobs: (options) => runJobs({ ...options, kills: fifth(options) }),
  webhooks: (options) => webhooks({ ...options, kills: fifth(options), webKills: 1 }),
  parked,
};
