import { parseArgs } from "node:util";
import type { AttackSize } from "#bench/abuse/attack";
import { ATTACK_NAMES, type AttackName, attackNamed } from "#bench/abuse/attacks";

export interface AbuseOptions {
  only: readonly AttackName[];
  seconds: number;
  size: AttackSize;
  isJson: boolean;
}

const SECONDS: Record<AttackSize, string> = { full: "20", short: "3" };

export const USAGE = `Usage: npm run abuse -- [options]

  --only queue,code   these attacks only
  --seconds 20        how long each attack is measured
  --short             small attacks on one instance, judged by what is refused and in which order, not by times
  --json              one JSON line instead of tables

${ATTACK_NAMES.map((name) => `  ${name.padEnd(12)}${attackNamed(name).summary}`).join("\n")}`;

/**
 * @returns null if help was requested
 * @throws Error that names the invalid option
 */
export function parseOptions(args: string[]): AbuseOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", default: ATTACK_NAMES.join() },
      seconds: { type: "string" },
      short: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const size = values.short ? "short" : "full";
  const seconds = Number(values.seconds ?? SECONDS[size]);
  if (!(seconds > 0)) throw new Error("--seconds must be a number above 0");
  return { only: values.only.split(",").map(attack), seconds, size, isJson: values.json };
}

function attack(name: string): AttackName {
  const known = ATTACK_NAMES.find((one) => one === name.trim());
  if (!known) throw new Error(`--only knows ${ATTACK_NAMES.join(", ")}, not "${name}"`);
  return known;
}
