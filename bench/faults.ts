import { fork } from "node:child_process";
import { once } from "node:events";
import { FAULT_OPTIONS, type FaultOptions, GROUPS, type Group, USAGE } from "#bench/faults/options";
import { formatRows, isViolated, type Row, zeroRow } from "#bench/faults/result-table";
import { readOptions } from "#bench/run/read-options";

/**
 * `npm run faults`: tests the promises of the product while its processes, machines, and databases fail. Exits with 1
 * if a promise is broken.
 */
const options = readOptions(FAULT_OPTIONS, USAGE);
const rows: Row[] = [];
for (const group of Object.keys(GROUPS) as Group[]) {
  const only = GROUPS[group].filter((name) => options.only.includes(name));
  if (only.length > 0) rows.push(...(await runGroup(group, { ...options, only })));
}
const isBroken = rows.some(isViolated);
process.stdout.write(`\n${formatRows(rows)}\n`);
process.stdout.write(`\n${isBroken ? "A promise is broken." : "Nothing was lost or repeated."}\n`);
process.exitCode = isBroken ? 1 : 0;

async function runGroup(group: Group, given: FaultOptions): Promise<Row[]> {
  const child = fork(new URL("faults/run-group.ts", import.meta.url), [group, JSON.stringify(given)]);
  const found: Row[] = [];
  child.on("message", (some: Row[]) => found.push(...some));
  const [code] = await once(child, "exit");
  return code === 0 ? found : [...found, zeroRow(group, "groups of scenarios that broke off", 1)];
}
