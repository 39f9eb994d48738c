import type { GroupOptions } from "#bench/faults/options";
import { drill } from "#bench/faults/restore/drill";
import { openSite } from "#bench/faults/restore/open-source";
import { closeDb } from "#lib/platform/db/pool";
import { buildWeb } from "#scripts/build/build-web";

/** Backs up an instance under load, destroys it, and restores each backup on another server. */
export async function runDrill(options: GroupOptions): Promise<void> {
  await buildWeb(".data/logs/build.log");
  const site = await openSite(options.seed);
  // Sealing and judging use the instance's database and keys.
  Object.assign(process.env, site.env);
  try {
    await drill(site, options);
  } finally {
    await closeDb();
    await site.close();
  }
}
