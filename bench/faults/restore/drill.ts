import { setTimeout as sleep } from "node:timers/promises";
import { type Load, startLoad } from "#bench/faults/machines/load";
import { signIn } from "#bench/faults/machines/session";
import { addTenants, type Tenants } from "#bench/faults/machines/tenants";
import type { GroupOptions } from "#bench/faults/options";
import { addExtras, type Extras } from "#bench/faults/restore/add-extras";
import { openVault, runInVault, startArchive, type Vault } from "#bench/faults/restore/back-up";
import { keyRows } from "#bench/faults/restore/judge-keys";
import { judgeRestored, type RestoredCase } from "#bench/faults/restore/judge-restored";
import type { Site } from "#bench/faults/restore/open-source";
import { type Calls, markPoint, type RestorePoint, takeCalls } from "#bench/faults/restore/restore-point";
import { type RestoredServer, restoreArchive, restoreDump } from "#bench/faults/restore/restore-server";
import { type Fires, readFires, untilFired } from "#bench/faults/restore/schedule-fires";
import { noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { THIS_RELEASE } from "#bench/stage/previous-release";
import { closeDb } from "#lib/platform/db/pool";

/** Everything that remains after the loss of an instance. */
interface Loss {
  load: Load;
  tenants: Tenants;
  extras: Extras;
  vault: Vault;
  points: { dump: RestorePoint; moment: RestorePoint };
  /** Everything that was acknowledged before the loss. */
  last: RestorePoint;
  fires: Fires;
  calls: Calls;
}

/** Backs up an instance under load, destroys it, then restores and judges each backup. */
export async function drill(site: Site, options: GroupOptions): Promise<void> {
  const loss = await backUpAndDestroy(site, options);
  // The callers keep running and repeat their calls until the restored instance answers.
  await restore(site, loss, {
    ...options,
    name: "archive",
    open: (vault) => restoreArchive(site, vault),
    mark: async () => {
      await sleep(options.seconds * 1_000);
      await loss.load.stop();
      const { accepted, approved, deliveries } = loss.load;
      return { name: "archive", at: loss.last.at, accepted, approved, deliveries };
    },
  });
  const { moment, dump } = loss.points;
  await restore(site, loss, {
    ...options,
    name: "moment",
    open: (vault) => restoreArchive(site, vault, moment.at),
    mark: async () => moment,
  });
  await restore(site, loss, {
    ...options,
    name: "dump",
    open: (vault) => restoreDump(site, vault),
    mark: async () => dump,
  });
}

async function backUpAndDestroy(site: Site, { seconds, seed, report, conclude }: GroupOptions): Promise<Loss> {
  const { outside, databaseUrl, url, env, folder } = site;
  const machine = await site.start("lost");
  const tenants = await addTenants({
    env,
    folder,
    release: THIS_RELEASE,
    actionsUrl: outside.actions.url,
    slowUrl: outside.actions.url,
    eventsUrl: outside.events.url,
  });
  const extras = await addExtras(site, tenants);
  const vault = await openVault(site);
  const receiver = await startArchive(vault, site);
  const load = startLoad({ url, tenants, session: await signIn(url, tenants.login), seed });
  // The schedule fires in every part of the load, and no fire is near a restore point.
  const pass = async () => {
    await sleep(seconds * 1_000);
    await untilFired(databaseUrl);
  };
  report("the load has started");
  await pass();
  const base = await timed("pg_basebackup under load", () => runInVault(vault, "pg_basebackup"));
  const dumpPoint = await markPoint("dump", load, databaseUrl);
  const dump = await timed("pg_dump under load", () => runInVault(vault, "pg_dump"));
  report("both backups are taken");
  conclude("backup", [base, dump]);
  await pass();
  const moment = await markPoint("moment", load, databaseUrl);
  await pass();
  const fires = await readFires(databaseUrl);
  const last = await markPoint("archive", load, databaseUrl);
  await site.source.cluster.stop("immediate");
  await machine.killAll();
  await receiver.stop();
  await site.source.remove();
  await closeDb();
  report("the instance and its database are gone");
  const points = { dump: dumpPoint, moment };
  return { load, tenants, extras, vault, points, last, fires, calls: takeCalls(outside) };
}

async function timed(what: string, work: () => Promise<void>): Promise<Row> {
  const startedMs = performance.now();
  await work();
  return noteRow("backup", what, `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}

interface RestoreOptions extends GroupOptions {
  name: RestorePoint["name"];
  open(vault: Vault): Promise<RestoredServer>;
  /** Returns what the restored instance must contain, after it is ready. */
  mark(): Promise<RestorePoint>;
}

/** Restores one backup, starts an instance on it with the lost instance's secrets, and judges that instance. */
async function restore(site: Site, loss: Loss, { name, open, mark, ...options }: RestoreOptions): Promise<void> {
  const { report, conclude } = options;
  const { load, tenants, extras, calls: lost, fires } = loss;
  report(`restoring: ${name}`);
  const startedMs = performance.now();
  const server = await open(loss.vault);
  const restoredMs = performance.now();
  try {
    const keys = name === "dump" ? await keyRows(site) : [];
    const startedAt = new Date();
    const launchedMs = performance.now();
    const machine = await site.start(name);
    const readyMs = performance.now();
    try {
      const point = await mark();
      const restored: Calls = { actions: site.outside.actions.calls, events: site.outside.events.calls };
      const given: RestoredCase = {
        site,
        tenants,
        extras,
        point,
        last: loss.last,
        fires,
        startedAt,
        report,
        calls: { lost, restored },
      };
      const times = [restoredMs - startedMs, readyMs - launchedMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
      const rows = [noteRow(name, "database restored in, instance ready in", times.join(", ")), ...keys];
      // Only this restore runs under the load.
      if (name === "archive") rows.push(zeroRow(name, "answers that a client did not expect", load.surprises.length));
      rows.push(...(await judgeRestored(given)));
      conclude(name, rows);
    } finally {
      await machine.stop();
      await closeDb();
      takeCalls(site.outside);
    }
  } finally {
    await server.remove();
  }
}
