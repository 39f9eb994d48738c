import type { GroupOptions } from "#bench/faults/options";
import { drill } from "#bench/faults/restore/drill";
import { openSite } from "#bench/faults/restore/open-source";
import { enterStage } from "#bench/stage/stage";

/** Backs up an instance under load, destroys it, and restores each backup on another server. */
export async function runDrill(options: GroupOptions): Promise<void> {
  const site = await openSite(options.seed);
  // Sealing and judging use the instance's database and keys.
  enterStage(site);
  try {
    await drill(site, options);
  } finally {
    await site.close();
  }
}
