import type { z } from "zod";
import type { Row } from "#bench/faults/result-table";
import { namesOf, whole } from "#bench/run/read-options";

export const RUN_SCENARIOS = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r14", "jobs", "webhooks", "parked"] as const;
export type RunScenario = (typeof RUN_SCENARIOS)[number];
/** The phases of the test with several machines, which share one load. */
export const PHASES = ["upgrade", "steady", "kills", "failover", "restart"] as const;
export type Phase = (typeof PHASES)[number];
const SCENARIOS = [...RUN_SCENARIOS, ...PHASES, "restore"] as const;
export type Group = "runs" | "machines" | "restore";

/** The groups of scenarios. Each runs in its own process, because a process reads its settings once. */
export const GROUPS: Record<Group, readonly (typeof SCENARIOS)[number][]> = {
  runs: RUN_SCENARIOS,
  machines: PHASES,
  restore: ["restore"],
};

export const FAULT_OPTIONS = {
  only: namesOf(SCENARIOS, GROUPS).default([...SCENARIOS]),
  runs: whole(10_000),
  kills: whole(50),
  crashes: whole(5),
  zombies: whole(50),
  deliveries: whole(10_000),
  parked: whole(10_000),
  seconds: whole(20),
  seed: whole(1),
};
type FaultOptionShape = typeof FAULT_OPTIONS;
export type FaultOptions = { [Name in keyof FaultOptionShape]: z.output<FaultOptionShape[Name]> };

export interface GroupOptions extends FaultOptions {
  report(text: string): void;
  /** Adds the rows of a scenario to the result. */
  conclude(name: string, rows: readonly Row[]): void;
}

export const USAGE = `Usage: npm run faults -- [options]

  --only r1,r4     these scenarios or groups only
                     runs      ${RUN_SCENARIOS.join(", ")}
                     machines  ${PHASES.join(", ")}
                     restore   the restore drill
  --runs 10000     runs under fire (r1); the others take what they need
  --kills 50       workers killed (r1, r2; a fifth in r3, r6, jobs and webhooks; r14 rolls out two fifths as often)
  --crashes 5      crashes of PostgreSQL (r1, jobs)
  --zombies 50     workers that are stopped and wake (r4; r1 has a twelfth of them)
  --deliveries 10000  webhooks sent (webhooks)
  --parked 10000   runs that wait for seven simulated days (parked)
  --seconds 20     how long each state lasts (machines, restore)
  --seed 1         the same seed strikes in the same order, and sends the same webhooks`;
