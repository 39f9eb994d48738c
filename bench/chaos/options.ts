import { parseArgs } from "node:util";

export const SCENARIOS = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r14", "jobs", "webhooks", "parked"] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface ChaosOptions {
  runs: number;
  kills: number;
  crashes: number;
  zombies: number;
  deliveries: number;
  parked: number;
  seed: number;
  only: ReadonlySet<Scenario>;
}

export const USAGE = `Usage: npm run chaos -- [options]

  --only r1,r4     these scenarios only (${SCENARIOS.join(", ")})
  --runs 10000     runs under fire (r1); the others take what they need
  --kills 50       workers killed (r1, r2; a fifth in r3, r6, jobs and webhooks; r14 rolls out two fifths as often)
  --crashes 5      crashes of PostgreSQL (r1, jobs)
  --zombies 50     workers that are stopped and wake (r4; r1 has a twelfth of them)
  --deliveries 10000  webhooks sent (webhooks)
  --parked 10000   runs that wait for seven simulated days (parked)
  --seed 1         the same seed strikes in the same order`;

/** @throws Error that names the invalid option */
export function parseOptions(args: string[]): ChaosOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "10000" },
      kills: { type: "string", default: "50" },
      crashes: { type: "string", default: "5" },
      zombies: { type: "string", default: "50" },
      deliveries: { type: "string", default: "10000" },
      parked: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: SCENARIOS.join() },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  return {
    runs: whole("runs", values.runs),
    kills: whole("kills", values.kills),
    crashes: whole("crashes", values.crashes),
    zombies: whole("zombies", values.zombies),
    deliveries: whole("deliveries", values.deliveries),
    parked: whole("parked", values.parked),
    seed: whole("seed", values.seed),
    only: new Set(values.only.split(",").map(scenario)),
  };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

function scenario(name: string): Scenario {
  const known = SCENARIOS.find((one) => one === name.trim().toLowerCase());
  if (!known) throw new Error(`--only knows ${SCENARIOS.join(", ")}, not "${name}"`);
  return known;
}
