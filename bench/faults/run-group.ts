import { testMachines } from "#bench/faults/machines/test-machines";
import type { FaultOptions, Group, GroupOptions } from "#bench/faults/options";
import { runDrill } from "#bench/faults/restore/run-drill";
import { formatRows } from "#bench/faults/result-table";
import { runScenarios } from "#bench/faults/runs/run-scenarios";
import { report } from "#bench/run/table";

/**
 * Runs the scenarios of a group and sends the rows of the result table to the parent process. Usage, forked:
 * `node bench/faults/run-group.ts <group> <options as JSON>`.
 */
const RUNNERS: Record<Group, (options: GroupOptions) => Promise<void>> = {
  runs: runScenarios,
  machines: testMachines,
  restore: runDrill,
};

const [group = "runs", options = "{}"] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));
await RUNNERS[group as Group]({
  ...(JSON.parse(options) as FaultOptions),
  report,
  conclude: (name, rows) => {
    report(`${name} is done\n${formatRows(rows)}\n`);
    process.send?.(rows);
  },
});
// Ends when everything is sent. Leftovers of a scenario do not keep this process alive.
process.send?.([], () => process.exit());
