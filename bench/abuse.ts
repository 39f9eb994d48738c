import { type AttackName, attackNamed } from "#bench/abuse/attacks";
import { ABUSE_OPTIONS, SECONDS, USAGE } from "#bench/abuse/options";
import { type Bar, barsOf, formatFacts, formatResults, notesOf } from "#bench/abuse/result-table";
import { type AttackResult, runAttack } from "#bench/abuse/run-attack";
import { startTarget, type Target } from "#bench/abuse/start-target";
import { readOptions } from "#bench/run/read-options";
import { report } from "#bench/run/table";

/**
 * `npm run abuse`: attacks one of the product's tenants from another one, and measures what the victim notices. Exits
 * with 1 if a bar is missed or a fact does not hold.
 */
process.exitCode = await main();
// Connections that an attack left open do not keep this process alive.
process.exit();

async function main(): Promise<number> {
  const { only, short: isShort, json: isJson, ...options } = readOptions(ABUSE_OPTIONS, USAGE);
  const size = isShort ? "short" : "full";
  const seconds = options.seconds ?? SECONDS[size];
  const results: AttackResult[] = [];
  for (const group of isShort ? groupBySettings(only) : only.map((name) => [name])) {
    await withTarget(group, async (target) => {
      for (const name of group) {
        report(`${name}: ${attackNamed(name).summary}`);
        const result = await runAttack(target, name, { seconds, size });
        report(`${formatFacts(result)}\n${isShort ? "" : `${formatResults([result])}\n`}`);
        results.push(result);
      }
    });
  }
  const judged = results.map((result) => ({ ...result, bars: isShort ? [] : barsOf(result) }));
  if (isJson) process.stdout.write(`${JSON.stringify(judged.map(toJson))}\n`);
  else process.stdout.write(`\n${formatResults(results)}\n`);
  return judged.every(({ bars, facts }) => [...bars, ...facts].every(({ isMet }) => isMet)) ? 0 : 1;
}

/**
 * Gives each attack of the long form its own instance, because a process keeps the memory that an attack made it take.
 */
async function withTarget(group: readonly AttackName[], work: (target: Target) => Promise<void>): Promise<void> {
  const target = await startTarget(group[0] && attackNamed(group[0]).settings);
  try {
    await work(target);
  } finally {
    await target.stop();
  }
}

function groupBySettings(names: readonly AttackName[]): AttackName[][] {
  return [...Map.groupBy(names, (name) => JSON.stringify(attackNamed(name).settings ?? {})).values()];
}

/** Leaves out the single measurements. */
function toJson(result: AttackResult & { bars: Bar[] }) {
  const { attack, bars, facts, answers, processes, victim } = result;
  const { accepted, unfinished, faults } = victim;
  const notes = Object.fromEntries(notesOf(result));
  return {
    attack,
    bars,
    notes,
    facts,
    answers,
    processes,
    victim: { accepted, unfinished, faults: faults.slice(0, 20) },
  };
}
