import { rmSync } from "node:fs";
import { LOG_FILE } from "#bench/chaos/open-stage";
import { type ChaosOptions, parseOptions, SCENARIOS, type Scenario, USAGE } from "#bench/chaos/options";
import { formatTable, type Row } from "#bench/chaos/result-table";
import { clockSkew } from "#bench/chaos/scenarios/clock-skew";
import { deploys } from "#bench/chaos/scenarios/deploys";
import { mayhem } from "#bench/chaos/scenarios/mayhem";
import { networkCut } from "#bench/chaos/scenarios/network-cut";
import { parked } from "#bench/chaos/scenarios/parked";
import { poisonRuns } from "#bench/chaos/scenarios/poison-runs";
import { hostDeath, processDeath } from "#bench/chaos/scenarios/resume-time";
import { runJobs } from "#bench/chaos/scenarios/run-jobs";
import { webhooks } from "#bench/chaos/scenarios/webhooks";
import { zombies } from "#bench/chaos/scenarios/zombies";
import { readOptions } from "#bench/read-options";

/** `npm run chaos`: tests the promises about runs by killing real processes. Exits with 1 if a promise is broken. */
process.exitCode = await main(process.argv.slice(2));
// Leftovers of a scene do not keep this process alive.
process.exit();

async function main(args: string[]): Promise<number> {
  const options = readOptions(args, parseOptions, USAGE);
  if (!options) return args.includes("--help") ? 0 : 1;
  const scenarios = scenariosOf(options);
  const rows: Row[] = [];
  for (const name of SCENARIOS.filter((one) => options.only.has(one))) {
    const found = await scenarios[name]();
    report(`${name} is done\n${formatTable(found)}\n`);
    rows.push(...found);
  }
  process.stdout.write(`\n${formatTable(rows)}\n`);
  const isViolated = rows.some((row) => row.isCorrectness && row.isMet === false);
  if (isViolated) process.stdout.write(`A promise is broken. The workers' log: ${LOG_FILE}`);
  else for (const file of [LOG_FILE, `${LOG_FILE}.postgres`]) rmSync(file, { force: true });
  return isViolated ? 1 : 0;
}

function report(text: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

function scenariosOf({
  runs,
  kills,
  crashes,
  zombies: sleepers,
  deliveries,
  parked: waiting,
  seed,
}: ChaosOptions): Record<Scenario, () => Promise<Row[]>> {
  const shared = { seed, report };
  return {
    r1: async () => {
      const blows = { kills, crashes, zombies: Math.round(sleepers / 12), cuts: 0, poison: 0 };
      return (await mayhem({ ...shared, id: "R1", runs, ...blows, latencyMs: 40 })).rows;
    },
    r2: () => processDeath({ ...shared, kills }),
    r3: () => hostDeath({ ...shared, kills: Math.ceil(kills / 5) }),
    r4: () => zombies({ ...shared, zombies: sleepers }),
    r5: () => networkCut({ ...shared, rounds: 2 }),
    r6: () => clockSkew({ ...shared, kills: Math.ceil(kills / 5) }),
    r14: () => deploys({ ...shared, rounds: Math.ceil((kills * 2) / 5) }),
    jobs: () => runJobs({ ...shared, kills: Math.ceil(kills / 5), crashes }),
    webhooks: () => webhooks({ ...shared, deliveries, kills: Math.ceil(kills / 5), webKills: 1 }),
    parked: () => parked({ ...shared, parked: waiting }),
    r7: () => poisonRuns({ ...shared, runs: 1_000, poison: 10 }),
  };
}
