import { judge } from "#bench/faults/machines/judge";
import { startLoad } from "#bench/faults/machines/load";
import { type Cluster, openCluster } from "#bench/faults/machines/open-cluster";
import { runPhase } from "#bench/faults/machines/phases";
import { signIn } from "#bench/faults/machines/session";
import { addTenants } from "#bench/faults/machines/tenants";
import { type GroupOptions, PHASES } from "#bench/faults/options";
import { preparePreviousRelease, type Release, THIS_RELEASE } from "#bench/stage/previous-release";

/** Runs the product on several machines, and kills, replaces, and upgrades them under load. */
export async function testMachines(options: GroupOptions): Promise<void> {
  const previous = options.only.includes("upgrade") ? await preparePreviousRelease(options.report) : null;
  const cluster = await openCluster(options.seed);
  try {
    await test(cluster, previous, options);
  } finally {
    await cluster.close();
  }
}

async function test(cluster: Cluster, previous: Release | null, options: GroupOptions): Promise<void> {
  const { only, seconds, seed, report, conclude } = options;
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
  for (const phase of PHASES.filter((one) => only.includes(one))) {
    report(phase);
    conclude(phase, await runPhase(phase, { cluster, tenants, session, load, seconds, previous, report }));
  }
  const toMs = Date.now();
  await load.stop();
  report("the load has ended");
  conclude("machines", await judge({ cluster, tenants, load, fromMs, toMs, report }));
}
