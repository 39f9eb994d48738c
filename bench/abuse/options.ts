import type { AttackSize } from "#bench/abuse/attack";
import { ATTACK_NAMES, attackNamed } from "#bench/abuse/attacks";
import { FLAG, namesOf, positive } from "#bench/run/read-options";

/** The time for which each attack is measured, unless the options name another one. */
export const SECONDS: Record<AttackSize, number> = { full: 20, short: 3 };

export const ABUSE_OPTIONS = {
  only: namesOf(ATTACK_NAMES).default([...ATTACK_NAMES]),
  seconds: positive().optional(),
  short: FLAG,
  json: FLAG,
};

export const USAGE = `Usage: npm run abuse -- [options]

  --only queue,code   these attacks only
  --seconds 20        how long each attack is measured
  --short             small attacks on one instance, judged by what is refused and in which order, not by times
  --json              one JSON line instead of tables

${ATTACK_NAMES.map((name) => `  ${name.padEnd(12)}${attackNamed(name).summary}`).join("\n")}`;
