import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { listAllSources } from "#lib/source-files.fixture";
import { buildWeb } from "#scripts/build/build-web";
import { generatePrisma } from "#scripts/build/generate-prisma";
import { runShown } from "#scripts/run-shown";
import { listAffected, listChanged } from "#scripts/testing/list-affected";
import { requireChromium } from "#scripts/testing/require-chromium";
import {
  addTallies,
  formatTally,
  listSlowest,
  type Tally,
  tallyOfPlaywright,
  tallyOfVitest,
} from "#scripts/testing/test-tally";

type Part = "checks" | "unit" | "e2e";

/** The filter of each part that runs. */
type Selection = Partial<Record<Part, string[]>>;

/** One stage of `npm test`. */
interface Stage {
  part: Part;
  title: string;
  /** Runs the stage. Throws if there is nothing to count, for example if a build fails. */
  run(context: { filter: string[]; folder: string }): Promise<Tally>;
}

const ONE_PASSED: Tally = { passed: 1, failed: 0, skipped: 0 };
const ONE_FAILED: Tally = { passed: 0, failed: 1, skipped: 0 };

const STAGES: Stage[] = [
  { part: "checks", title: "Types, lint and format, dead code and dependencies", run: runChecks },
  { part: "unit", title: "Unit and integration tests, on a separate PostgreSQL", run: runVitest },
  { part: "e2e", title: "End-to-end tests, on the production build", run: runPlaywright },
];

process.exitCode = await main(process.argv.slice(2));

/** Runs the stages in order, all of them: a failure of one hides nothing of the others. The last line counts the tests. */
async function main([part, ...filter]: string[]): Promise<number> {
  const selection = await select(part, filter);
  const stages = STAGES.filter((stage) => selection[stage.part]);
  if (stages.length === 0) {
    process.stderr.write("Usage: npm test -- [checks | unit | e2e | changed] [filter]\n");
    return 1;
  }
  // The tools are started by name, and find the project's Node in the same folder.
  process.env.PATH = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
  const folder = await mkdtemp(join(tmpdir(), "signalbox-report-"));
  let total: Tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    await generatePrisma();
    for (const stage of stages) {
      process.stdout.write(`\n== ${stage.title}\n`);
      const tally = await stage.run({ filter: selection[stage.part] ?? [], folder }).catch((error: Error) => {
        process.stdout.write(`${error.message}\n`);
        return ONE_FAILED;
      });
      total = addTallies(total, tally);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${formatTally(total)}\n`);
  return total.failed > 0 ? 1 : 0;
}

/** @param filter what the tools filter by, or the commit that `changed` compares with */
async function select(part: string | undefined, filter: string[]): Promise<Selection> {
  if (part === undefined) return { checks: [], unit: [], e2e: [] };
  if (part !== "changed") return { [part]: filter };
  const { unit, e2e } = listAffected(await listChanged(filter[0] ?? "origin/main"), listAllSources());
  return { checks: [], unit, ...(e2e.length > 0 && { e2e }) };
}

/** Runs the checks in parallel, because none of them keeps all cores busy and each prints little. */
async function runChecks(): Promise<Tally> {
  const tallies = await Promise.all([check("tsc", ["--noEmit"]), check("biome", ["check"]), check("knip", [])]);
  return tallies.reduce(addTallies);
}

async function check(program: string, args: string[]): Promise<Tally> {
  return (await runShown(program, args)) === 0 ? ONE_PASSED : ONE_FAILED;
}

async function runVitest({ filter, folder }: { filter: string[]; folder: string }): Promise<Tally> {
  const report = join(folder, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await runShown("vitest", ["run", ...reporters, ...filter]);
  const result = await readReport(report);
  process.stdout.write(`\nThe slowest files:\n${listSlowest(result, resolve(".")).join("\n")}\n`);
  return tallyOfVitest(result, code);
}

async function runPlaywright({ filter, folder }: { filter: string[]; folder: string }): Promise<Tally> {
  await buildWeb(join(folder, "build.log"));
  await requireChromium();
  const report = join(folder, "playwright.json");
  const args = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json", ...filter];
  const code = await runShown("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  return tallyOfPlaywright(await readReport(report), code);
}

/** Reads the tool's report. Null if the tool ended before it wrote one. */
async function readReport(path: string): Promise<unknown> {
  return readFile(path, "utf8").then(JSON.parse, () => null);
}
