import { parseArgs } from "node:util";
import { formatTable } from "#bench/chaos/result-table";
import { readOptions } from "#bench/read-options";
import { type DrillOptions, drill } from "#e2e/cluster/restore/drill";
import { openSite } from "#e2e/cluster/restore/open-source";
import { closeDb } from "#lib/platform/db/pool";
import { buildWeb } from "#scripts/build/build-web";

const USAGE = `Usage: npm run restore-drill -- [options]

  --seconds 20   how long the load lasts before, between and after the backups
  --seed 1       the same seed sends the same webhooks`;

/**
 * `npm run restore-drill`: backs up an instance under load, destroys it, and restores each backup on another server.
 * Exits with 1 if anything that was acknowledged before a restore point is missing or repeated.
 */
process.exitCode = await main(process.argv.slice(2));
// Leftovers of a restore do not keep this process alive.
process.exit();

async function main(args: string[]): Promise<number> {
  const options = readOptions(args, parseOptions, USAGE);
  if (!options) return args.includes("--help") ? 0 : 1;
  await buildWeb(".data/logs/build.log");
  const site = await openSite(options.seed);
  // Sealing and judging use the instance's database and keys.
  Object.assign(process.env, site.env);
  try {
    const rows = await drill(site, { ...options, report });
    process.stdout.write(`\n${formatTable(rows)}\n`);
    const violated = rows.filter((row) => row.isCorrectness && row.isMet === false);
    process.stdout.write(`\n${violated.length === 0 ? "Every backup can be restored." : "A promise is broken."}\n`);
    return violated.length === 0 ? 0 : 1;
  } finally {
    await closeDb();
    await site.close();
  }
}

function report(text: string): void {
  process.stderr.write(`${(performance.now() / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
}

/** @throws Error that names the invalid option */
function parseOptions(args: string[]): Omit<DrillOptions, "report"> | null {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const whole = (name: "seconds" | "seed") => {
    if (/^\d{1,5}$/.test(values[name])) return Number(values[name]);
    throw new Error(`--${name} must be a whole number`);
  };
  return { seconds: whole("seconds"), seed: whole("seed") };
}
