import { parseArgs } from "node:util";
import { formatTable, type Row } from "#bench/chaos/result-table";
import { readOptions } from "#bench/read-options";
import { judge } from "#e2e/cluster/judge";
import { startLoad } from "#e2e/cluster/load";
import { type Cluster, openCluster } from "#e2e/cluster/open-cluster";
import { PHASES, type Phase, runPhase } from "#e2e/cluster/phases";
import { preparePreviousRelease, type Release, THIS_RELEASE } from "#e2e/cluster/previous-release";
import { signIn } from "#e2e/cluster/session";
import { addTenants } from "#e2e/cluster/tenants";
import { buildWeb } from "#scripts/build/build-web";

interface ClusterOptions {
  only: ReadonlySet<Phase>;
  seconds: number;
  seed: number;
}

const USAGE = `Usage: npm run cluster -- [options]

  --only steady,kills   these phases only (${PHASES.join(", ")})
  --seconds 20          how long each state of the cluster lasts
  --seed 1              the same seed sends the same webhooks`;

/**
 * `npm run cluster`: runs the product on several machines, and kills, replaces, and upgrades them under load. Exits
 * with 1 if a run or an effect is lost or repeated, or if a client gets a failure.
 */
process.exitCode = await main(process.argv.slice(2));
// Leftovers of a phase do not keep this process alive.
process.exit();

async function main(args: string[]): Promise<number> {
  const options = readOptions(args, parseOptions, USAGE);
  if (!options) return args.includes("--help") ? 0 : 1;
  await buildWeb(".data/logs/build.log");
  const previous = options.only.has("upgrade") ? await preparePreviousRelease(report) : null;
  const cluster = await openCluster(options.seed);
  try {
    const rows = await run(cluster, previous, options);
    process.stdout.write(`\n${formatTable(rows)}\n`);
    const violated = rows.filter((row) => row.isCorrectness && row.isMet === false);
    process.stdout.write(`\n${violated.length === 0 ? "Nothing was lost or repeated." : "A promise is broken."}\n`);
    return violated.length === 0 ? 0 : 1;
  } finally {
    await cluster.close();
  }
}

async function run(cluster: Cluster, previous: Release | null, { only, seconds, seed }: ClusterOptions) {
  const release = previous ?? THIS_RELEASE;
  await cluster.migrate(release);
  await cluster.addMachines(release);
  await cluster.untilReady(2);
  const tenants = await addTenants({
    env: cluster.env,
    release,
    folder: cluster.folder,
    actionsUrl: cluster.outside.actions.url,
    slowUrl: cluster.outside.slow.url,
    eventsUrl: cluster.outside.events.url,
  });
  const fromMs = Date.now();
  const session = await signIn(cluster.balancer.url, tenants.login);
  const load = startLoad({ url: cluster.balancer.url, tenants, session, seed });
  const rows: Row[] = [];
  for (const phase of PHASES.filter((one) => only.has(one))) {
    report(phase);
    const found = await runPhase(phase, { cluster, tenants, session, load, seconds, previous, report });
    report(`${phase} is done\n${formatTable(found)}\n`);
    rows.push(...found);
  }
  const toMs = Date.now();
  await load.stop();
  report("the load has ended");
  return [...rows, ...(await judge({ cluster, tenants, load, fromMs, toMs, report }))];
}

function report(text: string): void {
  process.stderr.write(`${(performance.now() / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
}

/** @throws Error that names the invalid option */
function parseOptions(args: string[]): ClusterOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", default: PHASES.join() },
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
  const phase = (name: string) => {
    const known = PHASES.find((one) => one === name.trim());
    if (!known) throw new Error(`--only knows ${PHASES.join(", ")}, not "${name}"`);
    return known;
  };
  return { only: new Set(values.only.split(",").map(phase)), seconds: whole("seconds"), seed: whole("seed") };
}
